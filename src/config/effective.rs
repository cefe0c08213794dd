//! The effective view of a merged module: what takes effect, and where it stands in one configuration that says the same.
//! Every form in which the configuration is answered reads this and decides nothing itself.
//!
//! What it decides:
//! - which objects stand at the top, which inside a block that only holds others (`terraform`), and which inside another
//!   object;
//! - which of several ways to repeat an object counts, where overrides have brought them together;
//! - which one counts of an argument and blocks of one name, and of several arguments of one name;
//! - in which order the tool holds nested blocks;
//! - which argument stands for a value that no single expression gives.

use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Argument, Block, Blocks, Element, Merged, Payload, Variable, idle_repetition};
use crate::diag::{SourceId, Span};
use crate::dialect::{AddressRule, AttrKind, AttrMerge, BlockSpec, DialectSpec};

/// The block in which one of the arguments about repetition stands.
const LIFECYCLE: &str = "lifecycle";

/// A merged module as one configuration.
pub struct EffectiveConfig<'a> {
    merged: &'a Merged<'a>,
    dialect: &'static DialectSpec,
    /// Where experiments are opted into, and which, where the module does.
    experiments: Option<Experiments<'a>>,
    /// Variables that overrides have changed, by the header of their block.
    overridden_variables: BTreeMap<Span, &'a Variable<'a>>,
    /// Objects whose block stands inside another object's block, by address.
    inner: BTreeMap<&'a str, &'a Element<'a>>,
    /// The addresses of blocks inside others that stay there.
    scoped: BTreeSet<String>,
}

/// The experiments that a module opts into.
#[derive(Clone, Copy)]
pub struct Experiments<'a> {
    /// The type of the block around.
    pub holder: &'static str,
    /// The argument.
    pub name: &'static str,
    /// Their names, in order of declaration.
    pub opted: &'a [Arc<str>],
}

/// Everything under one name at the top of a configuration, or in a block that only holds others.
pub struct Section<'a> {
    /// The block type.
    pub keyword: &'a str,
    /// What is there.
    pub content: SectionContent<'a>,
}

/// What stands under one name.
pub enum SectionContent<'a> {
    /// Blocks of the type, sorted by their labels; those of the same labels in order of declaration.
    Blocks(Vec<&'a Element<'a>>),
    /// The same in a module that is a list of blocks.
    Listed(Vec<&'a Block<'a>>),
    /// One block whose arguments are objects of their own, sorted by name (`locals`, `required_providers`).
    Arguments(Vec<(&'a str, &'a Element<'a>)>),
    /// A block that only holds others.
    Holder(Holder<'a>),
}

/// A block that only holds others.
#[derive(Default)]
pub struct Holder<'a> {
    /// What it holds, sorted by name.
    pub sections: Vec<Section<'a>>,
    /// Each value of a setting that may be given several times; one block can hold one.
    pub settings: Vec<&'a Argument<'a>>,
    /// The experiments that are opted into.
    pub experiments: Option<Experiments<'a>>,
}

/// An object of a merged module, and in what it stands.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    /// Its block.
    pub block: &'a Block<'a>,
    /// The type of the block at the top that holds it, where one does.
    pub holder: Option<&'a str>,
    /// The type of the block whose argument it is, where it is one.
    pub container: Option<&'static str>,
    /// Its name, where it is an argument.
    pub name: &'a str,
    /// Of a setting that may be given several times: which of the block's arguments it is, 0-based.
    pub part: Option<usize>,
    /// It is written inside another object and can't stay there.
    pub is_stray: bool,
    /// It holds an object that can't stay in it, or whose content has changed.
    holds_changes: bool,
}

impl Object<'_> {
    /// Whether it is a setting that may be given several times.
    pub const fn is_setting(&self) -> bool {
        self.part.is_some()
    }

    /// Whether what takes effect of its block is not what its own file says.
    pub fn is_touched(&self) -> bool {
        self.holds_changes || !self.block.overridden.is_empty()
    }
}

/// The arguments of one block by their names; most blocks have few.
pub type NamedArguments<'a> = SmallVec<[(&'a str, &'a Argument<'a>); 8]>;

