//! Choices among names that several options have.

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

named! {
    /// A part of the answer that can be requested.
    pub enum Part {
        /// The merged configuration.
        Config = "config",
        /// Every object with its arguments, where each one comes from, and what it replaced. For the dialect `tflint`, the
        /// answer has `content` in its place: the list of blocks that a rule would see, with the same details for each.
        Objects = "objects",
        /// The input variables.
        Variables = "variables" or "vars",
        /// The files of the module directory, and what became of each.
        Files = "files",
        /// What overriding changed.
        Overrides = "overrides",
        /// The graph of module calls (with `recursive`).
        Calls = "calls",
    }
}

named! {
    /// The severity that a request gives to findings.
    pub enum Level {
        /// An error.
        Error = "error" or "err" or "fail" or "failure",
        /// A warning.
        Warning = "warning" or "warn",
        /// A note.
        Info = "info" or "note" or "notice" or "hint",
        /// Not shown.
        Off = "off" or "none" or "ignore" or "never" or "silent" or "disable" or "disabled" or "false",
    }
}

#[cfg(test)]
mod tests {
    use overfold_base::choice::likely;

    use super::{Dialect, Part};

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
        assert_eq!(likely::<Part>("tofu"), None);
    }
}
