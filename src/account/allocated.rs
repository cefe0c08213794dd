//! What a thread holds, by the allocator's own count.

use std::cell::OnceCell;

use tikv_jemalloc_ctl::thread::{ThreadLocal, allocatedp, deallocatedp};

/// The allocator whose counts the account looks at. A program makes it its own (`#[global_allocator]`), by itself or inside
/// one that counts; in a program that does not, only what is charged is limited.
pub use tikv_jemallocator::Jemalloc as Allocator;

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

thread_local! {
    /// Counters of bytes that this thread ever took and gave back. `None` where the allocator keeps none.
    static COUNTERS: OnceCell<Option<(ThreadLocal<u64>, ThreadLocal<u64>)>> = const { OnceCell::new() };
}

/// Bytes that this thread has taken less those that it has given back, wrapping: only differences mean something.
/// Always 0 where the allocator keeps no counters.
pub(super) fn held() -> u64 {
    COUNTERS.with(|counters| {
        let counters = counters.get_or_init(|| Some((allocatedp::read().ok()?, deallocatedp::read().ok()?)));
        counters.as_ref().map_or(0, |(taken, given_back)| taken.get().wrapping_sub(given_back.get()))
    })
}
