//! Why a request is not answered: the single type into which every failure of the HTTP layer is converted.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::value::RawValue;

use overfold_base::account::Stop;
use overfold_base::echo;

/// Declares the kinds of problems once, ordered by status: the kind, its status, its `code` and its title.
macro_rules! kinds {
    ($($kind:ident: $status:ident, $code:literal, $title:literal;)*) => {
        /// Kinds of request problems. Each has one HTTP status and a stable `code`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// Every kind, ordered by status.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the status, `code` and title of a kind.
            const fn row(self) -> (StatusCode, &'static str, &'static str) {
                match self {
                    $(Self::$kind => (StatusCode::$status, $code, $title),)*
                }
            }
        }
    };
}

kinds! {
    MalformedBody: BAD_REQUEST, "malformed-body", "The request body cannot be read";
    MalformedArchive: BAD_REQUEST, "malformed-archive", "The archive cannot be read";
    TruncatedArchive: BAD_REQUEST, "truncated-archive", "The archive is truncated";
    UnsupportedEntry: BAD_REQUEST, "unsupported-entry", "The archive uses an unsupported feature";
    BadBase64: BAD_REQUEST, "bad-base64", "The content of a file is not valid Base64";
    NotUtf8: BAD_REQUEST, "not-utf8", "A text is not valid UTF-8";
    DuplicateKey: BAD_REQUEST, "duplicate-key", "A name occurs twice";
    UnknownOption: BAD_REQUEST, "unknown-option", "The option does not exist";
    BadOption: BAD_REQUEST, "bad-option", "The value of an option is not valid";
    BadSeverity: BAD_REQUEST, "bad-severity", "A severity or the code that it is for does not exist";
    BadAddress: BAD_REQUEST, "bad-address", "An address cannot be parsed";
    BadTimestamp: BAD_REQUEST, "bad-timestamp", "A time is not valid";
    BadPath: BAD_REQUEST, "bad-path", "A path is not allowed";
    DuplicatePath: BAD_REQUEST, "duplicate-path", "A path occurs twice";
    FileAndFolder: BAD_REQUEST, "file-and-folder", "A path is both a file and a directory";
    BadHost: BAD_REQUEST, "bad-host", "The Host header is missing or not valid";
    BadRequest: BAD_REQUEST, "bad-request", "The request cannot be read";
    TokenNeeded: UNAUTHORIZED, "token-needed", "A token is required";
    InvalidToken: UNAUTHORIZED, "invalid-token", "The token is not valid";
    CertificateNeeded: FORBIDDEN, "certificate-needed", "A client certificate is required";
    InsufficientScope: FORBIDDEN, "insufficient-scope", "The token does not allow this";
    CrossOrigin: FORBIDDEN, "cross-origin", "Requests from other origins are not allowed";
    HostNotAllowed: FORBIDDEN, "host-not-allowed", "The host is not allowed";
    NotFound: NOT_FOUND, "not-found", "The requested resource does not exist";
    MethodNotAllowed: METHOD_NOT_ALLOWED, "method-not-allowed", "The method is not allowed here";
    NotAcceptable: NOT_ACCEPTABLE, "not-acceptable", "None of the accepted formats is available";
    Timeout: REQUEST_TIMEOUT, "timeout", "The request took too long";
    OverLimit: PAYLOAD_TOO_LARGE, "over-limit", "The request is over a limit";
    TargetTooLong: URI_TOO_LONG, "target-too-long", "The path and query are too long";
    CallerRate: TOO_MANY_REQUESTS, "caller-rate", "The caller sends too many requests";
    CallerShare: TOO_MANY_REQUESTS, "caller-share", "The caller holds too much at a time";
    HeadTooLarge: REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", "The head of the request is too large";
    UnsupportedMediaType: UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "The Content-Type is not supported";
    UnsupportedEncoding: UNSUPPORTED_MEDIA_TYPE, "unsupported-encoding", "The Content-Encoding is not supported";
    UnknownArchiveFormat: UNSUPPORTED_MEDIA_TYPE, "unknown-archive-format", "The format of the archive is not known";
    ExpectationFailed: EXPECTATION_FAILED, "expectation-failed", "The expectation cannot be met";
    NothingLeft: UNPROCESSABLE_ENTITY, "nothing-left", "No files are left after removing path components";
    UnknownVersion: UNPROCESSABLE_ENTITY, "unknown-version", "The dialect does not have this version";
    RootNotFound: UNPROCESSABLE_ENTITY, "root-not-found", "The root is not in the files";
    VarFileNotFound: UNPROCESSABLE_ENTITY, "var-file-not-found", "A variable definitions file is not in the files";
    ConfigFileNotFound: UNPROCESSABLE_ENTITY, "config-file-not-found", "The configuration file is not in the files";
    SchemaUnreadable: UNPROCESSABLE_ENTITY, "schema-unreadable", "The schemas of the providers cannot be read";
    PlanNotForDialect: UNPROCESSABLE_ENTITY, "plan-not-for-dialect", "The dialect has no plans";
    ModuleSourceNotFound: UNPROCESSABLE_ENTITY, "module-source-not-found", "The directory of a module is not in the files";
    NoPlan: UNPROCESSABLE_ENTITY, "no-plan", "There is no plan";
    FormImpossible: UNPROCESSABLE_ENTITY, "form-impossible", "The configuration cannot be written in this form";
    NotImplementedYet: UNPROCESSABLE_ENTITY, "not-implemented-yet", "This feature is not implemented yet";
    Internal: INTERNAL_SERVER_ERROR, "internal", "An internal error occurred";
    UnsupportedTransferCoding: NOT_IMPLEMENTED, "unsupported-transfer-coding", "The Transfer-Encoding is not supported";
    Overloaded: SERVICE_UNAVAILABLE, "overloaded", "The service is overloaded";
    NotReady: SERVICE_UNAVAILABLE, "not-ready", "The service is not ready";
    Draining: SERVICE_UNAVAILABLE, "draining", "The service is shutting down";
}

