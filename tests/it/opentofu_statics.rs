//! Static evaluation in the dialect `opentofu`: every statement of opentofu.md, section 6, and of its version
//! boundaries, that no recorded case covers.

mod model;

use std::fmt::Write as _;

use serde_json::{Value, json};

use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;

use crate::http::{post, send};

async fn ask(version: &str, files: Value, more: Value) -> Value {
    let mut request = json!({"stage": "load", "files": files, "dialect": "opentofu", "version": version, "include": ["objects", "variables"]});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `LINE:COLUMN TITLE` for every diagnostic of the tool, one per line, in order.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != "tool" {
            continue;
        }
        if let Some(start) = found["range"].get("start") {
            write!(out, "{}:{} ", start["line"], start["column"]).unwrap();
        }
        writeln!(out, "{}", found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

fn resolved<'a>(answer: &'a Value, name: &str) -> &'a Value {
    &answer["module"]["objects"][format!("module.{name}")]["evaluated"]
}

#[tokio::test]
async fn secrets_that_come_with_the_request_are_not_shown() {
    let text = "variable \"s\" {\n  sensitive = true\n  type = string\n}\nmodule \"m\" {\n  source = \"./${var.s}\"\n}\n\
                module \"n\" {\n  source = \"${var.s}\"\n}\nlocals {\n  n = parseint(var.s, 10)\n}\n\
                module \"o\" {\n  source = local.n\n}\n";
    let given = |reveal: bool| json!({"variables": {"args": [{"var": "s=hunter2"}]}, "reveal_sensitive": reveal});
    for version in ["1.8.0", "1.8.11", "1.9", "1.12"] {
        let answer = ask(version, json!({ "main.tf": text }), given(false)).await;
        assert!(!answer.to_string().contains("hunter2"), "{version}: {answer:#}");
    }
    let answer = ask("1.8.0", json!({ "main.tf": text }), given(false)).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": null, "redacted": true}));
    let answer = ask("1.8.0", json!({ "main.tf": text }), given(true)).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./hunter2"}));
}

/// Returns the answer for a large input, for the newest release.
async fn costly(text: &str) -> Value {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 64 << 20;
    settings.limits.body.max_unpacked_bytes = 64 << 20;
    settings.limits.request.max_file_bytes = 64 << 20;
    settings.limits.request.max_syntax_tokens = 10_000_000;
    settings.work.timeout_seconds = 120;
    let app = router(&AppState::new(settings));
    let body = json!({"stage": "load", "files": {"main.tf": text}, "dialect": "opentofu", "version": "1.12", "include": ["objects"]});
    let request = axum::http::Request::post("/v1/merge").header("content-type", "application/json");
    let answer = send(&app, request.body(body.to_string().into()).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

#[tokio::test]
async fn long_chains_and_many_users_stay_linear_and_bounded() {
    // A chain far deeper than any stack.
    let chain = |first: &str, length: usize| {
        let mut text = format!("locals {{\n  l0 = {first}\n");
        for n in 1..length {
            writeln!(text, "  l{n} = local.l{}", n - 1).unwrap();
        }
        write!(text, "}}\nmodule \"m\" {{\n  source = local.l{}\n}}\n", length - 1).unwrap();
        text
    };
    let answer = costly(&chain("\"./end\"", 100_000)).await;
    assert_eq!((reported(&answer), resolved(&answer, "m")), (String::new(), &json!({"source": "./end"})));
    let answer = costly(&chain("x.y.z", 20_000)).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);
    assert_eq!(answer["diagnostics"][0]["code"], "static/repeats-cut");
    let answer = costly(&chain("local.l19999", 20_000)).await;
    assert_eq!(answer["valid"], false);

    // Each uses the previous one twice: the tool doubles its work and its findings with every line.
    let mut text = String::from("locals {\n  l0 = \"x\"\n");
    for n in 1..200 {
        writeln!(text, "  l{n} = length([local.l{0}, local.l{0}])", n - 1).unwrap();
    }
    text.push_str("}\nmodule \"m\" {\n  source = \"./${local.l199}\"\n}\n");
    assert_eq!(resolved(&costly(&text).await, "m"), &json!({"source": "./2"}));
    let answer = costly(&text.replace("l0 = \"x\"", "l0 = nothing()")).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);

    // Everything refers to everything.
    let all: Vec<String> = (0..60).map(|n| format!("local.l{n}")).collect();
    let mut text = String::from("locals {\n");
    for n in 0..60 {
        writeln!(text, "  l{n} = [{}]", all.join(", ")).unwrap();
    }
    text.push_str("}\nmodule \"m\" {\n  source = local.l0\n}\n");
    let answer = costly(&text).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);
}
