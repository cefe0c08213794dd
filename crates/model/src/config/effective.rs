//! The effective view of a merged module: which parts take effect, and where they belong in an equivalent single
//! configuration. Every output form of the configuration reads this view and decides nothing itself.
//!
//! The view decides:
//! - which objects are at the top level, which are inside a block that only contains others (`terraform`), and which
//!   are inside another object;
//! - which of several ways to repeat an object takes effect, if overrides have combined them;
//! - which one takes effect if an argument and blocks, or several arguments, have the same name;
//! - in which order the tool keeps nested blocks;
//! - which arguments have a value that no single expression in the files yields.

use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Argument, Block, Blocks, Element, Module, ObjectAddr, Payload, Variable, idle_repetition};
use overfold_base::account;
use overfold_base::diag::{SourceId, Span};
use overfold_dialect::{AddressRule, AttrKind, AttrMerge, BlockSpec, DialectSpec, words};

/// A merged module, viewed as one configuration.
pub struct EffectiveConfig<'a> {
    module: &'a Module<'a>,
    dialect: &'static DialectSpec,
    /// The experiments that the module opts into, and where, if it does.
    experiments: Option<Experiments<'a>>,
    /// Variables that overrides have changed, by the header of their block.
    overridden_variables: BTreeMap<Span, &'a Variable<'a>>,
    /// Objects whose block is inside another object's block, by address.
    inner: HashMap<ObjectAddr<'a>, &'a Element<'a>>,
    /// Addresses of blocks inside other objects that stay there.
    scoped: HashSet<ObjectAddr<'a>>,
}

/// The experiments that a module opts into.
#[derive(Clone, Copy)]
pub struct Experiments<'a> {
    /// The type of the block that contains the argument.
    pub holder: &'static str,
    /// The name of the argument.
    pub name: &'static str,
    /// The names of the experiments, in order of declaration.
    pub opted: &'a [Arc<str>],
}

/// Everything under one name at the top level of a configuration, or in a block that only contains others.
pub struct Section<'a> {
    /// The block type.
    pub keyword: &'a str,
    /// The content under that name.
    pub content: SectionContent<'a>,
}

/// The content under one name.
pub enum SectionContent<'a> {
    /// Blocks of the type, sorted by their labels; blocks with the same labels are in order of declaration.
    Blocks(Vec<&'a Element<'a>>),
    /// Blocks of the type in a module that is a list of blocks, in the same order.
    Listed(Vec<&'a Block<'a>>),
    /// One block, each argument of which is an object (`locals`, `required_providers`), sorted by name.
    Arguments(Vec<(&'a str, &'a Element<'a>)>),
    /// A block that only contains others.
    Holder(ContainerBlock<'a>),
}

/// A block that only contains others.
#[derive(Default)]
pub struct ContainerBlock<'a> {
    /// The content of the block, sorted by name.
    pub sections: Vec<Section<'a>>,
    /// All values of a setting that may be repeated; one block can have only one.
    pub settings: Vec<&'a Argument<'a>>,
    /// The experiments that the module opts into.
    pub experiments: Option<Experiments<'a>>,
}

/// An object of a merged module, with the blocks that contain it.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    /// Its block.
    pub block: &'a Block<'a>,
    /// The type of the top-level block that contains the object, if any.
    pub holder: Option<&'a str>,
    /// The type of the block whose argument the object is, if it is one.
    pub container: Option<&'static str>,
    /// The name of the argument, if the object is one.
    pub name: &'a str,
    /// The 0-based position of this argument among the block's arguments, for a setting that may be repeated.
    pub part: Option<usize>,
    /// Whether the object is written inside another object and cannot stay there.
    pub is_stray: bool,
    /// Whether the object contains another one that cannot stay in it, or whose content has changed.
    has_inner_changes: bool,
}

impl Object<'_> {
    /// Whether the object is a setting that may be repeated.
    pub const fn is_setting(&self) -> bool {
        self.part.is_some()
    }

    /// Whether the effective content of the object's block differs from the content in its own file.
    pub fn is_touched(&self) -> bool {
        self.has_inner_changes || self.block.is_overridden()
    }
}

/// The arguments of one block by name; most blocks have few.
pub type NamedArguments<'a> = SmallVec<[(&'a str, &'a Argument<'a>); 8]>;

/// The effective content of a block.
pub struct EffectiveBody<'a> {
    /// The block; if it was reached through another object, the block of the inner object itself.
    pub block: &'a Block<'a>,
    /// Its arguments, sorted by name, each name once.
    pub arguments: NamedArguments<'a>,
    /// Its nested blocks, in the order in which the tool keeps them.
    pub blocks: Blocks<'a, 'a>,
    /// The arguments about repetition that have no effect, to be passed on to the nested lifecycle block.
    pub idle: &'static [&'static str],
}

