//! Lists whose length the input decides.

use std::ops::{Deref, DerefMut, Range, RangeBounds};
use std::rc::Rc;
use std::sync::Arc;

use crate::{reserve, room, work};

/// A list that grows only as far as the account can afford: it doubles, which the periodic check of the allocator would
/// notice too late, so the new capacity is checked before it is allocated. For reading, it is a slice.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    /// Creates an empty list, which allocates nothing.
    #[inline]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates an empty list with room for so many items.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn with_capacity(items: usize) -> Self {
        room(items.saturating_mul(size_of::<T>()));
        Self(Vec::with_capacity(items))
    }

    /// Appends an item.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn push(&mut self, item: T) {
        reserve(&mut self.0, 1);
        self.0.push(item);
    }

    /// Makes room for so many more items.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.0, more);
    }

    /// Inserts an item before the one at this index, or at the end.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn insert(&mut self, index: usize, item: T) {
        reserve(&mut self.0, 1);
        self.0.insert(index.min(self.0.len()), item);
    }

    /// Moves all items of another list to the end of this one.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn append(&mut self, more: &mut Self) {
        reserve(&mut self.0, more.len());
        self.0.append(&mut more.0);
    }

    /// Removes the last item and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Removes the last item and returns it, if `is_wanted` says so.
    #[inline]
    pub fn pop_if(&mut self, is_wanted: impl FnOnce(&mut T) -> bool) -> Option<T> {
        self.0.pop_if(is_wanted)
    }

    /// Copies the items of a range to the end.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn extend_from_within(&mut self, range: Range<usize>)
    where
        T: Clone,
    {
        reserve(&mut self.0, range.len());
        self.0.extend_from_within(range);
    }

    /// Removes the items from this index on.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Removes all items and keeps the room for them.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the items of a range and returns them.
    #[inline]
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> std::vec::Drain<'_, T> {
        self.0.drain(range)
    }

    /// Keeps the items for which `keeps` says so.
    pub fn retain(&mut self, keeps: impl FnMut(&T) -> bool) {
        self.0.retain(keeps);
    }

    /// Removes each item that is equal to the one before it.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        self.0.dedup();
    }

    /// Removes each item of which `is_same` says so, which gets it and the one that is kept before it.
    pub fn dedup_by(&mut self, is_same: impl FnMut(&mut T, &mut T) -> bool) {
        self.0.dedup_by(is_same);
    }

    /// Returns the items as a vector.
    #[inline]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Extend<T> for List<T> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let items = items.into_iter();
        let (least, most) = items.size_hint();
        reserve(&mut self.0, least);
        if most == Some(least) {
            self.0.extend(items);
        } else {
            items.for_each(|item| self.push(item));
        }
    }
}

impl<'a, T: Copy + 'a> Extend<&'a T> for List<T> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        self.extend(items.into_iter().copied());
    }
}

impl<T> FromIterator<T> for List<T> {
    #[cfg_attr(debug_assertions, track_caller)]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        list.extend(items);
        list
    }
}

impl<T> From<Vec<T>> for List<T> {
    #[inline]
    fn from(list: Vec<T>) -> Self {
        Self(list)
    }
}

impl<T> From<List<T>> for Vec<T> {
    #[inline]
    fn from(list: List<T>) -> Self {
        list.0
    }
}

impl<T> From<List<T>> for Box<[T]> {
    fn from(list: List<T>) -> Self {
        list.0.into()
    }
}

impl<T> From<List<T>> for Arc<[T]> {
    fn from(list: List<T>) -> Self {
        list.0.into()
    }
}

impl<T> From<List<T>> for Rc<[T]> {
    fn from(list: List<T>) -> Self {
        list.0.into()
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

/// What is left to be done, the newest first: taking an item charges for the work that it is.
#[derive(Clone, Debug)]
pub struct Worklist<T> {
    items: List<T>,
    units: u64,
}

impl<T> Worklist<T> {
    /// Creates a list of what is to be done, each item of which costs so many units of work.
    pub fn new(units: u64, items: impl IntoIterator<Item = T>) -> Self {
        Self { items: items.into_iter().collect(), units }
    }

    /// Adds an item.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Takes the newest item and charges for it.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn pop(&mut self) -> Option<T> {
        let item = self.items.pop()?;
        work(self.units);
        Some(item)
    }
}

impl<T> Extend<T> for Worklist<T> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

impl<'a, T: Copy + 'a> Extend<&'a T> for Worklist<T> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}
