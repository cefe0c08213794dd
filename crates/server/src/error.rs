//! Why a request is not answered: the single type into which every failure of the HTTP layer is converted.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::value::RawValue;

use overfold_account::Stop;
use overfold_account::echo;

/// A kind of request problems. It has one HTTP status and a stable `code`. Those of the server are in [`kind`]; the program
/// above declares its own with [`kinds!`](crate::kinds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(&'static KindRow);

/// What is fixed for a kind of problems.
#[derive(PartialEq, Eq, Debug)]
pub struct KindRow {
    /// The HTTP status.
    pub status: u16,
    /// The stable name, in kebab-case.
    pub code: &'static str,
    /// A short title for people, the same for every occurrence.
    pub title: &'static str,
}

/// Declares kinds of problems, ordered by status: the constant, its status, its `code` and its title. `ALL` lists them.
#[macro_export]
macro_rules! kinds {
    ($($kind:ident: $status:ident, $code:literal, $title:literal;)*) => {
        $(
            #[doc = $title]
            pub const $kind: $crate::error::Kind = $crate::error::Kind::new(&$crate::error::KindRow {
                status: ::axum::http::StatusCode::$status.as_u16(),
                code: $code,
                title: $title,
            });
        )*

        /// Every kind that is declared here, ordered by status.
        pub const ALL: &[$crate::error::Kind] = &[$($kind),*];
    };
}

/// The kinds of problems that the server itself has.
pub mod kind {
    crate::kinds! {
        MALFORMED_BODY: BAD_REQUEST, "malformed-body", "The request body cannot be read";
        BAD_HOST: BAD_REQUEST, "bad-host", "The Host header is missing or not valid";
        BAD_REQUEST: BAD_REQUEST, "bad-request", "The request cannot be read";
        TOKEN_NEEDED: UNAUTHORIZED, "token-needed", "A token is required";
        INVALID_TOKEN: UNAUTHORIZED, "invalid-token", "The token is not valid";
        CERTIFICATE_NEEDED: FORBIDDEN, "certificate-needed", "A client certificate is required";
        INSUFFICIENT_SCOPE: FORBIDDEN, "insufficient-scope", "The token does not allow this";
        CROSS_ORIGIN: FORBIDDEN, "cross-origin", "Requests from other origins are not allowed";
        HOST_NOT_ALLOWED: FORBIDDEN, "host-not-allowed", "The host is not allowed";
        NOT_FOUND: NOT_FOUND, "not-found", "The requested resource does not exist";
        METHOD_NOT_ALLOWED: METHOD_NOT_ALLOWED, "method-not-allowed", "The method is not allowed here";
        NOT_ACCEPTABLE: NOT_ACCEPTABLE, "not-acceptable", "None of the accepted formats is available";
        TIMEOUT: REQUEST_TIMEOUT, "timeout", "The request took too long";
        OVER_LIMIT: PAYLOAD_TOO_LARGE, "over-limit", "The request is over a limit";
        TARGET_TOO_LONG: URI_TOO_LONG, "target-too-long", "The path and query are too long";
        CALLER_RATE: TOO_MANY_REQUESTS, "caller-rate", "The caller sends too many requests";
        CALLER_SHARE: TOO_MANY_REQUESTS, "caller-share", "The caller holds too much at a time";
        HEAD_TOO_LARGE: REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", "The head of the request is too large";
        UNSUPPORTED_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "The Content-Type is not supported";
        UNSUPPORTED_ENCODING: UNSUPPORTED_MEDIA_TYPE, "unsupported-encoding", "The Content-Encoding is not supported";
        EXPECTATION_FAILED: EXPECTATION_FAILED, "expectation-failed", "The expectation cannot be met";
        INTERNAL: INTERNAL_SERVER_ERROR, "internal", "An internal error occurred";
        UNSUPPORTED_TRANSFER_CODING: NOT_IMPLEMENTED, "unsupported-transfer-coding", "The Transfer-Encoding is not supported";
        OVERLOADED: SERVICE_UNAVAILABLE, "overloaded", "The service is overloaded";
        NOT_READY: SERVICE_UNAVAILABLE, "not-ready", "The service is not ready";
        DRAINING: SERVICE_UNAVAILABLE, "draining", "The service is shutting down";
    }
}

