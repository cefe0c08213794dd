//! `GET /`, the explorer: a page that shows people what override files do, and the files that it loads.
//!
//! The files are built from `explorer/` and committed; `explorer/dist/files.rs` lists them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::RawPathParams;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::api::wire::kind;
use overfold_server::documents::Document;
use overfold_server::error::ApiError;

/// The name, media type and bytes of each file.
const FILES: &[(&str, &str, &[u8])] = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/explorer/dist/files.rs"));
/// The page itself; the names of all other files change with their bytes.
const PAGE: &str = "index.html";

static DOCUMENTS: LazyLock<BTreeMap<&'static str, Document>> = LazyLock::new(|| {
    let document = |&(name, media_type, bytes): &(&'static str, &'static str, &'static [u8])| {
        let document = Document::new(media_type, bytes);
        (name, if name == PAGE { document } else { document.immutable() })
    };
    FILES.iter().map(document).collect()
});

/// Open the explorer.
///
/// Returns a page on which you can edit or drop files: it shows the merged configuration, which line came from which
/// override file, and what was lost. It sends requests only to this service, and works below any path at which a proxy
/// serves it.
#[utoipa::path(get, path = "/", tag = "service", responses(
    (status = 200, description = "The page.", content_type = "text/html", body = String,
        headers(("etag" = String, description = "Strong; changes with the page."))),
    (status = 304, description = "The document named by `If-None-Match` has not changed."),
))]
pub(crate) async fn get_explorer(headers: HeaderMap) -> Result<Response, ApiError> {
    file(PAGE, &headers)
}

/// Returns a file of the page, given its name.
///
/// # Errors
/// 404 if there is no such file.
pub(crate) async fn get_explorer_file(path: RawPathParams, headers: HeaderMap) -> Result<Response, ApiError> {
    file(path.iter().next().map_or("", |(_, name)| name), &headers)
}

fn file(name: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let found = DOCUMENTS.get(name);
    found
        .map(|file| file.answer(headers))
        .ok_or_else(|| ApiError::new(kind::NOT_FOUND, "no file of the page has this name"))
}
