//! Test files in versions and dialects whose tool is not available here; the results of 1.11.4 are recorded in cases.

use std::fmt::Write as _;

use serde_json::json;

use crate::http::post;

/// Returns `FILE:LINE:COLUMN TITLE` for every diagnostic of the tool, one per line, in order.
async fn says(at: &str, name: &str, text: &str) -> String {
    let (dialect, version) = at.split_once(' ').unwrap();
    let request = json!({"stage": "load", "files": {name: text}, "dialect": dialect, "version": version});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let mut out = String::new();
    for found in answer.json()["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == "tool") {
        let start = &found["range"]["start"];
        writeln!(out, "{}:{} {}", start["line"], start["column"], found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

const VARIABLES: &str = "variable \"a b\" {\n  type    = nonsense\n  default = local.x\n  other   = 1\n}\n\
    variable \"c\" {\n  type    = number\n  default = \"many\"\n  validation {\n    condition     = true\n    error_message = \"No.\"\n  }\n}\n\
    variable \"d\" {\n  type    = string\n  default = \"fine\"\n}\n";

/// The syntax is that of a variable of the module.
#[tokio::test]
async fn variables_are_read_like_those_of_the_module() {
    let in_module = says("terraform 1.13", "main.tf", VARIABLES).await;
    assert_eq!(
        in_module,
        "1:10 Invalid variable name\n2:13 Invalid type specification\n3:13 Variables not allowed\n4:3 Unsupported argument\n\
         8:13 Invalid default value for variable\n10:21 Invalid validation expression\n10:21 Invalid variable validation condition\n"
    );
    assert_eq!(says("terraform 1.13", "a.tftest.hcl", VARIABLES).await, in_module);
    assert_eq!(
        says("terraform 1.12", "a.tftest.hcl", VARIABLES).await,
        "1:1 Unsupported block type\n6:1 Unsupported block type\n14:1 Unsupported block type\n"
    );
    let json = r#"{"variable": {"c": {"type": "number", "default": "many"}, "d": {"default": 1}}}"#;
    let in_module = says("terraform 1.13", "main.tf.json", json).await;
    assert!(in_module.contains("Invalid default value for variable"), "{in_module}");
    assert_eq!(says("terraform 1.13", "a.tftest.json", json).await, in_module);
}

#[tokio::test]
async fn modules_of_runs_are_downloaded_since_opentofu_1_10() {
    let text = "run \"a\" {\n  module {\n    source = \"git::https://host/x\"\n  }\n}\nrun \"b\" {\n  module {\n    source  = \"./x\"\n    version = \"1.0\"\n  }\n  module {\n    source = \"./y\"\n  }\n}\n";
    let always = "8:5 Invalid registry module source address\n";
    let before = format!("3:5 Invalid module source address\n{always}");
    assert_eq!(says("opentofu 1.9", "a.tofutest.hcl", text).await, before);
    assert_eq!(says("opentofu 1.10", "a.tofutest.hcl", text).await, always);
    assert_eq!(says("terraform 1.15", "a.tftest.hcl", text).await, before);
}

/// Returns `LINE:COLUMN TITLE` of the tool's findings in the test file of a module (Terraform 1.11.4).
async fn says_about(module: &str, name: &str, text: &str) -> String {
    let request =
        json!({"stage": "load", "files": {"main.tf": module, name: text}, "dialect": "terraform", "version": "1.11"});
    let answer = post("application/json", request.to_string()).await.json();
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == "tool") {
        let start = &found["range"]["start"];
        writeln!(out, "{}:{} {}", start["line"], start["column"], found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

#[tokio::test]
async fn only_checkable_objects_are_expected_to_fail() {
    let run = |list: &str| format!("run \"a\" {{\n  expect_failures = [{list}]\n}}\n");
    for item in [
        "output.x",
        "var.v",
        "check.c",
        "terraform_data.x",
        "terraform_data.x[0]",
        "data.a.b",
        "ephemeral.a.b",
        "resource.a.b",
        "var.v.x",
    ] {
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, "", "{item}");
    }
    for item in [
        "local.l",
        "module.m",
        "module.m.x",
        "module.m[0]",
        "path.module",
        "terraform.workspace",
        "each.key",
        "self",
        "run.a",
        "count.index",
    ] {
        let wanted = "2:22 Invalid `expect_failures` reference\n";
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, wanted, "{item}");
        let json = format!("{{\"run\": {{\"a\": {{\n  \"expect_failures\": [\"{item}\"]}}}}}}");
        let found = says_about("", "a.tftest.json", &json).await;
        assert!(found.ends_with("Invalid `expect_failures` reference\n"), "{item}: {found}");
    }
    for item in ["foo", "output", "check", "run"] {
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, "2:22 Invalid reference\n", "{item}");
    }
}
