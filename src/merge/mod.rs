//! Override files into the module, one at a time, each from top to bottom (terraform.md, section 7).
//!
//! `rules` says how one block folds into its base; `settings` knows the blocks of which a module has one; `variable`
//! keeps a default in step with its type; `lost` notes what is gone.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod list;
mod lost;
mod rules;
mod settings;
mod variable;

use std::collections::{HashMap, HashSet};

use crate::config::{Address, Block, Decoded, Element, Loaded, Module, OverrideFile};
use crate::diag::{Diagnostic, Diagnostics, SourceId, Span};
use crate::dialect::{DialectSpec, Missing, OverrideRule, Rule};
use crate::syntax::Forest;
pub use list::{COPIES_BYTES, merge_list};
use lost::Losses;
use rules::{BlockMerger, Context, header_only};

/// Merges the override files of `loaded` into its base module. What cannot be merged is reported in `out` and changes
/// nothing. Linear in the number of elements: a base is found by its address.
pub fn merge<'f>(
    loaded: Loaded<'f>,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> Module<'f> {
    let mut merger = Merger::new(loaded.base, forest, out);
    for file in loaded.overrides {
        merger.file(file, dialect);
    }
    merger.close(dialect)
}

/// The module so far, with an index of its addresses.
struct Merger<'f, 'o> {
    module: Module<'f>,
    by_address: HashMap<Address<'f>, usize>,
    /// The first element of each type and labels, where these alone find the base.
    namesakes: HashMap<Address<'f>, usize>,
    /// A base was found so, and its alias may have changed.
    renamed: bool,
    /// Elements that have been overridden, open for more: by their index. While one is open, its element's block is a
    /// header_only.
    open: HashMap<usize, BlockMerger<'f>>,
    /// How the default of an overridden variable fared last, by the index of its element.
    defaults: HashMap<usize, Option<variable::Outcome>>,
    losses: Losses,
    /// How many elements of override files had no base, which was an error.
    lonely: usize,
    forest: &'f Forest,
    out: &'o mut Diagnostics,
}

impl<'f, 'o> Merger<'f, 'o> {
    fn new(module: Module<'f>, forest: &'f Forest, out: &'o mut Diagnostics) -> Self {
        let mut merger = Self {
            module,
            by_address: HashMap::new(),
            namesakes: HashMap::new(),
            renamed: false,
            open: HashMap::new(),
            defaults: HashMap::new(),
            losses: Losses::new(),
            lonely: 0,
            forest,
            out,
        };
        merger.index();
        merger
    }

    fn index(&mut self) {
        self.by_address.clear();
        self.namesakes.clear();
        for (at, element) in self.module.elements.iter().enumerate() {
            self.by_address.entry(element.address).or_insert(at);
            if let Some(name) = shared_name(self.forest, element) {
                self.namesakes.entry(name).or_insert(at);
            }
        }
    }