impl Kind {
    /// Creates a kind.
    pub const fn new(row: &'static KindRow) -> Self {
        Self(row)
    }

    /// Returns the status of the answer.
    pub fn status(self) -> StatusCode {
        // Made of one, so it is valid.
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns the stable name, in kebab-case.
    pub const fn code(self) -> &'static str {
        self.0.code
    }

    /// Returns a short title for people.
    pub(crate) const fn title(self) -> &'static str {
        self.0.title
    }

    /// Returns the kind that corresponds to a bare status, for answers that a router or a layer below produced by
    /// itself.
    pub(crate) const fn from_status(status: StatusCode) -> Self {
        match status.as_u16() {
            404 => kind::NOT_FOUND,
            405 => kind::METHOD_NOT_ALLOWED,
            406 => kind::NOT_ACCEPTABLE,
            408 => kind::TIMEOUT,
            413 => kind::OVER_LIMIT,
            414 => kind::TARGET_TOO_LONG,
            415 => kind::UNSUPPORTED_MEDIA_TYPE,
            417 => kind::EXPECTATION_FAILED,
            429 => kind::CALLER_RATE,
            431 => kind::HEAD_TOO_LARGE,
            501 => kind::UNSUPPORTED_TRANSFER_CODING,
            503 => kind::OVERLOADED,
            400..=499 => kind::BAD_REQUEST,
            _ => kind::INTERNAL,
        }
    }
}

/// A limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExceededLimit {
    /// The limit's name, which is also the name of its flag.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
}

/// A request problem. As a response, it carries itself in the extensions; the `problems` layer, which knows the
/// request's id, writes the body.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// What kind of problem it is.
    pub kind: Kind,
    /// What is wrong with this request, in one or two sentences. Never reveals internals.
    pub detail: Cow<'static, str>,
    /// JSON pointer to the place in the request object, if there is one.
    pub pointer: Option<String>,
    /// The limit that was exceeded, for [`kind::OVER_LIMIT`].
    pub limit: Option<ExceededLimit>,
    /// The diagnostics of the run as a JSON list, if there was a run.
    pub diagnostics: Option<Arc<RawValue>>,
    /// The number of seconds after which it is worth trying again, if known.
    pub retry_after: Option<u64>,
}

impl ApiError {
    /// Creates a problem of this kind. Text of the request quoted in `detail` must pass through [`echo::short`] first;
    /// in any case, the message is kept within bounds.
    pub fn new(kind: Kind, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = echo::message(detail.into());
        Self { kind, detail, pointer: None, limit: None, diagnostics: None, retry_after: None }
    }

    /// Adds the place in the request object. A pointer longer than any place in a valid request is left out.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        const MAX: usize = 4096;
        self.pointer = Some(pointer.into()).filter(|pointer| pointer.len() <= MAX);
        self
    }

    /// Creates the problem of a request over a limit: `what` is the thing counted, such as `the request body`.
    pub fn over_limit(what: &str, name: &'static str, value: u64) -> Self {
        let unit = if name.ends_with("bytes") { " bytes" } else { "" };
        Self {
            limit: Some(ExceededLimit { name, value }),
            ..Self::new(kind::OVER_LIMIT, format!("{what} is over the limit {name} of {value}{unit}"))
        }
    }

    /// Creates the problem of a failure of the service. The cause goes to the log, never into the answer.
    pub fn internal() -> Self {
        Self::new(kind::INTERNAL, "the failure has been logged under the request id given as `instance`")
    }
}

impl From<Stop> for ApiError {
    fn from(stop: Stop) -> Self {
        match stop.limit() {
            Some((name, value)) => {
                Self { limit: Some(ExceededLimit { name, value }), ..Self::new(kind::OVER_LIMIT, stop.to_string()) }
            }
            // This answer is not read any more.
            None => Self::new(kind::TIMEOUT, "the work was cancelled"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.kind.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::kind;

    #[test]
    fn no_code_occurs_twice() {
        let codes: HashSet<_> = kind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), kind::ALL.len());
    }
}
