//! Lists whose elements are reached by the ids that they hand out.
//!
//! A list of this kind only grows, so an id that it handed out always leads to an element. Whoever holds an id therefore
//! handles no case in which there is none, and cannot lose what should have been put there.

use std::ops::{Index, IndexMut};

/// The id of an element of the [`Slots`] that handed it out, or of others that are filled in the same order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(usize);

/// A list that only grows.
#[derive(Clone, Debug)]
pub struct Slots<T>(Vec<T>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Slots<T> {
    /// Appends an element and returns its id.
    pub fn push(&mut self, element: T) -> Slot {
        self.0.push(element);
        Slot(self.0.len() - 1)
    }

    /// Returns the elements in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// Returns a list of the same length, filled with results of `element`, in which the same ids lead to elements.
    pub fn parallel<U>(&self, mut element: impl FnMut() -> U) -> Slots<U> {
        Slots(self.0.iter().map(|_| element()).collect())
    }
}

impl<T> IntoIterator for Slots<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> Index<Slot> for Slots<T> {
    type Output = T;

    #[expect(clippy::indexing_slicing, reason = "the list handed out the id and never shrinks")]
    fn index(&self, slot: Slot) -> &T {
        &self.0[slot.0]
    }
}

impl<T> IndexMut<Slot> for Slots<T> {
    #[expect(clippy::indexing_slicing, reason = "the list handed out the id and never shrinks")]
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        &mut self.0[slot.0]
    }
}
