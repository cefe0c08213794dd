//! What one request may cost: small requests that ask for a lot get a well-formed answer, and the service continues.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use super::{Answer, send};

/// Starts a service with limits that a debug build reaches quickly.
fn small() -> Router {
    let mut settings = Settings::for_testing();
    settings.limits.cost.max_work_units = 1_000_000;
    settings.limits.cost.max_memory_bytes = 16 << 20;
    settings.limits.request.max_variables = 10_000;
    router(&AppState::new(settings))
}

async fn merge(request: &Value) -> Answer {
    let request = Request::post("/v1/merge").header("content-type", "application/json").body(request.to_string());
    send(&small(), request.unwrap().map(Body::from)).await
}

/// Returns a variable whose rule evaluates `expression`.
fn rule(expression: &str) -> Value {
    let text = format!(
        "variable \"b\" {{\n  type = any\n  validation {{\n    condition = var.b == 1 || length({expression}) >= 0\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    );
    json!({"files": {"main.tf": text}, "variables": {"args": [{"var": "b=0"}]}, "include": ["config"]})
}

fn codes(answer: &Answer) -> Vec<String> {
    let diagnostics = answer.json()["diagnostics"].as_array().unwrap().clone();
    diagnostics.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_expression_over_the_limit_does_not_affect_others() {
    for expression in [
        "setproduct(range(1000), range(1000), range(1000))",
        "[for a in range(1000) : [for b in range(1000) : a]]",
        "[for a in range(1000) : format(\"%d\", 1e99999)]",
        "[for a in range(1000) : 1e999999 % 7]",
        "[for a in range(1000) : regex(\"(a|b|c)+d?\", \"abcabc\")]",
        "[for a in range(1000) : [for b in range(100) : try(tonumber(\"x\"), 1)]]",
        "join(\"\", [for a in range(1000) : format(\"%9999d\", a)])",
    ] {
        let answer = merge(&rule(expression)).await;
        assert_eq!(answer.status, 200, "{expression}");
        let body = answer.json();
        assert_eq!(body["valid"], false, "{expression}");
        let found: Vec<&Value> = body["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|d| d["code"] == "evaluation/too-much-work")
            .collect();
        let [only] = found.as_slice() else { panic!("{expression}: {body}") };
        assert_eq!(only["origin"], "overfold");
        let detail = only["detail"].as_str().unwrap();
        assert!(detail.contains("max-work-units") || detail.contains("max-memory-bytes"), "{detail}");
        // The rest of the module is present.
        assert!(body["module"]["config"]["variable"]["b"].is_array(), "{expression}");
    }
}

#[tokio::test]
async fn a_product_with_an_empty_factor_is_free() {
    let answer = merge(&rule("setproduct(range(1000), range(1000), range(1000), [])")).await;
    assert!(!codes(&answer).contains(&"evaluation/too-much-work".to_owned()));
}

#[tokio::test]
async fn expressions_of_one_request_share_one_limit() {
    let list = format!("[{}]", "0,".repeat(100));
    let default = format!("[for a in {list} : [for b in {list} : b]]");
    let text =
        (0..60).map(|n| format!("variable \"x{n}\" {{\n  default = {default}\n}}\n")).collect::<Vec<_>>().concat();
    let answer = merge(&json!({"files": {"main.tf": text}, "include": ["files"]})).await;
    assert_eq!(answer.status, 200);
    assert_eq!(codes(&answer).iter().filter(|code| *code == "evaluation/too-much-work").count(), 1);
}

#[tokio::test]
async fn numbers_are_charged_for_the_digits_that_are_written() {
    let text =
        (0..50).map(|n| format!("variable \"x{n}\" {{\n  default = 1e1999990\n}}\n")).collect::<Vec<_>>().concat();
    let request = json!({"files": {"main.tf": text}, "variables": {}, "include": ["variables"]});
    merge(&request).await.problem(413, "over-limit");
}

#[tokio::test]
async fn filled_in_defaults_are_charged() {
    let attributes = (0..500).map(|n| format!("a{n}=optional(string,\"v\"),")).collect::<Vec<_>>().concat();
    let default = "{},".repeat(2000);
    let text = format!("variable \"x\" {{\n  type = list(object({{{attributes}}}))\n  default = [{default}]\n}}\n");
    let answer = merge(&json!({"files": {"main.tf": text}, "include": ["files"]})).await;
    answer.problem(413, "over-limit");
}

/// Nested types share what is known about them.
#[tokio::test]
async fn deep_types_with_defaults_grow_with_their_depth() {
    let depth = 200;
    let ty =
        format!("{}string{}", "object({a=optional(".repeat(depth), ",{})})".repeat(depth)).replacen(",{})", ")", 1);
    let text = format!("variable \"x\" {{\n  type = {ty}\n  default = {{}}\n}}\n");
    let answer = merge(&json!({"files": {"main.tf": text}, "include": ["files"]})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
}

#[tokio::test]
async fn a_body_of_many_items_costs_what_they_cost_each() {
    let arguments = (0..1500).map(|n| format!("  a{n} = 1\n")).collect::<Vec<_>>().concat();
    let blocks = (0..1500).map(|n| format!("  b{n} {{\n  }}\n")).collect::<Vec<_>>().concat();
    let text = format!("resource \"a\" \"b\" {{\n{arguments}{blocks}}}\n");
    let answer = merge(&json!({"files": {"main.tf": text}})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
}

/// Ordinary modules are answered whatever their size; the memory for them grows with it, within a bound.
#[tokio::test]
async fn memory_grows_with_the_files() {
    let mut settings = Settings::for_testing();
    settings.limits.cost.max_memory_bytes = 16 << 20;
    settings.limits.body.max_request_bytes = 16 << 20;
    settings.limits.body.max_unpacked_bytes = 16 << 20;
    settings.limits.request.max_file_bytes = 16 << 20;
    settings.limits.request.max_syntax_tokens = 10_000_000;
    let app = router(&AppState::new(settings));
    let ask = async |request: Value| {
        let request = Request::post("/v1/merge").header("content-type", "application/json").body(request.to_string());
        send(&app, request.unwrap().map(Body::from)).await
    };
    let module = |count: usize| {
        let block = |n| format!("resource \"a\" \"b{n}\" {{\n  x = \"{n}\"\n  y = [var.z, {n}]\n}}\n");
        let text = (0..count).map(block).collect::<Vec<_>>().concat();
        let text = format!("variable \"z\" {{}}\n{text}");
        json!({"files": {"main.tf": text}, "include": ["config", "objects"]})
    };
    let answer = ask(module(7_500)).await;
    assert_eq!(answer.status, 200, "{}", answer.json()["detail"]);
    let problem = ask(module(40_000)).await.problem(413, "over-limit");
    let bytes = module(40_000)["files"]["main.tf"].as_str().unwrap().len();
    assert_eq!(problem["limit"], json!({"name": "max-memory-bytes", "value": (28 << 20) - bytes}));
}
