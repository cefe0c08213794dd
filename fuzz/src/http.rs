//! The HTTP layer, in this process: a request through the router with all of its layers.

use std::sync::OnceLock;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

fn service() -> &'static (Runtime, Router) {
    static SERVICE: OnceLock<(Runtime, Router)> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let mut settings = Settings::for_testing();
        settings.limits.cost.max_work_units = 2_000_000;
        settings.limits.cost.max_memory_bytes = 64 << 20;
        settings.limits.request.max_variables = 100;
        // Hangs are left to libFuzzer to detect.
        settings.work.timeout_seconds = 3600;
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        (runtime, router(&AppState::new(settings)))
    })
}

fn once(path: &str, content_type: &str, body: &[u8]) -> Option<(StatusCode, HeaderMap, Vec<u8>)> {
    let (runtime, router) = service();
    let request = Request::post(path)
        .header("host", "127.0.0.1")
        .header("content-type", content_type)
        .body(Body::from(body.to_vec()))
        .ok()?;
    runtime.block_on(async {
        let answer = router.clone().oneshot(request).await.expect("the router answers");
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.expect("an answer ends").to_bytes().to_vec();
        Some((parts.status, parts.headers, body))
    })
}

/// Sends a request twice and checks what must be true of every answer: a status that fits the request, a problem
/// document or JSON, and the same bytes again.
pub(crate) fn post(path: &str, content_type: &str, body: &[u8]) {
    let Some((status, headers, answer)) = once(path, content_type, body) else { return };
    let text = || String::from_utf8_lossy(&answer);
    assert!(matches!(status.as_u16(), 200 | 400 | 406 | 413 | 415 | 422), "{status}: {}", text());
    let json: &serde_json::value::RawValue =
        serde_json::from_slice(&answer).unwrap_or_else(|error| panic!("{error}: {}", text()));
    assert!(json.get().starts_with('{'), "not an object: {}", text());
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    assert_eq!(kind, if status.is_success() { "application/json" } else { "application/problem+json" });
    let again = once(path, content_type, body);
    let again = again.as_ref().map(|(status, _, answer)| (*status, answer.as_slice()));
    if status.is_success() {
        assert_eq!(again, Some((status, answer.as_slice())), "different bytes the second time");
    } else {
        // A problem contains the id of its request.
        assert_eq!(again.map(|(status, _)| status), Some(status));
    }
}

/// Fuzzes any bytes as a JSON body.
pub(crate) fn body(data: &[u8]) {
    post("/v1/merge", "application/json", data);
}

/// Fuzzes any bytes as a form.
pub(crate) fn form(data: &[u8]) {
    post("/v1/merge", "multipart/form-data; boundary=XX", data);
}

/// Fuzzes any text as a query, with an empty archive.
pub(crate) fn query(data: &[u8]) {
    let Ok(query) = std::str::from_utf8(data) else { return };
    post(&format!("/v1/merge?{query}"), "application/x-tar", &[0; 1024]);
}
