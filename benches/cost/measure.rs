//! One call measured: processor time of the thread, units and bytes charged, bytes taken from the allocator.

use std::panic::{AssertUnwindSafe, catch_unwind};

use overfold::account::{self, Cancel, Limits};
use rustix::time::{ClockId, clock_gettime};
use tikv_jemalloc_ctl::thread::allocatedp;

/// What one call cost, and what it was charged.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    /// Nanoseconds of processor time, freeing the result included.
    pub(crate) nanoseconds: u64,
    /// Units of work charged.
    pub(crate) units: u64,
    /// Bytes taken from the allocator, given back or not.
    pub(crate) taken: u64,
    /// Bytes of memory charged.
    pub(crate) charged: u64,
    /// The account stopped it: what was charged was not all done.
    pub(crate) stopped: bool,
    /// It panicked.
    pub(crate) panicked: bool,
}

impl Sample {
    /// Nanoseconds for each unit charged.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people to read")]
    pub(crate) fn per_unit(&self) -> f64 {
        self.nanoseconds as f64 / self.units.max(1) as f64
    }

    /// Bytes taken for each byte charged.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people to read")]
    pub(crate) fn per_byte(&self) -> f64 {
        self.taken as f64 / self.charged.max(1) as f64
    }
}

fn clock() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Runs `job` once on an account of its own. What it gives is dropped before the clock is read again.
pub(crate) fn once<T>(limits: Limits, job: impl FnOnce() -> T) -> Sample {
    let taken = allocatedp::read().expect("the allocator keeps counters");
    account::open(limits, &Cancel::new(), || {
        let (before, begin) = (taken.get(), clock());
        let done = catch_unwind(AssertUnwindSafe(|| account::evaluation(|| drop(job()))));
        let panicked = done.is_err();
        let stopped = done.is_ok_and(|done| done.is_err()) || account::evaluation_is_over();
        let nanoseconds = clock() - begin;
        let taken = taken.get() - before;
        let spent = account::spent();
        Sample { nanoseconds, units: spent.work, taken, charged: spent.memory, stopped, panicked }
    })
    .expect("only what is inside can be stopped")
}
