//! The id of a request.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries the request id, in both directions.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The id of a request: the client's own, if it sent a usable one.
#[derive(Clone, Debug)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Returns the id that a client sent, or a fresh one.
    pub(super) fn from_headers(headers: &HeaderMap) -> Self {
        let sent = headers.get(&REQUEST_ID).filter(|value| {
            let bytes = value.as_bytes();
            (1..=128).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
        });
        sent.map_or_else(Self::fresh, |value| Self(value.clone()))
    }

    /// Returns an id that is unique within this process, and unlikely to be used by another one.
    pub(crate) fn fresh() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = format!("{:016x}-{:x}", *PROCESS, NEXT.fetch_add(1, Ordering::Relaxed));
        Self(HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unknown")))
    }
}

impl From<RequestId> for HeaderValue {
    fn from(id: RequestId) -> Self {
        id.0
    }
}
