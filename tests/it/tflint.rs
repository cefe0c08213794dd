//! Rules of the dialect `tflint` that no recorded case covers (tflint.md).

mod expansion;
mod limits;
mod loading;
mod merging;
mod model;

use std::fmt::Write as _;

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{self, AnswerOptions, Include};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;
use serde_json::{Value, json};

use crate::http::{Answer, post};

async fn ask(files: Value, more: Value) -> Answer {
    let mut request = json!({"files": files, "dialect": "tflint", "include": ["objects", "files"]});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    post("application/json", request.to_string()).await
}

async fn answer(files: Value, more: Value) -> Value {
    let answer = ask(files, more).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn merged(files: Value) -> Value {
    answer(files, json!({})).await
}

async fn expanded(files: Value) -> Value {
    answer(files, json!({"expand": true})).await
}

/// Returns the answer without going through the service, whose test settings accept only small bodies.
fn directly(expand: bool, files: &Value) -> Value {
    parts(expand, files, Include { objects: true, ..Include::default() })
}

/// Returns the same with diagnostics only.
fn noted(files: &Value) -> Value {
    parts(false, files, Include::default())
}

fn parts(expand: bool, files: &Value, include: Include) -> Value {
    let sources = files.as_object().unwrap().iter().map(|(name, text)| SourceFile {
        path: ModulePath::parse(name).unwrap(),
        bytes: text.as_str().unwrap().as_bytes().to_vec().into(),
    });
    let request = Request { expand, ..Request::new("tflint") };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(sources.collect(), Vec::new()), &request).unwrap();
    let bytes = output::answer(&report, AnswerOptions { include, ..AnswerOptions::default() });
    serde_json::from_slice(&bytes).unwrap()
}

/// Returns every block, argument and nested block with its line: `TYPE LABELS @FILE:LINE { NAME=TEXT@FILE:LINE … }`. A
/// value bound by expansion follows the text.
fn shown(answer: &Value) -> String {
    let blocks = answer["module"]["content"].as_array().unwrap();
    blocks.iter().map(|block| block_shown(block) + "\n").collect()
}

fn block_shown(block: &Value) -> String {
    let place = |range: &Value| format!("{}:{}", range["filename"].as_str().unwrap(), range["start"]["line"]);
    let mut out = block["type"].as_str().unwrap().to_owned();
    for label in block["labels"].as_array().unwrap() {
        write!(out, " {}", label.as_str().unwrap()).unwrap();
    }
    write!(out, " @{} {{", place(&block["range"])).unwrap();
    for (name, argument) in block["attributes"].as_object().unwrap() {
        write!(out, " {name}={}", argument["expression"].as_str().unwrap_or("(redacted)")).unwrap();
        if let Some(value) = argument.get("value") {
            write!(out, " -> {value}").unwrap();
        }
        write!(out, " @{};", place(&argument["range"])).unwrap();
    }
    for inner in block["blocks"].as_array().unwrap() {
        write!(out, " {}", block_shown(inner)).unwrap();
    }
    out.push_str(" }");
    out
}

/// Returns the same without positions.
fn plain(answer: &Value) -> String {
    let text = shown(answer);
    let mut out = String::new();
    for (at, part) in text.split(" @").enumerate() {
        if at > 0 {
            let end = part.find([' ', ';', '\n']).unwrap_or(part.len());
            out.push_str(part.get(end..).unwrap());
        } else {
            out.push_str(part);
        }
    }
    out
}

/// Returns `FILE:LINE:COLUMN SEVERITY TITLE` for every diagnostic of an origin, one per line, in order.
fn reported(answer: &Value, origin: &str) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != origin {
            continue;
        }
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let severity = found["severity"].as_str().unwrap();
        match range["filename"].as_str() {
            Some(name) => {
                let start = &range["start"];
                writeln!(out, "{name}:{}:{} {severity} {title}", start["line"], start["column"]).unwrap();
            }
            None => writeln!(out, "{severity} {title}").unwrap(),
        }
    }
    out
}
