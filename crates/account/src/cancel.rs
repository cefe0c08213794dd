//! The request to stop work, and what those outside see of the work meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering::Relaxed};

use super::heap::Count;
use super::{Limits, Stop};

/// Nobody wants the work to stop.
const GOES_ON: u8 = 0;
/// The answer is no longer wanted.
const UNWANTED: u8 = 1;
/// The work holds more memory than it may.
const TOO_LARGE: u8 = 2;

/// A request to stop work, made by a deadline, a client that left, the shutdown of the service, or whoever watches what
/// the work holds. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<CancelState>);

#[derive(Debug)]
struct CancelState {
    why: AtomicU8,
    count: Count,
    /// The count over which the work stops by itself at its next charge.
    max: AtomicI64,
    /// The limit that this count stands for, in bytes.
    limit: AtomicU64,
}

impl Default for CancelState {
    fn default() -> Self {
        let (max, limit) = (AtomicI64::new(i64::MAX), AtomicU64::new(u64::MAX));
        Self { why: AtomicU8::new(GOES_ON), count: Count::new(), max, limit }
    }
}

impl Cancel {
    /// Returns a request that has not been cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work at its next charge that checks for cancellation: within milliseconds.
    pub fn cancel(&self) {
        self.stop_for(UNWANTED);
    }

    /// Stops the work like [`cancel`](Self::cancel), because it holds too much memory: it ends with [`Stop::Memory`].
    pub fn cancel_for_memory(&self) {
        self.stop_for(TOO_LARGE);
    }

    /// The first reason stays.
    fn stop_for(&self, why: u8) {
        let _ = self.0.why.compare_exchange(GOES_ON, why, Relaxed, Relaxed);
    }

    /// Whether the work has to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.why.load(Relaxed) != GOES_ON
    }

    /// Returns the bytes that the threads at work hold, as the allocator counts them.
    pub fn held(&self) -> u64 {
        u64::try_from(self.0.count.bytes()).unwrap_or(0)
    }

    /// Returns the limit of the work's memory in bytes, as it is at this moment.
    pub fn memory_limit(&self) -> u64 {
        self.0.limit.load(Relaxed)
    }

    /// Returns by how many bytes the work is over its limit at this moment; `None` if it is not. Work that charges stops by
    /// itself soon.
    pub fn excess(&self) -> Option<u64> {
        let over = self.0.count.bytes().saturating_sub(self.0.max.load(Relaxed));
        u64::try_from(over).ok().filter(|over| *over > 0)
    }

    /// From now on, a thread of the work that would hold more than this many bytes is held back for ever where it
    /// allocates, see [`Count::hold_back_at`]: for a service, which can answer without it.
    pub fn hold_back_at(&self, bytes: u64) {
        self.0.count.hold_back_at(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Whether a thread of the work is held back for ever.
    pub fn is_held_back(&self) -> bool {
        self.0.count.is_held_back()
    }

    /// Returns the count of the work's memory.
    pub(super) fn count(&self) -> &Count {
        &self.0.count
    }

    /// Sets the limit of the work's memory, and the count over which the work is over it.
    pub(super) fn limit_memory(&self, limit: u64, max: i64) {
        self.0.limit.store(limit, Relaxed);
        self.0.max.store(max, Relaxed);
    }

    /// Returns why work with these limits has to stop; `None` if it goes on.
    pub(super) fn why(&self, limits: Limits) -> Option<Stop> {
        match self.0.why.load(Relaxed) {
            GOES_ON => None,
            TOO_LARGE => Some(Stop::Memory(limits.memory)),
            _ => Some(Stop::Cancelled),
        }
    }
}