/// What takes effect of a block.
pub struct EffectiveBody<'a> {
    /// The block: that of the object itself where it was reached through another one.
    pub block: &'a Block<'a>,
    /// Its arguments, sorted by name, each name once.
    pub arguments: NamedArguments<'a>,
    /// Its nested blocks, in the order in which the tool holds them.
    pub blocks: Blocks<'a, 'a>,
    /// The ways to repeat the object that do not take effect: for the lifecycle block in it.
    pub idle: &'static [&'static str],
}

/// What an argument stands for in a merged block.
pub enum Stands<'a> {
    /// Its own expression.
    Itself,
    /// A type that several declarations make up together.
    MergedType,
    /// The default of this variable as overrides have left it: each may have converted it.
    Default(&'a Variable<'a>),
}

impl<'a> EffectiveConfig<'a> {
    /// The view of a merged module that opts into these experiments.
    pub fn of(merged: &'a Merged<'a>, dialect: &'static DialectSpec, experiments: &'a [Arc<str>]) -> Self {
        let elements = merged.elements();
        let inside = || {
            let nested = elements.iter().flat_map(|outer| outer.block.blocks.iter().map(move |inner| (outer, inner)));
            nested.filter_map(|(outer, inner)| Some((outer, own_address(inner)?)))
        };
        // Few modules hold one object inside another.
        let by_address: BTreeMap<&str, &Element<'_>> = match inside().next() {
            Some(_) => elements.iter().map(|element| (element.address.0, element)).collect(),
            None => BTreeMap::new(),
        };
        // What an override made of an object can be more than its place allows: then it stands by itself.
        let scoped: BTreeSet<String> = inside()
            .filter(|(outer, address)| {
                let plain = outer.block.spec.is_some_and(|row| row.traits.scoped_data_is_plain);
                !plain || by_address.get(&**address).is_none_or(|element| is_plain(&element.block))
            })
            .map(|(_, address)| address)
            .collect();
        let inner =
            scoped.iter().filter_map(|address| by_address.get_key_value(&**address)).map(|(k, v)| (*k, *v)).collect();
        let row = dialect.blocks.iter().find_map(|row| {
            let attr = row.attrs.iter().find(|attr| matches!(attr.kind, AttrKind::Experiments(..)))?;
            Some(Experiments { holder: row.keyword, name: attr.name, opted: experiments })
        });
        let overridden_variables = elements.iter().filter_map(|element| match &element.payload {
            Payload::Variable(variable) if !element.block.overridden.is_empty() => {
                Some((element.block.header, &**variable))
            }
            _ => None,
        });
        Self {
            merged,
            dialect,
            experiments: row.filter(|_| !experiments.is_empty()),
            overridden_variables: overridden_variables.collect(),
            inner,
            scoped,
        }
    }

    /// Everything at the top, sorted by name, of those blocks for which `shown` holds.
    pub fn sections(&self, shown: impl Fn(&Block<'_>) -> bool) -> Vec<Section<'a>> {
        if let Merged::BlockList { blocks, .. } = self.merged {
            return listed(blocks.iter().filter(|block| shown(block)));
        }
        let mut top: BTreeMap<&str, (Vec<&'a Element<'a>>, bool)> = BTreeMap::new();
        for element in self.merged.elements().iter().filter(|element| shown(&element.block)) {
            let (keyword, inside) = self.place(element);
            if inside || !self.scoped.contains(element.address.0) {
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

    /// The name at the top under which an object stands, and whether that is a block that only holds others.
    fn place(&self, element: &Element<'a>) -> (&'a str, bool) {
        let Some(spec) = element.block.spec else { return (element.kind, false) };
        let is_it = |row: &BlockSpec| row.keyword == spec.keyword && row.address == spec.address;
        if self.dialect.blocks.iter().any(is_it) {
            return (spec.keyword, false);
        }
        let holds = |row: &BlockSpec| {
            row.blocks.iter().any(is_it)
                || row.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::RequiredVersion(row) if is_it(row)))
        };
        match self.dialect.blocks.iter().find(|row| row.address == AddressRule::None && holds(row)) {
            Some(holder) => (holder.keyword, true),
            None => (spec.keyword, false),
        }
    }

    fn holder(&self, keyword: &str, elements: Vec<&'a Element<'a>>) -> Holder<'a> {
        let mut settings: Vec<&Argument<'_>> = Vec::new();
        let mut inside: BTreeMap<&str, Vec<&Element<'_>>> = BTreeMap::new();
        for element in elements {
            if element.block.arguments.first().is_some_and(is_setting) {
                settings.extend(&element.block.arguments);
            } else {
                inside.entry(element.block.spec.map_or(element.kind, |spec| spec.keyword)).or_default().push(element);
            }
        }
        Holder {
            sections: inside
                .into_iter()
                .map(|(keyword, elements)| Section { keyword, content: content(elements) })
                .collect(),
            settings,
            experiments: self.experiments.filter(|experiments| experiments.holder == keyword),
        }
    }

    /// The experiments that the module opts into.
    pub const fn experiments(&self) -> Option<Experiments<'a>> {
        self.experiments
    }

    /// Every object, in order of declaration.
    pub fn objects(&self) -> Vec<Object<'a>> {
        let plain = |block| Object {
            block,
            holder: None,
            container: None,
            name: "",
            part: None,
            is_stray: false,
            holds_changes: false,
        };
        if let Merged::BlockList { blocks, .. } = self.merged {
            return blocks.iter().map(plain).collect();
        }
        // Headers of objects that are written inside others. Few modules have them.
        let nested = self.merged.elements().iter().flat_map(|outer| &outer.block.blocks);
        let inner: HashSet<Span> =
            nested.filter(|inner| own_address(inner).is_some()).map(|inner| inner.header).collect();
        let mut objects = Vec::with_capacity(self.merged.elements().len());
        for element in self.merged.elements() {
            let (keyword, inside) = self.place(element);
            let object = Object { holder: inside.then_some(keyword), ..plain(&element.block) };
            if let Some((container, prefix)) = element.block.spec.and_then(|row| match row.address {
                AddressRule::EachArgument { prefix, .. } => Some((row.keyword, prefix)),
                _ => None,
            }) {
                let name = element.address.0.strip_prefix(prefix).unwrap_or_default();
                objects.push(Object { container: Some(container), name, ..object });
            } else if element.block.arguments.first().is_some_and(is_setting) {
                let parts = 0..element.block.arguments.len();
                objects.extend(parts.map(|part| Object { part: Some(part), ..object }));
            } else {
                let is_inner = inner.contains(&element.block.header);
                let scoped = is_inner && own_address(&element.block).is_some_and(|own| self.scoped.contains(&own));
                // What stands inside an object changes with it.
                if !scoped {
                    objects.push(Object {
                        holds_changes: self.holds_changes(&element.block),
                        is_stray: is_inner,
                        ..object
                    });
                }
            }
        }
        objects
    }

    /// Whether an object that stands in the block has changed, or can't stay there.
    fn holds_changes(&self, block: &Block<'_>) -> bool {
        block.blocks.iter().filter_map(own_address).any(|address| {
            let element = self.inner.get(&*address);
            element.is_none_or(|element| !element.block.overridden.is_empty())
        })
    }

    /// What takes effect of a block, which stands in a block that says of repetition what is `idle`.
    pub fn body(&self, block: &'a Block<'a>, idle: &'static [&'static str]) -> EffectiveBody<'a> {
        let inner = if self.inner.is_empty() { None } else { own_address(block) };
        let block = inner.and_then(|address| self.inner.get(&*address)).map_or(block, |element| &element.block);
        let own_idle = idle_repetition(block);
        let mut arguments = arguments(block, if block.keyword == LIFECYCLE { idle } else { own_idle });
        let mut blocks = block.blocks_in_order();
        blocks.retain(|nested| own_address(nested).is_none_or(|address| self.scoped.contains(&address)));
        one_form_each(block, &mut arguments, &mut blocks);
        EffectiveBody { block, arguments, blocks, idle: own_idle }
    }

    /// What an argument of a merged block stands for.
    pub fn stands(&self, block: &Block<'_>, argument: &Argument<'_>) -> Stands<'a> {
        let Some(spec) = argument.spec.filter(|_| !block.overridden.is_empty()) else { return Stands::Itself };
        if matches!(spec.kind, AttrKind::Default)
            && let Some(variable) = self.overridden_variables.get(&block.header)
        {
            Stands::Default(variable)
        } else if spec.merge == AttrMerge::VariableType {
            Stands::MergedType
        } else {
            Stands::Itself
        }
    }
}

