//! `GET /docs/` and the files of that page: the contract, for programs and for people.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use axum::extract::RawPathParams;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use utoipa_swagger_ui::Config;

use crate::api::wire::kind;
use overfold_server::documents::Document;
use overfold_server::error::ApiError;

/// The page, and what it has for a narrow screen, which the bundled documentation browser lacks.
const OWN: &[(&str, &str, &[u8])] = &[
    ("index.html", "text/html; charset=utf-8", include_bytes!("docs/index.html")),
    ("phone.css", "text/css; charset=utf-8", include_bytes!("docs/phone.css")),
];

/// The files of the bundled documentation browser that the page loads, each with its media type.
const FILES: &[(&str, &str)] = &[
    ("index.css", "text/css; charset=utf-8"),
    ("swagger-ui.css", "text/css; charset=utf-8"),
    ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ("swagger-ui-standalone-preset.js", "text/javascript; charset=utf-8"),
    ("swagger-initializer.js", "text/javascript; charset=utf-8"),
    ("favicon-16x16.png", "image/png"),
    ("favicon-32x32.png", "image/png"),
];

/// All files by name. A file missing from the bundled documentation browser is left out; a test requests every file.
static PAGES: LazyLock<BTreeMap<&'static str, Document>> = LazyLock::new(|| {
    // The URL is relative, since a proxy may serve the service below a path. Syntax highlighting is off, since answers
    // may be long, and highlighting them takes a browser minutes.
    let config = Arc::new(Config::new(["../openapi.json"]).try_it_out_enabled(true).with_syntax_highlight(false));
    let page = |&(name, media_type)| {
        let file = utoipa_swagger_ui::serve(name, Arc::clone(&config)).ok()??;
        Some((name, Document::new(media_type, file.bytes.into_owned())))
    };
    let own = OWN.iter().map(|&(name, media_type, bytes)| (name, Document::new(media_type, bytes.to_vec())));
    FILES.iter().filter_map(page).chain(own).collect()
});

/// Returns the contract as a page: every route with its fields and examples, and a form that sends requests.
pub(crate) async fn get_docs(headers: HeaderMap) -> Result<Response, ApiError> {
    page("index.html", &headers)
}

/// Returns a file of the page.
pub(crate) async fn get_docs_file(path: RawPathParams, headers: HeaderMap) -> Result<Response, ApiError> {
    page(path.iter().next().map_or("", |(_, name)| name), &headers)
}

fn page(name: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let page = PAGES.get(name);
    page.map(|page| page.answer(headers)).ok_or_else(|| ApiError::new(kind::NOT_FOUND, "no page has this name"))
}

/// Open the API documentation.
///
/// Redirects to `/docs/`: every route with its fields and examples, and a form that sends requests. The page loads
/// nothing from other hosts.
#[utoipa::path(get, path = "/docs", tag = "service", responses(
    (status = 303, description = "The page is at `docs/`, relative to this path.",
        headers(("location" = String, description = "`docs/`; relative, since a proxy may serve the service below a path."))),
))]
pub(crate) async fn get_docs_folder() -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, "docs/")]).into_response()
}
