//! Finds the bearer token of a request (RFC 6750, 2.1).

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use super::jwt::Reason;

/// What a request presented instead of a valid token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenProblem {
    /// No token.
    Nothing,
    /// A token that is not accepted.
    Refused(Reason),
    /// More than one header.
    Several,
}

/// Returns the token of a request.
///
/// # Errors
/// Returns what there is instead of a single one.
pub(super) fn bearer(headers: &HeaderMap) -> Result<&[u8], TokenProblem> {
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), more) = (sent.next(), sent.next()) else { return Err(TokenProblem::Nothing) };
    if more.is_some() {
        return Err(TokenProblem::Several);
    }
    let value = value.as_bytes();
    let (scheme, token) = value.split_at(value.iter().position(|byte| *byte == b' ').unwrap_or(value.len()));
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(TokenProblem::Nothing);
    }
    Ok(token.trim_ascii())
}
