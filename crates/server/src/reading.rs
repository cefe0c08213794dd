//! Reads bodies into the room that there is for them.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::EXPECT;
use http_body_util::BodyExt as _;

use crate::body::body_problem;
use crate::error::ApiError;
use crate::gate::{Collected, Gate, Share};
use crate::quota::Quota;
use crate::settings::BodySettings;

/// The most decompressed bytes that a decoder may keep in memory: what content encodings allow.
pub const WINDOW: u64 = 8 << 20;

/// The room into which a body is read.
pub struct Room<'a> {
    gate: &'a Gate,
    share: Share,
    /// The allowance that `window` began with.
    allowance: u64,
    /// How much more memory the decoder may take while the body arrives; 0 if there is no decoder.
    window: u64,
}

/// Returns the most room that the body of a request within these limits takes: its bytes, a decoder, and overhead.
pub(crate) fn most_room(limits: BodySettings) -> u64 {
    limits.max_unpacked_bytes.max(limits.max_request_bytes).saturating_add(2 * WINDOW)
}

impl<'a> Room<'a> {
    /// Returns room for a body of this caller, of which a decoder may take `window` bytes.
    pub fn new(gate: &'a Gate, window: u64, caller: Option<Quota>) -> Self {
        Self { gate, share: gate.share(caller), allowance: window, window }
    }

    /// Adds a piece to what has been collected.
    ///
    /// # Errors
    /// 503 if there is no room for it.
    pub fn push(&mut self, piece: &[u8], to: &mut Collected) -> Result<(), ApiError> {
        let decoder = self.window.min(piece.len() as u64);
        let grown = self.share.grow(decoder).and_then(|()| to.push(piece, &mut self.share));
        self.window -= decoder;
        grown.map_err(|full| self.gate.bodies_full(&full))
    }

    /// Returns the room that the body takes now that it has arrived.
    pub fn finish(mut self) -> Share {
        self.share.shrink(self.allowance - self.window);
        self.share
    }

    /// Takes room for `bytes` bytes of overhead around a part of a body.
    ///
    /// # Errors
    /// 503 if there is none.
    pub fn grow(&mut self, bytes: u64) -> Result<(), ApiError> {
        self.share.grow(bytes).map_err(|full| self.gate.bodies_full(&full))
    }
}

/// Reads a whole body into `collected`.
///
/// # Errors
/// The problem of a body that ends early or is over its limit; 503 if there is no room for it.
pub async fn collect(mut body: Body, mut collected: Collected, room: &mut Room<'_>) -> Result<Bytes, ApiError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| body_problem(&error))?;
        let Some(piece) = frame.data_ref() else { continue };
        if let Err(full) = room.push(piece, &mut collected) {
            drop(collected);
            room.share.clear();
            discard(body).await;
            return Err(full);
        }
    }
    Ok(collected.finish())
}

/// How long the rest of an unwanted body is read, so that its sender gets to read the answer. A sender that takes
/// longer finds the connection closed.
pub const DISCARD_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads and discards an unwanted body, for as long as [`DISCARD_TIMEOUT`].
pub(crate) async fn discard(mut body: Body) {
    let all = async { while let Some(Ok(_)) = body.frame().await {} };
    // It does not matter whether it ended.
    let _ = tokio::time::timeout(DISCARD_TIMEOUT, all).await;
}

/// Discards the body of a request that is turned away, unless the sender is waiting to be asked for it.
pub async fn refuse(request: Request) {
    if !request.headers().contains_key(EXPECT) {
        discard(request.into_body()).await;
    }
}
