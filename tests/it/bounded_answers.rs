//! A computed value may be far longer than the request; the answer stays bounded and says what it leaves out.

use std::fmt::Write as _;

use serde_json::json;

use crate::http::post;

/// Returns twenty locals, each twice as long as the previous one, and module calls whose sources end with the last one.
fn doubling(source: &str, calls: usize) -> String {
    let mut text = String::from("locals {\n  a0 = \"xxxxxxxxxx\"\n");
    for at in 1..=20 {
        writeln!(text, "  a{at} = \"${{local.a{0}}}${{local.a{0}}}\"", at - 1).unwrap();
    }
    text += "}\n";
    for call in 0..calls {
        writeln!(text, "module \"m{call}\" {{\n  source = \"{source}\"\n}}").unwrap();
    }
    text
}

async fn ask(text: String) -> (usize, serde_json::Value) {
    let request = json!({"dialect": "opentofu", "stage": "load", "files": {"main.tf": text}, "include": ["objects"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200);
    (answer.body.len(), answer.json())
}

#[tokio::test]
async fn sources_that_do_not_fit_are_left_out_with_a_note() {
    let (bytes, answer) = ask(doubling("./${local.a20}", 3) + "module \"small\" {\n  source = \"./a\"\n}\n").await;
    assert!(bytes < 100_000, "{bytes}");
    let objects = &answer["module"]["objects"];
    assert_eq!(objects["module.m0"].get("evaluated"), None);
    assert_eq!(objects["module.small"]["evaluated"]["source"], "./a");
    let codes: Vec<&str> =
        answer["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["static/over-limit"]);
}

#[tokio::test]
async fn messages_shorten_long_values() {
    let (bytes, answer) = ask(doubling("${local.a20}", 3)).await;
    assert!(bytes < 200_000, "{bytes}");
    let all = answer["diagnostics"].as_array().unwrap();
    let found = all.iter().find(|found| found["summary"] == "Invalid module source address").unwrap();
    assert!(found["detail"].as_str().unwrap().contains("bytes left out"), "{found}");
}
