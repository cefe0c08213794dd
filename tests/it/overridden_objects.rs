//! What `objects` reports about overriding, and the notes about what `config` cannot express.

use serde_json::{Value, json};

use crate::http::post;

async fn ask(dialect: &str, version: &str, files: Value) -> Value {
    let request = json!({"stage": "load", "files": files, "dialect": dialect, "version": version,
                         "include": ["config", "objects", "variables"]});
    post("application/json", request.to_string()).await.json()
}

fn lines(range: &Value) -> (u64, u64) {
    (range["start"]["line"].as_u64().unwrap(), range["end"]["line"].as_u64().unwrap())
}

#[tokio::test]
async fn lost_blocks_are_shown_whole_and_additions_as_such() {
    let base = "resource \"a\" \"t\" {\n  n = 1\n  disk {\n    size = 5\n    zone {}\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  n = 2\n  m = 3\n  disk {}\n}\n";
    let answer = ask("terraform", "1.11.4", json!({"main.tf": base, "override.tf": over})).await;
    let object = &answer["module"]["objects"]["a.t"];
    assert_eq!((lines(&object["header"]), lines(&object["range"])), ((1, 1), (1, 7)));
    let gone = &object["removed_blocks"][0];
    assert_eq!((lines(&gone["header"]), lines(&gone["range"])), ((3, 3), (3, 6)));
    assert_eq!(gone["attributes"]["size"]["expression"], "5");
    assert_eq!(gone["blocks"][0]["type"], "zone");
    assert_eq!(object["attributes"]["m"]["added"], true);
    assert!(object["attributes"]["n"].get("added").is_none());
}

#[tokio::test]
async fn settings_show_replaced_and_new_values() {
    let base = "terraform {\n  required_version = \">= 1.1\"\n  backend \"s3\" {\n    bucket = \"a\"\n    key = \"k\"\n  }\n}\n";
    let over = "terraform {\n  required_version = \">= 1.0\"\n  backend \"s3\" {\n    bucket = \"b\"\n    region = \"r\"\n  }\n}\n";
    let answer = ask("terraform", "1.11.4", json!({"main.tf": base, "override.tf": over})).await;
    let objects = &answer["module"]["objects"];
    let version = &objects["terraform.required_version"];
    assert_eq!(version["overridden_by"][0]["filename"], "override.tf");
    assert_eq!(version["header"]["filename"], "override.tf");
    assert_eq!(version["constraints"][0]["previous"][0]["expression"], "\">= 1.1\"");
    let backend = &objects["terraform.backend"];
    assert_eq!(backend["overridden_by"][0]["filename"], "override.tf");
    assert_eq!(backend["attributes"]["bucket"]["previous"][0]["expression"], "\"a\"");
    assert_eq!(backend["attributes"]["region"]["added"], true);
    assert_eq!(backend["removed_blocks"][0]["attributes"]["key"]["expression"], "\"k\"");
}

#[tokio::test]
async fn types_are_shown_as_declared() {
    let base = "variable \"v\" {\n  type = object({ a = optional(string, \"x\") })\n}\nvariable \"s\" {\n  type = object({ a = optional(string, \"x\") })\n  sensitive = true\n}\n";
    let answer = ask("terraform", "1.11.4", json!({"main.tf": base})).await;
    let module = &answer["module"];
    for (open, hidden) in [
        (&module["objects"]["var.v"], &module["objects"]["var.s"]),
        (&module["variables"]["v"], &module["variables"]["s"]),
    ] {
        assert_eq!(open["type"], "object({ a = optional(string, \"x\") })");
        assert_eq!(hidden["type"], "object({a = optional(string)})");
    }
}

#[tokio::test]
async fn all_changes_stay_ignored() {
    let block =
        |value: &str| format!("resource \"a\" \"t\" {{\n  lifecycle {{\n    ignore_changes = {value}\n  }}\n}}\n");
    for (base, over) in [("all", "[n]"), ("[n]", "all")] {
        let answer = ask("terraform", "1.11.4", json!({"main.tf": block(base), "override.tf": block(over)})).await;
        let attributes = &answer["module"]["objects"]["a.t"]["blocks"][0]["attributes"];
        assert_eq!(attributes["ignore_changes"]["expression"], "all");
        assert_eq!(attributes.as_object().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn the_config_of_an_action_is_located_at_the_override() {
    let block = |name: &str| format!("action \"a\" \"t\" {{\n  config {{\n    {name} = 1\n  }}\n}}\n");
    let answer = ask("terraform", "1.14", json!({"main.tf": block("x"), "override.tf": block("y")})).await;
    let config = &answer["module"]["objects"]["action.a.t"]["blocks"][0];
    assert_eq!(
        (&config["header"]["filename"], &config["range"]["filename"]),
        (&json!("override.tf"), &json!("override.tf"))
    );
    assert!(config["attributes"]["x"].get("added").is_none());
    assert_eq!(config["attributes"]["y"]["added"], true);
}

#[tokio::test]
async fn values_that_config_cannot_express_are_a_note() {
    let codes = |answer: &Value| -> Vec<String> {
        let found = answer["diagnostics"].as_array().unwrap().iter();
        found
            .map(|found| format!("{} {}", found["code"].as_str().unwrap(), found["range"]["start"]["line"]))
            .collect()
    };
    let old = "variable \"a\" {\n  type = \"list\"\n  default = [{ x = \"1\" }]\n}\nlocals {\n  a = [{ x = \"1\" }, { x = \"2\" }]\n  b = [\"x\"]\n}\n";
    let answer = ask("terraform-0.11", "0.11", json!({"main.tf": old})).await;
    assert_eq!(codes(&answer), ["load/no-json-form 3", "load/no-json-form 6"]);
    let base = "provider \"a\" {\n  endpoints = { b = 1 }\n}\n";
    let over = "provider \"a\" {\n  endpoints {\n    c = 2\n  }\n}\n";
    let answer = ask("terraform", "1.11.4", json!({"main.tf": base, "override.tf": over})).await;
    assert_eq!(codes(&answer), ["load/argument-and-blocks 2"]);
}
