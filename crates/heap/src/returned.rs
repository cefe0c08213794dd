//! What the allocator keeps of freed memory, and when it gives that back to the system.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// The allocator's settings, which it reads before the program begins. Freed pages go back after one second instead of ten,
/// and at once instead of in two steps.
// SAFETY: jemalloc declares this symbol as `const char *`, so that a program can define it. It points to a constant text that
// ends with a zero byte.
#[unsafe(export_name = "_rjem_malloc_conf")]
static SETTINGS: Settings = Settings(c"dirty_decay_ms:1000,muzzy_decay_ms:0".as_ptr());

/// A pointer to a constant text.
#[repr(transparent)]
struct Settings(*const c_char);

// SAFETY: the text is constant.
unsafe impl Sync for Settings {}

/// The name of the call that frees the unused pages of every arena: 4096 stands for all of them (`MALLCTL_ARENAS_ALL`).
const PURGE: &CStr = c"arena.4096.purge";
/// Frees what this thread keeps for its next allocations.
const FLUSH: &CStr = c"thread.tcache.flush";

/// Gives the memory that is free back to the system now, instead of some time later. Takes some 100 microseconds for every
/// megabyte that is given back.
pub fn give_back() {
    for name in [FLUSH, PURGE] {
        // SAFETY: calls that take and return nothing; the name ends with a zero byte.
        unsafe {
            tikv_jemalloc_sys::mallctl(name.as_ptr(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), 0);
        }
    }
}

/// Returns the milliseconds after which freed pages go back to the system, or below zero if they never do; `None` if the
/// allocator does not say.
pub fn decay_milliseconds() -> Option<isize> {
    let mut decay = 0_isize;
    // SAFETY: the allocator documents the type of this value as `ssize_t`.
    let is_known = unsafe { read(c"opt.dirty_decay_ms", &raw mut decay) };
    // The text is part of the program only if something names it.
    (is_known && !SETTINGS.0.is_null()).then_some(decay)
}

/// Reads a value of the allocator. Returns whether it has one of this size.
///
/// # Safety
/// `T` is the type that the allocator documents for the name.
unsafe fn read<T>(name: &CStr, into: *mut T) -> bool {
    let mut size = size_of::<T>();
    // SAFETY: the name ends with a zero byte, and the allocator writes at most `size` bytes to where there is room for them.
    unsafe {
        tikv_jemalloc_sys::mallctl(name.as_ptr(), into.cast::<c_void>(), &raw mut size, ptr::null_mut(), 0) == 0
            && size == size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_in_force() {
        assert_eq!(decay_milliseconds(), Some(1000));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "only the system knows what the process holds")]
    fn free_memory_is_given_back() {
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
            text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
        };
        let large: Vec<Vec<u8>> = (0..256).map(|_| vec![1; 1 << 20]).collect();
        let with = resident();
        drop(large);
        give_back();
        let after = resident();
        // Other tests hold some megabytes meanwhile.
        assert!(with == 0 || with > after + (200 << 20), "{with} {after}");
    }
}
