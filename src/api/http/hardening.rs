//! Security headers of every answer: the browser must not guess its type, and must not let other pages use it.

use axum::extract::Request;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, SERVER, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::api::http::paths::{is_explorer, is_page};

/// The policy for answers that are data: whatever a browser takes them for, nothing in them is loaded or run.
const DATA: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// The policy for the explorer: only files of this service, nothing inline. Its editors draw small images as `data:`.
const EXPLORER: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; \
                        connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// The policy for the pages of the contract: only files of this service, no inline scripts. The one inline style is
/// that of the logo that the page's scripts draw; the images of its style sheet are `data:` URLs.
const PAGES: &str = "default-src 'none'; script-src 'self'; \
                     style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; \
                     connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The layer that sets the headers on every answer.
pub(crate) async fn protected(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let policy = if is_explorer(path) {
        EXPLORER
    } else if is_page(path) {
        PAGES
    } else {
        DATA
    };
    let mut response = next.run(request).await;
    set(response.headers_mut(), policy);
    response
}

/// Sets the headers on an answer that is data.
pub(crate) fn protect(headers: &mut HeaderMap) {
    set(headers, DATA);
}

fn set(headers: &mut HeaderMap, policy: &'static str) {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.remove(SERVER);
}
