//! What makes a question impossible.

use std::fmt;

use overfold_base::account::Stop;
use overfold_engine::{Refusal, RefusalKind};
use overfold_source::ReadError;

/// Why a question could not be answered.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    limit: Option<(&'static str, u64)>,
}

/// What kind of [`Error`] it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option is not valid, contradicts another one, or does not fit the files.
    Options,
    /// Files cannot be read, or a path is not allowed.
    Source,
    /// A limit was exceeded, see [`Error::limit`].
    Limit,
    /// [`Cancel`](crate::Cancel) was used.
    Cancelled,
    /// The tool makes no plan of this configuration: it has errors.
    NoPlan,
    /// The answer has no such form, such as a body of a configuration with an expression that cannot be parsed.
    Form,
}

impl Error {
    /// Returns what kind of error it is.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the name and the value of the limit that was exceeded, such as `max-work-units`; `None` for any other error.
    pub const fn limit(&self) -> Option<(&'static str, u64)> {
        self.limit
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), limit: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// What the inner crates report; they are no part of what the crate promises.
impl Error {
    pub(crate) fn from_refusal(refusal: Refusal) -> Self {
        let kind = match refusal.kind {
            RefusalKind::OverLimit => ErrorKind::Limit,
            RefusalKind::NoPlan => ErrorKind::NoPlan,
            RefusalKind::FormImpossible => ErrorKind::Form,
            RefusalKind::BadPath | RefusalKind::UnsupportedEntry => ErrorKind::Source,
            _ => ErrorKind::Options,
        };
        let limit = refusal.limit.map(|limit| (limit.name, limit.value));
        Self { kind, message: refusal.detail.into_owned(), limit }
    }

    pub(crate) fn from_stop(stop: Stop) -> Self {
        let kind = if stop == Stop::Cancelled { ErrorKind::Cancelled } else { ErrorKind::Limit };
        Self { kind, message: stop.to_string(), limit: stop.limit() }
    }

    pub(crate) fn from_reading(error: &ReadError) -> Self {
        let limit = match error {
            ReadError::OverLimit { limit, value, .. } => Some((limit.setting(), *value)),
            _ => None,
        };
        let kind = if limit.is_some() { ErrorKind::Limit } else { ErrorKind::Source };
        Self { kind, message: error.to_string(), limit }
    }
}
