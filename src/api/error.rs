//! Why a request is not answered: the single type into which every failure of the HTTP layer is converted.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::value::RawValue;

use overfold_base::account::Stop;
use overfold_base::echo;
use overfold_module::pipeline::RequestError;
use overfold_transport::TransportError;

/// Kinds of request problems. Each has one HTTP status and a stable `code`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    MalformedBody,
    MalformedArchive,
    TruncatedArchive,
    UnsupportedEntry,
    BadBase64,
    NotUtf8,
    DuplicateKey,
    UnknownOption,
    BadOption,
    BadSeverity,
    BadPath,
    DuplicatePath,
    FileAndFolder,
    BadHost,
    BadRequest,
    TokenNeeded,
    InvalidToken,
    CrossOrigin,
    HostNotAllowed,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    Timeout,
    OverLimit,
    TargetTooLong,
    HeadTooLarge,
    UnsupportedMediaType,
    UnsupportedEncoding,
    UnknownArchiveFormat,
    ExpectationFailed,
    NothingLeft,
    UnknownVersion,
    RootNotFound,
    VarFileNotFound,
    ConfigFileNotFound,
    FormImpossible,
    NotImplementedYet,
    Internal,
    UnsupportedTransferCoding,
    Overloaded,
    Draining,
}

impl Kind {
    /// Every kind, ordered by status.
    pub(crate) const ALL: &'static [Self] = &[
        Self::MalformedBody,
        Self::MalformedArchive,
        Self::TruncatedArchive,
        Self::UnsupportedEntry,
        Self::BadBase64,
        Self::NotUtf8,
        Self::DuplicateKey,
        Self::UnknownOption,
        Self::BadOption,
        Self::BadSeverity,
        Self::BadPath,
        Self::DuplicatePath,
        Self::FileAndFolder,
        Self::BadHost,
        Self::BadRequest,
        Self::TokenNeeded,
        Self::InvalidToken,
        Self::CrossOrigin,
        Self::HostNotAllowed,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::Timeout,
        Self::OverLimit,
        Self::TargetTooLong,
        Self::HeadTooLarge,
        Self::UnsupportedMediaType,
        Self::UnsupportedEncoding,
        Self::UnknownArchiveFormat,
        Self::ExpectationFailed,
        Self::NothingLeft,
        Self::UnknownVersion,
        Self::RootNotFound,
        Self::VarFileNotFound,
        Self::ConfigFileNotFound,
        Self::FormImpossible,
        Self::NotImplementedYet,
        Self::Internal,
        Self::UnsupportedTransferCoding,
        Self::Overloaded,
        Self::Draining,
    ];

    /// Returns the status, `code` and title of a kind.
    const fn row(self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Self::MalformedBody => (S::BAD_REQUEST, "malformed-body", "The request body cannot be read"),
            Self::MalformedArchive => (S::BAD_REQUEST, "malformed-archive", "The archive cannot be read"),
            Self::TruncatedArchive => (S::BAD_REQUEST, "truncated-archive", "The archive is truncated"),
            Self::UnsupportedEntry => {
                (S::BAD_REQUEST, "unsupported-entry", "The archive uses an unsupported feature")
            }
            Self::BadBase64 => (S::BAD_REQUEST, "bad-base64", "The content of a file is not valid Base64"),
            Self::NotUtf8 => (S::BAD_REQUEST, "not-utf8", "A text is not valid UTF-8"),
            Self::DuplicateKey => (S::BAD_REQUEST, "duplicate-key", "A name occurs twice"),
            Self::UnknownOption => (S::BAD_REQUEST, "unknown-option", "The option does not exist"),
            Self::BadOption => (S::BAD_REQUEST, "bad-option", "The value of an option is not valid"),
            Self::BadSeverity => {
                (S::BAD_REQUEST, "bad-severity", "A severity or the code that it is for does not exist")
            }
            Self::BadPath => (S::BAD_REQUEST, "bad-path", "A path is not allowed"),
            Self::DuplicatePath => (S::BAD_REQUEST, "duplicate-path", "A path occurs twice"),
            Self::FileAndFolder => (S::BAD_REQUEST, "file-and-folder", "A path is both a file and a directory"),
            Self::BadRequest => (S::BAD_REQUEST, "bad-request", "The request cannot be read"),
            Self::BadHost => (S::BAD_REQUEST, "bad-host", "The Host header is missing or not valid"),
            Self::TokenNeeded => (S::UNAUTHORIZED, "token-needed", "A token is required"),
            Self::InvalidToken => (S::UNAUTHORIZED, "invalid-token", "The token is not valid"),
            Self::CrossOrigin => (S::FORBIDDEN, "cross-origin", "Requests from other origins are not allowed"),
            Self::HostNotAllowed => (S::FORBIDDEN, "host-not-allowed", "The host is not allowed"),
            Self::NotFound => (S::NOT_FOUND, "not-found", "The requested resource does not exist"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "method-not-allowed", "The method is not allowed here"),
            Self::NotAcceptable => (S::NOT_ACCEPTABLE, "not-acceptable", "None of the accepted formats is available"),
            Self::Timeout => (S::REQUEST_TIMEOUT, "timeout", "The request took too long"),
            Self::OverLimit => (S::PAYLOAD_TOO_LARGE, "over-limit", "The request is over a limit"),
            Self::TargetTooLong => (S::URI_TOO_LONG, "target-too-long", "The path and query are too long"),
            Self::HeadTooLarge => {
                (S::REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", "The head of the request is too large")
            }
            Self::UnsupportedMediaType => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "The Content-Type is not supported")
            }
            Self::UnsupportedEncoding => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unsupported-encoding", "The Content-Encoding is not supported")
            }
            Self::UnknownArchiveFormat => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unknown-archive-format", "The format of the archive is not known")
            }
            Self::ExpectationFailed => (S::EXPECTATION_FAILED, "expectation-failed", "The expectation cannot be met"),
            Self::NothingLeft => {
                (S::UNPROCESSABLE_ENTITY, "nothing-left", "No files are left after removing path components")
            }
            Self::UnknownVersion => {
                (S::UNPROCESSABLE_ENTITY, "unknown-version", "The dialect does not have this version")
            }
            Self::RootNotFound => (S::UNPROCESSABLE_ENTITY, "root-not-found", "The root is not in the files"),
            Self::VarFileNotFound => {
                (S::UNPROCESSABLE_ENTITY, "var-file-not-found", "A variable definitions file is not in the files")
            }
            Self::ConfigFileNotFound => {
                (S::UNPROCESSABLE_ENTITY, "config-file-not-found", "The configuration file is not in the files")
            }
            Self::FormImpossible => {
                (S::UNPROCESSABLE_ENTITY, "form-impossible", "The configuration cannot be written in this form")
            }
            Self::NotImplementedYet => {
                (S::UNPROCESSABLE_ENTITY, "not-implemented-yet", "This feature is not implemented yet")
            }
            Self::Internal => (S::INTERNAL_SERVER_ERROR, "internal", "An internal error occurred"),
            Self::UnsupportedTransferCoding => {
                (S::NOT_IMPLEMENTED, "unsupported-transfer-coding", "The Transfer-Encoding is not supported")
            }
            Self::Overloaded => (S::SERVICE_UNAVAILABLE, "overloaded", "The service is overloaded"),
            Self::Draining => (S::SERVICE_UNAVAILABLE, "draining", "The service is shutting down"),
        }
    }

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

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        let (kind, pointer) = match &error {
            RequestError::UnknownDialect(name) => {
                return Self::not_implemented(&format!("the dialect {:?}", echo::short(name))).at("/dialect");
            }
            RequestError::UnknownVersion { .. } => (Kind::UnknownVersion, "/version"),
            RequestError::NoRoot(_) | RequestError::LinkedRoot { .. } => (Kind::RootNotFound, "/root"),
            RequestError::ConfigFile { missing: true, .. } => (Kind::ConfigFileNotFound, "/config_file"),
            RequestError::ConfigFile { .. } => (Kind::BadOption, "/config_file"),
            RequestError::NotExpanded(_) => (Kind::BadOption, "/expand"),
            RequestError::NotCompared(_) => (Kind::BadOption, "/dialect"),
            RequestError::NoVariables(_) => (Kind::BadOption, "/variables"),
            RequestError::SpecialFile { .. } => (Kind::UnsupportedEntry, "/files"),
        };
        Self::new(kind, error.to_string()).at(pointer)
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

