//! `GET /metrics`: metrics for monitoring.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::state::AppState;
use overfold_server::metrics::OPENMETRICS;

/// Get the metrics of the service.
///
/// Returns OpenMetrics text, which Prometheus can read: requests, queued and running work, bytes, files, diagnostics by
/// code, time in each stage, and requests turned away, with the reason. Answers even when the service is overloaded.
#[utoipa::path(get, path = "/metrics", tag = "service", responses(
    (status = 200, description = "All metrics.", body = String,
        content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8"),
))]
pub(crate) async fn get_metrics(State(state): State<AppState>) -> Response {
    let text = state.metrics().text(state.gate().held());
    ([(CONTENT_TYPE, OPENMETRICS)], text).into_response()
}