/// The source of an argument's value in a merged block.
pub enum EffectiveValue<'a> {
    /// The argument's own expression.
    Itself,
    /// A type that results from several declarations.
    MergedType,
    /// The default of this variable as left by the overrides, each of which may have converted it.
    Default(&'a Variable<'a>),
}

impl<'a> EffectiveConfig<'a> {
    /// Creates the view of a merged module that opts into these experiments.
    pub fn from_module(module: &'a Module<'a>, dialect: &'static DialectSpec, experiments: &'a [Arc<str>]) -> Self {
        let elements = &module.elements;
        let inside = || {
            let nested = elements.iter().flat_map(|outer| outer.block.blocks.iter().map(move |inner| (outer, inner)));
            nested.filter_map(|(outer, inner)| Some((outer, ObjectAddr::of_nested(inner)?)))
        };
        // Few modules have one object inside another.
        let by_address: HashMap<ObjectAddr<'_>, &Element<'_>> = match inside().next() {
            Some(_) => elements.iter().map(|element| (element.address, element)).collect(),
            None => HashMap::default(),
        };
        // An override can give an object more than its position allows; the object is then moved to the top level.
        let scoped: HashSet<ObjectAddr<'a>> = inside()
            .filter(|(outer, address)| {
                let plain = outer.block.spec.is_some_and(|row| row.traits.scoped_data_is_plain);
                !plain || by_address.get(address).is_none_or(|element| is_plain(element.block))
            })
            .map(|(_, address)| address)
            .collect();
        let inner =
            scoped.iter().filter_map(|address| by_address.get_key_value(address)).map(|(k, v)| (*k, *v)).collect();
        let row = dialect.blocks.iter().find_map(|row| {
            let attr = row.attrs.iter().find(|attr| matches!(attr.kind, AttrKind::Experiments(..)))?;
            Some(Experiments { holder: row.keyword, name: attr.name, opted: experiments })
        });
        let overridden_variables = elements.iter().filter_map(|element| match &element.payload {
            Payload::Variable(variable) if element.block.is_overridden() => Some((element.block.header, &**variable)),
            _ => None,
        });
        Self {
            module,
            dialect,
            experiments: row.filter(|_| !experiments.is_empty()),
            overridden_variables: overridden_variables.collect(),
            inner,
            scoped,
        }
    }

    /// Returns all sections of the top level, sorted by name, with only the blocks for which `shown` holds.
    pub fn sections(&self, shown: impl Fn(&Block<'_>) -> bool) -> Vec<Section<'a>> {
        if let Some(blocks) = &self.module.blocks {
            return list_sections(blocks.iter().filter(|block| shown(block)));
        }
        let mut top: BTreeMap<&str, (Vec<&'a Element<'a>>, bool)> = BTreeMap::new();
        for element in self.module.elements.iter().filter(|element| shown(element.block)) {
            let (keyword, inside) = self.place(element);
            if inside || !self.scoped.contains(&element.address) {
                let (elements, holds) = top.entry(keyword).or_default();
                elements.push(element);
                *holds |= inside;
            }
        }
        if let Some(experiments) = self.experiments {
            top.entry(experiments.holder).or_default().1 = true;
        }
        let section = |(keyword, (elements, holds))| Section {
            keyword,
            content: if holds { SectionContent::Holder(self.holder(keyword, elements)) } else { content(elements) },
        };
        top.into_iter().map(section).collect()
    }

    /// Returns the top-level name under which an object belongs, and whether this is a block that only contains
    /// others.
    fn place(&self, element: &Element<'a>) -> (&'a str, bool) {
        let Some(spec) = element.block.spec else { return (element.kind.name(), false) };
        let is_row_of_spec = |row: &BlockSpec| row.keyword == spec.keyword && row.address == spec.address;
        if self.dialect.blocks.iter().any(is_row_of_spec) {
            return (spec.keyword, false);
        }
        let holds = |row: &BlockSpec| {
            row.blocks.iter().any(is_row_of_spec)
                || row
                    .attrs
                    .iter()
                    .any(|attr| matches!(attr.kind, AttrKind::RequiredVersion(row) if is_row_of_spec(row)))
        };
        match self.dialect.blocks.iter().find(|row| row.address == AddressRule::None && holds(row)) {
            Some(holder) => (holder.keyword, true),
            None => (spec.keyword, false),
        }
    }

    fn holder(&self, keyword: &str, elements: Vec<&'a Element<'a>>) -> ContainerBlock<'a> {
        let mut settings: Vec<&Argument<'_>> = Vec::new();
        let mut inside: BTreeMap<&str, Vec<&Element<'_>>> = BTreeMap::new();
        for element in elements {
            if element.block.arguments.first().is_some_and(is_setting) {
                settings.extend(element.block.arguments);
            } else {
                inside
                    .entry(element.block.spec.map_or(element.kind.name(), |spec| spec.keyword))
                    .or_default()
                    .push(element);
            }
        }
        ContainerBlock {
            sections: inside
                .into_iter()
                .map(|(keyword, elements)| Section { keyword, content: content(elements) })
                .collect(),
            settings,
            experiments: self.experiments.filter(|experiments| experiments.holder == keyword),
        }
    }

    /// Returns the experiments that the module opts into.
    pub const fn experiments(&self) -> Option<Experiments<'a>> {
        self.experiments
    }

