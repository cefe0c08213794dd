//! Where work goes on without a charge: what tests look at to find loops that the account does not see. Only in builds
//! with debug assertions.

use std::cell::Cell;
use std::panic::Location;

/// What may be allocated for a unit of work without being announced otherwise: a node, an element, or some text.
pub const BYTES_OF_UNIT: u64 = 128;

/// Told of every charge of a thread before it is made.
pub type Observer = fn(Charge);

/// A charge.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    /// Where it stands.
    pub at: &'static Location<'static>,
    /// The bytes that it announces: what will be allocated next may be as large as that.
    pub announced: u64,
}

thread_local! {
    static OBSERVER: Cell<Option<Observer>> = const { Cell::new(None) };
}

/// Tells `observer` of every charge of this thread from now on; `None` tells nobody.
pub fn observe(observer: Option<Observer>) {
    OBSERVER.set(observer);
}

/// Tells the observer of a charge.
#[inline]
#[track_caller]
pub(super) fn charged(announced: u64) {
    if let Some(observer) = OBSERVER.get() {
        observer(Charge { at: Location::caller(), announced });
    }
}
