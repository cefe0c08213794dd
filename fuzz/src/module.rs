//! Whole modules through every stage: all dialects, every part of the answer, values.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::http::post;

const DIALECTS: [&str; 5] = ["terraform", "opentofu", "tflint", "sentinel", "terraform-0.11"];
const NAMES: [&str; 8] = [
    "main.tf",
    "override.tf",
    "a_override.tf",
    "b.tf.json",
    "terraform.tfvars",
    "a.auto.tfvars.json",
    "main.tofu",
    "sentinel.hcl",
];

/// Fuzzes a module given as text. The first byte selects dialect and options; the rest is, separated by NUL, the name
/// and content of each file. A name of one digit is one of `NAMES`; one that starts with `env:` or `var:` sets the
/// value of a variable.
pub(crate) fn module(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let dialect = DIALECTS[usize::from(choice) % DIALECTS.len()];
    let mut files = BTreeMap::new();
    let (mut environment, mut options) = (BTreeMap::new(), Vec::new());
    let mut pieces = rest.split(|byte| *byte == 0).take(16);
    while let (Some(name), Some(content)) = (pieces.next(), pieces.next()) {
        let (name, content) = (String::from_utf8_lossy(name), String::from_utf8_lossy(content));
        if let Some(variable) = name.strip_prefix("env:") {
            environment.insert(format!("TF_VAR_{variable}"), content.into_owned());
        } else if let Some(variable) = name.strip_prefix("var:") {
            options.push(json!({"var": format!("{variable}={content}")}));
        } else {
            let known = name.parse::<usize>().ok().and_then(|at| NAMES.get(at)).map(|name| (*name).to_owned());
            files.insert(known.unwrap_or_else(|| name.into_owned()), content.into_owned());
        }
    }
    let values = choice & 0x20 != 0 && dialect != "sentinel";
    let mut request = json!({"files": files, "dialect": dialect, "include": include(dialect, values)});
    if values {
        request["variables"] = json!({"env": environment, "args": options});
    }
    if dialect == "tflint" && choice & 0x40 != 0 {
        request["expand"] = json!(true);
    }
    if choice & 0x80 != 0 {
        request["reveal_sensitive"] = json!(true);
    }
    send(&request);
}

/// Fuzzes a type constraint: with a default, and as the type of a value.
pub(crate) fn type_constraint(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (constraint, value) = text.split_once('\0').unwrap_or((text, "{}"));
    let main = format!(
        "variable \"x\" {{\n  type = {constraint}\n  default = {value}\n}}\nvariable \"y\" {{\n  \
                        type = {constraint}\n}}\n"
    );
    let request = json!({
        "files": {"main.tf": main},
        "include": ["config", "objects", "variables"],
        "variables": {"env": {"TF_VAR_y": value}},
    });
    send(&request);
}

/// Fuzzes an expression: as a default, as a validation condition, and where each dialect evaluates one.
pub(crate) fn expression(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let rule = format!(
        "variable \"x\" {{\n  default = {text}\n}}\nvariable \"y\" {{\n  type = any\n  validation {{\n    \
                        condition = var.y == null || can({text}) || {text}\n    error_message = \"no ${{var.y}}\"\n  \
                        }}\n}}\n"
    );
    for (dialect, main) in [
        ("terraform", rule.clone()),
        ("opentofu", format!("{rule}locals {{\n  a = {text}\n}}\nmodule \"m\" {{\n  source = local.a\n}}\n")),
        ("tflint", format!("resource \"a\" \"b\" {{\n  count = {text}\n  c = count.index\n  d = {text}\n}}\n")),
    ] {
        let value = json!({"a": [1, "b", null], "c": {"d": true}});
        let mut request = json!({
            "files": {"main.tf": main},
            "dialect": dialect,
            "include": include(dialect, true),
            "variables": {"args": [{"name": "y", "value": value}]},
        });
        if dialect == "tflint" {
            request["expand"] = json!(true);
        }
        send(&request);
    }
}

/// Fuzzes values of variables as text: in the environment, as an option, in a file.
pub(crate) fn values(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (constraint, value) = text.split_once('\0').unwrap_or(("any", text));
    let main =
        format!("variable \"a\" {{\n  type = {constraint}\n}}\nvariable \"b\" {{\n  type = {constraint}\n}}\n");
    for dialect in ["terraform", "terraform-0.11"] {
        let request = json!({
            "files": {"main.tf": main, "terraform.tfvars": format!("a = {value}\n"), "x.auto.tfvars.json": value},
            "dialect": dialect,
            "include": ["variables"],
            "variables": {"env": {"TF_VAR_a": value}, "args": [{"var": value}, {"var": format!("b={value}")}]},
        });
        send(&request);
    }
}

fn include(dialect: &str, values: bool) -> Vec<&'static str> {
    let mut parts = vec!["objects", "files"];
    if dialect != "tflint" {
        parts.push("config");
    }
    if values {
        parts.push("variables");
    }
    parts
}

fn send(request: &Value) {
    post("/v1/merge", "application/json", request.to_string().as_bytes());
}
