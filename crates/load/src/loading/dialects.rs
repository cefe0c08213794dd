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
