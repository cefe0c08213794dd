//! Determines which host a request is addressed to, and whether that is this service.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};

use super::super::error::{ApiError, Kind};

/// Returns the host that a request is addressed to: the one in the request target, else the one in `Host` (RFC 9112,
/// 3.2.2). `None` if the client left it out, as HTTP/1.0 allows.
///
/// # Errors
/// 400 if `Host` is missing, occurs twice, or is not a host (RFC 9112, 3.2).
pub(super) fn addressed(request: &Request) -> Result<Option<Authority>, ApiError> {
    let mut headers = request.headers().get_all(HOST).iter();
    let (header, more) = (headers.next(), headers.next());
    if more.is_some() {
        return Err(ApiError::new(Kind::BadHost, "the request has more than one Host header"));
    }
    let named = match header {
        Some(value) => {
            Some(host(value).ok_or_else(|| ApiError::new(Kind::BadHost, "the Host header is not a valid host"))?)
        }
        None => None,
    };
    let target = request.uri().authority().cloned();
    match request.version() {
        Version::HTTP_09 | Version::HTTP_10 => {}
        Version::HTTP_11 if named.is_none() => {
            return Err(ApiError::new(Kind::BadHost, "the request has no Host header"));
        }
        _ if named.is_none() && target.is_none() => {
            return Err(ApiError::new(Kind::BadHost, "the request does not name a host"));
        }
        _ => {}
    }
    Ok(target.or(named))
}

fn host(value: &HeaderValue) -> Option<Authority> {
    let authority = Authority::try_from(value.as_bytes()).ok()?;
    (!authority.as_str().contains('@') && !authority.host().is_empty()).then_some(authority)
}

/// The names that requests may be addressed to.
#[derive(Debug)]
pub(super) struct OwnNames(Vec<String>);

impl OwnNames {
    /// Accepts these names, in lower case and without ports, in addition to those of the machine itself.
    pub(super) fn new(names: &[String]) -> Self {
        Self(names.to_vec())
    }

    /// Refuses a request that is addressed to another name. A web page can make its own name resolve to this machine
    /// (DNS rebinding); the browser then considers the service a part of that page's site.
    ///
    /// # Errors
    /// 403 for another name.
    pub(super) fn check(&self, host: Option<&Authority>) -> Result<(), ApiError> {
        if host.is_some_and(|host| self.has(host.host())) {
            return Ok(());
        }
        Err(ApiError::new(
            Kind::HostNotAllowed,
            "requests must be addressed to localhost, a loopback address or a host allowed by --allowed-host",
        ))
    }

    fn has(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
        host == "localhost"
            || bare.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
            || self.0.iter().any(|name| *name == host || name == bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_are_this_machine_and_the_configured_ones() {
        let names = OwnNames::new(&["overfold.test".to_owned(), "10.1.2.3".to_owned(), "2001:db8::1".to_owned()]);
        for host in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "Overfold.Test",
            "10.1.2.3",
            "[2001:db8::1]",
        ] {
            assert!(names.has(host), "{host}");
        }
        for host in ["", "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "overfold.test.evil", "10.1.2.4"]
        {
            assert!(!names.has(host), "{host}");
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for good in ["a", "a:80", "[::1]:8080", "127.0.0.1:1", "a.b-c.d"] {
            assert!(host(&HeaderValue::from_static(good)).is_some(), "{good}");
        }
        for bad in ["", " ", "a b", "user@a", "a/b", ":80", "a,b c", "[::1"] {
            assert!(host(&HeaderValue::from_static(bad)).is_none(), "{bad}");
        }
    }
}
