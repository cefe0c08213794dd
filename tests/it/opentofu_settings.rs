//! Settings of the dialect `opentofu` that no recorded case covers (opentofu.md, sections 1 to 4, and the requirements
//! of opentofu.md, section 7.6).

mod encryption;

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn answer(version: &str, files: Value) -> Value {
    let request = json!({"stage": "load", "files": files, "dialect": "opentofu", "version": version,
        "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `FILE:LINE:COLUMN TITLE` for the diagnostics of one origin, one per line, in order.
fn reported(answer: &Value, origin: &str) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == origin) {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        match range["filename"].as_str() {
            Some(name) => {
                writeln!(out, "{name}:{}:{} {title}", range["start"]["line"], range["start"]["column"]).unwrap();
            }
            None => writeln!(out, "{title}").unwrap(),
        }
    }
    out
}

fn object<'a>(answer: &'a Value, address: &str) -> &'a Value {
    &answer["module"]["objects"][address]
}

/// Returns the expression of each argument of the only block of a type, as `name = expression`, and those of its nested
/// blocks in braces.
fn outline(block: &Value) -> String {
    let mut parts: Vec<String> = block["attributes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, argument)| format!("{name} = {}", argument["expression"].as_str().unwrap_or("?")))
        .collect();
    for inner in block["blocks"].as_array().unwrap() {
        let mut header = inner["type"].as_str().unwrap().to_owned();
        for label in inner["labels"].as_array().unwrap() {
            write!(header, " {}", label.as_str().unwrap()).unwrap();
        }
        parts.push(format!("{header} {{{}}}", outline(inner)));
    }
    parts.join("; ")
}
