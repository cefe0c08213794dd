//! Merges override files into modules that are lists of blocks (tflint.md, sections 3 and 4).
//!
//! - Blocks are identified by their key: type and labels, joined by dots. The blocks of each key are determined before
//!   a file is applied; blocks that a file adds are at the end of the list, and only later files see them.
//! - An override block is dropped if no block has its key.
//! - [`ListRule`] determines what the others change: the first block of the key, the entries of all of them, or each
//!   of them.
//! - Nothing inside nested blocks is merged, unless a rule says that they are joined or contain entries.
//!
//! The work is linear in the content of the files, including copies: blocks, arguments and nested blocks are found by
//! name. If an override is merged into several blocks, the copies are counted, up to [`COPIES_BYTES`].

use foldhash::{HashMap, HashSet};

use super::block::{BlockMerger, BlockType, Grouping, by_type, header_only};
use super::codes;
use super::losses::Losses;
use super::record::{Context, Reason, Record};
use crate::block_list::ListedFile;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_base::slots::{Slot, Slots};
use overfold_dialect::{ListRule, OverrideRule};
use overfold_model::config::{Argument, Block, Change, ChangeKind, MergeRule, ObjectAddr, Part};
use overfold_syntax::Forest;

/// The approximate number of bytes that copies of override parts, beyond the first, may add to an answer.
pub(crate) const COPIES_BYTES: u64 = 32 << 20;

/// The cost in bytes of a block or an argument in addition to its text: its locations in JSON.
const PART_BYTES: u64 = 256;

/// The rule of block types without a row.
static GENERAL: ListRule = ListRule::First { joined: &[] };

/// The result of merging a list.
pub(crate) struct MergedList<'f> {
    /// The blocks in order of declaration, with those added by overrides at the end.
    pub blocks: Vec<Block<'f>>,
    /// The changes made by the override files, in order.
    pub changes: Vec<Change<'f>>,
}

/// Merges the files: the primary files first, then each override file. Without override files, there is no further
/// cost.
pub(crate) fn merge_list<'f>(
    files: Vec<ListedFile<'f>>,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> MergedList<'f> {
    let (over, primary): (Vec<ListedFile<'f>>, Vec<ListedFile<'f>>) = files.into_iter().partition(|file| file.over);
    let primary = primary.into_iter().flat_map(|file| file.blocks);
    if over.is_empty() {
        return MergedList { blocks: primary.collect(), changes: Vec::new() };
    }
    let mut merger = Merger {
        list: Slots::default(),
        by_key: HashMap::default(),
        entries: HashMap::default(),
        nested: HashMap::default(),
        bytes_left: COPIES_BYTES,
        limit_reported: false,
        last: None,
        noted: HashSet::default(),
        record: Record::new(),
        forest,
        out,
    };
    merger.add(primary);
    for file in over {
        let added: Vec<Block<'f>> = file.blocks.into_iter().filter_map(|block| merger.take(block)).collect();
        merger.add(added);
    }
    let Merger { list, record, .. } = merger;
    MergedList { blocks: list.into_iter().map(BlockMerger::close).collect(), changes: record.close() }
}

/// The blocks that contain each entry, for blocks that are merged entry by entry; kept from file to file.
#[derive(Default)]
struct Entries<'f> {
    /// The number of blocks of the key that have been indexed.
    covered: usize,
    by_name: HashMap<&'f str, Vec<Slot>>,
}

/// The nested blocks that contain each entry.
#[derive(Default)]
struct Nested<'f> {
    covered: usize,
    /// The block and the slot of each nested block, in order; only the first two matter.
    places: Vec<(Slot, usize)>,
    /// The first nested block with each name.
    by_name: HashMap<&'f str, (Slot, usize)>,
}

