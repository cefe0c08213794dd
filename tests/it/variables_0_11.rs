//! Input variables of the dialect `terraform-0.11`: every statement of variables.md, section B, that no recorded case
//! covers, and inputs designed to break it.

use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
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
}
