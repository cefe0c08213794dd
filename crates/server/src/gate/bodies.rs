//! Limits the room for bodies: the bytes of bodies that have arrived and are still held, over all requests.
//!
//! A body counts as its bytes arrive, so a client that sends nothing holds nothing. If there is no room for the next
//! bytes, the request is refused immediately: if it waited for room while holding half a body, two such requests could
//! wait for each other forever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Bytes;

use crate::quota::Quota;

/// Bodies up to this size may use all the room, larger ones only [`LARGE_SHARE`] of it, so that a few large uploads
/// that never end leave room for small ones.
const SMALL: u64 = 64 << 10;
/// The share of the room, in quarters, that larger bodies may use.
const LARGE_SHARE: u64 = 3;
/// The smallest step in which room is taken, to avoid many updates for a body that arrives in small pieces.
const STEP: usize = 16 << 10;
/// A stated length is trusted once one part in this many has arrived, so that room reserved for bytes that never come
/// stays in proportion to those that came.
const TRUST_DIVISOR: u64 = 8;

/// Room for bodies. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Bodies(Arc<Room>);

#[derive(Debug)]
struct Room {
    max: u64,
    held: AtomicU64,
}

/// There is no room for more bytes of bodies.
#[derive(Clone, Debug)]
pub enum BodiesFull {
    /// All bodies together hold as much as they may.
    All,
    /// Those of this caller do.
    Caller(Quota),
}

impl Bodies {
    /// Creates room for `max` bytes.
    pub(crate) fn new(max: u64) -> Self {
        Self(Arc::new(Room { max, held: AtomicU64::new(0) }))
    }

    /// Returns the part of `max` bytes of room that large bodies may use.
    pub(super) const fn for_large(max: u64) -> u64 {
        max / 4 * LARGE_SHARE
    }

    /// Returns an empty share of the room, for a body of this caller. Its room is freed when it is dropped.
    pub(crate) fn share(&self, caller: Option<Quota>) -> Share {
        Share { bodies: self.clone(), caller, held: 0 }
    }

    /// Returns the bytes held by all shares.
    pub(crate) fn held(&self) -> u64 {
        self.0.held.load(Ordering::Relaxed)
    }

    /// Whether even the smallest body would find no room.
    pub(crate) fn is_full(&self) -> bool {
        self.held().saturating_add(STEP as u64) > self.0.max
    }

    fn take(&self, bytes: u64, max: u64) -> Result<(), BodiesFull> {
        let taken = self.0.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(bytes).filter(|sum| *sum <= max)
        });
        taken.map(|_| ()).map_err(|_| BodiesFull::All)
    }
}

/// The part of the room that one request holds.
#[derive(Debug)]
pub struct Share {
    bodies: Bodies,
    caller: Option<Quota>,
    held: u64,
}

impl Share {
    /// Returns what the caller may take, if that is limited.
    pub(super) const fn caller(&self) -> Option<&Quota> {
        self.caller.as_ref()
    }

    /// Takes room for `bytes` more bytes.
    ///
    /// # Errors
    /// Returns whose bodies are full, without taking anything.
    pub fn grow(&mut self, bytes: u64) -> Result<(), BodiesFull> {
        let own = self.held.saturating_add(bytes);
        let max = self.bodies.0.max;
        let open = if own > SMALL { Bodies::for_large(max) } else { max };
        if let Some(caller) = &self.caller
            && !caller.grow(bytes)
        {
            return Err(BodiesFull::Caller(caller.clone()));
        }
        if let Err(full) = self.bodies.take(bytes, open) {
            if let Some(caller) = &self.caller {
                caller.shrink(bytes);
            }
            return Err(full);
        }
        self.held = own;
        Ok(())
    }

    /// Frees room for `bytes` bytes.
    pub(crate) fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.held);
        self.held -= bytes;
        self.bodies.0.held.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(caller) = &self.caller {
            caller.shrink(bytes);
        }
    }

    /// Frees all of it.
    pub fn clear(&mut self) {
        self.shrink(self.held);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Collects bytes that arrive in pieces. The capacity of the buffer is counted, which is never less than the memory
/// touched while it grows.
#[derive(Debug)]
pub struct Collected {
    bytes: Vec<u8>,
    /// The number of bytes that there will be, if stated.
    stated: Option<u64>,
    /// The most bytes that there may be.
    max: u64,
}

impl Collected {
    /// Returns an empty collection. `stated` is the number of bytes that there will be, if stated; `max` is the
    /// largest number allowed.
    pub const fn new(stated: Option<u64>, max: u64) -> Self {
        Self { bytes: Vec::new(), stated, max }
    }

    /// Returns the number of bytes collected so far.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing has been collected yet.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds a piece, taking room from `share`.
    ///
    /// # Errors
    /// Returns [`BodiesFull`] without adding the piece.
    pub fn push(&mut self, piece: &[u8], share: &mut Share) -> Result<(), BodiesFull> {
        let needed = self.bytes.len().saturating_add(piece.len());
        let room = self.bytes.capacity();
        if needed > room {
            let stated = self
                .stated
                .filter(|stated| needed as u64 >= stated / TRUST_DIVISOR)
                .and_then(|stated| usize::try_from(stated).ok())
                .filter(|stated| *stated >= needed);
            // Small bodies are not rounded up: many of them may be waiting.
            let step = if needed <= STEP { needed } else { needed.next_multiple_of(STEP) };
            let max = usize::try_from(self.max).unwrap_or(usize::MAX).max(needed);
            let wanted = stated.unwrap_or_else(|| step.max(room.saturating_mul(2)).min(max));
            share.grow((wanted - room) as u64)?;
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    /// Returns the bytes.
    pub fn finish(self) -> Bytes {
        self.bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_taken_as_bytes_arrive_and_given_back() {
        let bodies = Bodies::new(1 << 20);
        let mut share = bodies.share(None);
        let mut body = Collected::new(None, 18_000);
        assert_eq!(bodies.held(), 0, "a body of which nothing has arrived holds nothing");
        for _ in 0..100 {
            body.push(&[7; 100], &mut share).unwrap();
        }
        assert!((10_000..=18_000).contains(&bodies.held()), "{}", bodies.held());
        assert_eq!(body.finish().len(), 10_000);
        drop(share);
        assert_eq!(bodies.held(), 0);
    }

    #[test]
    fn a_stated_length_is_one_allocation_once_it_is_likely() {
        let bodies = Bodies::new(1 << 20);
        let mut share = bodies.share(None);
        let mut body = Collected::new(Some(100_000), 1 << 20);
        body.push(&[7; 1000], &mut share).unwrap();
        assert_eq!(bodies.held(), 1000, "one byte in a hundred is no proof");
        body.push(&vec![7; 20_000], &mut share).unwrap();
        assert_eq!(bodies.held(), 100_000);
        body.push(&vec![7; 79_000], &mut share).unwrap();
        assert_eq!(bodies.held(), 100_000);
    }

    #[test]
    fn large_bodies_leave_room_for_small_ones() {
        let bodies = Bodies::new(1 << 20);
        let (mut large, mut small) = (bodies.share(None), bodies.share(None));
        large.grow(700 << 10).unwrap();
        assert!(matches!(large.grow(100 << 10), Err(BodiesFull::All)));
        assert_eq!(bodies.held(), 700 << 10, "what was refused is not held");
        small.grow(64 << 10).unwrap();
        drop(large);
        assert_eq!(bodies.held(), 64 << 10);
    }
}