struct Merger<'f, 'o> {
    list: Slots<BlockMerger<'f>>,
    by_key: HashMap<&'f str, Vec<Slot>>,
    entries: HashMap<&'f str, Entries<'f>>,
    nested: HashMap<&'f str, Nested<'f>>,
    /// The remainder of [`COPIES_BYTES`].
    bytes_left: u64,
    /// Whether it has been reported that the limit is exceeded.
    limit_reported: bool,
    /// The header of the previous override block.
    last: Option<Span>,
    /// The codes that have been reported as notes, with their locations.
    noted: HashSet<(&'static str, Span)>,
    record: Record<'f>,
    forest: &'f Forest,
    out: &'o mut Diagnostics,
}

impl<'f> Merger<'f, '_> {
    fn add(&mut self, blocks: impl IntoIterator<Item = Block<'f>>) {
        for block in blocks {
            let key = key(&block);
            let places = match self.by_key.get_mut(&*key) {
                Some(places) => places,
                None => self.by_key.entry(self.forest.keep(&key)).or_default(),
            };
            places.push(self.list.push(BlockMerger::new(block, Grouping::ByKeyword, self.forest)));
        }
    }

    /// Returns the context for merging into the blocks of a key.
    fn context(&mut self, key: &'f str) -> Context<'f, '_> {
        let Self { forest, out, record, .. } = self;
        Context::new(forest, out, record, ObjectAddr::Listed(key))
    }