impl Kind {
    /// Returns the status of the answer.
    pub(crate) const fn status(self) -> StatusCode {
        self.row().0
    }

    /// Returns the stable name, in kebab-case.
    pub(crate) const fn code(self) -> &'static str {
        self.row().1
    }

    /// Returns a short title for people.
    pub(crate) const fn title(self) -> &'static str {
        self.row().2
    }

    /// Returns the kind that corresponds to a bare status, for answers that a router or a layer below produced by
    /// itself.
    pub(crate) const fn from_status(status: StatusCode) -> Self {
        match status.as_u16() {
            404 => Self::NotFound,
            405 => Self::MethodNotAllowed,
            406 => Self::NotAcceptable,
            408 => Self::Timeout,
            413 => Self::OverLimit,
            414 => Self::TargetTooLong,
            415 => Self::UnsupportedMediaType,
            417 => Self::ExpectationFailed,
            429 => Self::CallerRate,
            431 => Self::HeadTooLarge,
            501 => Self::UnsupportedTransferCoding,
            503 => Self::Overloaded,
            400..=499 => Self::BadRequest,
            _ => Self::Internal,
        }
    }
}

/// A limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExceededLimit {
    /// The limit's name, which is also the name of its flag.
    pub(crate) name: &'static str,
    /// Its value.
    pub(crate) value: u64,
}

/// A request problem. As a response, it carries itself in the extensions; the `problems` layer, which knows the
/// request's id, writes the body.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) kind: Kind,
    /// What is wrong with this request, in one or two sentences. Never reveals internals.
    pub(crate) detail: Cow<'static, str>,
    /// JSON pointer to the place in the request object, if there is one.
    pub(crate) pointer: Option<String>,
    /// The limit that was exceeded, for [`Kind::OverLimit`].
    pub(crate) limit: Option<ExceededLimit>,
    /// The diagnostics of the run as a JSON list, if there was a run.
    pub(crate) diagnostics: Option<Arc<RawValue>>,
    /// The number of seconds after which it is worth trying again, if known.
    pub(crate) retry_after: Option<u64>,
}

impl ApiError {
    /// Creates a problem of this kind. Text of the request quoted in `detail` must pass through [`echo::short`] first;
    /// in any case, the message is kept within bounds.
    pub(crate) fn new(kind: Kind, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = echo::message(detail.into());
        Self { kind, detail, pointer: None, limit: None, diagnostics: None, retry_after: None }
    }

    /// Adds the place in the request object. A pointer longer than any place in a valid request is left out.
    #[must_use]
    pub(crate) fn at(mut self, pointer: impl Into<String>) -> Self {
        const MAX: usize = 4096;
        self.pointer = Some(pointer.into()).filter(|pointer| pointer.len() <= MAX);
        self
    }

    /// Creates the problem of a request over a limit: `what` is the thing counted, such as `the request body`.
    pub(crate) fn over_limit(what: &str, name: &'static str, value: u64) -> Self {
        let unit = if name.ends_with("bytes") { " bytes" } else { "" };
        Self {
            limit: Some(ExceededLimit { name, value }),
            ..Self::new(Kind::OverLimit, format!("{what} is over the limit {name} of {value}{unit}"))
        }
    }

    /// Creates the problem of a field, value or route that is part of the contract but not of this release.
    pub(crate) fn not_implemented(what: &str) -> Self {
        Self::new(Kind::NotImplementedYet, format!("{what} is specified but not implemented in this release"))
    }

    /// Creates the problem of a failure of the service. The cause goes to the log, never into the answer.
    pub(crate) fn internal() -> Self {
        Self::new(Kind::Internal, "the failure has been logged under the request id given as `instance`")
    }
}

impl From<Stop> for ApiError {
    fn from(stop: Stop) -> Self {
        match stop.limit() {
            Some((name, value)) => {
                Self { limit: Some(ExceededLimit { name, value }), ..Self::new(Kind::OverLimit, stop.to_string()) }
            }
            // This answer is not read any more.
            None => Self::new(Kind::Timeout, "the work was cancelled"),
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

    use super::Kind;

    #[test]
    fn no_code_occurs_twice() {
        let codes: HashSet<_> = Kind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), Kind::ALL.len());
    }
}
