//! Security headers of every answer: the browser must not guess its type, and must not let other pages use it.

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, SERVER, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::paths::{PathRole, PathRoles};

/// The policy for answers that are data: whatever a browser takes them for, nothing in them is loaded or run.
const DATA: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The layer that sets the headers on every answer.
pub(crate) async fn protected(State(role): State<PathRoles>, request: Request, next: Next) -> Response {
    let policy = match role(request.uri().path()) {
        PathRole::Page { policy } => policy,
        _ => DATA,
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
