//! The dialects, as requests and answers name them.

use overfold_base::named;

named! {
    /// Whose rules are followed.
    pub enum Dialect {
        /// Terraform 1.x.
        Terraform = "terraform" or "tf" or "hashicorp",
        /// OpenTofu 1.x.
        OpenTofu = "opentofu" or "tofu" or "opentf" or "ot",
        /// The configuration as TFLint's rules see it.
        TfLint = "tflint" or "lint",
        /// The configuration of the Sentinel command line.
        Sentinel = "sentinel",
        /// Terraform 0.11, with its older grammar.
        Terraform011 = "terraform-0.11" or "tf011" or "011" or "hcl1",
    }
}

#[cfg(test)]
mod tests {
    use overfold_base::choice::likely;

    use super::Dialect;

    #[test]
    fn what_a_person_would_suggest() {
        for (word, meant) in [
            ("tofu", Some("opentofu")),
            ("OpenTofu", Some("opentofu")),
            ("open-tofu", Some("opentofu")),
            ("Terraform", Some("terraform")),
            ("terafrom", Some("terraform")),
            ("terraform0.11", Some("terraform-0.11")),
            ("terraform_0.11", Some("terraform-0.11")),
            ("terraform-0.11.15", Some("terraform-0.11")),
            ("terraform-1.5", Some("terraform")),
            ("0.11", Some("terraform-0.11")),
            ("tf", Some("terraform")),
            ("tf-lint", Some("tflint")),
            ("pulumi", None),
            ("", None),
        ] {
            assert_eq!(likely::<Dialect>(word), meant, "{word}");
        }
    }
}
