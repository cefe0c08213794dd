//! Override files into a list of blocks (tflint.md, sections 3 and 4).
//!
//! - Blocks are distinguished by their key: type and labels, joined by dots. Which blocks have which key is settled before a
//!   file is applied; blocks that a file adds stand at the end and are seen by later files.
//! - An override block whose key no block has is dropped.
//! - [`ListRule`] says what happens to the others: to the first block of the key, to the entries of all of them, or to
//!   each of them.
//! - Nothing inside nested blocks is merged, except where a rule says that they are joined or hold entries.
//!
//! Linear in what the files hold, copies included: blocks, arguments and nested blocks are found by name. Where one
//! override goes into many blocks the copies are counted, up to [`COPIES_BYTES`].

mod slot;

use std::collections::{HashMap, HashSet};

use super::lost::Losses;
use super::rules::by_type;
use super::{codes, header_only};
use crate::block_list::ListedFile;
use crate::config::{Argument, Block};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::dialect::{ListRule, OverrideRule};
use crate::syntax::Forest;
use slot::Slot;

/// How much room the copies of override parts beyond the first may take in an answer, in bytes, counted roughly.
pub const COPIES_BYTES: u64 = 32 << 20;

/// What a block or an argument costs beside its text: its places, in JSON.
const PART_BYTES: u64 = 256;

/// The rule of block types without a row.
const GENERAL: ListRule = ListRule::First { joined: &[] };

/// Puts the files together: primary ones first, then each override file. The blocks come in order of declaration, those
/// that overrides add at the end.
pub fn merge_list<'f>(files: Vec<ListedFile<'f>>, forest: &'f Forest, out: &mut Diagnostics) -> Vec<Block<'f>> {
    let (over, primary): (Vec<ListedFile<'f>>, Vec<ListedFile<'f>>) = files.into_iter().partition(|file| file.over);
    let mut merger = Merger {
        list: Vec::new(),
        by_key: HashMap::new(),
        entries: HashMap::new(),
        nested: HashMap::new(),
        left: COPIES_BYTES,
        told: false,
        last: None,
        noted: HashSet::new(),
        losses: Losses::new(),
        forest,
        out,
    };
    merger.add(primary.into_iter().flat_map(|file| file.blocks));
    for file in over {
        let added: Vec<Block<'f>> = file.blocks.into_iter().filter_map(|block| merger.take(block)).collect();
        merger.add(added);
    }
    merger.list.into_iter().map(Slot::close).collect()
}

/// Where the names of blocks that are merged entry by entry stand: kept from file to file.
#[derive(Default)]
struct Entries<'f> {
    /// So many blocks of the key are in it.
    covered: usize,
    by_name: HashMap<&'f str, Vec<usize>>,
}

/// Where the entries of nested blocks stand.
#[derive(Default)]
struct Nested<'f> {
    covered: usize,
    /// Block and place of each nested block, in order; only the first two matter.
    places: Vec<(usize, usize)>,
    /// Of each name the first.
    by_name: HashMap<&'f str, (usize, usize)>,
}

struct Merger<'f, 'o> {
    list: Vec<Slot<'f>>,
    by_key: HashMap<String, Vec<usize>>,
    entries: HashMap<String, Entries<'f>>,
    nested: HashMap<String, Nested<'f>>,
    /// What is left of [`COPIES_BYTES`].
    left: u64,
    /// That it is not enough has been reported.
    told: bool,
    /// Header of the override block before.
    last: Option<Span>,
    /// Codes that have been noted, and where.
    noted: HashSet<(&'static str, Span)>,
    losses: Losses,
    forest: &'f Forest,
    out: &'o mut Diagnostics,
}

impl<'f> Merger<'f, '_> {
    fn add(&mut self, blocks: impl IntoIterator<Item = Block<'f>>) {
        for block in blocks {
            self.by_key.entry(key(&block)).or_default().push(self.list.len());
            self.list.push(Slot::new(block));
        }
    }

