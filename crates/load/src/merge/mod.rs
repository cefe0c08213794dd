//! Merges override files into a module, one at a time, each from top to bottom (terraform.md, section 7).
//!
//! `block` is a block that takes overrides and remembers what they replace. Two modules use it: `by_row`, for objects
//! with an address, according to the rows of a dialect, and `list`, for lists of blocks. `settings` handles blocks
//! that a module has only once; `repetition` settles which of several ways to repeat an object is used; `variable` keeps a default consistent with its type; `record` contains the changes and
//! their reasons, and `lost` finds what is lost.

mod block;
pub mod codes;
mod list;
mod losses;
mod record;
mod repetition;
mod by_row;
mod settings;
mod variable;

use foldhash::{HashMap, HashSet};

use block::{BlockMerger, Grouping, remember_by_name};
pub(crate) use list::{MergedList, merge_list};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId, Span};
use overfold_base::nearest::nearest;
use overfold_dialect::{DialectSpec, Missing, ObjectKind, OverrideRule, words};
use overfold_model::config::{
    Block, BlockHistory, ChangeKind, DecodedArgument, Element, LoadedElements, MergeRule, Module, ObjectAddr,
    OverrideFile, Part, Payload,
};
use overfold_syntax::Forest;
use record::{Context, Reason, Record};

/// Merges the override files of `loaded` into its base module. What cannot be merged is reported in `out` and changes
/// nothing. Linear in the number of elements, because a base is found by its address. Costs nothing if there are no
/// override files.
pub(crate) fn merge<'f>(
    loaded: LoadedElements<'f>,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> Module<'f> {
    if loaded.overrides.is_empty() {
        return loaded.base;
    }
    let mut module = loaded.base;
    let mut merger = Merger::new(std::mem::take(&mut module.elements), forest, out);
    for file in loaded.overrides {
        merger.file(file, dialect);
    }
    (module.elements, module.changes) = merger.close(dialect);
    module
}

/// The module during the merge, with an index of its addresses.
struct Merger<'f, 'o> {
    /// The elements. An element that was removed leaves its slot empty.
    elements: List<Option<Element<'f>>>,
    by_address: HashMap<ObjectAddr<'f>, usize>,
    /// The first element of each type and labels, for elements whose base is found by these alone.
    namesakes: HashMap<ObjectAddr<'f>, usize>,
    /// The slots of the elements of each kind, ascending; created when elements are to be removed for the first time.
    by_kind: Option<HashMap<ObjectKind, Vec<usize>>>,
    /// Whether a base was found by type and labels alone, so that its alias may have changed.
    renamed: bool,
    /// The blocks of overridden elements, ready for further overrides, by the slot of the element. In the meantime,
    /// the element itself has its block as it was.
    merging: HashMap<usize, BlockMerger<'f>>,
    /// The outcome of the last conversion of an overridden variable's default, by the slot of its element.
    defaults: HashMap<usize, Option<variable::Outcome>>,
    record: Record<'f>,
    /// The number of elements of override files whose base was missing, which is an error.
    without_base: usize,
    forest: &'f Forest,
    out: &'o mut Diagnostics,
}

impl<'f, 'o> Merger<'f, 'o> {
    fn new(elements: Vec<Element<'f>>, forest: &'f Forest, out: &'o mut Diagnostics) -> Self {
        let mut by_address = HashMap::default();
        let mut namesakes = HashMap::default();
        for (at, element) in elements.iter().enumerate() {
            by_address.entry(element.address).or_insert(at);
            if let Some(name) = shared_name(element) {
                namesakes.entry(name).or_insert(at);
            }
        }
        Self {
            elements: elements.into_iter().map(Some).collect(),
            by_address,
            namesakes,
            by_kind: None,
            renamed: false,
            merging: HashMap::default(),
            defaults: HashMap::default(),
            record: Record::new(),
            without_base: 0,
            forest,
            out,
        }
    }

    /// Returns the merged elements and the changes.
    fn close(mut self, dialect: &DialectSpec) -> (Vec<Element<'f>>, Vec<overfold_model::config::Change<'f>>) {
        #[expect(clippy::iter_over_hash_type, reason = "each goes back to its own place, in any order")]
        for (at, merger) in std::mem::take(&mut self.merging) {
            let block = self.forest.keep_one(merger.close());
            if let Some(element) = self.element(at) {
                element.block = block;
            }
        }
        let elements = std::mem::take(&mut self.elements).into_iter().flatten();
        let elements = if self.renamed { self.follow_aliases(elements, dialect) } else { elements.collect() };
        (elements, self.record.close())
    }