    /// Applies one override block. Returns what is left of it as a new block of the list.
    fn take(&mut self, over: Block<'f>) -> Option<Block<'f>> {
        let rule = match over.spec.map(|row| &row.over) {
            Some(OverrideRule::InList(rule)) => rule,
            _ => &GENERAL,
        };
        let reason = Reason { within: over.header, rule: MergeRule::List(rule) };
        let own_key = key(&over);
        let Some((&key, _)) = self.by_key.get_key_value(&*own_key) else {
            let key = self.forest.keep(&own_key);
            self.context(key).record_change(Part::Object, ChangeKind::Ignored, None, over.range, reason);
            let detail = "No block in the primary files has this header, so there is nothing to override. This block is silently ignored.";
            self.note(Diagnostic::ours(&codes::BLOCK_DROPPED, over.header, detail).about(key));
            return None;
        };
        // Taken out of the map while it is in use: a key may have many blocks.
        let bases = self.by_key.get_mut(key).map(std::mem::take).unwrap_or_default();
        if self.last == Some(over.header) {
            let detail = "Expansion turns this block into several. All of them are merged into the block that they override, one after the other, so the arguments of the last one apply.";
            self.note(Diagnostic::ours(&codes::COPIES_MERGED, over.header, detail).about(key));
        }
        self.last = Some(over.header);
        let appended = match rule {
            ListRule::First { joined } => {
                self.first(key, &bases, over, joined, rule);
                None
            }
            ListRule::Entries => self.entries(key, &bases, over, rule),
            ListRule::Every { rivals, entries } => self.merge_every(key, &bases, over, rivals, entries, rule),
        };
        if let Some(appended) = &appended {
            self.context(key).record_change(Part::Object, ChangeKind::Added, None, appended.range, reason);
        }
        self.by_key.insert(key, bases);
        appended
    }

    /// Accounts for copies beyond the first. Returns `false`, and reports it once, if the limit would be exceeded.
    fn charge_copies(&mut self, copies: usize, each: u64, at: Span, key: &str) -> bool {
        let Some(left) = self.bytes_left.checked_sub(each.saturating_mul(copies as u64)) else {
            let detail = format!(
                "The number of further blocks with this header is {copies}, and copying this override to all of them would exceed the limit copies-bytes of {COPIES_BYTES} bytes. From here on, overrides that do not fit change only the first block; this is not reported again."
            );
            if !std::mem::replace(&mut self.limit_reported, true) {
                self.out.push(Diagnostic::ours(&codes::COPIES_LIMIT, at, detail).about(key));
            }
            return false;
        };
        self.bytes_left = left;
        true
    }

    fn note_lost(&mut self, at: Span, key: &str, detail: String) {
        self.note(Diagnostic::ours(&codes::PART_LOST, at, detail).about(key));
    }

    /// Reports a note once for each location: copies of one block would all yield the same note.
    fn note(&mut self, note: Diagnostic) {
        if note.span.is_none_or(|at| self.noted.insert((note.code.id, at))) {
            self.out.push(note);
        }
    }

    /// Returns the cost of copying an argument.
    fn cost(&self, argument: &Argument<'f>) -> u64 {
        let value = argument.value.as_ref().map_or(0, |value| value.weight() * 32);
        PART_BYTES + 2 * self.forest.expr_span(argument.expr).range().len() as u64 + value
    }

    /// Returns the cost of copying a block with everything in it.
    fn size(&self, block: &Block<'f>) -> u64 {
        let mut size = 0;
        let mut todo = vec![block];
        while let Some(block) = todo.pop() {
            size += PART_BYTES + block.labels.iter().map(|label| label.text.len() as u64).sum::<u64>();
            size += block.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>();
            todo.extend(block.blocks);
        }
        size
    }

    // The general rule, and the rule of resources.

    fn first(&mut self, key: &'f str, bases: &[Slot], over: Block<'f>, joined: &[&str], rule: &'static ListRule) {
        let Some((&first, others)) = bases.split_first() else { return };
        if let Some(second) = others.first().map(|&at| &self.list[at]) {
            let detail = format!(
                "{} blocks have this header, and only the first of them is changed. Give the blocks different labels, or change the others in the primary file.",
                bases.len()
            );
            let note = Diagnostic::ours(&codes::FIRST_ONLY, over.header, detail).about(key);
            let note = note.and("this block is not changed", second.header());
            self.note(note);
        }
        let empty = BlockMerger::new(header_only(&over), Grouping::ByKeyword, self.forest);
        let mut base = std::mem::replace(&mut self.list[first], empty);
        self.merge_into(key, &mut base, over, joined, rule);
        self.list[first] = base;
    }

    fn merge_into(
        &mut self,
        key: &'f str,
        base: &mut BlockMerger<'f>,
        over: Block<'f>,
        joined: &[&str],
        rule: &'static ListRule,
    ) {
        // The copies of one block would all report the same losses.
        let losses = if base.is_overridden_by(&over) { Losses::RecordedOnly } else { Losses::Reported };
        base.overridden_by(&over);
        let (join, replace): (Vec<Block<'f>>, Vec<Block<'f>>) =
            over.blocks.iter().copied().partition(|inner| joined.contains(&inner.keyword));
        let mut cx = self.context(key);
        set_all(base, over.arguments, rule, &mut cx);
        replace_by_type(base, &replace.iter().collect::<Vec<_>>(), None, losses, rule, &mut cx);
        for inner in replace {
            base.push(inner);
        }
        for inner in join {
            self.join(key, base, &inner, rule);
        }
    }

    /// Sets the arguments of a nested block on each nested block of its type in the base.
    fn join(&mut self, key: &'f str, base: &mut BlockMerger<'f>, over: &Block<'f>, rule: &'static ListRule) {
        let reason = Reason { within: base.header(), rule: MergeRule::List(rule) };
        for ignored in over.blocks {
            self.context(key).record_change(
                Part::Block(ignored.keyword),
                ChangeKind::Ignored,
                None,
                ignored.range,
                reason,
            );
            let detail = format!(
                "Blocks inside a {:?} block cannot be overridden, so this one is silently ignored.",
                over.keyword
            );
            self.note_lost(ignored.header, key, detail);
        }
        let of_type = BlockType::named(over.keyword);
        let count = base.places(of_type).len();
        if count == 0 {
            self.context(key).record_change(Part::Block(over.keyword), ChangeKind::Ignored, None, over.range, reason);
            let detail = format!(
                "The original block has no {:?} block, and an override cannot add one, so this block is silently ignored.",
                over.keyword
            );
            self.note_lost(over.header, key, detail);
            return;
        }
        let each = PART_BYTES + over.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>();
        let taken = if count == 1 || self.charge_copies(count - 1, each, over.header, key) { count } else { 1 };
        let places: Vec<usize> = base.places(of_type).iter().take(taken).copied().collect();
        let mut cx = self.context(key);
        for place in places {
            let Some(inner) = base.nested(place) else { continue };
            inner.overridden_by(over);
            set_all(inner, over.arguments, rule, &mut cx);
        }
    }

    // Blocks of entries.

    fn entries(
        &mut self,
        key: &'f str,
        bases: &[Slot],
        over: Block<'f>,
        rule: &'static ListRule,
    ) -> Option<Block<'f>> {
        if let [only] = bases {
            let Self { list, forest, out, record, .. } = self;
            let base = &mut list[*only];
            base.overridden_by(&over);
            let mut cx = Context::new(forest, out, record, ObjectAddr::Listed(key));
            set_all(base, over.arguments, rule, &mut cx);
            return None;
        }
        let mut known = self.entries.remove(key).unwrap_or_default();
        for &at in bases.iter().skip(known.covered) {
            for argument in self.list[at].arguments() {
                known.by_name.entry(argument.name).or_default().push(at);
            }
        }
        known.covered = bases.len();
        let mut rest = Vec::new();
        let mut touched: HashSet<Slot> = HashSet::default();
        for &argument in over.arguments {
            let places = known.by_name.get(argument.name).map_or(&[][..], Vec::as_slice);
            if places.is_empty() {
                rest.push(argument);
                continue;
            }
            let count = places.len();
            let fits = count == 1 || self.charge_copies(count - 1, self.cost(&argument), argument.range, key);
            let Self { list, forest, out, record, .. } = self;
            let mut cx = Context::new(forest, out, record, ObjectAddr::Listed(key));
            for &at in places.iter().take(if fits { count } else { 1 }) {
                let base = &mut list[at];
                if touched.insert(at) {
                    base.overridden_by(&over);
                }
                set_all(base, &[argument], rule, &mut cx);
            }
        }
        self.entries.insert(key, known);
        (!rest.is_empty()).then(|| Block { arguments: self.forest.keep_list(&rest), blocks: &[], ..over })
    }

