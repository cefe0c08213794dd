//! Request bodies that end otherwise than they should: over a limit, in silence, or because the sender left.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

use axum::body::Body;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::error::{ApiError, kind};

/// The error of a body that is longer than allowed.
#[derive(Clone, Copy, Debug)]
pub struct BodyOverLimit {
    /// What was measured.
    pub what: &'static str,
    /// The limit's name, which is also the name of its flag.
    pub name: &'static str,
    /// The limit in bytes.
    pub limit: u64,
}

impl BodyOverLimit {
    /// Returns the corresponding request problem.
    pub fn problem(&self) -> ApiError {
        ApiError::over_limit(self.what, self.name, self.limit)
    }
}

impl fmt::Display for BodyOverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is over {} bytes", self.what, self.limit)
    }
}

impl StdError for BodyOverLimit {}

/// Returns the same body, which fails with `over` once it is longer than that limit.
pub fn cap(body: Body, over: BodyOverLimit) -> Body {
    let limit = usize::try_from(over.limit).unwrap_or(usize::MAX);
    let limited = Limited::new(body, limit)
        .map_err(move |error| if error.is::<LengthLimitError>() { Box::new(over) } else { error });
    Body::new(limited)
}

/// Returns the problem that caused an error while a body was read.
pub fn body_problem(error: &(dyn StdError + 'static)) -> ApiError {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(over) = error.downcast_ref::<BodyOverLimit>() {
            return over.problem();
        }
        if let Some(stalled) = error.downcast_ref::<BodyStalled>() {
            return stalled.problem();
        }
        cause = error.source();
    }
    ApiError::new(
        kind::MALFORMED_BODY,
        "the body ended early, or does not match its Transfer-Encoding or Content-Encoding (truncated or damaged)",
    )
}

/// Nothing of a request body arrived for this long.
#[derive(Clone, Copy, Debug)]
pub struct BodyStalled(Duration);

impl BodyStalled {
    /// Returns the error after a silence of this length.
    pub const fn after(gap: Duration) -> Self {
        Self(gap)
    }

    /// Returns the corresponding request problem.
    pub fn problem(self) -> ApiError {
        ApiError::new(kind::TIMEOUT, self.to_string())
    }
}

impl fmt::Display for BodyStalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no more of the request body arrived within {} seconds", self.0.as_secs_f64())
    }
}

impl StdError for BodyStalled {}

/// Whether a body ended because its sender left.
pub fn client_left(error: &(dyn StdError + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            use io::ErrorKind as K;
            return matches!(
                error.kind(),
                K::UnexpectedEof | K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe
            );
        }
        if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message) {
            return true;
        }
        cause = error.source();
    }
    false
}
