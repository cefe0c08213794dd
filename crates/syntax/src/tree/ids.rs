//! Ids: the positions of nodes in the vectors of their tree.

use std::marker::PhantomData;

/// The index of a node of type `T` in its tree.
pub struct Id<T>(u32, PhantomData<fn() -> T>);

/// A contiguous run of nodes of type `T` in their tree.
pub struct Ids<T> {
    start: u32,
    end: u32,
    of: PhantomData<fn() -> T>,
}

macro_rules! copy_impls {
    ($name:ident) => {
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}
    };
}
copy_impls!(Id);
copy_impls!(Ids);

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}
impl<T> std::fmt::Debug for Ids<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}..{}", self.start, self.end)
    }
}

impl<T> Id<T> {
    /// Creates the id of the node at `index` (0-based) of its vector.
    pub const fn new(index: u32) -> Self {
        Self(index, PhantomData)
    }

    /// Returns the 0-based index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl<T> Ids<T> {
    /// Creates the run of nodes from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end, of: PhantomData }
    }

    /// A run without nodes.
    pub const EMPTY: Self = Self::new(0, 0);

    /// Returns the number of nodes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns whether the run has no nodes.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the ids of the nodes in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator + use<T> {
        (self.start..self.end).map(Id::new)
    }

    /// Returns the id at `position` (0-based) of the run.
    pub fn get(self, position: usize) -> Option<Id<T>> {
        let index = self.start.checked_add(u32::try_from(position).ok()?)?;
        (index < self.end).then(|| Id::new(index))
    }

    /// Returns the index range of the nodes in their vector.
    pub const fn indexes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
