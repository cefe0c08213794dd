//! Names, looked up in lists while there are few and in tables once there are many: the tables of dialects are short, but
//! a schema of a provider may have thousands of names, and a body may write all of them.

use foldhash::{HashMap, HashMapExt, HashSet};
use overfold_base::account::ChargedIterator;
use smallvec::SmallVec;

/// The number of names, and of lookups, up to which a list is searched.
const FEW: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct NameSet<'n> {
    list: SmallVec<[&'n str; 8]>,
    /// The same names, once there are more than a few.
    table: Option<Box<HashSet<&'n str>>>,
}

impl<'n> NameSet<'n> {
    pub(super) const EMPTY: Self = Self { list: SmallVec::new_const(), table: None };

    pub(super) fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let mut set = Self::EMPTY;
        names.for_each(|name| set.insert(name));
        set
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the same names for a shorter time.
    pub(super) fn shortened<'m>(&self) -> NameSet<'m>
    where
        'n: 'm,
    {
        let table = self.table.as_ref().map(|table| Box::new(table.iter().map(|name| -> &'m str { name }).collect()));
        NameSet { list: self.list.iter().map(|name| -> &'m str { name }).collect(), table }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        match &self.table {
            Some(table) => table.contains(name),
            None => self.list.contains(&name),
        }
    }

    pub(super) fn insert(&mut self, name: &'n str) {
        if self.has(name) {
            return;
        }
        self.list.push(name);
        match &mut self.table {
            Some(table) => drop(table.insert(name)),
            None if self.list.len() > FEW => self.table = Some(Box::new(self.list.iter().copied().collect())),
            None => {}
        }
    }
}

impl Default for NameSet<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Finds items by their names.
pub(super) struct Finder<'s, 'n, T> {
    items: &'s [T],
    name: fn(&T) -> &'n str,
    table: Option<HashMap<&'n str, usize>>,
}

impl<'s, 'n, T> Finder<'s, 'n, T> {
    /// Prepares for this many lookups.
    pub(super) fn new(items: &'s [T], name: fn(&T) -> &'n str, lookups: usize) -> Self {
        let table = (items.len() > FEW && lookups > FEW).then(|| {
            let mut table = HashMap::with_capacity(items.len());
            // Of several, the first one counts.
            table.extend(items.iter().charged_at_once(1).enumerate().rev().map(|(at, item)| (name(item), at)));
            table
        });
        Self { items, name, table }
    }

    /// Returns the position of the first item with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        match &self.table {
            Some(table) => table.get(name).copied(),
            None => self.items.iter().position(|item| (self.name)(item) == name),
        }
    }
}
