//! The allocator that counts, and the counts.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use tikv_jemallocator::Jemalloc;

thread_local! {
    /// The count that the thread has entered; null if it has entered none. Without a destructor and with a constant
    /// beginning, so that reading it neither allocates nor fails, also while a thread ends.
    static HERE: Cell<*const Slot> = const { Cell::new(ptr::null()) };
}

#[derive(Debug)]
struct Slot {
    bytes: AtomicI64,
    /// The bytes beyond which threads are held back.
    max: AtomicI64,
}

/// The bytes that the work on one request holds, on whatever threads. Clones share it.
///
/// It is below zero if the work frees more than it allocates, such as the body that it was given.
#[derive(Clone, Debug)]
pub struct Count(Arc<Slot>);

impl Default for Count {
    fn default() -> Self {
        Self(Arc::new(Slot { bytes: AtomicI64::new(0), max: AtomicI64::new(i64::MAX) }))
    }
}

impl Count {
    /// Returns a count of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes held at this moment, as they were asked for: without what the allocator adds to round them up.
    pub fn bytes(&self) -> i64 {
        self.0.bytes.load(Relaxed)
    }

    /// From now on, a thread that would hold more than this is held back where it allocates: it sleeps there for ever, with
    /// all that it holds. That is the last resort against work that looks at nothing: an allocator can neither refuse nor
    /// end it without ending the process. It is for those who can do without the thread.
    pub fn hold_back_at(&self, bytes: i64) {
        self.0.max.store(bytes, Relaxed);
    }

    /// Whether a thread is held back.
    pub fn is_held_back(&self) -> bool {
        self.bytes() > self.0.max.load(Relaxed)
    }

    /// Counts here what this thread allocates and frees, until the returned value is dropped. Inside another count, what is
    /// still held at the end is carried over to that one.
    pub fn enter(&self) -> CountGuard {
        let count = Arc::clone(&self.0);
        let outer = HERE.replace(Arc::as_ptr(&count));
        CountGuard { count, before: self.bytes(), outer, _stays_on_its_thread: PhantomData }
    }
}

/// A thread counts its memory, see [`Count::enter`]. Values of one thread are dropped in the reverse order.
#[derive(Debug)]
pub struct CountGuard {
    count: Arc<Slot>,
    before: i64,
    outer: *const Slot,
    _stays_on_its_thread: PhantomData<*const ()>,
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        HERE.set(self.outer);
        // The last reference may be freed after this, which is then not counted: the count is gone, too.
        add(self.count.bytes.load(Relaxed) - self.before);
    }
}

/// Returns the bytes of the count that this thread has entered; 0 if it has entered none.
#[inline]
pub fn held_here() -> i64 {
    let here = HERE.get();
    if here.is_null() {
        return 0;
    }
    // SAFETY: see `add`.
    unsafe { (*here).bytes.load(Relaxed) }
}

/// Adds to the count of this thread.
#[inline]
fn add(bytes: i64) {
    let here = HERE.get();
    if !here.is_null() {
        // SAFETY: the pointer comes from the `Arc` in an `CountGuard`, which cannot leave its thread, keeps the `Arc` for as
        // long as it lives, and puts back the pointer before it when it is dropped. A forgotten one is never freed.
        let slot = unsafe { &*here };
        let before = slot.bytes.fetch_add(bytes, Relaxed);
        if before.saturating_add(bytes) > slot.max.load(Relaxed) && bytes > 0 {
            hold_back();
        }
    }
}

/// Lets the thread sleep for ever. No lock of the allocator is held, and sleeping allocates nothing.
#[cold]
fn hold_back() -> ! {
    loop {
        thread::sleep(Duration::from_hours(1));
    }
}

/// A layout's size is at most `isize::MAX`.
#[inline]
const fn signed(size: usize) -> i64 {
    size.cast_signed() as i64
}

/// The allocator: jemalloc, with every byte added to the count of its thread.
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

