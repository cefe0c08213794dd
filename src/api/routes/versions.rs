//! `GET /v1/versions`: the versions of the tools, and in what they differ.

use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::api::wire::query;
use crate::api::wire::v1::VersionList;
use overfold_server::documents::answer;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// List the versions of Terraform and OpenTofu.
///
/// Returns the release lines of Terraform and OpenTofu, each with its newest release and those whose answers were recorded
/// by running them, the default, and every difference between versions that is followed.
#[utoipa::path(get, path = "/v1/versions", tag = "dialects", responses(
    (status = 200, description = "The versions.", body = VersionList,
        headers(("etag" = String, description = "Strong; changes with the program's version."))),
    (status = 304, description = "The document named by `If-None-Match` has not changed."),
    (status = 400, description = "This route has no query parameters.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_versions(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    query::refuse_any(uri.query())?;
    answer(&headers, &VersionList::known())
}