    /// Returns all objects, in order of declaration.
    pub fn objects(&self) -> Vec<Object<'a>> {
        let plain = |block| Object {
            block,
            holder: None,
            container: None,
            name: "",
            part: None,
            is_stray: false,
            has_inner_changes: false,
        };
        if let Some(blocks) = &self.module.blocks {
            return blocks.iter().map(plain).collect();
        }
        // Headers of objects that are written inside other objects. Few modules have any.
        let nested = self.module.elements.iter().flat_map(|outer| outer.block.blocks);
        let inner: HashSet<Span> =
            nested.filter(|inner| ObjectAddr::of_nested(inner).is_some()).map(|inner| inner.header).collect();
        let mut objects = Vec::with_capacity(self.module.elements.len());
        for element in &self.module.elements {
            let (keyword, inside) = self.place(element);
            let object = Object { holder: inside.then_some(keyword), ..plain(element.block) };
            if let Some(row) = element.block.spec.filter(|row| is_argument(row)) {
                let name = element.address.name();
                objects.push(Object { container: Some(row.keyword), name, ..object });
            } else if element.block.arguments.first().is_some_and(is_setting) {
                let parts = 0..element.block.arguments.len();
                objects.extend(parts.map(|part| Object { part: Some(part), ..object }));
            } else {
                let is_inner = inner.contains(&element.block.header);
                let scoped =
                    is_inner && ObjectAddr::of_nested(element.block).is_some_and(|own| self.scoped.contains(&own));
                // The object inside is handled together with the enclosing object.
                if !scoped {
                    objects.push(Object {
                        has_inner_changes: self.has_inner_changes(element.block),
                        is_stray: is_inner,
                        ..object
                    });
                }
            }
        }
        objects
    }

    /// Whether an object inside the block has changed, or cannot stay there.
    fn has_inner_changes(&self, block: &Block<'_>) -> bool {
        block.blocks.iter().filter_map(ObjectAddr::of_nested).any(|address| {
            let element = self.inner.get(&address);
            element.is_none_or(|element| element.block.is_overridden())
        })
    }

    /// Returns the effective content of a block. `idle` are the arguments about repetition that have no effect
    /// according to the enclosing block.
    pub fn body(&self, block: &'a Block<'a>, idle: &'static [&'static str]) -> EffectiveBody<'a> {
        account::work(block.arguments.len() as u64 / 8);
        let inner = if self.inner.is_empty() { None } else { ObjectAddr::of_nested(block) };
        let block = inner.and_then(|address| self.inner.get(&address)).map_or(block, |element| element.block);
        let own_idle = idle_repetition(block);
        let mut arguments = arguments(block, if block.keyword == words::LIFECYCLE { idle } else { own_idle });
        let mut blocks = block.blocks_in_order();
        blocks.retain(|nested| ObjectAddr::of_nested(nested).is_none_or(|address| self.scoped.contains(&address)));
        keep_later_form(block, &mut arguments, &mut blocks);
        EffectiveBody { block, arguments, blocks, idle: own_idle }
    }

    /// Returns the source of the value of an argument in a merged block.
    pub fn effective_value(&self, block: &Block<'_>, argument: &Argument<'_>) -> EffectiveValue<'a> {
        let Some(spec) = argument.spec.filter(|_| block.is_overridden()) else {
            return EffectiveValue::Itself;
        };
        if matches!(spec.kind, AttrKind::Default)
            && let Some(variable) = self.overridden_variables.get(&block.header)
        {
            EffectiveValue::Default(variable)
        } else if spec.merge == AttrMerge::VariableType {
            EffectiveValue::MergedType
        } else {
            EffectiveValue::Itself
        }
    }
}

