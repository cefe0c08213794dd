//! `GET /v1/dialects`, `GET /v1/dialects/{name}`: the tables that every stage follows, as data.

use axum::extract::RawPathParams;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::super::accept::Coding;
use super::super::answer::{hexadecimal, pack};
use super::super::error::{ApiError, Kind};
use super::super::query;
use super::super::v1::{DialectList, DialectQuery, DialectTable, Problem};
use crate::dialect::NotFound;
use crate::pipeline::RequestError;

/// Which dialects are there?
///
/// Those that a request can name, with the tool versions that each knows.
#[utoipa::path(get, path = "/v1/dialects", tag = "dialects", responses(
    (status = 200, description = "The dialects, the default first.", body = DialectList,
        headers(("etag" = String, description = "Strong; changes with the product's version."))),
    (status = 304, description = "What `If-None-Match` names still holds."),
    (status = 400, description = "There are no query parameters here.", body = Problem,
        content_type = "application/problem+json"),
))]
pub(crate) async fn get_dialects(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    query::nothing(uri.query())?;
    document(&headers, &DialectList::known())
}

/// The table of a dialect.
///
/// Which files it reads, its block types with labels, arguments and nested blocks, what each does in an override file,
/// where values of variables come from: the rows that every stage follows. Each row says from which release to which it
/// holds; with `version` only the rows of that version are there. `terms` explains every name of a rule.
#[utoipa::path(get, path = "/v1/dialects/{name}", tag = "dialects",
    params(("name" = String, Path, description = "The dialect's name.", example = "terraform"), DialectQuery),
    responses(
        (status = 200, description = "The table.", body = DialectTable,
            headers(("etag" = String, description = "Strong; changes with the product's version."))),
        (status = 304, description = "What `If-None-Match` names still holds."),
        (status = 400, description = "There is no such query parameter.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such dialect.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The dialect does not know the version; `detail` says which ones it knows.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get_dialect(path: RawPathParams, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let version = query::version(uri.query())?;
    let name = path.iter().next().map_or("", |(_, name)| name);
    let table = DialectTable::of(name, version.as_deref()).map_err(|missing| {
        let kind = match missing {
            NotFound::Dialect => Kind::NotFound,
            NotFound::Version { .. } => Kind::UnknownVersion,
        };
        ApiError::new(kind, RequestError::not_found(missing, name, version.as_deref()).to_string())
    })?;
    document(&headers, &table)
}

/// A document that is the same in every answer of this build.
fn document(headers: &HeaderMap, value: &impl Serialize) -> Result<Response, ApiError> {
    // Plain structs cannot fail to serialise.
    let plain = serde_json::to_vec(value).map_err(|_| ApiError::internal())?;
    let digest = hexadecimal(&Sha256::digest(&plain));
    let (body, coding) = pack(plain, Coding::negotiate(headers))?;
    let tag = coding.name().map_or_else(|| format!("\"{digest}\""), |coding| format!("\"{digest}-{coding}\""));
    let known = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .any(|known| known.trim() == "*" || known.trim().trim_start_matches("W/") == tag);
    let caching =
        [(ETAG, tag), (CACHE_CONTROL, "public, max-age=300".to_owned()), (VARY, "accept-encoding".to_owned())];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
    Ok((caching, [(CONTENT_TYPE, "application/json")], encoding, body).into_response())
}
