//! `GET /version`: what runs here.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::super::build::{BUILD, COMMIT};
use super::super::error::ApiError;
use super::super::v1::Version;

/// Which product and version answers?
///
/// The commit and the kind of build tell two builds of one version apart.
#[utoipa::path(get, path = "/version", tag = "service", responses(
    (status = 200, description = "Name, version, commit and build.", body = Version),
))]
pub(crate) async fn get_version() -> Result<Response, ApiError> {
    let version = Version {
        name: "overfold".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: COMMIT.to_owned(),
        build: BUILD.to_owned(),
    };
    // A plain struct cannot fail to serialise.
    let body = serde_json::to_vec(&version).map_err(|_| ApiError::internal())?;
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}