impl<'a> SectionContent<'a> {
    /// Returns the blocks, or `None` if the content is not blocks.
    pub fn blocks(&self) -> Option<Vec<&'a Block<'a>>> {
        match self {
            Self::Blocks(elements) => Some(elements.iter().map(|element| element.block).collect()),
            Self::Listed(blocks) => Some(blocks.clone()),
            Self::Arguments(_) | Self::Holder(_) => None,
        }
    }
}

fn content<'a>(mut elements: Vec<&'a Element<'a>>) -> SectionContent<'a> {
    if elements.iter().any(|element| element.block.spec.is_some_and(is_argument)) {
        let mut named: Vec<_> = elements.into_iter().map(|element| (element.address.name(), element)).collect();
        named.sort_by_key(|(name, _)| *name);
        // If several have the same name, the last one takes effect.
        named.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        return SectionContent::Arguments(named);
    }
    elements.sort_by(|a, b| a.block.label_texts().cmp(b.block.label_texts()));
    SectionContent::Blocks(elements)
}

fn list_sections<'a>(blocks: impl Iterator<Item = &'a Block<'a>>) -> Vec<Section<'a>> {
    let mut top: BTreeMap<&str, Vec<&Block<'_>>> = BTreeMap::new();
    for block in blocks {
        top.entry(block.keyword).or_default().push(block);
    }
    let section = |(keyword, mut blocks): (&'a str, Vec<&'a Block<'a>>)| {
        blocks.sort_by(|a, b| a.label_texts().cmp(b.label_texts()));
        Section { keyword, content: SectionContent::Listed(blocks) }
    };
    top.into_iter().map(section).collect()
}

/// Returns the effective arguments, under the names with which they are written. An override may combine arguments
/// that one block cannot have together, namely several kinds of repetition; `idle` are the ones without effect.
fn arguments<'b>(block: &'b Block<'b>, idle: &[&str]) -> NamedArguments<'b> {
    let mut arguments: NamedArguments<'_> = SmallVec::with_capacity(block.arguments.len());
    for argument in block.arguments {
        if argument.spec.is_some() && idle.contains(&argument.name) {
            continue;
        }
        arguments.push((argument.spec.map_or(argument.name, |spec| spec.name), argument));
    }
    arguments.sort_by_key(|(name, _)| *name);
    // If several have the same name, the last one takes effect.
    arguments.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
    arguments
}

/// Keeps the later of an argument and blocks of the same name that overrides have combined or, within one file, the
/// blocks. Which of them the tool uses depends on the provider's schema (`module_checks::merged` reports this).
fn keep_later_form<'b>(block: &'b Block<'b>, arguments: &mut NamedArguments<'b>, blocks: &mut Blocks<'b, 'b>) {
    let is_argument = |name: &str| arguments.binary_search_by_key(&name, |(name, _)| name).is_ok();
    if !blocks.iter().any(|nested| nested.spec.is_none() && is_argument(nested.keyword)) {
        return;
    }
    let mut blocks_of: HashMap<&str, SourceId> = HashMap::default();
    for nested in blocks.iter().filter(|nested| nested.spec.is_none()) {
        blocks_of.insert(nested.keyword, nested.header.source);
    }
    let order: HashMap<SourceId, usize> =
        block.overridden_by().list().iter().enumerate().map(|(at, over)| (over.header.source, at + 1)).collect();
    let step = |source: SourceId| order.get(&source).copied().unwrap_or_default();
    let mut gone: HashSet<&str> = HashSet::default();
    arguments.retain(|&mut (name, argument)| {
        let Some(&source) = blocks_of.get(name) else { return true };
        let later = step(argument.range.source) > step(source);
        if later {
            gone.insert(name);
        }
        later
    });
    blocks.retain(|nested| nested.spec.is_some() || !gone.contains(nested.keyword));
}

/// Whether an object is not repeated and has no lifecycle block.
fn is_plain(block: &Block<'_>) -> bool {
    let repeated = block
        .arguments
        .iter()
        .any(|argument| argument.spec.is_some() && matches!(argument.name, words::COUNT | words::FOR_EACH));
    !repeated && !block.blocks.iter().any(|inner| inner.spec.is_some_and(|row| row.keyword == words::LIFECYCLE))
}

/// Whether a row describes objects that are arguments of a block.
const fn is_argument(row: &BlockSpec) -> bool {
    matches!(row.address, AddressRule::EachArgument { .. })
}

fn is_setting(argument: &Argument<'_>) -> bool {
    argument.spec.is_some_and(|spec| matches!(spec.kind, AttrKind::RequiredVersion(_)))
}