// SAFETY: every call is passed to jemalloc unchanged; counting neither allocates nor panics.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { Jemalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { Jemalloc.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(signed(size) - signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { Jemalloc.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        add(-signed(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { Jemalloc.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[global_allocator]
    static ALLOCATOR: Allocator = Allocator;

    const MEGABYTE: i64 = 1 << 20;

    fn megabytes(count: usize) -> Vec<u8> {
        vec![1; count << 20]
    }

    #[test]
    fn what_is_allocated_and_freed_inside_is_counted() {
        let count = Count::new();
        let outside = megabytes(3);
        let entered = count.enter();
        let inside = megabytes(2);
        assert_eq!((count.bytes(), held_here()), (2 * MEGABYTE, 2 * MEGABYTE));
        let mut longer = inside;
        longer.reserve_exact(4 << 20);
        assert_eq!(count.bytes(), 6 * MEGABYTE);
        drop(longer);
        assert_eq!(count.bytes(), 0);
        drop(outside);
        assert_eq!(count.bytes(), -3 * MEGABYTE, "what others have allocated and the work frees makes room");
        drop(entered);
        let after = megabytes(1);
        assert_eq!((count.bytes(), held_here()), (-3 * MEGABYTE, 0));
        drop(after);
    }

    /// The count is read while the work that does not look at it is going on.
    #[test]
    fn another_thread_reads_the_count() {
        let count = Count::new();
        let (tell, told) = mpsc::channel();
        let (go, wait) = mpsc::channel();
        let at_work = {
            let count = count.clone();
            thread::spawn(move || {
                let _entered = count.enter();
                let mut held = Vec::new();
                for _ in 0..3 {
                    held.push(megabytes(1));
                }
                tell.send(()).unwrap();
                wait.recv().unwrap();
                held.len()
            })
        };
        told.recv().unwrap();
        assert!((3 * MEGABYTE..4 * MEGABYTE).contains(&count.bytes()), "{}", count.bytes());
        go.send(()).unwrap();
        assert_eq!(at_work.join().unwrap(), 3);
        assert!(count.bytes() < MEGABYTE);
    }

    /// Also a single allocation that the system would refuse.
    #[test]
    fn a_thread_that_looks_at_nothing_is_held_back() {
        for size in [4096, 1 << 46] {
            let count = Count::new();
            count.hold_back_at(3 * MEGABYTE);
            let inside = count.clone();
            thread::spawn(move || {
                let _entered = inside.enter();
                let mut held = Vec::new();
                loop {
                    held.push(Vec::<u8>::with_capacity(size));
                }
            });
            while !count.is_held_back() {
                thread::yield_now();
            }
            thread::sleep(Duration::from_millis(20));
            assert!(count.is_held_back() && count.bytes() < 4 * MEGABYTE + (1 << 46), "{}", count.bytes());
        }
    }

    /// One request may have several threads.
    #[test]
    fn a_count_follows_its_work_to_other_threads() {
        let count = Count::new();
        let parts: Vec<Vec<u8>> = thread::scope(|scope| {
            let part = || {
                let _entered = count.enter();
                megabytes(2)
            };
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(part)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(count.bytes() >= 6 * MEGABYTE, "{}", count.bytes());
        let entered = count.enter();
        drop(parts);
        drop(entered);
        assert!(count.bytes().abs() < MEGABYTE, "{}", count.bytes());
    }

    #[test]
    fn what_is_left_of_an_inner_count_belongs_to_the_outer_one() {
        let (outer, inner) = (Count::new(), Count::new());
        let _outside = outer.enter();
        let kept = {
            let _inside = inner.enter();
            let kept = megabytes(2);
            drop(megabytes(5));
            kept
        };
        assert_eq!((inner.bytes(), outer.bytes()), (2 * MEGABYTE, 2 * MEGABYTE));
        drop(kept);
        assert_eq!(outer.bytes(), 0);
    }
}
