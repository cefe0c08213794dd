//! Objects of the dialect `opentofu` that no recorded case covers (opentofu.md, sections 5, 7 and 10; details missing
//! there were taken from the tool's code).

mod variables_and_outputs;

use serde_json::{Value, json};

use crate::http::post;

pub(crate) async fn ask(version: &str, files: &[(&str, &str)]) -> Value {
    ask_as("opentofu", version, files).await
}

async fn ask_as(dialect: &str, version: &str, files: &[(&str, &str)]) -> Value {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let request = json!({"stage": "load", "files": files, "dialect": dialect, "version": version, "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn lines(answer: &Value, origin: &str) -> Vec<String> {
    let mut out = Vec::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != *origin {
            continue;
        }
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let warning = if found["severity"] == "warning" { "warning: " } else { "" };
        let Some(name) = range["filename"].as_str() else {
            out.push(format!("{warning}{title}"));
            continue;
        };
        let (start, end) = (&range["start"], &range["end"]);
        let end = if start["line"] == end["line"] {
            end["column"].to_string()
        } else {
            format!("{}:{}", end["line"], end["column"])
        };
        out.push(format!("{name}:{}:{}-{end} {warning}{title}", start["line"], start["column"]));
    }
    out
}

/// Returns `FILE:LINE:COLUMN-END TITLE` for everything that the tool reports, in order.
pub(crate) fn reported(answer: &Value) -> Vec<String> {
    lines(answer, "tool")
}

/// Returns the same for our notes.
pub(crate) fn notes(answer: &Value) -> Vec<String> {
    lines(answer, "overfold")
}

fn expression<'a>(answer: &'a Value, address: &str, name: &str) -> &'a str {
    answer["module"]["objects"][address]["attributes"][name]["expression"].as_str().unwrap_or("none")
}
