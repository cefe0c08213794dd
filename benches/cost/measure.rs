//! Measures one call: processor time of the thread, units and bytes charged, bytes allocated.

use std::panic::{AssertUnwindSafe, catch_unwind};

use overfold_cli::account::{self, Cancel, Limits};
use rustix::time::{ClockId, clock_gettime};
use tikv_jemalloc_ctl::thread::allocatedp;

/// The cost of one call, and what it was charged.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    /// Processor time in nanoseconds, including freeing the result.
    pub(crate) nanoseconds: u64,
    /// Units of work charged.
    pub(crate) units: u64,
    /// Bytes allocated, whether freed or not.
    pub(crate) taken: u64,
    /// Bytes of memory charged.
    pub(crate) charged: u64,
    /// Whether the account stopped the call, so that not everything charged was done.
    pub(crate) stopped: bool,
    /// Whether the call panicked.
    pub(crate) panicked: bool,
}

impl Sample {
    /// Returns the nanoseconds per unit charged.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people to read")]
    pub(crate) fn per_unit(&self) -> f64 {
        self.nanoseconds as f64 / self.units.max(1) as f64
    }

    /// Returns the bytes allocated per byte charged.
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people to read")]
    pub(crate) fn per_byte(&self) -> f64 {
        self.taken as f64 / self.charged.max(1) as f64
    }
}

fn clock() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Runs `job` once on a separate account. Its result is dropped before the clock is read again.
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
