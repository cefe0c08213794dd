//! `GET /v1/diagnostics`, `GET /v1/diagnostics/{code}`: what each diagnostic code means.

use axum::extract::RawPathParams;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::api::wire::kind;
use crate::api::wire::query;
use crate::api::wire::v1::{CodeEntry, CodeList};
use overfold_base::echo::short;
use overfold_base::nearest::did_you_mean;
use overfold_engine::options::similar_code;
use overfold_server::documents::answer;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// List the diagnostic codes.
///
/// Returns every code that a diagnostic can have: its title, what it means, how serious it is, who reports it, and an
/// example if a recorded case shows it.
#[utoipa::path(get, path = "/v1/diagnostics", tag = "diagnostics", responses(
    (status = 200, description = "The codes, stage by stage.", body = CodeList,
        headers(("etag" = String, description = "Strong; changes with the program's version."))),
    (status = 304, description = "The document named by `If-None-Match` has not changed."),
    (status = 400, description = "This route has no query parameters.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_diagnostics(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    query::refuse_any(uri.query())?;
    answer(&headers, &CodeList::known())
}

/// Explain a diagnostic code.
///
/// The slash inside a code may be written literally or as `%2F`.
#[utoipa::path(get, path = "/v1/diagnostics/{code}", tag = "diagnostics",
    params(("code" = String, Path, description = "The code.", example = "override/missing-base")),
    responses(
        (status = 200, description = "The meaning of the code.", body = CodeEntry,
            headers(("etag" = String, description = "Strong; changes with the program's version."))),
        (status = 304, description = "The document named by `If-None-Match` has not changed."),
        (status = 400, description = "This route has no query parameters.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "The code does not exist.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get_diagnostic(path: RawPathParams, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    query::refuse_any(uri.query())?;
    // One segment if the slash is escaped, else two.
    let parts: Vec<&str> = path.iter().map(|(_, part)| part).collect();
    let code = parts.join("/");
    let entry = CodeEntry::find(&code).ok_or_else(|| {
        let hint = did_you_mean(similar_code(&code));
        let detail =
            format!("no diagnostic has the code {:?}.{hint} GET /v1/diagnostics lists the codes", short(&code));
        ApiError::new(kind::NOT_FOUND, detail)
    })?;
    answer(&headers, &entry)
}
