//! `GET /version`: what runs here.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::super::v1::Version;

/// Which product and version answers?
#[utoipa::path(get, path = "/version", tag = "service", responses(
    (status = 200, description = "Name and version.", body = Version),
))]
pub(crate) async fn get_version() -> Response {
    const BODY: &str = concat!(r#"{"name":"overfold","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);
    ([(CONTENT_TYPE, "application/json")], BODY).into_response()
}
