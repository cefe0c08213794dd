//! `GET /metrics`: for those who watch the service.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::super::metrics::OPENMETRICS;
use super::super::state::AppState;

/// What has the service done?
///
/// Requests, what waits and is at work, bytes, files, findings by code, time in each stage, what was turned away and
/// why: OpenMetrics text, which Prometheus reads. Answers however much there is to do.
#[utoipa::path(get, path = "/metrics", tag = "service", responses(
    (status = 200, description = "All metrics.", body = String,
        content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8"),
))]
pub(crate) async fn get_metrics(State(state): State<AppState>) -> Response {
    let text = state.metrics().text(state.gate().held());
    ([(CONTENT_TYPE, OPENMETRICS)], text).into_response()
}
