//! Deep and long inputs: there is always an answer, never a stack overflow.

use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use super::{Answer, send};

/// Returns names and texts of things nested `n` levels deep, or repeated `n` times.
fn shapes(n: usize) -> Vec<(&'static str, &'static str, String)> {
    let around = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    let local = |expression: String| format!("locals {{\n  a = {expression}\n}}\n");
    let typed = |constraint: String| format!("variable \"a\" {{\n  type = {constraint}\n}}\n");
    let native = [
        ("parentheses", local(around("(", "1", ")"))),
        ("tuples", local(around("[", "1", "]"))),
        ("objects", local(around("{a=", "1", "}"))),
        ("calls", local(around("f(", "1", ")"))),
        ("conditionals", local(around("true ? 1 : ", "1", ""))),
        ("negations", local(around("!", "true", ""))),
        ("sums", local(around("1 + ", "1", ""))),
        ("indexes", local(around("", "x", "[y.z]"))),
        ("attributes", local(around("", "x", ".b"))),
        ("splats", local(around("", "x", "[*]"))),
        ("templates", local(around("\"${", "1", "}\""))),
        ("template ifs", local(format!("\"{}\"", around("%{ if true }", "x", "%{ endif }")))),
        ("template fors", local(format!("\"{}\"", around("%{ for x in y }", "x", "%{ endfor }")))),
        ("fors", local(around("[for x in y : ", "x", "]"))),
        ("blocks", format!("resource \"a_b\" \"c\" {{\n{}}}\n", around("x {\n", "", "}\n"))),
        ("types", typed(around("list(", "string", ")"))),
        ("optional attributes", typed(around("object({a=optional(", "string", ")})"))),
    ];
    let json = [
        ("JSON arrays", format!("{{\"locals\":{{\"a\":{}}}}}", around("[", "", "]"))),
        ("JSON objects", format!("{{\"locals\":{{\"a\":{}}}}}", around("{\"a\":", "1", "}"))),
        ("JSON blocks", format!("{{\"resource\":{{\"a_b\":{{\"c\":{}}}}}}}", around("{\"a\":", "1", "}"))),
    ];
    let native = native.map(|(what, text)| (what, "main.tf", text));
    native.into_iter().chain(json.map(|(what, text)| (what, "main.tf.json", text))).collect()
}

async fn ask(request: Value) -> Answer {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 64 << 20;
    settings.limits.body.max_unpacked_bytes = 64 << 20;
    settings.limits.request.max_file_bytes = 32 << 20;
    settings.work.timeout_seconds = 120;
    let request =
        Request::post("/v1/merge").header("content-type", "application/json").body(Body::from(request.to_string()));
    send(&router(&AppState::new(settings)), request.unwrap()).await
}

#[tokio::test]
async fn a_thousand_levels_are_within_the_depth_limit() {
    for (what, name, text) in shapes(1000) {
        let answer = ask(json!({"files": {name: text}, "include": ["config", "objects"]})).await;
        assert_eq!(answer.status, 200, "{what}");
        // The answer is as deep as the request, which is deeper than this test's JSON reader supports.
        let text = String::from_utf8(answer.body).unwrap();
        assert!(!text.contains("nested too deeply"), "{what}: {}", text.split_at(text.len().min(2000)).0);
    }
}

#[tokio::test]
async fn any_depth_gets_an_answer() {
    for n in [3_990, 50_000] {
        for (what, name, text) in shapes(n) {
            let answer = ask(json!({"files": {name: text}, "include": ["config", "objects", "variables"]})).await;
            assert_eq!(answer.status, 200, "{n} {what}");
        }
    }
}

#[tokio::test]
async fn values_of_any_depth_get_an_answer() {
    let main = "variable \"a\" {\n  type = any\n}\n";
    for n in [900, 3_990, 50_000] {
        for (open, inner, close) in [("[", "", "]"), ("{a=", "1", "}"), ("{\"a\":", "1", "}")] {
            let value = format!("{}{inner}{}", open.repeat(n), close.repeat(n));
            for request in [
                json!({"files": {"main.tf": main, "terraform.tfvars": format!("a = {value}\n")}, "variables": {}}),
                json!({"files": {"main.tf": main}, "variables": {"args": [{"var": format!("a={value}")}]}}),
                json!({"files": {"main.tf": main}, "variables": {"env": {"TF_VAR_a": value}}}),
            ] {
                let mut request = request;
                request["include"] = json!(["variables"]);
                assert_eq!(ask(request).await.status, 200, "{n} {open}");
            }
            let json_value = format!("{{\"a\":{value}}}");
            let request = json!({"files": {"main.tf": main, "terraform.tfvars.json": json_value}, "variables": {}});
            assert_eq!(ask(request).await.status, 200, "{n} {open}");
        }
    }
}

/// A value in the request itself may be as deep as one in a file.
#[tokio::test]
async fn a_request_that_is_itself_too_deep_is_reported() {
    let value = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let body = format!(
        "{{\"files\": {{\"main.tf\": \"\"}}, \"variables\": {{\"args\": [{{\"name\": \"a\", \"value\": {value}}}]}}}}"
    );
    let answer = super::post("application/json", body).await;
    let problem = answer.problem(413, "over-limit");
    assert_eq!(problem["pointer"], "/variables/args/0/value");
    assert_eq!(problem["limit"]["name"], "max-syntax-depth");
}
