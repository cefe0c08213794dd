//! `GET /v1/dialects`, `GET /v1/dialects/{name}`: the tables that every stage follows, as data.

use axum::extract::RawPathParams;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::api::wire::kind;
use crate::api::wire::query;
use crate::api::wire::v1::{DialectList, DialectQuery, DialectTable};
use overfold_dialect::NotFound;
use overfold_module::pipeline::RequestError;
use overfold_server::documents::answer;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// List the dialects.
///
/// Returns the dialects that a request can name, with the versions of each one.
#[utoipa::path(get, path = "/v1/dialects", tag = "dialects", responses(
    (status = 200, description = "The dialects, the default first.", body = DialectList,
        headers(("etag" = String, description = "Strong; changes with the program's version."))),
    (status = 304, description = "The document named by `If-None-Match` has not changed."),
    (status = 400, description = "This route has no query parameters.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_dialects(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    query::refuse_any(uri.query())?;
    answer(&headers, &DialectList::known())
}

/// Get the table of a dialect.
///
/// The table contains the rows that every stage follows: which files the dialect reads; its block types with labels,
/// arguments and nested blocks; what each of them does in an override file; and where the values of variables come
/// from. Each row gives the releases in which it applies; with `version`, only the rows for that version are returned.
/// `terms` explains the name of every rule.
#[utoipa::path(get, path = "/v1/dialects/{name}", tag = "dialects",
    params(("name" = String, Path, description = "The dialect's name.", example = "terraform"), DialectQuery),
    responses(
        (status = 200, description = "The table.", body = DialectTable,
            headers(("etag" = String, description = "Strong; changes with the program's version."))),
        (status = 304, description = "The document named by `If-None-Match` has not changed."),
        (status = 400, description = "There is no such query parameter.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "The dialect does not exist.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The dialect does not have the version; `detail` lists the versions that it has.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get_dialect(path: RawPathParams, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let version = query::version(uri.query())?;
    let name = path.iter().next().map_or("", |(_, name)| name);
    let table = DialectTable::of(name, version.as_deref()).map_err(|missing| {
        let kind = match missing {
            NotFound::Dialect => kind::NOT_FOUND,
            NotFound::Version { .. } => kind::UNKNOWN_VERSION,
        };
        ApiError::new(kind, RequestError::not_found(missing, name, version.as_deref()).to_string())
    })?;
    answer(&headers, &table)
}