impl<'a> SectionContent<'a> {
    /// The blocks, where there are blocks.
    pub fn blocks(&self) -> Option<Vec<&'a Block<'a>>> {
        match self {
            Self::Blocks(elements) => Some(elements.iter().map(|element| &element.block).collect()),
            Self::Listed(blocks) => Some(blocks.clone()),
            Self::Arguments(_) | Self::Holder(_) => None,
        }
    }
}

fn content<'a>(mut elements: Vec<&'a Element<'a>>) -> SectionContent<'a> {
    let prefix = elements.iter().find_map(|element| match element.block.spec?.address {
        AddressRule::EachArgument { prefix, .. } => Some(prefix),
        _ => None,
    });
    if let Some(prefix) = prefix {
        let named = elements.iter().filter_map(|element| Some((element.address.0.strip_prefix(prefix)?, *element)));
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|(name, _)| *name);
        // Of those of one name the last one counts.
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

fn listed<'a>(blocks: impl Iterator<Item = &'a Block<'a>>) -> Vec<Section<'a>> {
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

/// The arguments that take effect, with the names under which they are written. An override may add what one block may
/// not hold side by side: several kinds of repetition (`idle` are those without effect).
fn arguments<'b>(block: &'b Block<'b>, idle: &[&str]) -> NamedArguments<'b> {
    let mut arguments: NamedArguments<'_> = SmallVec::with_capacity(block.arguments.len());
    for argument in &block.arguments {
        if argument.spec.is_some() && idle.contains(&argument.name) {
            continue;
        }
        arguments.push((argument.spec.map_or(argument.name, |spec| spec.name), argument));
    }
    arguments.sort_by_key(|(name, _)| *name);
    // Of those of one name the last one counts.
    arguments.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
    arguments
}

/// Keeps one of an argument and the blocks of one name, which an override can bring together: the later one, and of one
/// file the blocks. Which of them the tool takes depends on the provider's schema (`checks::merged` notes it).
fn one_form_each<'b>(block: &'b Block<'b>, arguments: &mut NamedArguments<'b>, blocks: &mut Blocks<'b, 'b>) {
    let is_argument = |name: &str| arguments.binary_search_by_key(&name, |(name, _)| name).is_ok();
    if !blocks.iter().any(|nested| nested.spec.is_none() && is_argument(nested.keyword)) {
        return;
    }
    let mut blocks_of: HashMap<&str, SourceId> = HashMap::default();
    for nested in blocks.iter().filter(|nested| nested.spec.is_none()) {
        blocks_of.insert(nested.keyword, nested.header.source);
    }
    let order: HashMap<SourceId, usize> =
        block.overridden.iter().enumerate().map(|(at, header)| (header.source, at + 1)).collect();
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

/// The address of a block inside another object that is an object itself (data sources of checks).
fn own_address(block: &Block<'_>) -> Option<String> {
    let AddressRule::Labels(prefix) = block.spec?.address else { return None };
    let labels: Vec<&str> = block.label_texts().collect();
    Some(format!("{prefix}{}", labels.join(".")))
}

/// Whether an object is neither repeated nor has a lifecycle block.
fn is_plain(block: &Block<'_>) -> bool {
    let repeated = block
        .arguments
        .iter()
        .any(|argument| argument.spec.is_some() && matches!(argument.name, "count" | "for_each"));
    !repeated && !block.blocks.iter().any(|inner| inner.spec.is_some_and(|row| row.keyword == LIFECYCLE))
}

fn is_setting(argument: &Argument<'_>) -> bool {
    argument.spec.is_some_and(|spec| matches!(spec.kind, AttrKind::RequiredVersion(_)))
}
