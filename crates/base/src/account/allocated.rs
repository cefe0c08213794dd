//! How much memory a thread holds, according to the allocator.

use std::cell::OnceCell;

use tikv_jemalloc_ctl::thread::{ThreadLocal, allocatedp, deallocatedp};

/// The allocator whose counters the account reads. A program installs it with `#[global_allocator]`, directly or
/// wrapped in another allocator that counts; in a program that does not, only charged memory is limited.
pub use tikv_jemallocator::Jemalloc as Allocator;

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

thread_local! {
    /// Counters of the bytes that this thread has ever allocated and freed. `None` if the allocator keeps no counters.
    static COUNTERS: OnceCell<Option<(ThreadLocal<u64>, ThreadLocal<u64>)>> = const { OnceCell::new() };
}

/// Returns the bytes that this thread has allocated minus the bytes that it has freed, wrapping: only differences are
/// meaningful. Always 0 if the allocator keeps no counters.
pub(super) fn held() -> u64 {
    COUNTERS.with(|counters| {
        let counters = counters.get_or_init(|| Some((allocatedp::read().ok()?, deallocatedp::read().ok()?)));
        counters.as_ref().map_or(0, |(taken, given_back)| taken.get().wrapping_sub(given_back.get()))
    })
}
