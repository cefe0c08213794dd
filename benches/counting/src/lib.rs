//! An allocator that wraps another one and counts on demand.
//!
//! Counts cover the whole process, because allocations by any thread of a service for a request belong to that request.
//! They do not depend on the machine, so they can be checked against limits.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

static ON: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// The allocations made while a job ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The number of allocations and reallocations.
    pub calls: u64,
    /// The number of bytes requested, whether freed or not; a reallocation counts only what it adds.
    pub bytes: u64,
    /// The number of bytes held at the end, relative to the beginning.
    pub held: i64,
    /// The peak number of bytes held, relative to the beginning.
    pub peak: i64,
}

/// An allocator that counts what it passes on to `A`.
#[derive(Clone, Copy, Debug)]
pub struct Counting<A>(pub A);

/// Starts counting from zero. Only one count may be active at a time, and it covers every thread of the process.
pub fn start() {
    lap();
    ON.store(true, Relaxed);
}

/// Returns what was allocated since [`start`] or the last lap.
pub fn lap() -> Counts {
    Counts {
        calls: CALLS.swap(0, Relaxed),
        bytes: BYTES.swap(0, Relaxed),
        held: HELD.swap(0, Relaxed),
        peak: PEAK.swap(0, Relaxed),
    }
}

/// Stops counting.
pub fn stop() {
    ON.store(false, Relaxed);
}

/// Runs `job` and counts its allocations.
pub fn count<T>(job: impl FnOnce() -> T) -> (T, Counts) {
    start();
    let made = job();
    stop();
    (made, lap())
}

/// A layout's size is at most `isize::MAX`.
fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

#[inline]
fn taken(size: usize) {
    if ON.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size as u64, Relaxed);
        let held = HELD.fetch_add(signed(size), Relaxed) + signed(size);
        PEAK.fetch_max(held, Relaxed);
    }
}

#[inline]
fn moved(old: usize, new: usize) {
    if ON.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(new.saturating_sub(old) as u64, Relaxed);
        let more = signed(new) - signed(old);
        let held = HELD.fetch_add(more, Relaxed) + more;
        PEAK.fetch_max(held, Relaxed);
    }
}

#[inline]
fn given_back(size: usize) {
    if ON.load(Relaxed) {
        HELD.fetch_sub(signed(size), Relaxed);
    }
}

// SAFETY: every call is passed to the inner allocator unchanged; counting neither allocates nor panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        moved(layout.size(), size);
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.0.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}
