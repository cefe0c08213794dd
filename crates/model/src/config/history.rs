//! What something replaced: a list that lives beside the model, in the forest's memory, and is empty for everything that
//! no override touches.

use smallvec::SmallVec;
use std::fmt;

use overfold_syntax::Forest;

/// A list that only grows at its end, in constant time whatever its length: a long chain of overrides does not copy the
/// history again for each of them. Copies of a list share what they have in common.
pub struct History<'f, T>(Option<&'f Link<'f, T>>);

#[derive(Clone, Copy)]
struct Link<'f, T> {
    item: T,
    earlier: History<'f, T>,
    /// The oldest item, unless it is this one.
    first: Option<&'f T>,
}

impl<T> Clone for History<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for History<'_, T> {}

impl<'f, T> History<'f, T> {
    /// Nothing was replaced.
    pub const NONE: Self = Self(None);

    /// Whether nothing was replaced.
    pub const fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// Returns the newest item.
    pub fn last(self) -> Option<&'f T> {
        self.0.map(|link| &link.item)
    }

    /// Returns the oldest item.
    pub fn first(self) -> Option<&'f T> {
        self.0.map(|link| link.first.unwrap_or(&link.item))
    }

    /// Returns the items, newest first.
    pub fn newest_first(self) -> impl Iterator<Item = &'f T> {
        std::iter::successors(self.0, |link| link.earlier.0).map(|link| &link.item)
    }

    /// Returns the items, oldest first.
    pub fn list(self) -> SmallVec<[&'f T; 2]> {
        let mut list: SmallVec<[&'f T; 2]> = self.newest_first().collect();
        list.reverse();
        list
    }
}

impl<'f, T: Copy> History<'f, T> {
    /// Adds an item at the end.
    pub fn push(&mut self, forest: &'f Forest, item: T) {
        *self = Self(Some(forest.keep_one(Link { item, earlier: *self, first: self.first() })));
    }

    /// Adds the items of another list at the end.
    pub fn append(&mut self, forest: &'f Forest, later: Self) {
        if self.is_empty() {
            *self = later;
            return;
        }
        for &item in later.list() {
            self.push(forest, item);
        }
    }
}

impl<T> fmt::Debug for History<'_, T> {
    // The items contain lists of this kind themselves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} earlier", self.newest_first().count())
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use overfold_syntax::Forest;

    fn listed(past: History<'_, u32>) -> Vec<u32> {
        past.list().into_iter().copied().collect()
    }

    #[test]
    fn lists_grow_at_their_end_and_share_what_they_have_in_common() {
        let forest = Forest::default();
        let mut past = History::NONE;
        assert_eq!((past.first(), past.last(), past.is_empty()), (None, None, true));
        past.push(&forest, 1);
        let earlier = past;
        past.push(&forest, 2);
        past.push(&forest, 3);
        assert_eq!((listed(earlier), listed(past)), (vec![1], vec![1, 2, 3]));
        assert_eq!((past.first(), past.last(), past.is_empty()), (Some(&1), Some(&3), false));
        let mut both = earlier;
        both.append(&forest, past);
        assert_eq!((listed(both), both.first()), (vec![1, 1, 2, 3], Some(&1)));
        let mut copy = History::NONE;
        copy.append(&forest, past);
        assert_eq!(listed(copy), [1, 2, 3]);
    }
}