    /// Applies one override block. What is left of it is a new block of the list.
    fn take(&mut self, over: Block<'f>) -> Option<Block<'f>> {
        let key = key(&over);
        // Taken out while it is used: the list of one header may be long.
        let Some(bases) = self.by_key.get_mut(&key).map(std::mem::take) else {
            let detail = "No primary file has a block with this header, so the tool silently ignores this one.";
            self.note(Diagnostic::ours(&codes::BLOCK_DROPPED, over.header, detail).about(key));
            return None;
        };
        if self.last == Some(over.header) {
            let detail = "Expansion makes several blocks of this one. They are all merged into the block that it \
                          overrides, one after the other, so the arguments of the last one are kept.";
            self.note(Diagnostic::ours(&codes::COPIES_MERGED, over.header, detail).about(&*key));
        }
        self.last = Some(over.header);
        let rule = match over.spec.map(|row| row.over) {
            Some(OverrideRule::InList(rule)) => rule,
            _ => GENERAL,
        };
        let left_over = match rule {
            ListRule::First { joined } => {
                self.first(&key, &bases, over, joined);
                None
            }
            ListRule::Entries => self.entries(&key, &bases, over),
            ListRule::Every { rivals, entries } => self.every(&key, &bases, over, rivals, entries),
        };
        self.by_key.insert(key, bases);
        left_over
    }

    /// Takes room away for copies beyond the first; `false`, which is reported once, when there is not enough.
    fn afford(&mut self, copies: usize, each: u64, at: Span, key: &str) -> bool {
        let Some(left) = self.left.checked_sub(each.saturating_mul(copies as u64)) else {
            let detail = format!(
                "The number of further blocks with this header is {copies}, and copying this override to all of them \
                 would exceed the limit copies-bytes of {COPIES_BYTES} bytes. From here on, overrides that do not \
                 fit change only the first block; this is not reported again."
            );
            if !std::mem::replace(&mut self.told, true) {
                self.out.push(Diagnostic::ours(&codes::COPIES_LIMIT, at, detail).about(key));
            }
            return false;
        };
        self.left = left;
        true
    }

    fn lost(&mut self, at: Span, key: &str, detail: String) {
        self.note(Diagnostic::ours(&codes::PART_LOST, at, detail).about(key));
    }

    /// Says something once for each place: copies of one block would all say it.
    fn note(&mut self, note: Diagnostic) {
        if note.span.is_none_or(|at| self.noted.insert((note.code.id, at))) {
            self.out.push(note);
        }
    }

    /// What an argument costs where it is copied.
    fn cost(&self, argument: &Argument<'f>) -> u64 {
        let value = argument.value.as_ref().map_or(0, |value| value.weight() * 32);
        PART_BYTES + 2 * self.forest.expr_span(argument.expr).range().len() as u64 + value
    }

    /// What a block with everything in it costs where it is copied.
    fn size(&self, block: &Block<'f>) -> u64 {
        let mut size = 0;
        let mut todo = vec![block];
        while let Some(block) = todo.pop() {
            size += PART_BYTES + block.labels.iter().map(|label| label.text.len() as u64).sum::<u64>();
            size += block.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>();
            todo.extend(&block.blocks);
        }
        size
    }

    // The general rule, and that of resources.

    fn first(&mut self, key: &str, bases: &[usize], over: Block<'f>, joined: &[&str]) {
        let Some((&first, others)) = bases.split_first() else { return };
        if let Some(second) = others.first().and_then(|&at| self.list.get(at)) {
            let detail = format!("{} blocks have this header. The tool changes only the first of them.", bases.len());
            let note = Diagnostic::ours(&codes::FIRST_ONLY, over.header, detail).about(key);
            let note = note.and("not changed", second.header());
            self.note(note);
        }
        let Some(slot) = self.list.get_mut(first) else { return };
        let empty = Slot::new(header_only(&over));
        let mut base = std::mem::replace(slot, empty);
        self.fold_into(key, &mut base, over, joined);
        if let Some(slot) = self.list.get_mut(first) {
            *slot = base;
        }
    }

    fn fold_into(&mut self, key: &str, base: &mut Slot<'f>, over: Block<'f>, joined: &[&str]) {
        let is_copy = base.is_overridden_by(over.header);
        base.overridden(over.header);
        for argument in over.arguments {
            base.set(argument);
        }
        let (join, replace): (Vec<Block<'f>>, Vec<Block<'f>>) =
            over.blocks.into_iter().partition(|inner| joined.contains(&inner.keyword));
        let types: HashSet<&'f str> = replace.iter().map(|inner| inner.keyword).collect();
        #[expect(clippy::iter_over_hash_type, reason = "what is removed is put in order by the base")]
        for keyword in types {
            base.remove(keyword);
        }
        if !is_copy {
            let name = |inner: &Block<'f>| inner.keyword;
            let gone: HashMap<&'f str, Vec<&Block<'f>>> = by_type(base.removed(), name).into_iter().collect();
            for (keyword, new) in by_type(replace.iter(), name) {
                let gone = gone.get(keyword).into_iter().flatten().copied();
                self.losses.blocks(gone, &new, key, self.out);
            }
        }
        for inner in replace {
            base.push(inner);
        }
        for inner in join {
            self.join(key, base, &inner);
        }
        base.finalize();
    }

    /// Sets the arguments of a nested block on each base block of its type.
    fn join(&mut self, key: &str, base: &mut Slot<'f>, over: &Block<'f>) {
        for ignored in &over.blocks {
            let detail =
                format!("Blocks inside {:?} cannot be overridden: the tool silently ignores this one.", over.keyword);
            self.lost(ignored.header, key, detail);
        }
        let count = base.places(over.keyword).len();
        if count == 0 {
            let detail = format!(
                "The base has no {:?} block, and the tool does not add one: this block is silently ignored.",
                over.keyword
            );
            self.lost(over.header, key, detail);
            return;
        }
        let each = PART_BYTES + over.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>();
        let taken = if count == 1 || self.afford(count - 1, each, over.header, key) { count } else { 1 };
        let places: Vec<usize> = base.places(over.keyword).iter().take(taken).copied().collect();
        for place in places {
            let Some(inner) = base.inner(place) else { continue };
            inner.overridden(over.header);
            for argument in &over.arguments {
                inner.set(argument.clone());
            }
        }
    }

    // Blocks of entries.

    fn entries(&mut self, key: &str, bases: &[usize], over: Block<'f>) -> Option<Block<'f>> {
        if let [only] = bases {
            let base = self.list.get_mut(*only)?;
            base.overridden(over.header);
            for argument in over.arguments {
                base.set(argument);
            }
            return None;
        }
        let mut known = self.entries.remove(key).unwrap_or_default();
        for &at in bases.iter().skip(known.covered) {
            for argument in self.list.get(at).map(Slot::arguments).unwrap_or_default() {
                known.by_name.entry(argument.name).or_default().push(at);
            }
        }
        known.covered = bases.len();
        let mut rest = Vec::new();
        let mut touched: HashSet<usize> = HashSet::new();
        for argument in over.arguments {
            let count = known.by_name.get(argument.name).map_or(0, Vec::len);
            if count == 0 {
                rest.push(argument);
                continue;
            }
            let fits = count == 1 || self.afford(count - 1, self.cost(&argument), argument.range, key);
            let places = known.by_name.get(argument.name).into_iter().flatten();
            for &at in places.take(if fits { count } else { 1 }) {
                let Some(base) = self.list.get_mut(at) else { continue };
                if touched.insert(at) {
                    base.overridden(over.header);
                }
                base.set(argument.clone());
            }
        }
        self.entries.insert(key.to_owned(), known);
        (!rest.is_empty()).then(|| Block { arguments: rest, blocks: Vec::new(), ..over })
    }

    // Settings that may be given many times.

    fn every(
        &mut self,
        key: &str,
        bases: &[usize],
        over: Block<'f>,
        rivals: &[&str],
        entries: &str,
    ) -> Option<Block<'f>> {
        let Block { blocks, .. } = &over;
        let rest: Vec<&Block<'f>> = blocks.iter().filter(|inner| *inner.keyword != *entries).collect();
        let each = PART_BYTES
            + over.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>()
            + rest.iter().map(|inner| self.size(inner)).sum::<u64>();
        let all = bases.len() == 1 || self.afford(bases.len() - 1, each, over.header, key);
        let mut gone: HashSet<&str> = rest.iter().map(|inner| inner.keyword).collect();
        let winner = rest.iter().find(|inner| rivals.contains(&inner.keyword)).map(|inner| inner.header);
        if let Some(winner) = winner {
            for rival in rivals.iter().filter(|rival| !gone.contains(**rival)) {
                let mut there =
                    |at: &usize| self.list.get_mut(*at).is_some_and(|base| !base.places(rival).is_empty());
                if bases.iter().any(&mut there) {
                    let detail = format!("This block of an override file removes every existing {rival} block.");
                    self.note(Diagnostic::ours(&codes::SETTING_DISPLACED, winner, detail).about(key));
                }
            }
            gone.extend(rivals);
        }
        for &at in bases.iter().take(if all { usize::MAX } else { 1 }) {
            let Some(base) = self.list.get_mut(at) else { continue };
            base.overridden(over.header);
            for argument in &over.arguments {
                base.set(argument.clone());
            }
            #[expect(clippy::iter_over_hash_type, reason = "what is removed is put in order by the base")]
            for keyword in &gone {
                base.remove(keyword);
            }
            for inner in &rest {
                base.push((*inner).clone());
            }
            base.finalize();
        }
        self.nested_entries(key, bases, over, entries)
    }

    fn nested_entries(&mut self, key: &str, bases: &[usize], over: Block<'f>, entries: &str) -> Option<Block<'f>> {
        let known = self.nested.entry(key.to_owned()).or_default();
        for &at in bases.iter().skip(known.covered) {
            let Some(base) = self.list.get_mut(at) else { continue };
            for place in base.places(entries).to_vec() {
                known.places.push((at, place));
                for argument in base.inner(place).map(|inner| inner.arguments()).unwrap_or_default() {
                    known.by_name.entry(argument.name).or_insert((at, place));
                }
            }
        }
        known.covered = bases.len();
        let several = known.places.len() > 1;
        let only = known.places.first().copied();
        let Block { blocks, .. } = over;
        let over = Block { blocks: Vec::new(), ..over };
        let mut used: HashSet<&'f str> = HashSet::new();
        let mut left_over = Vec::new();
        for mut inner in blocks.into_iter().filter(|inner| *inner.keyword == *entries) {
            let Some(only) = only else {
                let detail = format!(
                    "The base has no {entries:?} block, and the tool does not add one: these entries are silently \
                     ignored."
                );
                self.lost(inner.header, key, detail);
                continue;
            };
            let mut touched: HashSet<(usize, usize)> = HashSet::new();
            let mut rest = Vec::new();
            for argument in std::mem::take(&mut inner.arguments) {
                let place = if several {
                    self.nested.get(key).and_then(|known| known.by_name.get(argument.name)).copied()
                } else {
                    Some(only)
                };
                let Some(place) = place else {
                    rest.push(argument);
                    continue;
                };
                if several && !used.insert(argument.name) {
                    let detail = format!(
                        "{:?} is already set in an earlier {entries:?} block of this override. The tool uses that \
                         one and silently ignores this one.",
                        argument.name
                    );
                    self.lost(argument.range, key, detail);
                    continue;
                }
                let Some(base) = self.list.get_mut(place.0).and_then(|slot| slot.inner(place.1)) else {
                    continue;
                };
                if touched.insert(place) {
                    base.overridden(inner.header);
                }
                base.set(argument);
            }
            if !rest.is_empty() {
                left_over.push(Block { arguments: rest, blocks: Vec::new(), ..inner });
            }
        }
        (!left_over.is_empty()).then_some(Block { blocks: left_over, ..over })
    }
}

/// Type and labels, joined by dots: labels that hold dots can make two headers one.
fn key(block: &Block<'_>) -> String {
    let mut key = String::from(block.keyword);
    for label in &block.labels {
        key.push('.');
        key.push_str(label.text);
    }
    key
}
