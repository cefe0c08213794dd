//! Plans that depend on files, functions of providers, the working directory or the time, which nobody has given.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a plan of one file, with more members of the request.
async fn plan(main: &str, more: &Value) -> Value {
    let mut request = json!({"files": {"main.tf": main, "x.txt": "x"}, "version": "1.11.4"});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn output(value: &str) -> String {
    format!("output \"o\" {{\n  value = {value}\n}}\n")
}

#[tokio::test]
async fn secret_paths_are_not_shown() {
    let main = "variable \"p\" {\n  default = \"../secret\"\n  sensitive = true\n}\noutput \"o\" {\n  value = file(var.p)\n  sensitive = true\n}\n";
    let answer = plan(main, &json!({})).await;
    assert_eq!(answer["missing"], json!([{"kind": "file", "path": "(sensitive value)"}]));
}

#[tokio::test]
async fn functions_of_providers_are_missing() {
    let settings = "terraform {\n  required_providers {\n    x = {\n      source = \"a/x\"\n    }\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n";
    let main = settings.to_owned()
        + &output("provider::x::f(1)")
        + "resource \"terraform_data\" \"r\" {\n  count = provider::x::g() ? 1 : 0\n}\n";
    let answer = plan(&main, &json!({})).await;
    let functions = json!([
        {"kind": "provider-function", "name": "provider::x::f"}, {"kind": "provider-function", "name": "provider::x::g"},
        {"kind": "instances", "address": "terraform_data.r", "needs": "provider::x::g(…)"},
    ]);
    assert_eq!(answer["missing"], functions, "{answer}");
    assert_eq!(answer["diagnostics"][0]["code"], json!("plan/instances-not-known-here"));
    assert_eq!(answer["diagnostics"].as_array().unwrap().len(), 1);
    let main = settings.to_owned() + &output("provider::terraform::encode_expr([1])");
    let answer = plan(&main, &json!({})).await;
    assert_eq!((&answer["exact"], &answer["missing"]), (&json!(true), &json!([])), "{answer}");
}
