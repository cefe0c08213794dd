//! How much work one evaluation may do.

use std::cell::Cell;

/// The budget is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

/// A count-down of work units shared by everything that one evaluation does. A unit is an expression evaluated, a part of
/// a value made, or 32 bytes of text.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    exhausted: Cell<bool>,
    reported: Cell<bool>,
}

impl Budget {
    /// Units of one evaluation unless said otherwise: some seconds of work at most.
    pub const DEFAULT: u64 = 20_000_000;

    /// A budget of so many units.
    pub const fn new(units: u64) -> Self {
        Self { left: Cell::new(units), exhausted: Cell::new(false), reported: Cell::new(false) }
    }

    /// Takes units away.
    ///
    /// # Errors
    /// There are not so many left; from then on nothing is left.
    pub fn charge(&self, units: u64) -> Result<(), Exhausted> {
        match self.left.get().checked_sub(units) {
            Some(left) if !self.exhausted.get() => {
                self.left.set(left);
                Ok(())
            }
            _ => {
                self.exhaust();
                Err(Exhausted)
            }
        }
    }

    /// From now on nothing is left.
    pub(super) fn exhaust(&self) {
        self.left.set(0);
        self.exhausted.set(true);
    }

    /// Whether more was asked for than there was.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }

    /// Whether this is the first to say that the budget is used up: it is reported once.
    pub(super) fn report(&self) -> bool {
        !self.reported.replace(true)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}
