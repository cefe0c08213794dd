//! Requests that show what each dialect does.

use serde_json::{Value, json};

use super::Dialect;

/// Returns a request for each dialect: its name, what it shows, and the body of `POST /v1/merge`.
pub(crate) fn example_requests() -> Vec<(&'static str, &'static str, Value)> {
    Dialect::NAMES.iter().map(|&(name, dialect)| (name, about(dialect), request(dialect))).collect()
}

const fn about(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Terraform => "Terraform: an override file replaces an argument",
        Dialect::OpenTofu => "OpenTofu: a .tofu file replaces the .tf file of the same name",
        Dialect::TfLint => "TFLint: the blocks as a rule sees them",
        Dialect::Sentinel => "Sentinel: the enforcement level of a policy is overridden",
        Dialect::Terraform011 => "Terraform 0.11: the values of a map variable come from two sources",
    }
}

fn request(dialect: Dialect) -> Value {
    match dialect {
        Dialect::Terraform => json!({
            "files": {
                "main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n",
                "override.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"
            },
            "version": "1.11",
            "include": ["config", "objects"]
        }),
        Dialect::OpenTofu => json!({
            "dialect": "opentofu",
            "files": {
                "main.tf": "locals {\n  ring = \"outer\"\n}\n",
                "main.tofu": "locals {\n  ring = \"inner\"\n}\nmodule \"net\" {\n  source = \"./${local.ring}\"\n}\n"
            },
            "include": ["objects", "files"]
        }),
        Dialect::TfLint => json!({
            "dialect": "tflint",
            "files": {
                "main.tf": "locals {\n  a = 1\n}\n",
                "override.tf": "locals {\n  b = 2\n}\n"
            },
            "include": ["objects"]
        }),
        Dialect::Sentinel => json!({
            "dialect": "sentinel",
            "files": {
                "sentinel.hcl": "policy \"tags\" {\n  source = \"./tags.sentinel\"\n  enforcement_level = \"advisory\"\n}\n",
                "override.hcl": "policy \"tags\" {\n  enforcement_level = \"hard-mandatory\"\n}\n"
            }
        }),
        Dialect::Terraform011 => json!({
            "dialect": "terraform-0.11",
            "files": {
                "main.tf": "variable \"ports\" {\n  default = { http = 80 }\n}\n",
                "prod.tfvars": "ports = { https = 443 }\n"
            },
            "variables": {"args": [{"var_file": "prod.tfvars"}]},
            "include": ["variables"]
        }),
    }
}