    // Settings that may be repeated.

    fn merge_every(
        &mut self,
        key: &'f str,
        bases: &[Slot],
        over: Block<'f>,
        rivals: &'static [&'static str],
        entries: &'static str,
        rule: &'static ListRule,
    ) -> Option<Block<'f>> {
        let rest: Vec<&Block<'f>> = over.blocks.iter().filter(|inner| *inner.keyword != *entries).collect();
        let each = PART_BYTES
            + over.arguments.iter().map(|argument| self.cost(argument)).sum::<u64>()
            + rest.iter().map(|inner| self.size(inner)).sum::<u64>();
        let all = bases.len() == 1 || self.charge_copies(bases.len() - 1, each, over.header, key);
        let winner = rest.iter().find(|inner| rivals.contains(&inner.keyword));
        let mut displaced = None;
        if let Some(winner) = winner {
            let stated: HashSet<&str> = rest.iter().map(|inner| inner.keyword).collect();
            let losers: Vec<&'static str> = rivals.iter().copied().filter(|rival| !stated.contains(rival)).collect();
            for rival in &losers {
                let is_there = |at: &Slot| self.list[*at].has(BlockType::named(rival));
                if bases.iter().any(is_there) {
                    let detail = format!(
                        "This block removes every existing `{rival}` block, because the two kinds exclude each other."
                    );
                    self.note(Diagnostic::ours(&codes::SETTING_DISPLACED, winner.header, detail).about(key));
                }
            }
            displaced = Some((winner.range, losers));
        }
        let Self { list, forest, out, record, .. } = self;
        let mut cx = Context::new(forest, out, record, ObjectAddr::Listed(key));
        for &at in bases.iter().take(if all { usize::MAX } else { 1 }) {
            let base = &mut list[at];
            base.overridden_by(&over);
            set_all(base, over.arguments, rule, &mut cx);
            replace_by_type(base, &rest, displaced.as_ref(), Losses::RecordedOnly, rule, &mut cx);
            for inner in &rest {
                base.push(**inner);
            }
        }
        self.nested_entries(key, bases, over, entries, rule)
    }

    fn nested_entries(
        &mut self,
        key: &'f str,
        bases: &[Slot],
        over: Block<'f>,
        entries: &'static str,
        rule: &'static ListRule,
    ) -> Option<Block<'f>> {
        let reason = Reason { within: over.header, rule: MergeRule::List(rule) };
        let known = self.nested.entry(key).or_default();
        for &at in bases.iter().skip(known.covered) {
            let base = &mut self.list[at];
            for place in base.places(BlockType::named(entries)).to_vec() {
                known.places.push((at, place));
                for argument in base.nested(place).into_iter().flat_map(|inner| inner.arguments()) {
                    known.by_name.entry(argument.name).or_insert((at, place));
                }
            }
        }
        known.covered = bases.len();
        let several = known.places.len() > 1;
        let only = known.places.first().copied();
        let mut used: HashSet<&'f str> = HashSet::default();
        let mut appended = Vec::new();
        for inner in over.blocks.iter().filter(|inner| *inner.keyword == *entries) {
            let Some(only) = only else {
                self.context(key).record_change(
                    Part::Block(inner.keyword),
                    ChangeKind::Ignored,
                    None,
                    inner.range,
                    reason,
                );
                let detail = format!(
                    "The original block has no {entries:?} block, and an override cannot add one, so these entries are silently ignored."
                );
                self.note_lost(inner.header, key, detail);
                continue;
            };
            let mut touched: HashSet<(Slot, usize)> = HashSet::default();
            let mut rest = Vec::new();
            for &argument in inner.arguments {
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
                    let part = Part::Argument(argument.name);
                    self.context(key).record_change(part, ChangeKind::Ignored, None, argument.range, reason);
                    let detail = format!(
                        "An earlier {entries:?} block of this override already sets {:?}. That value is used, and this one is silently ignored.",
                        argument.name
                    );
                    self.note_lost(argument.range, key, detail);
                    continue;
                }
                let Self { list, forest, out, record, .. } = self;
                let Some(base) = list[place.0].nested(place.1) else { continue };
                if touched.insert(place) {
                    base.overridden_by(inner);
                }
                let mut cx = Context::new(forest, out, record, ObjectAddr::Listed(key));
                set_all(base, &[argument], rule, &mut cx);
            }
            if !rest.is_empty() {
                appended.push(Block { arguments: self.forest.keep_list(&rest), blocks: &[], ..*inner });
            }
        }
        (!appended.is_empty()).then(|| Block { blocks: self.forest.keep_list(&appended), ..over })
    }
}

