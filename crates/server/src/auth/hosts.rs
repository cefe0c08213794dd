//! Determines which host a request is addressed to, and whether that is this service.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::Request;
use axum::http::Version;
use axum::http::header::HOST;
use axum::http::uri::Authority;

use crate::error::{ApiError, kind};

/// Returns the host that a request is addressed to: the one in the request target, else the one in `Host` (RFC 9112,
/// 3.2.2). `None` if the client left it out, as HTTP/1.0 allows.
///
/// # Errors
/// 400 if `Host` is missing, occurs twice, or is not a host with or without a port (RFC 9112, 3.2), or if the request target
/// names something else.
pub(super) fn addressed(request: &Request) -> Result<Option<Authority>, ApiError> {
    let mut headers = request.headers().get_all(HOST).iter();
    let (header, more) = (headers.next(), headers.next());
    if more.is_some() {
        return Err(ApiError::new(kind::BAD_HOST, "the request has more than one Host header"));
    }
    let named = match header {
        Some(value) => Some(
            host(value.as_bytes())
                .ok_or_else(|| ApiError::new(kind::BAD_HOST, "the Host header is not a valid host"))?,
        ),
        None => None,
    };
    let target = request.uri().authority().cloned();
    if target.as_ref().is_some_and(|target| host(target.as_str().as_bytes()).is_none()) {
        return Err(ApiError::new(kind::BAD_HOST, "the host in the request target is not valid"));
    }
    match request.version() {
        Version::HTTP_09 | Version::HTTP_10 => {}
        Version::HTTP_11 if named.is_none() => {
            return Err(ApiError::new(kind::BAD_HOST, "the request has no Host header"));
        }
        _ if named.is_none() && target.is_none() => {
            return Err(ApiError::new(kind::BAD_HOST, "the request does not name a host"));
        }
        _ => {}
    }
    Ok(target.or(named))
}

/// Reads a host with or without a port (RFC 3986, 3.2.2 and 3.2.3; the port may be empty).
fn host(value: &[u8]) -> Option<Authority> {
    let authority = Authority::try_from(value).ok()?;
    let (name, port) = (authority.host(), authority.as_str().strip_prefix(authority.host())?);
    let is_port =
        |text: &str| text.is_empty() || text.bytes().all(|c| c.is_ascii_digit()) && text.parse::<u16>().is_ok();
    let has_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let has_name = literal.map_or_else(|| is_name(name), |address| address.parse::<Ipv6Addr>().is_ok());
    (has_port && has_name).then_some(authority)
}

/// Whether a text consists of what the name of a host may contain, besides percent-encoded characters, which nobody needs.
fn is_name(text: &str) -> bool {
    const PUNCTUATION: &[u8] = b"-._~!$&'()*+,;=";
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || PUNCTUATION.contains(&c))
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
            kind::HOST_NOT_ALLOWED,
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
        for good in
            ["a", "a:80", "a:", "[::1]:8080", "[::1]", "127.0.0.1:1", "a.b-c.d", "a_b", "a:65535", "a:00080", "a,b"]
        {
            assert!(host(good.as_bytes()).is_some(), "{good}");
        }
        for bad in [
            "",
            " ",
            "a b",
            "user@a",
            "@a",
            "a/b",
            ":80",
            "a,b c",
            "[::1",
            "::1",
            "a:b",
            "a:80:80",
            "a:65536",
            "a:99999",
            "a:-1",
            "a:+1",
            "a:8 0",
            "a:0x50",
            "[a]",
            "[]",
            "[::1]a",
            "[::1]:x",
            "[v1.a]",
            "a%",
            "a%20b",
            "a%zz",
            "a\\b",
            "a\"b",
            "<a>",
            "a|b",
            "a?b",
            "a#b",
            "\u{e9}",
            "a\u{7f}",
            "99999999999999999999:1:2",
        ] {
            assert!(host(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
