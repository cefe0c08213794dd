//! Folds the override files of a merged module into its primary files: which object replaces which, which parts are
//! removed, and which objects have no place and are added.
//!
//! The effective content of a block is determined by the effective view ([`EffectiveConfig::body`]).

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};

use super::effective::Object;
use super::{ChangeKind, EffectiveConfig, FileRole, Module, Part};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{SourceId, Span};
use overfold_base::files::{SourceKind, SourceRole};
use overfold_syntax::Forest;

/// The primary files of a merged module, with the changes to each.
pub struct Folding<'a> {
    /// The primary files, in the order in which they are read.
    pub files: Vec<PrimaryFile<'a>>,
    /// The names and texts of the override files, in the order in which they are merged.
    pub overrides: Vec<(&'a str, SourceId)>,
    /// Objects that have no place in any primary file, in order.
    pub added: Vec<Object<'a>>,
    /// Places of the arguments and blocks that overriding replaced or removed.
    gone: HashSet<Span>,
    /// The file to which each object belongs, by the header of the object's block.
    homes: HashMap<Span, SourceId>,
    primary: HashSet<SourceId>,
}

/// A primary file.
pub struct PrimaryFile<'a> {
    /// The name, relative to the module directory.
    pub name: &'a str,
    /// The text of the file.
    pub source: SourceId,
    /// The changes, in order of their places.
    pub edits: Vec<Edit<'a>>,
}

/// A change at one place of a primary file.
pub struct Edit<'a> {
    /// The place: the whole of a block or argument.
    pub at: Span,
    /// The change at the place.
    pub act: EditAct<'a>,
}

