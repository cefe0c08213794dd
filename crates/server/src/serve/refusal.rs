//! Refuses what never became a request: a head that cannot be parsed, is too large, or does not end in time.
//!
//! The HTTP library answers such a head by itself, with nothing but a status, and none of our layers sees it. The
//! reason is available only as the error with which the connection ends, and that does not include the status it chose.
//! So [`super::socket`] withholds from the client what is written while no request is being answered; this module reads
//! the status there, and writes the problem in its place once the library has finished with the connection. Nothing
//! else is ever written at that time: an interim `100 Continue` and every answer belong to a request.

use std::time::Instant;

use axum::http::{HeaderMap, StatusCode};

use super::socket::Socket;
use crate::error::{ApiError, kind};
use crate::hardening;
use crate::problem::{PROBLEM_JSON, problem_body};
use crate::record;
use crate::request_id::{REQUEST_ID, RequestId};
use crate::watch::Watch;

/// The most bytes in a request head, from the method to the empty line.
pub(super) const MAX_HEAD_BYTES: usize = 64 << 10;
/// The most bytes in path and query: the HTTP library's limit.
const MAX_TARGET_BYTES: usize = 65_534;
/// The most header fields in a request.
pub(super) const MAX_HEADERS: usize = 100;

/// Answers with a problem if something arrived that could not be parsed.
pub(super) async fn refuse(result: &hyper::Result<()>, socket: &mut Socket, watch: &Watch, accepted: Instant) {
    let Some(error) = reason(result, socket.refusal(), watch) else {
        if let Err(error) = result {
            tracing::debug!(%error, "the connection ended");
        }
        return;
    };
    let id = RequestId::fresh();
    let bytes = answer(&error, &id);
    let sent = socket.send(&bytes).await.is_ok();
    record::refused(&error, &id, accepted, if sent { bytes.len() } else { 0 });
}

/// Answers a client that speaks HTTP without TLS where TLS is required. Nothing of its request is read.
pub(super) async fn refuse_plain(socket: &mut Socket, accepted: Instant) {
    let error = ApiError::new(kind::BAD_REQUEST, "the service is reached with TLS only: use https");
    let id = RequestId::fresh();
    let bytes = answer(&error, &id);
    let sent = socket.send(&bytes).await.is_ok();
    record::refused(&error, &id, accepted, if sent { bytes.len() } else { 0 });
}

fn reason(result: &hyper::Result<()>, written: &[u8], watch: &Watch) -> Option<ApiError> {
    if watch.head_is_overdue() {
        let seconds = watch.timeouts().head.as_secs_f64();
        let detail = format!("the head of the request did not arrive within {seconds} seconds");
        return Some(ApiError::new(kind::TIMEOUT, detail));
    }
    let error = result.as_ref().err()?;
    let problem = match status(written) {
        // The library checks the size of the head first, and so may not notice that the target is the cause.
        Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) if watch.request_line_bytes() > MAX_TARGET_BYTES => {
            too_long()
        }
        Some(StatusCode::URI_TOO_LONG) => too_long(),
        Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => ApiError::new(
            kind::HEAD_TOO_LARGE,
            format!("the head of a request can have at most {MAX_HEAD_BYTES} bytes and {MAX_HEADERS} header fields"),
        ),
        Some(_) => ApiError::new(kind::BAD_REQUEST, "the head of the request is not valid HTTP/1.1"),
        None if error.is_parse_version_h2() => {
            ApiError::new(kind::BAD_REQUEST, "without TLS, the service supports HTTP/1.1 and not HTTP/2")
        }
        None => return None,
    };
    Some(problem)
}

fn too_long() -> ApiError {
    let detail = format!("the path and query of a request must fit into {MAX_TARGET_BYTES} bytes");
    ApiError::new(kind::TARGET_TOO_LONG, detail)
}

/// Returns the status of an answer in bytes.
fn status(written: &[u8]) -> Option<StatusCode> {
    let code = written.strip_prefix(b"HTTP/1.1 ").or_else(|| written.strip_prefix(b"HTTP/1.0 "))?;
    StatusCode::from_bytes(code.get(..3)?).ok()
}

/// Returns a whole answer, head and body.
fn answer(error: &ApiError, id: &RequestId) -> Vec<u8> {
    let status = error.kind.status();
    let body = problem_body(error, status, id.as_str());
    let mut headers = HeaderMap::new();
    hardening::protect(&mut headers);
    let mut answer = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: {PROBLEM_JSON}\r\ncontent-length: {}\r\n{REQUEST_ID}: {}\r\n\
         cache-control: no-store\r\nconnection: close\r\ndate: {}\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default(),
        body.len(),
        id.as_str(),
        httpdate::HttpDate::from(std::time::SystemTime::now()),
    )
    .into_bytes();
    for (name, value) in &headers {
        answer.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    answer.extend(b"\r\n");
    answer.extend(body);
    answer
}