    /// Gives elements whose alias was replaced by an override their new address; if it is already used, the element is
    /// a duplicate.
    fn follow_aliases(
        &mut self,
        elements: impl Iterator<Item = Element<'f>>,
        dialect: &DialectSpec,
    ) -> Vec<Element<'f>> {
        // The header and the last override of the element with each address.
        let mut taken: HashMap<ObjectAddr<'_>, (Span, Option<Span>)> = HashMap::default();
        let mut renamed: HashMap<ObjectAddr<'_>, ObjectAddr<'_>> = HashMap::default();
        let mut kept = Vec::new();
        for mut element in elements {
            if let (Some(_), Some(spec)) = (shared_name(&element), element.block.spec) {
                let address = ObjectAddr::from_block(self.forest, spec, element.block);
                renamed.insert(element.address, address);
                element.address = address;
                let last = element.block.overridden_by().last().map(|over| over.header);
                if let Some(&(first, other)) = taken.get(&element.address) {
                    let cause = last.or(other).unwrap_or(first);
                    let reason = Reason { within: cause, rule: MergeRule::Block(&spec.over) };
                    self.context(address, address).record_change(
                        Part::Object,
                        ChangeKind::Removed,
                        Some(element.block.range),
                        cause,
                        reason,
                    );
                    self.out.extend(crate::decode::duplicate(dialect, &element, first));
                    continue;
                }
                taken.insert(element.address, (element.block.header, last));
            }
            kept.push(element);
        }
        self.record.rename(&renamed);
        kept
    }

    fn file(&mut self, file: OverrideFile<'f>, dialect: &'static DialectSpec) {
        self.record.extend(file.ignored);
        let (elements, first) = (file.elements.len(), file.elements.first().map(|first| first.block.header));
        let without_base = self.without_base;
        let mut settings = Vec::new();
        let mut seen: HashSet<ObjectAddr<'_>> = HashSet::default();
        let second_is_added = dialect.rules.reading.second_in_override_is_added;
        for element in file.elements {
            let Some(row) = element.block.spec else { continue };
            if second_is_added && !seen.insert(shared_name(&element).unwrap_or(element.address)) {
                self.add_beside(element, &OverrideRule::Added, dialect);
                continue;
            }
            match row.over {
                OverrideRule::OnePerFile { .. }
                | OverrideRule::OnePerFileMerged { .. }
                | OverrideRule::AllOfFileReplace => settings.push(element),
                OverrideRule::Merge { missing } => self.merge(element, missing, &row.over),
                OverrideRule::ReplaceWhole { missing } => match self.base_of(&element) {
                    Some(at) => self.replace(at, element, &row.over),
                    None => self.add_or_refuse(element, missing, &row.over),
                },
                OverrideRule::Added => self.add_beside(element, &row.over, dialect),
                OverrideRule::MergeIntoNamesake => self.merge_into_namesake(element, &row.over),
                // Reported and removed when the file was loaded, or only for nested blocks.
                OverrideRule::GoesWith(_)
                | OverrideRule::BaseStays
                | OverrideRule::Refused { .. }
                | OverrideRule::Ignored
                | OverrideRule::AllReplace
                | OverrideRule::InList(_) => {}
            }
        }
        settings::apply(self, settings, dialect);
        if self.without_base - without_base == elements
            && let Some(first) = first
        {
            self.note_accidental_name(file.source, first, dialect);
        }
    }

    /// Notes that nothing in an override file has a base: the file may not have been meant as an override file.
    fn note_accidental_name(&mut self, source: SourceId, first: Span, dialect: &DialectSpec) {
        let name = self.forest.sources.name(source);
        let tail = dialect.files.override_tail;
        // The other name of override files is unlikely to be used by accident.
        if !name.rsplit('/').next().is_some_and(|name| name.contains(tail)) {
            return;
        }
        let detail = format!(
            "Nothing in {name:?} matches a block of the primary files. The file is an override file only because its name ends in {tail}; rename it if that is not intended."
        );
        self.out.push(Diagnostic::ours(&codes::NAMED_LIKE_OVERRIDE, first, detail));
    }

    fn base_of(&self, over: &Element<'_>) -> Option<usize> {
        self.by_address.get(&over.address).copied()
    }

    fn element(&mut self, at: usize) -> Option<&mut Element<'f>> {
        self.elements.get_mut(at)?.as_mut()
    }

    /// Returns the context for merging into `object` an override that declares it as `address`.
    fn context(&mut self, object: ObjectAddr<'f>, address: ObjectAddr<'f>) -> Context<'f, '_> {
        let Self { forest, out, record, .. } = self;
        Context { forest, out, record, object, address, is_new: false }
    }

    /// Records what an element of an override file changed in the object with the same address.
    fn record_change(
        &mut self,
        over: &Element<'f>,
        act: ChangeKind,
        before: Option<Span>,
        rule: &'static OverrideRule,
    ) {
        let reason = Reason { within: over.block.header, rule: MergeRule::Block(rule) };
        self.context(over.address, over.address).record_change(Part::Object, act, before, over.block.range, reason);
    }

    fn merge(&mut self, over: Element<'f>, missing: Missing, rule: &'static OverrideRule) {
        match self.base_of(&over) {
            Some(at) => self.merge_at(at, over),
            None => self.add_or_refuse(over, missing, rule),
        }
    }

    /// Merges the override into the first element with the same type and labels, regardless of aliases.
    fn merge_into_namesake(&mut self, over: Element<'f>, rule: &'static OverrideRule) {
        let Some(&at) = shared_name(&over).and_then(|name| self.namesakes.get(&name)) else {
            self.record_change(&over, ChangeKind::Added, None, rule);
            self.add(over);
            return;
        };
        if let Some(base) = self.elements.get(at).and_then(Option::as_ref)
            && base.address != over.address
        {
            let detail = format!(
                "The original block is looked for by name alone, so this block is merged into {} instead of {}. An alias set here changes the alias of that block.",
                base.address, over.address
            );
            let note = Diagnostic::ours(&codes::NAMESAKE, over.block.header, detail);
            self.out.push(note.about(base.address).and("the original block", base.block.header));
        }
        self.renamed = true;
        self.merge_at(at, over);
    }

    /// Adds an element to the others; it is a duplicate if its address is already used.
    fn add_beside(&mut self, element: Element<'f>, rule: &'static OverrideRule, dialect: &DialectSpec) {
        let first = self.base_of(&element).and_then(|at| self.element(at));
        match first.map(|first| (first.block.header, first.block.range)) {
            Some((first, kept)) => {
                self.record_change(&element, ChangeKind::Ignored, Some(kept), rule);
                self.out.extend(crate::decode::duplicate(dialect, &element, first));
            }
            None => {
                self.record_change(&element, ChangeKind::Added, None, rule);
                self.add(element);
            }
        }
    }

    /// Merges an override into the element at an index. If that has been removed, the override stands for it, so that
    /// it is never lost.
    fn merge_at(&mut self, at: usize, over: Element<'f>) {
        let Self { elements, merging, defaults, forest, out, record, .. } = self;
        let Some(base) = elements.get_mut(at).and_then(Option::as_mut) else { return self.add(over) };
        let (object, address) = (base.address, over.address);
        let mut cx = Context { forest, out, record, object, address, is_new: false };
        let merger = merging.entry(at).or_insert_with(|| BlockMerger::new(*base.block, Grouping::ByRow, forest));
        if !matches!(over.payload, Payload::None) {
            let declared = over.block.argument(words::TYPE);
            let types = variable::Types {
                base: merger.argument(words::TYPE).map(|base| base.original().range),
                over: declared.map(|argument| argument.range),
            };
            let last = defaults.entry(at).or_default();
            variable::merge(&mut base.payload, over.payload, over.block.header, types, last, &mut cx);
        }
        by_row::merge_block(merger, *over.block, &mut cx);
    }

    /// Replaces an element by `over`. Its arguments remember those of the same name; if the base has other arguments,
    /// the rest of its block is recorded.
    fn replace(&mut self, at: usize, over: Element<'f>, rule: &'static OverrideRule) {
        let Some(base) = self.elements.get_mut(at).and_then(Option::as_mut) else { return self.add(over) };
        let old = *std::mem::replace(base, over).block;
        let Self { forest, out, record, .. } = self;
        let mut history = old.history.copied().unwrap_or(BlockHistory::NONE);
        history.overridden_by.push(forest, base.block.place());
        let (arguments, lost) = remember_by_name(base.block.arguments, old.arguments, forest);
        let (object, address) = (base.address, base.address);
        let mut cx = Context { forest, out, record, object, address, is_new: false };
        let reason = Reason { within: base.block.header, rule: MergeRule::Block(rule) };
        cx.record_change(Part::Object, ChangeKind::Replaced, Some(old.range), base.block.range, reason);
        if !lost.is_empty() {
            // Something in the base is not replaced: for example, a new entry with only `version` loses the old
            // source.
            if is_same_kind(&old, base.block) {
                cx.record_lost_arguments(&lost, base, Reason { within: old.header, ..reason });
            }
            let rest = Block { arguments: forest.keep_list(&lost), history: None, ..old };
            history.removed_blocks.push(forest, rest);
        }
        base.block = forest.keep_one(Block { arguments, history: history.keep(forest), ..*base.block });
    }

    /// Adds an element that has no base, if the rule allows it.
    fn add_or_refuse(&mut self, over: Element<'f>, missing: Missing, rule: &'static OverrideRule) {
        let title = match missing {
            Missing::Error(title) => title,
            Missing::AdoptUnlessAliased(title) if is_aliased(&over) => title,
            Missing::Adopt | Missing::AdoptUnlessAliased(_) => {
                self.record_change(&over, ChangeKind::Added, None, rule);
                self.add(over);
                return;
            }
            Missing::Drop => {
                self.record_change(&over, ChangeKind::Ignored, None, rule);
                let detail = "No block in the primary files has this header, so there is nothing to override. This block is silently ignored.";
                let note = Diagnostic::ours(&codes::BLOCK_DROPPED, over.block.header, detail);
                self.out.push(note.about(over.address));
                return;
            }
        };
        self.record_change(&over, ChangeKind::Ignored, None, rule);
        self.without_base += 1;
        let detail = format!(
            "This override file changes {}, but no primary file declares it.{} Declare it in a primary file, or rename this file: its name alone makes it an override file.",
            over.address,
            self.like(over.address)
        );
        let error = Diagnostic::tool(&codes::MISSING_BASE, over.block.header, detail);
        self.out.push(error.titled(title).about(over.address));
    }

    /// Returns a question that suggests a similar object of the same type, with a leading space; empty if there is none.
    fn like(&self, address: ObjectAddr<'f>) -> String {
        /// The number of blocks without a base that get a suggestion; each is compared with every object.
        const MAX: usize = 4;
        if self.without_base > MAX || !account::work_on_suggestion(self.elements.len() as u64 / 4) {
            return String::new();
        }
        let others = self.elements.iter().flatten().map(|element| element.address);
        let siblings = others.filter(|other| address.sibling(other.name()) == Some(*other));
        let like = nearest(address.name(), siblings.map(|other| other.name()));
        like.and_then(|like| address.sibling(like)).map(|like| format!(" Did you mean {like}?")).unwrap_or_default()
    }

    /// Adds an element at the end.
    fn add(&mut self, element: Element<'f>) {
        let at = self.elements.len();
        self.by_address.insert(element.address, at);
        if let Some(name) = shared_name(&element) {
            self.namesakes.entry(name).or_insert(at);
        }
        if let Some(by_kind) = &mut self.by_kind {
            by_kind.entry(element.kind).or_default().push(at);
        }
        self.elements.push(Some(element));
    }

    /// Removes all elements of these kinds and returns them in order.
    fn remove(&mut self, kinds: impl IntoIterator<Item = ObjectKind>) -> Vec<Element<'f>> {
        let by_kind = self.by_kind.get_or_insert_with(|| {
            let mut by_kind: HashMap<ObjectKind, Vec<usize>> = HashMap::default();
            for (at, element) in self.elements.iter().charged_at_once(1).enumerate() {
                if let Some(element) = element {
                    by_kind.entry(element.kind).or_default().push(at);
                }
            }
            by_kind
        });
        let mut places: Vec<usize> = kinds.into_iter().filter_map(|kind| by_kind.remove(&kind)).flatten().collect();
        places.sort_unstable();
        let mut removed = Vec::with_capacity(places.len());
        for at in places {
            let Some(mut element) = self.elements.get_mut(at).and_then(Option::take) else { continue };
            if let Some(merger) = self.merging.remove(&at) {
                element.block = self.forest.keep_one(merger.close());
            }
            self.by_address.remove(&element.address);
            removed.push(element);
        }
        removed
    }
}

/// Returns the type and labels of an element whose base is found by these alone.
fn shared_name<'f>(element: &Element<'f>) -> Option<ObjectAddr<'f>> {
    element.block.spec.filter(|spec| spec.over == OverrideRule::MergeIntoNamesake)?;
    Some(element.address.without_alias())
}

fn is_aliased(element: &Element<'_>) -> bool {
    element
        .block
        .arguments
        .iter()
        .any(|a| a.name == words::ALIAS && matches!(a.decoded, DecodedArgument::Text(alias) if !alias.is_empty()))
}

/// Whether two settings have the same labels. The arguments of different kinds of backends cannot be compared.
fn is_same_kind(one: &Block<'_>, other: &Block<'_>) -> bool {
    one.labels.iter().map(|label| label.text).eq(other.labels.iter().map(|label| label.text))
}
