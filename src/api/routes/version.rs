//! `GET /version`: which build is running.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::api::wire::v1::Version;
use crate::build_info::{BUILD, COMMIT};
use overfold_server::error::ApiError;

/// Get the version of the service.
///
/// Returns the product and its version; the commit and the kind of build distinguish two builds of the same version.
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
    // A plain struct cannot fail to serialize.
    let body = serde_json::to_vec(&version).map_err(|_| ApiError::internal())?;
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}
