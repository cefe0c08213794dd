//! Input variables of the dialect `terraform-0.11`: every statement of variables.md, section B, that no recorded case
//! covers, and inputs designed to break it.

use std::fmt::Write as _;

use overfold::api::{AppState, router};
use overfold::settings::Settings;
use serde_json::{Value, json};

use crate::http::{Answer, send};

mod checks;
mod texts;

/// The inputs of a run.
#[derive(Default)]
struct Run<'a> {
    files: &'a [(&'a str, &'a str)],
    env: &'a [(&'a str, &'a str)],
    /// The texts of `-var` options; one that begins with `@` names a definitions file.
    args: &'a [&'a str],
}

impl Run<'_> {
    async fn post(&self) -> Answer {
        let mut request = json!({
            "files": {}, "dialect": "terraform-0.11", "include": ["variables"], "variables": {"env": {}, "args": []},
        });
        for (path, text) in self.files {
            request["files"][*path] = json!(text);
        }
        for (name, text) in self.env {
            request["variables"]["env"][*name] = json!(text);
        }
        for text in self.args {
            let option = match text.strip_prefix('@') {
                Some(path) => json!({"var_file": path}),
                None => json!({"var": text}),
            };
            request["variables"]["args"].as_array_mut().unwrap().push(option);
        }
        let mut settings = Settings::for_testing();
        settings.limits.body.max_request_bytes = 64 << 20;
        settings.limits.body.max_unpacked_bytes = 64 << 20;
        settings.limits.request.max_file_bytes = 64 << 20;
        settings.limits.request.max_syntax_tokens = 10_000_000;
        settings.limits.request.max_entries = 10_000;
        settings.work.timeout_seconds = 120;
        let ask = axum::http::Request::post("/v1/merge").header("content-type", "application/json");
        send(&router(&AppState::new(settings)), ask.body(request.to_string().into()).unwrap()).await
    }

    async fn answer(&self) -> Value {
        let answer = self.post().await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Returns values and findings, one per line: `NAME: TYPE VALUE < SOURCES / HIDDEN`, `SEVERITY (!)PLACE TITLE`. `!`
    /// marks our own.
    async fn reported(&self) -> String {
        let answer = self.answer().await;
        let mut out = String::new();
        for (name, variable) in answer["module"]["variables"].as_object().unwrap() {
            let from = match &variable["from"] {
                Value::Array(merged) => merged.iter().map(source).collect::<Vec<_>>().join(" + "),
                Value::Null => "nothing".to_owned(),
                one => source(one),
            };
            let superseded: Vec<String> = variable["superseded"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hidden| format!("{} {}", source(hidden), hidden["value"]))
                .collect();
            write!(out, "{name}: {} {} < {from}", variable["type"].as_str().unwrap(), variable["value"]).unwrap();
            if !superseded.is_empty() {
                write!(out, " / {}", superseded.join(", ")).unwrap();
            }
            out.push('\n');
        }
        out + &findings(&answer)
    }
}

fn source(from: &Value) -> String {
    match from["kind"].as_str().unwrap() {
        "env" => format!("env {}", from["name"].as_str().unwrap()),
        "file" => from["path"].as_str().unwrap().to_owned(),
        "var" => format!("-var {}", from["index"]),
        "var_file" => format!("-var-file {} {}", from["index"], from["path"].as_str().unwrap()),
        other => other.to_owned(),
    }
}

fn findings(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        let ours = if found["origin"] == "tool" { "" } else { "!" };
        let (range, severity) = (&found["range"], found["severity"].as_str().unwrap());
        let place = match range["filename"].as_str() {
            Some(name) => format!("{name}:{}:{} ", range["start"]["line"], range["start"]["column"]),
            None => String::new(),
        };
        writeln!(out, "{severity} {ours}{place}{}", found["summary"].as_str().unwrap()).unwrap();
    }
    out
}
