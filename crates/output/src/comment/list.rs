//! Entries by their weight.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::MAX_MARKDOWN;
use overfold_base::account::{self, ChargedSort};

/// What an entry is for a reviewer, the heaviest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// It says where the state is.
    State,
    /// Something is lost or destroyed.
    Lost,
    /// Something is another thing now.
    Changed,
    /// Something is new.
    Added,
    /// Something is at another place.
    WithoutEffect,
}

impl Weight {
    const ALL: [Self; 5] = [Self::State, Self::Lost, Self::Changed, Self::Added, Self::WithoutEffect];
}

/// Numbers of entries by weight.
type Totals = [usize; 5];

/// An object, and what is said of its parts.
pub(crate) struct Entry {
    pub(super) weight: Weight,
    /// A whole line.
    line: String,
    /// Whole lines or blocks, indented as parts of the entry.
    details: Vec<String>,
    /// The number of further details that were not kept.
    pub(super) more: usize,
}

impl Entry {
    /// Returns what is added to a comment as a whole: the line with the first detail, and then each detail.
    pub(super) fn parts(&self) -> impl Iterator<Item = String> + '_ {
        let first = format!("{}{}", self.line, self.details.first().map_or("", String::as_str));
        std::iter::once(first).chain(self.details.iter().skip(1).cloned())
    }

    /// The number of parts.
    pub(super) fn len(&self) -> usize {
        (self.details.len() + self.more).max(1)
    }
}

/// Entries in order of weight, of which only as much is kept as a comment can hold.
#[derive(Default)]
pub(crate) struct WeightedList {
    entries: Vec<Entry>,
    characters: usize,
    /// The number of entries that were not kept, by weight.
    left_out: Totals,
    /// The number of entries of each group, by weight.
    groups: BTreeMap<Box<str>, Totals>,
}

impl WeightedList {
    /// Returns a list of lines of one weight, [`Weight::Changed`], none of which has details.
    pub(crate) fn of_lines(lines: impl Iterator<Item = String>) -> Self {
        let mut list = Self::default();
        for line in lines {
            list.push(Weight::Changed, "", || line, std::iter::empty::<()>(), |()| String::new());
        }
        list
    }

    /// Adds an entry, which is no heavier than the one before. `line` gives its line, and `detail` what is said of each part;
    /// neither is called once the list is full.
    pub(crate) fn push<D>(
        &mut self,
        weight: Weight,
        group: &str,
        line: impl FnOnce() -> String,
        details: impl Iterator<Item = D>,
        detail: impl Fn(D) -> String,
    ) {
        account::work(8);
        account::touch(group.len());
        match self.groups.get_mut(group) {
            Some(totals) => count(totals, weight),
            None => {
                account::grow(group.len() as u64 + 96);
                let mut totals = Totals::default();
                count(&mut totals, weight);
                self.groups.insert(group.into(), totals);
            }
        }
        if self.is_full() {
            count(&mut self.left_out, weight);
            return;
        }
        let mut entry = Entry { weight, line: line(), details: Vec::new(), more: 0 };
        self.characters += entry.line.chars().count();
        account::grow(entry.line.len() as u64);
        for part in details {
            account::work(2);
            if self.is_full() {
                entry.more += 1;
                continue;
            }
            let detail = detail(part);
            self.characters += detail.chars().count();
            account::grow(detail.len() as u64);
            account::push(&mut entry.details, detail);
        }
        account::push(&mut self.entries, entry);
    }

    const fn is_full(&self) -> bool {
        self.characters > MAX_MARKDOWN
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the number of entries of a weight that were not kept; for [`Weight::Changed`], of that and all heavier ones.
    pub(super) fn left_out(&self, weight: Weight) -> usize {
        let counts = |own: Weight| own == weight || weight == Weight::Changed && own < weight;
        Weight::ALL.into_iter().zip(self.left_out).filter(|(own, _)| counts(*own)).map(|(_, count)| count).sum()
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() + self.left_out.iter().sum::<usize>()
    }

    /// The heaviest weight.
    pub(crate) fn weight(&self) -> Option<Weight> {
        self.entries.first().map(|entry| entry.weight)
    }
}

fn count(totals: &mut [usize], weight: Weight) {
    if let Some(total) = totals.get_mut(weight as usize) {
        *total += 1;
    }
}

/// Returns the numbers of entries in words, the heaviest first: of each list by its name, or of the groups of the only one.
pub(super) fn rows<'l>(lists: &[(&'l str, &'l WeightedList)], lost_word: &str) -> Vec<(&'l str, String)> {
    let mut rows: Vec<(&str, Totals)> = Vec::new();
    if let [(_, only)] = lists {
        rows.extend(only.groups.iter().map(|(group, totals)| (&**group, *totals)));
    } else {
        for (name, list) in lists {
            let mut sum = Totals::default();
            for totals in list.groups.values() {
                account::work(8);
                sum.iter_mut().zip(totals).for_each(|(sum, more)| *sum += more);
            }
            account::push(&mut rows, (name, sum));
        }
    }
    rows.charged_sort_by_key(8, |(_, totals)| Reverse(*totals));
    rows.retain(|(_, totals)| totals.iter().any(|count| *count > 0));
    let words = |[state, lost, changed, added, moved]: Totals| {
        let numbers = [(lost, lost_word), (state + changed, "changed"), (added, "added"), (moved, "without effect")];
        let words = numbers.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        words.collect::<Vec<_>>().join(", ")
    };
    rows.into_iter().map(|(group, totals)| (group, words(totals))).collect()
}
