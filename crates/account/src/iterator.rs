//! Iterators that charge for the items that they hand out: a loop over one of them cannot forget to.

use std::cmp::Ordering;

use crate::{touch, work};

/// What charges for the items of anything that can be iterated over.
pub trait ChargedIterator: IntoIterator + Sized {
    /// Charges so many units of work for each item before handing it out: for loops whose body takes a while, or that end
    /// early.
    #[inline]
    fn charged(self, units: u64) -> ChargedItems<Self::IntoIter> {
        ChargedItems { items: self.into_iter(), units }
    }

    /// Like [`Self::charged`], with a price that depends on the item.
    #[inline]
    fn charged_by<F: FnMut(&Self::Item) -> u64>(self, units: F) -> PricedItems<Self::IntoIter, F> {
        PricedItems { items: self.into_iter(), units }
    }

    /// Charges for the text of each item, of so many bytes, before handing it out: as [`touch`] does.
    #[inline]
    fn touched_by(self, mut bytes: impl FnMut(&Self::Item) -> usize) -> impl Iterator<Item = Self::Item> {
        self.into_iter().inspect(move |item| touch(bytes(item)))
    }

    /// Charges so many units of work for each item, at once: for a pass over all of them, a sort, or a collection of them.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn charged_at_once(self, units: u64) -> Self::IntoIter
    where
        Self::IntoIter: ExactSizeIterator,
    {
        let items = self.into_iter();
        work((items.len() as u64).saturating_mul(units));
        items
    }

    /// Charges one unit of work for every so many items, at once: for a search that looks at each for a moment.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn skimmed(self, items_per_unit: u64) -> Self::IntoIter
    where
        Self::IntoIter: ExactSizeIterator,
    {
        let items = self.into_iter();
        work(items.len() as u64 / items_per_unit.max(1));
        items
    }
}

impl<I: IntoIterator> ChargedIterator for I {}

/// Sorting that charges for the items.
pub trait ChargedSort<T> {
    /// Sorts in a stable way, for so many units of work an item.
    fn charged_sort_by(&mut self, units: u64, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key in a stable way, for so many units of work an item.
    fn charged_sort_by_key<K: Ord>(&mut self, units: u64, key: impl FnMut(&T) -> K);
}

impl<T> ChargedSort<T> for [T] {
    #[cfg_attr(debug_assertions, track_caller)]
    fn charged_sort_by(&mut self, units: u64, compare: impl FnMut(&T, &T) -> Ordering) {
        work((self.len() as u64).saturating_mul(units));
        self.sort_by(compare);
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn charged_sort_by_key<K: Ord>(&mut self, units: u64, key: impl FnMut(&T) -> K) {
        work((self.len() as u64).saturating_mul(units));
        self.sort_by_key(key);
    }
}

/// The iterator of [`ChargedIterator::charged`].
#[derive(Clone, Debug)]
pub struct ChargedItems<I> {
    items: I,
    units: u64,
}

impl<I: Iterator> Iterator for ChargedItems<I> {
    type Item = I::Item;

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        work(self.units);
        Some(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, I::Item) -> B>(self, init: B, mut step: F) -> B {
        let units = self.units;
        self.items.fold(init, |folded, item| {
            work(units);
            step(folded, item)
        })
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for ChargedItems<I> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn next_back(&mut self) -> Option<I::Item> {
        let item = self.items.next_back()?;
        work(self.units);
        Some(item)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for ChargedItems<I> {}

/// The iterator of [`ChargedIterator::charged_by`].
#[derive(Clone, Debug)]
pub struct PricedItems<I, F> {
    items: I,
    units: F,
}

impl<I: Iterator, F: FnMut(&I::Item) -> u64> Iterator for PricedItems<I, F> {
    type Item = I::Item;

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        work((self.units)(&item));
        Some(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}
