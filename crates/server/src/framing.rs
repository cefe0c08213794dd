//! Refuses what a request asks of the protocol and this service does not do: transfer codings and expectations.

use axum::extract::Request;
use axum::http::header::{EXPECT, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::{ApiError, kind};

/// The layer that checks the headers about the transfer of a request. The HTTP library reads every body whose last transfer
/// coding is `chunked`, and refuses any other; it ignores codings before that, and expectations that it does not know.
pub(crate) async fn check_transfer(request: Request, next: Next) -> Response {
    match refusal(request.headers()) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

fn refusal(headers: &HeaderMap) -> Option<ApiError> {
    // RFC 9112, 6.1: a coding that is not understood is a 501; chunked may be applied only once.
    let codings = members(headers, &TRANSFER_ENCODING);
    let chunked = codings.iter().filter(|coding| coding.eq_ignore_ascii_case(b"chunked")).count();
    if chunked < codings.len() {
        let detail = "the only Transfer-Encoding that this service understands is chunked";
        return Some(ApiError::new(kind::UNSUPPORTED_TRANSFER_CODING, detail));
    }
    if chunked > 1 {
        let detail = "the Transfer-Encoding chunked can be applied only once";
        return Some(ApiError::new(kind::BAD_REQUEST, detail));
    }
    // RFC 9110, 10.1.1.
    if members(headers, &EXPECT).iter().any(|expected| !expected.eq_ignore_ascii_case(b"100-continue")) {
        let detail = "the only expectation that this service can meet is 100-continue";
        return Some(ApiError::new(kind::EXPECTATION_FAILED, detail));
    }
    None
}

/// Returns the members of a header that is a list, over all its fields; empty members are ignored (RFC 9110, 5.6.1).
fn members<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h [u8]> {
    let fields = headers.get_all(name).iter().flat_map(|field| field.as_bytes().split(|byte| *byte == b','));
    fields.map(<[u8]>::trim_ascii).filter(|member| !member.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_understood_is_accepted() {
        let status = |name: &'static str, values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(name, value.parse().unwrap());
            }
            refusal(&headers).map_or(200, |problem| problem.kind.status().as_u16())
        };
        for (name, values, expected) in [
            ("transfer-encoding", &["chunked"][..], 200),
            ("transfer-encoding", &["Chunked"], 200),
            ("transfer-encoding", &[", chunked ,"], 200),
            ("transfer-encoding", &["chunked, chunked"], 400),
            ("transfer-encoding", &["chunked", "chunked"], 400),
            ("transfer-encoding", &["gzip, chunked"], 501),
            ("transfer-encoding", &["gzip", "chunked"], 501),
            ("transfer-encoding", &["chunked;a=b, chunked"], 501),
            ("transfer-encoding", &["identity, chunked"], 501),
            ("expect", &[], 200),
            ("expect", &["100-continue"], 200),
            ("expect", &["100-Continue, 100-continue"], 200),
            ("expect", &["200-ok"], 417),
            ("expect", &["100-continue, x"], 417),
            ("expect", &["100-continue", "x=\"100-continue\""], 417),
            ("expect", &["100"], 417),
        ] {
            assert_eq!(status(name, values), expected, "{name}: {values:?}");
        }
    }
}