/// Sets arguments of an override on a base block.
fn set_all<'f>(
    base: &mut BlockMerger<'f>,
    arguments: &[Argument<'f>],
    rule: &'static ListRule,
    cx: &mut Context<'f, '_>,
) {
    let reason = Reason { within: base.header(), rule: MergeRule::List(rule) };
    for &argument in arguments {
        let (name, range) = (argument.name, argument.range);
        let before = base.set(argument);
        cx.set(name, before, range, reason);
    }
}

/// Removes the nested blocks whose type occurs in `new`, and those of the types in `displaced`, each of which is
/// listed with the range of the block that displaces it.
fn replace_by_type<'f>(
    base: &mut BlockMerger<'f>,
    new: &[&Block<'f>],
    displaced: Option<&(Span, Vec<&'static str>)>,
    losses: Losses,
    rule: &'static ListRule,
    cx: &mut Context<'f, '_>,
) {
    let reason = Reason { within: base.header(), rule: MergeRule::List(rule) };
    let type_of = |block: &Block<'f>| BlockType::named(block.keyword);
    let new = by_type(new.iter().copied(), type_of);
    let displaced: Vec<(Span, BlockType<'f>)> = displaced
        .iter()
        .flat_map(|(winner, losers)| losers.iter().map(|loser| (*winner, BlockType::named(loser))))
        .collect();
    let types = new.iter().map(|(of_type, _)| *of_type).chain(displaced.iter().map(|(_, of_type)| *of_type));
    let gone = base.remove_blocks(types);
    let mut gone: HashMap<BlockType<'f>, Vec<&Block<'f>>> = by_type(gone.iter(), type_of).into_iter().collect();
    for (of_type, new) in &new {
        let gone = gone.remove(of_type).unwrap_or_default();
        cx.record_replaced_blocks(gone, new, losses, reason);
    }
    for (winner, of_type) in displaced {
        for gone in gone.remove(&of_type).into_iter().flatten() {
            cx.record_change(Part::Block(gone.keyword), ChangeKind::Removed, Some(gone.range), winner, reason);
        }
    }
}

/// Returns the type and labels, joined by dots. If labels contain dots, two headers can have the same key.
fn key(block: &Block<'_>) -> String {
    let mut key = String::from(block.keyword);
    for label in block.labels {
        key.push('.');
        key.push_str(label.text);
    }
    key
}
