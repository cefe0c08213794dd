//! Loading and overriding in the dialect `terraform-0.11`, native and JSON. The specification says little about it
//! (variables.md, sections B1 and B5); the rest (terraform-0.11.md) is what the program, release 0.11.11, does.

mod overriding;

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn answer_of(files: Value, version: &str) -> Value {
    // Lost content is shown as a note: what `reported` returns is then what the tool reports.
    let request = json!({
        "files": files, "dialect": "terraform-0.11", "version": version, "include": ["config", "objects", "files"],
        "severities": {"override/content-lost": "info"},
    });
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn answer(files: Value) -> Value {
    answer_of(files, "0.11.15").await
}

/// Returns `FILE:LINE:COLUMN TITLE` for every diagnostic except notes, one per line; ours are in brackets.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] != "info") {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let (file, start) = (range["filename"].as_str().unwrap(), &range["start"]);
        let line = format!("{file}:{}:{} {title}", start["line"], start["column"]);
        match found["origin"].as_str().unwrap() {
            "tool" => writeln!(out, "{line}").unwrap(),
            _ => writeln!(out, "({line})").unwrap(),
        }
    }
    out
}

/// Returns the codes of the notes.
fn notes(answer: &Value) -> Vec<&str> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    all.filter(|found| found["severity"] == "info").map(|found| found["code"].as_str().unwrap()).collect()
}

fn config(answer: &Value) -> &Value {
    &answer["module"]["config"]
}

fn piece() -> impl proptest::strategy::Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "variable ",
        "resource ",
        "data ",
        "module ",
        "provider ",
        "output ",
        "locals ",
        "terraform ",
        "atlas ",
        "\"a\" ",
        "\"b\" ",
        "a ",
        "lifecycle ",
        "provisioner ",
        "connection ",
        "backend ",
        "count ",
        "default ",
        "type ",
        "source ",
        "alias ",
        "value ",
        "depends_on ",
        "required_version ",
        "tags ",
        "{ ",
        "} ",
        "}\n",
        "= ",
        "[ ",
        "] ",
        ", ",
        "1 ",
        "\"${var.x}\" ",
        "true ",
        "<<E\nx\nE\n",
        "\n",
        "{\"resource\":",
        "\"t\":",
        "null",
    ])
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]
    #[test]
    fn any_configuration_gets_an_answer_and_one_tool_mistake_of_reading(
        base in proptest::collection::vec(piece(), 0..60),
        over in proptest::collection::vec(piece(), 0..60),
    ) {
        let files = json!({"m.tf": base.concat(), "override.tf": over.concat()});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let found = runtime.block_on(answer(files));
        let errors = found["diagnostics"].as_array().unwrap().iter().filter(|one| one["severity"] == "error");
        let (of_tool, ours): (Vec<&Value>, Vec<&Value>) = errors.partition(|one| one["origin"] == "tool");
        proptest::prop_assert!(!of_tool.is_empty() || ours.is_empty());
        let unread = of_tool.iter().any(|one| one["code"].as_str().unwrap().starts_with("syntax/"));
        proptest::prop_assert!(!unread || of_tool.len() == 1);
        proptest::prop_assert!(config(&found).is_object());
    }
}