    /// The merged module.
    fn close(mut self, dialect: &DialectSpec) -> Module<'f> {
        self.close_open();
        if self.renamed {
            self.follow_aliases(dialect);
        }
        self.module
    }

    /// Elements whose alias an override replaced get the address that goes with it; one that is taken is a duplicate.
    fn follow_aliases(&mut self, dialect: &DialectSpec) {
        let mut taken: HashMap<Address<'_>, Span> = HashMap::new();
        let elements = std::mem::take(&mut self.module.elements);
        for mut element in elements {
            if let (Some(_), Some(spec)) = (shared_name(self.forest, &element), element.block.spec) {
                element.address = crate::decode::address(self.forest, spec, &element.block);
                if let Some(&first) = taken.get(&element.address) {
                    self.out.extend(crate::decode::duplicate(dialect, &element, first));
                    continue;
                }
                taken.insert(element.address, element.block.header);
            }
            self.module.elements.push(element);
        }
        self.index();
    }

    fn close_open(&mut self) {
        #[expect(clippy::iter_over_hash_type, reason = "each goes back to its own place, in any order")]
        for (at, merger) in std::mem::take(&mut self.open) {
            if let Some(element) = self.module.elements.get_mut(at) {
                element.block = merger.close();
            }
        }
    }

    fn file(&mut self, file: OverrideFile<'f>, dialect: &'static DialectSpec) {
        let (elements, first) = (file.elements.len(), file.elements.first().map(|first| first.block.header));
        let lonely = self.lonely;
        let mut settings = Vec::new();
        let mut seen: HashSet<Address<'_>> = HashSet::new();
        let second_is_added = dialect.has(Rule::SecondInOverrideIsAdded);
        for element in file.elements {
            if second_is_added && !seen.insert(shared_name(self.forest, &element).unwrap_or(element.address)) {
                self.add_beside(element, dialect);
                continue;
            }
            match element.block.spec.map(|row| row.over) {
                Some(
                    OverrideRule::OnePerFile { .. }
                    | OverrideRule::OnePerFileMerged { .. }
                    | OverrideRule::AllOfFileReplace,
                ) => settings.push(element),
                Some(OverrideRule::Merge { missing }) => self.fold(element, missing),
                Some(OverrideRule::ReplaceWhole { missing }) => match self.base_of(&element) {
                    Some(at) => {
                        if let Some(base) = self.module.elements.get_mut(at)
                            && replace_element(base, element)
                            && let Some(gone) = base.block.overrode_blocks.last()
                            && is_same_kind(gone, &base.block)
                        {
                            self.losses.element(gone, base, self.forest, self.out);
                        }
                    }
                    None => self.without_base(element, missing),
                },
                Some(OverrideRule::Added) => self.add_beside(element, dialect),
                Some(OverrideRule::MergeIntoNamesake) => self.fold_into_namesake(element),
                // Reported and taken out when the file was loaded, or of nested blocks only.
                Some(
                    OverrideRule::GoesWith(_)
                    | OverrideRule::BaseStays
                    | OverrideRule::Refused { .. }
                    | OverrideRule::Ignored
                    | OverrideRule::AllReplace
                    | OverrideRule::InList(_),
                )
                | None => {}
            }
        }
        settings::take(self, settings, dialect);
        if self.lonely - lonely == elements
            && let Some(first) = first
        {
            self.note_unmeant(file.source, first, dialect);
        }
    }

    /// Nothing in an override file has a base: its name may not have been meant so.
    fn note_unmeant(&mut self, source: SourceId, first: Span, dialect: &DialectSpec) {
        let name = self.forest.sources.name(source);
        let tail = dialect.files.override_tail;
        // The other name for override files is hardly given by accident.
        if !name.rsplit('/').next().is_some_and(|name| name.contains(tail)) {
            return;
        }
        let detail = format!(
            "Nothing in {name:?} has a base in the primary files. The end of its name, {tail}, alone makes it an override file; rename it \
             if that is not meant."
        );
        self.out.push(Diagnostic::ours(&codes::NAMED_LIKE_OVERRIDE, first, detail));
    }

    fn base_of(&self, over: &Element<'_>) -> Option<usize> {
        self.by_address.get(&over.address).copied()
    }

    fn fold(&mut self, over: Element<'f>, missing: Missing) {
        match self.base_of(&over) {
            Some(at) => self.fold_at(at, over),
            None => self.without_base(over, missing),
        }
    }

    /// Merges into the first of the name, whatever the aliases.
    fn fold_into_namesake(&mut self, over: Element<'f>) {
        let Some(&at) = shared_name(self.forest, &over).and_then(|name| self.namesakes.get(&name)) else {
            self.add(over);
            return;
        };
        if let Some(base) = self.module.elements.get(at).filter(|base| base.address != over.address) {
            let detail = format!(
                "The tool looks for the base by name alone and uses the first match, {}, instead of {}. An alias set \
                 here applies to that one.",
                base.address.0, over.address.0
            );
            let note = Diagnostic::ours(&codes::NAMESAKE, over.block.header, detail);
            self.out.push(note.about(base.address.0).and("the base", base.block.header));
        }
        self.renamed = true;
        self.fold_at(at, over);
    }

    /// Adds an element beside the others; it is a duplicate where its address is taken.
    fn add_beside(&mut self, element: Element<'f>, dialect: &DialectSpec) {
        match self.base_of(&element).and_then(|at| self.module.elements.get(at)) {
            Some(first) => {
                let first = first.block.header;
                self.out.extend(crate::decode::duplicate(dialect, &element, first));
            }
            None => self.add(element),
        }
    }

    fn fold_at(&mut self, at: usize, over: Element<'f>) {
        let Some(base) = self.module.elements.get_mut(at) else { return };
        let mut cx =
            Context { forest: self.forest, out: self.out, address: over.address.0, losses: &mut self.losses };
        let last = self.defaults.entry(at).or_default();
        let types = variable::Types {
            base: match self.open.get(&at) {
                Some(merger) => merger.find("type"),
                None => base.block.arguments.iter().find(|argument| *argument.name == *"type"),
            }
            .map(|argument| argument.overrode.first().unwrap_or(argument).range),
            over: over
                .block
                .arguments
                .iter()
                .find(|argument| *argument.name == *"type")
                .map(|argument| argument.range),
        };
        variable::merge(&mut base.payload, over.payload, over.block.header, types, last, &mut cx);
        let block = &mut base.block;
        let merger =
            self.open.entry(at).or_insert_with(|| BlockMerger::open(std::mem::replace(block, header_only(block))));
        merger.take(over.block, &mut cx);
    }

    fn without_base(&mut self, over: Element<'f>, missing: Missing) {
        let title = match missing {
            Missing::Error(title) => title,
            Missing::AdoptUnlessAliased(title) if is_aliased(&over) => title,
            Missing::Adopt | Missing::AdoptUnlessAliased(_) => {
                self.add(over);
                return;
            }
            Missing::Drop => {
                let detail = "No primary file has a block with this header, so the tool silently ignores this one.";
                let note = Diagnostic::ours(&codes::BLOCK_DROPPED, over.block.header, detail);
                self.out.push(note.about(over.address.0));
                return;
            }
        };
        self.lonely += 1;
        let detail = format!(
            "This override file changes {}, which no primary file declares. Declare it in a primary file, or rename \
             this file: its name alone makes it an override file.",
            over.address.0
        );
        let error = Diagnostic::tool(&codes::MISSING_BASE, over.block.header, detail);
        self.out.push(error.titled(title).about(over.address.0));
    }

    /// Adds an element that has no base.
    fn add(&mut self, element: Element<'f>) {
        self.by_address.insert(element.address, self.module.elements.len());
        if let Some(name) = shared_name(self.forest, &element) {
            self.namesakes.entry(name).or_insert(self.module.elements.len());
        }
        self.module.elements.push(element);
    }

    fn get_mut(&mut self, address: &Address<'_>) -> Option<&mut Element<'f>> {
        self.by_address.get(address).and_then(|&at| self.module.elements.get_mut(at))
    }

    /// Takes out every element for which `gone` holds.
    fn remove(&mut self, gone: impl Fn(&Element<'f>) -> bool) -> Vec<Element<'f>> {
        if !self.module.elements.iter().any(&gone) {
            return Vec::new();
        }
        self.close_open();
        let (away, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.module.elements).into_iter().partition(gone);
        self.module.elements = kept;
        self.defaults.clear();
        self.index();
        away
    }
}

/// Type and labels of an element whose base these alone find.
fn shared_name<'f>(forest: &'f Forest, element: &Element<'_>) -> Option<Address<'f>> {
    let spec = element.block.spec.filter(|spec| spec.over == OverrideRule::MergeIntoNamesake)?;
    let labels = element.block.labels.iter().map(|label| label.text);
    Some(Address(forest.keep(std::iter::once(spec.keyword).chain(labels).collect::<Vec<_>>().join("."))))
}

fn is_aliased(element: &Element<'_>) -> bool {
    element
        .block
        .arguments
        .iter()
        .any(|a| a.name == "alias" && matches!(&a.decoded, Decoded::Text(alias) if !alias.is_empty()))
}

/// Whether two settings have the same labels: what one kind of backend takes says nothing about another.
fn is_same_kind(one: &Block<'_>, other: &Block<'_>) -> bool {
    one.labels.iter().map(|label| label.text).eq(other.labels.iter().map(|label| label.text))
}

/// Puts `over` in the place of `base`; its arguments remember those of the same name. Gives whether something of the base
/// has no successor: then it is in the last of the blocks that `base` remembers.
fn replace_element<'f>(base: &mut Element<'f>, over: Element<'f>) -> bool {
    let mut old = std::mem::replace(base, over);
    for argument in &mut base.block.arguments {
        if let Some(at) = old.block.arguments.iter().position(|earlier| earlier.name == argument.name) {
            let mut earlier = old.block.arguments.swap_remove(at);
            argument.overrode = std::mem::take(&mut earlier.overrode);
            argument.overrode.push(earlier);
        }
    }
    base.block.overridden = std::mem::take(&mut old.block.overridden);
    base.block.overridden.push(base.block.header);
    base.block.overrode_blocks = std::mem::take(&mut old.block.overrode_blocks);
    let loses = !old.block.arguments.is_empty();
    if loses {
        // Something of the base is gone without a successor: a new entry with only `version` loses the old source.
        base.block.overrode_blocks.push(old.block);
    }
    loses
}
