//! `GET /livez`, `GET /readyz`: for those who watch the service.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::super::error::{ApiError, Kind};
use super::super::state::AppState;
use super::super::v1::{Health, Problem};

const OK: &str = r#"{"status":"ok"}"#;

/// Is the process alive?
///
/// Answers whenever the process can answer at all; it looks at nothing else.
#[utoipa::path(get, path = "/livez", tag = "service", responses(
    (status = 200, description = "The process is alive.", body = Health),
))]
pub(crate) async fn get_livez() -> Response {
    ([(CONTENT_TYPE, "application/json")], OK).into_response()
}

/// Should requests be sent here?
///
/// Not while the service shuts down, nor while it is saturated: while even a small request would be turned away.
#[utoipa::path(get, path = "/readyz", tag = "service", responses(
    (status = 200, description = "The service takes requests.", body = Health),
    (status = 503, description = "The service is shutting down or saturated; `detail` says why.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_readyz(State(state): State<AppState>) -> Result<Response, ApiError> {
    if state.is_draining() {
        return Err(ApiError::new(Kind::Draining, "requests under way are finished; send new ones elsewhere"));
    }
    if let Some(why) = state.gate().saturated() {
        return Err(ApiError::new(Kind::Overloaded, why));
    }
    Ok(([(CONTENT_TYPE, "application/json")], OK).into_response())
}
