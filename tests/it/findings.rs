//! Single findings, each checked for its title, its position, its related positions and its origin: cases at the edges
//! of rules, where a slightly different rule would have another result.

use serde_json::{Value, json};

use crate::http::post;

mod copies;
mod loading;
mod values;

/// The inputs of a run; `at` is `DIALECT` or `DIALECT VERSION`.
#[derive(Clone, Copy, Default)]
struct Run<'a> {
    at: &'a str,
    files: &'a [(&'a str, &'a str)],
    /// Whether values are requested; `args` and `env` imply it.
    values: bool,
    /// The texts of `-var` options.
    args: &'a [&'a str],
    env: &'a [(&'a str, &'a str)],
}

impl Run<'_> {
    async fn answer(self) -> Value {
        let files: serde_json::Map<String, Value> =
            self.files.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
        let (dialect, version) = self.at.split_once(' ').map_or((self.at, None), |(name, at)| (name, Some(at)));
        let mut request =
            json!({"stage": "load", "files": files, "dialect": dialect, "include": ["config", "overrides"]});
        if let Some(version) = version {
            request["version"] = json!(version);
        }
        if !["tflint", "sentinel"].contains(&dialect) {
            request["include"] = json!(["config", "objects", "overrides"]);
        }
        if self.values || !self.args.is_empty() || !self.env.is_empty() {
            let args: Vec<Value> = self.args.iter().map(|text| json!({"var": text})).collect();
            let env: serde_json::Map<String, Value> =
                self.env.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
            request["variables"] = json!({"args": args, "env": env});
            request["include"].as_array_mut().unwrap().push(json!("variables"));
        }
        let answer = post("application/json", request.to_string()).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Returns the texts of all findings.
    async fn details(self) -> String {
        let answer = self.answer().await;
        let texts = answer["diagnostics"].as_array().unwrap().iter().map(|found| found["detail"].as_str().unwrap());
        texts.collect::<Vec<_>>().join("\n")
    }
}

async fn answer(at: &str, files: &[(&str, &str)]) -> Value {
    Run { at, files, ..Run::default() }.answer().await
}

/// Returns `FILE:LINE:COLUMN SEVERITY ORIGIN TITLE -> RELATED…` for every finding.
async fn found(at: &str, files: &[(&str, &str)]) -> Vec<String> {
    lines(&answer(at, files).await)
}

fn lines(answer: &Value) -> Vec<String> {
    let place = |range: &Value| match range["filename"].as_str() {
        Some(name) => format!("{name}:{}:{}", range["start"]["line"], range["start"]["column"]),
        None => "-".to_owned(),
    };
    let line = |found: &Value| {
        let text = |field: &str| found[field].as_str().unwrap().to_owned();
        let mut line =
            format!("{} {} {} {}", place(&found["range"]), text("severity"), text("origin"), text("summary"));
        for related in found["related"].as_array().into_iter().flatten() {
            line.push_str(" -> ");
            line.push_str(&place(&related["range"]));
        }
        line
    };
    answer["diagnostics"].as_array().unwrap().iter().map(line).collect()
}
