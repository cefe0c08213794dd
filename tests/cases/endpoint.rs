//! Sends a case's request through the service's own router, as a client would.

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{
    Request, StatusCode,
    header::{CONTENT_TYPE, HOST},
};
use base64::Engine as _;
use http_body_util::BodyExt as _;
use libtest_mimic::Failed;
use overfold_cli::api::{AppState, router};
use overfold_cli::pipeline::{ToolStage, VariableArg};
use overfold_cli::settings::Settings;
use tower::ServiceExt as _;

use super::folder::Case;
use super::json::Json;

/// Returns the answer of `POST /v1/merge` for a stage.
pub(crate) fn ask(case: &Case, stage: ToolStage) -> Result<Json, Failed> {
    let own = [
        "\"include\":[\"config\",\"objects\",\"variables\",\"files\",\"overrides\"]".to_owned(),
        format!("\"stage\":{}", quoted(stage.name())),
    ];
    post("/v1/merge", body(case, own.into()))
}

/// Returns the answer of `POST /v1/plan`.
pub(crate) fn ask_for_plan(case: &Case) -> Result<Json, Failed> {
    let own = [
        "\"include\":[\"plan\",\"instances\"]".to_owned(),
        format!("\"timestamp\":{}", quoted(super::plan::TIMESTAMP)),
        "\"provider_defaults\":\"none\"".to_owned(),
        format!("\"assume\":{}", Json::Object(case.given_by_provider().into_iter().collect()).to_text()),
    ];
    post("/v1/plan", body(case, own.into()))
}

fn post(route: &str, body: String) -> Result<Json, Failed> {
    let request = Request::post(route)
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .expect("a request");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (status, bytes) = runtime.block_on(async {
        let mut settings = Settings::for_testing();
        settings.limits.request.max_variables = 10_000;
        let state = AppState::new(settings);
        let response = router(&state).oneshot(request).await.expect("the router never fails");
        let status = response.status();
        (status, response.into_body().collect().await.expect("a body").to_bytes())
    });
    let text = std::str::from_utf8(&bytes)?;
    // A missing definitions file is a problem of the request, and the problem contains the tool's report.
    let carries_report = status == StatusCode::UNPROCESSABLE_ENTITY && text.contains("\"diagnostics\"");
    if status != StatusCode::OK && !carries_report {
        return Err(format!("status {status}: {text}").into());
    }
    Ok(Json::parse(text)?)
}

/// Returns the request of a case; `own` are the fields of the route.
fn body(case: &Case, own: Vec<String>) -> String {
    let files: Vec<String> = case
        .files
        .iter()
        .map(|(path, bytes)| {
            let content = match std::str::from_utf8(bytes) {
                Ok(text) => quoted(text),
                Err(_) => format!("{{\"base64\":\"{}\"}}", base64::engine::general_purpose::STANDARD.encode(bytes)),
            };
            format!("{}:{content}", quoted(path))
        })
        .collect();
    let mut fields = vec![
        format!("\"files\":{{{}}}", files.join(",")),
        format!("\"dialect\":{}", quoted(case.asked.get("dialect").text())),
        "\"reveal_sensitive\":true".to_owned(),
    ];
    fields.extend(own);
    let checks = case.asked.find("provider_checks").map_or("none", Json::text);
    fields.push(format!("\"provider_checks\":{}", quoted(checks)));
    fields.extend(case.provider_schemas().map(|text| format!("\"provider_schemas\":{text}")));
    for (key, name) in [("tool_version", "version"), ("root", "root"), ("config_file", "config_file")] {
        if let Some(value) = case.asked.find(key) {
            fields.push(format!("\"{name}\":{}", quoted(value.text())));
        }
    }
    if case.asked.find("expand") == Some(&Json::Bool(true)) {
        fields.push("\"expand\":true".to_owned());
    }
    if let Some(given) = super::values::inputs(case) {
        let env: Vec<String> = given.env.iter().map(|(k, v)| format!("{}:{}", quoted(k), quoted(v))).collect();
        let args = given.args.iter().map(|arg| match arg {
            VariableArg::Var(text) => format!("{{\"var\":{}}}", quoted(text)),
            VariableArg::VarFile(path) => format!("{{\"var_file\":{}}}", quoted(path)),
            VariableArg::Value { name, json } => format!("{{\"name\":{},\"value\":{json}}}", quoted(name)),
        });
        let args: Vec<String> = args.collect();
        fields.push(format!("\"variables\":{{\"env\":{{{}}},\"args\":[{}]}}", env.join(","), args.join(",")));
    }
    format!("{{{}}}", fields.join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string never fails"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
