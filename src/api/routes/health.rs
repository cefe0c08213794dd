//! `GET /livez`, `GET /readyz`: probes for monitoring.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::api::wire::kind;
use crate::api::wire::v1::Health;
use crate::state::AppState;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

const OK: &str = r#"{"status":"ok"}"#;

/// Check whether the process is alive.
///
/// Answers whenever the process can answer at all; nothing else is checked.
#[utoipa::path(get, path = "/livez", tag = "service", responses(
    (status = 200, description = "The process is alive.", body = Health),
))]
pub(crate) async fn get_livez() -> Response {
    ([(CONTENT_TYPE, "application/json")], OK).into_response()
}

/// Check whether the service accepts requests.
///
/// It does not while it is shutting down, or while it is saturated, that is, while even a small request would be turned
/// away.
#[utoipa::path(get, path = "/readyz", tag = "service", responses(
    (status = 200, description = "The service accepts requests.", body = Health),
    (status = 503, description = "The service is shutting down or saturated; `detail` says why.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_readyz(State(state): State<AppState>) -> Result<Response, ApiError> {
    if state.is_draining() {
        return Err(ApiError::new(
            kind::DRAINING,
            "requests in progress are finished; send new ones to another instance",
        ));
    }
    if let Some(why) = state.obstacle() {
        return Err(ApiError::new(kind::NOT_READY, why));
    }
    if let Some(why) = state.gate().saturated() {
        return Err(ApiError::new(kind::OVERLOADED, why));
    }
    Ok(([(CONTENT_TYPE, "application/json")], OK).into_response())
}
