//! An allocator that counts while it is asked to, around another allocator.
//!
//! Counts are of the whole process: what the threads of a service allocate for one request belongs to the request. They do
//! not depend on the machine, so they can be held against limits.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

static ON: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// What was allocated while a job ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Calls for memory: allocations, and reallocations.
    pub calls: u64,
    /// Bytes asked for, given back or not; of a reallocation what it adds.
    pub bytes: u64,
    /// Bytes held at the end, over those held at the beginning.
    pub held: i64,
    /// Most bytes held at a time, over those held at the beginning.
    pub peak: i64,
}

/// An allocator that counts what it passes on to `A`.
#[derive(Clone, Copy, Debug)]
pub struct Counting<A>(pub A);

/// Begins to count, from nothing. One counts at a time, and counts what every thread of the process does.
pub fn start() {
    lap();
    ON.store(true, Relaxed);
}

/// What was allocated since [`start`] or the last lap.
pub fn lap() -> Counts {
    Counts {
        calls: CALLS.swap(0, Relaxed),
        bytes: BYTES.swap(0, Relaxed),
        held: HELD.swap(0, Relaxed),
        peak: PEAK.swap(0, Relaxed),
    }
}

/// Ends counting.
pub fn stop() {
    ON.store(false, Relaxed);
}

/// Runs `job` and counts.
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

// SAFETY: every call goes to the inner allocator unchanged; counting neither allocates nor panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        moved(layout.size(), size);
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.dealloc(block, layout) }
    }
}
