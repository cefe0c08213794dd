//! What stands for the counts of the heap where no allocator counts: they stay at zero.

#![expect(clippy::unused_self, reason = "the counts that these stand for have state")]

/// The bytes that work holds: none are known.
#[derive(Clone, Default, Debug)]
pub(super) struct Count;

impl Count {
    /// Returns the only count there is.
    pub(super) const fn new() -> Self {
        Self
    }

    /// Returns zero.
    pub(super) const fn bytes(&self) -> i64 {
        0
    }

    /// Does nothing: no thread can be held back.
    pub(super) const fn hold_back_at(&self, _bytes: i64) {}

    /// Returns `false`.
    pub(super) const fn is_held_back(&self) -> bool {
        false
    }

    /// Counts nothing.
    pub(super) const fn enter(&self) -> CountGuard {
        CountGuard
    }
}

/// What [`Count::enter`] returns.
#[derive(Debug)]
pub(super) struct CountGuard;

/// Returns zero.
pub(super) const fn held_here() -> i64 {
    0
}
