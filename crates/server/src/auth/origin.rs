//! Refuses requests that a browser sends on behalf of another site's page.
//!
//! The rules are those of Go's `http.CrossOriginProtection` (and of the `csrf` layer of `tower-http`), with one
//! difference: they allow every GET, because a GET changes nothing, while here only a GET that opens a page is allowed.
//! A page of another site has no reason at all to call this service.

use axum::extract::Request;
use axum::http::header::ORIGIN;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method};

use crate::error::{ApiError, kind};
use crate::paths::PathRole;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Refuses a request sent by a page of another origin. `own` is the host that the request is addressed to,
/// `role` what its path leads to.
///
/// A browser declares this in `Sec-Fetch-Site`, which no script can set. A browser too old for that header sends
/// `Origin` with everything but simple reads. Clients other than browsers send neither.
///
/// # Errors
/// 403 for a page of another origin.
pub(super) fn check(request: &Request, own: Option<&Authority>, role: PathRole) -> Result<(), ApiError> {
    let headers = request.headers();
    let fine = if headers.contains_key(SITE) {
        // It is `none` if the user typed an address or opened a bookmark.
        headers.get_all(SITE).iter().all(|site| site == "same-origin" || site == "none")
            || opens_a_page(request, role)
    } else {
        headers.get_all(ORIGIN).iter().all(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            own.is_some_and(|own| is_origin_of(origin, own))
        })
    };
    if fine {
        return Ok(());
    }
    Err(ApiError::new(kind::CROSS_ORIGIN, "a browser sent this request for a page of another origin"))
}

/// Whether the request opens one of our pages in a browser window, as a link does.
fn opens_a_page(request: &Request, role: PathRole) -> bool {
    let only = |name: &HeaderName, value: &str| has_only(request.headers(), name, value);
    matches!(*request.method(), Method::GET | Method::HEAD)
        && matches!(role, PathRole::Page { .. })
        && only(&MODE, "navigate")
        && only(&DEST, "document")
}

fn has_only(headers: &HeaderMap, name: &HeaderName, value: &str) -> bool {
    headers.contains_key(name) && headers.get_all(name).iter().all(|sent| sent == value)
}

/// Whether `origin` (`scheme://host[:port]`, RFC 6454, 7.1) is a page of the host `own`. A proxy may have terminated
/// TLS, so the scheme only determines the default port.
fn is_origin_of(origin: &str, own: &Authority) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let usual = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return false,
    };
    let Ok(authority) = authority.parse::<Authority>() else { return false };
    authority.host().eq_ignore_ascii_case(own.host())
        && authority.port_u16().unwrap_or(usual) == own.port_u16().unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_compared_by_host_and_port() {
        for (origin, own, same) in [
            ("http://localhost:8080", "localhost:8080", true),
            ("http://LOCALHOST:8080", "localhost:8080", true),
            ("https://overfold.test", "overfold.test", true),
            ("https://overfold.test", "overfold.test:443", true),
            ("http://overfold.test", "overfold.test:80", true),
            ("http://[::1]:8080", "[::1]:8080", true),
            ("http://localhost:8081", "localhost:8080", false),
            ("http://localhost", "localhost:8080", false),
            ("https://overfold.test", "overfold.test:80", false),
            ("http://evil.test", "localhost:8080", false),
            ("http://localhost:8080.evil.test", "localhost:8080", false),
            ("null", "localhost:8080", false),
            ("", "localhost:8080", false),
            ("file://", "localhost:8080", false),
            ("chrome-extension://localhost:8080", "localhost:8080", false),
        ] {
            assert_eq!(is_origin_of(origin, &own.parse().unwrap()), same, "{origin} {own}");
        }
    }
}