impl From<TransportError> for ApiError {
    fn from(error: TransportError) -> Self {
        let kind = match &error {
            TransportError::OverLimit { .. } => Kind::OverLimit,
            TransportError::BadPath { .. } => Kind::BadPath,
            TransportError::NotUtf8 { .. } => Kind::NotUtf8,
            TransportError::DuplicatePath { .. } => Kind::DuplicatePath,
            TransportError::FileAndFolder { .. } => Kind::FileAndFolder,
            TransportError::Truncated { .. } => Kind::TruncatedArchive,
            TransportError::Damaged { .. } => Kind::MalformedArchive,
            TransportError::UnsupportedEntry { .. } => Kind::UnsupportedEntry,
            TransportError::UnknownFormat => Kind::UnknownArchiveFormat,
            TransportError::BadBase64 { .. } => Kind::BadBase64,
            TransportError::NothingLeft { .. } => Kind::NothingLeft,
            // Only the command line reads from this machine.
            TransportError::Io { .. } => Kind::Internal,
        };
        let limit = match error {
            TransportError::OverLimit { limit, value, .. } => Some(ExceededLimit { name: limit.setting(), value }),
            _ => None,
        };
        Self { limit, ..Self::new(kind, error.to_string()) }
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
    fn every_kind_is_listed_once() {
        let rows = include_str!("error.rs").lines().filter(|line| line.starts_with("            Self::"));
        let arms = rows.filter(|line| line.contains("=> (S::") || line.ends_with("=> {"));
        assert_eq!(arms.count(), Kind::ALL.len());
        let codes: HashSet<_> = Kind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), Kind::ALL.len());
    }
}