/// What changes at a place.
#[derive(Clone, Copy)]
pub enum EditAct<'a> {
    /// The content of the block is replaced by that of this object.
    Content(Object<'a>),
    /// The block or argument is replaced by this object.
    Object(Object<'a>),
    /// The block or argument is removed.
    Nothing,
    /// This object is added to the same block, after the existing content.
    Beside(Object<'a>),
}

impl<'a> Folding<'a> {
    /// Computes the folding of a merged module, in time linear in the number of objects and changes.
    pub fn new(config: &EffectiveConfig<'a>, module: &'a Module<'a>, forest: &Forest) -> Self {
        let sources = sources(forest);
        let primary = module.files.iter().filter(|entry| entry.role == FileRole::Primary);
        let mut files: Vec<PrimaryFile<'a>> = primary
            .filter_map(|entry| {
                let source = *sources.get(&*entry.name)?;
                Some(PrimaryFile { name: &entry.name, source, edits: Vec::new() })
            })
            .collect();
        let overrides = module.files.iter().filter(|entry| entry.role == FileRole::Override);
        let overrides = overrides.filter_map(|entry| Some((&*entry.name, *sources.get(&*entry.name)?))).collect();
        let mut folding = FoldingBuilder::new(module, files.iter().map(|file| file.source).collect());
        for object in config.objects().charged(4) {
            folding.object(object);
        }
        let FoldingBuilder { gone, homes, added, primary, mut edits, .. } = folding.finish();
        for file in &mut files {
            file.edits = edits.remove(&file.source).unwrap_or_default();
            file.edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
        }
        Self { files, overrides, added, gone, homes, primary }
    }

    /// Whether overriding replaced or removed what is at a place.
    pub fn is_gone(&self, at: Span) -> bool {
        self.gone.contains(&at)
    }

    /// Whether a source is the text of a primary file.
    pub fn is_primary(&self, source: SourceId) -> bool {
        self.primary.contains(&source)
    }

    /// Returns the primary file to which an object belongs; `None` if the object is added.
    pub fn home(&self, header: Span) -> Option<SourceId> {
        self.homes.get(&header).copied()
    }
}

/// Returns the sources of the configuration files, by their names relative to the module directory.
fn sources(forest: &Forest) -> HashMap<&str, SourceId> {
    let folder = forest.sources.folder();
    let ids = (0..forest.sources.len()).map(|index| SourceId::new(u32::try_from(index).unwrap_or(u32::MAX)));
    let configuration = ids.filter_map(|id| {
        let source = forest.sources.get(id)?;
        let is_file = matches!(source.kind, SourceKind::Native | SourceKind::Json);
        let name = source.name.strip_prefix(folder)?;
        (is_file && source.role.get() == SourceRole::Configuration).then_some((name, id))
    });
    let mut found = HashMap::default();
    for (name, id) in configuration {
        found.entry(name).or_insert(id);
    }
    found
}

/// A folding under construction.
struct FoldingBuilder<'a> {
    primary: HashSet<SourceId>,
    gone: HashSet<Span>,
    /// The places of objects that were replaced as a whole, by the place of the replacement.
    replaced: HashMap<Span, Span>,
    /// Objects that were replaced or removed as a whole.
    lost: Vec<Span>,
    /// Places that now have other content.
    taken: HashSet<Span>,
    homes: HashMap<Span, SourceId>,
    edits: BTreeMap<SourceId, Vec<Edit<'a>>>,
    /// Objects without a place, so far.
    unplaced: Vec<Object<'a>>,
    /// The place of one entry of each block whose arguments are objects, by the name of the block.
    siblings: HashMap<&'static str, Span>,
    added: Vec<Object<'a>>,
    /// Places of replaced settings that are still free, in reverse order, by the header of the settings' block.
    settings: HashMap<Span, Vec<Span>>,
}

impl<'a> FoldingBuilder<'a> {
    fn new(module: &Module<'_>, primary: HashSet<SourceId>) -> Self {
        let mut places = Self {
            primary,
            gone: HashSet::default(),
            replaced: HashMap::default(),
            lost: Vec::new(),
            taken: HashSet::default(),
            homes: HashMap::default(),
            edits: BTreeMap::new(),
            unplaced: Vec::new(),
            siblings: HashMap::default(),
            added: Vec::new(),
            settings: HashMap::default(),
        };
        for change in module.changes.iter().charged(2) {
            let (Some(before), ChangeKind::Replaced | ChangeKind::Removed) = (change.before, change.act) else {
                continue;
            };
            places.gone.insert(before);
            if change.part == Part::Object {
                if change.act == ChangeKind::Replaced {
                    places.replaced.entry(change.cause).or_insert(before);
                }
                if places.primary.contains(&before.source) {
                    places.lost.push(before);
                }
            }
        }
        places
    }

    /// Returns the place in a primary file that now belongs to something at `at`.
    fn origin(&self, mut at: Span) -> Option<Span> {
        // Each override file can have replaced it once.
        for _ in 0..=self.replaced.len() {
            if self.primary.contains(&at.source) {
                return Some(at);
            }
            account::work(1);
            at = *self.replaced.get(&at)?;
        }
        None
    }

    fn edit(&mut self, at: Span, act: EditAct<'a>) {
        self.edits.entry(at.source).or_default().push(Edit { at, act });
    }

    fn object(&mut self, object: Object<'a>) {
        let block = object.block;
        if object.is_setting() {
            self.setting(object);
            return;
        }
        let Some(origin) = self.origin(block.range) else {
            self.unplaced.push(object);
            return;
        };
        self.homes.insert(block.header, origin.source);
        if let Some(container) = object.container {
            self.siblings.entry(container).or_insert(origin);
        }
        if !self.primary.contains(&block.range.source) {
            self.taken.insert(origin);
            self.edit(origin, EditAct::Object(object));
        } else if object.is_stray {
            self.edit(origin, EditAct::Nothing);
            self.unplaced.push(object);
        } else if object.is_touched() {
            let act = if object.container.is_some() { EditAct::Object(object) } else { EditAct::Content(object) };
            self.taken.insert(origin);
            self.edit(origin, act);
        }
    }

    /// Places a setting that may be repeated, each value of which is a separate object.
    fn setting(&mut self, object: Object<'a>) {
        let Some(argument) = object.block.arguments.get(object.part.unwrap_or_default()) else { return };
        if self.primary.contains(&argument.range.source) {
            self.homes.entry(object.block.header).or_insert(argument.range.source);
            return;
        }
        let header = object.block.header;
        if !self.settings.contains_key(&header) {
            let all = object.block.arguments.iter().flat_map(|argument| argument.previous.list());
            let mut places: Vec<Span> =
                all.map(|old| old.range).filter(|range| self.primary.contains(&range.source)).collect();
            account::work(places.len() as u64);
            if let Some(first) = places.first() {
                self.homes.entry(header).or_insert(first.source);
            }
            self.lost.extend(&places);
            places.reverse();
            self.settings.insert(header, places);
        }
        let places = self.settings.get_mut(&header);
        let free = places.and_then(|places| {
            while let Some(place) = places.pop() {
                if !self.taken.contains(&place) {
                    return Some(place);
                }
            }
            None
        });
        match free {
            Some(place) => {
                self.taken.insert(place);
                self.edit(place, EditAct::Object(object));
            }
            None => self.unplaced.push(object),
        }
    }

    /// Finds places for the objects that have none.
    fn finish(mut self) -> Self {
        self.lost.sort_unstable();
        self.lost.dedup();
        for lost in std::mem::take(&mut self.lost) {
            if !self.taken.contains(&lost) {
                self.edit(lost, EditAct::Nothing);
            }
        }
        for object in std::mem::take(&mut self.unplaced) {
            match object.container.and_then(|container| self.siblings.get(container).copied()) {
                Some(sibling) => {
                    self.homes.insert(object.block.header, sibling.source);
                    self.edit(sibling, EditAct::Beside(object));
                }
                None => self.added.push(object),
            }
        }
        self
    }
}
