//! A block that takes overrides one after another and records what they replace. What each override does is decided
//! elsewhere, in `rules` and `list`.

use foldhash::HashMap;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Span;
use overfold_dialect::{BlockSpec, BodyRule, NestedRule, words};
use overfold_model::config::{Argument, Block, BlockHistory};
use overfold_syntax::Forest;

/// A base block. From the first override on, its arguments and nested blocks are indexed, so the cost of a long chain
/// of overrides of a large block depends on the content of the overrides, not on their number times the size of the
/// block.
pub(super) struct BlockMerger<'f> {
    /// The block. Once there is an index, the index contains its arguments and nested blocks.
    block: Block<'f>,
    /// What overrides have changed so far.
    history: BlockHistory<'f>,
    grouping: Grouping,
    index: Option<Box<Index<'f>>>,
    forest: &'f Forest,
}

/// The content of a block, indexed by name.
struct Index<'f> {
    arguments: Arguments<'f>,
    /// The arguments of an escape block.
    escaped: Arguments<'f>,
    /// The nested blocks in order. A block that was removed leaves its slot empty.
    blocks: Vec<Option<BlockMerger<'f>>>,
    /// The slots of the nested blocks of each type, ascending.
    by_type: HashMap<BlockType<'f>, Vec<usize>>,
    /// The slot of the first nested block with a row, by keyword and labels.
    by_header: HashMap<Vec<&'f str>, usize>,
}

/// How the type of a nested block is determined when blocks of one type replace each other.
#[derive(Clone, Copy)]
pub(super) enum Grouping {
    /// By its keyword, for all blocks.
    ByKeyword,
    /// By its keyword if it has a row, otherwise by the rule of the enclosing body ([`nested_rule`]).
    ByRow,
}

/// The type of a nested block, as determined by a [`Grouping`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct BlockType<'f> {
    name: &'f str,
    has_row: bool,
}

impl<'f> BlockType<'f> {
    /// Returns the type with this name of blocks that have a row.
    pub(super) const fn with_row(name: &'f str) -> Self {
        Self { name, has_row: true }
    }

    /// Returns the type with this name of blocks without a row, or of all blocks if rows are not distinguished.
    pub(super) const fn named(name: &'f str) -> Self {
        Self { name, has_row: false }
    }

    pub(super) const fn name(self) -> &'f str {
        self.name
    }
}

impl Grouping {
    /// Returns the type of `inner` in a block with the row `around`.
    fn type_of<'f>(self, around: Option<&BlockSpec>, inner: &Block<'f>) -> BlockType<'f> {
        match (self, inner.labels.first()) {
            (Self::ByRow, _) if inner.spec.is_some() => BlockType::with_row(inner.keyword),
            (Self::ByRow, Some(label))
                if inner.keyword == words::DYNAMIC && nested_rule(around) == NestedRule::ByTypeAndDynamic =>
            {
                BlockType::named(label.text)
            }
            _ => BlockType::named(inner.keyword),
        }
    }
}

/// Returns how nested blocks without a row are merged in a block with the row `around`.
pub(super) fn nested_rule(around: Option<&BlockSpec>) -> NestedRule {
    match around.map(|spec| spec.body) {
        Some(BodyRule::Open { nested, .. }) => nested,
        _ => NestedRule::ByType,
    }
}

impl<'f> BlockMerger<'f> {
    /// Prepares `block` for overrides. Costs nothing before the first one.
    pub(super) fn new(block: Block<'f>, grouping: Grouping, forest: &'f Forest) -> Self {
        let history = block.history.copied().unwrap_or(BlockHistory::NONE);
        Self { block, history, grouping, index: None, forest }
    }

    /// Returns the merged block.
    pub(super) fn close(self) -> Block<'f> {
        let Self { mut block, mut history, index, forest, .. } = self;
        if let Some(index) = index {
            let (arguments, lost) = index.arguments.close();
            block.arguments = forest.keep_list(&arguments);
            block.escaped = forest.keep_list(&index.escaped.close().0);
            let blocks: Vec<Block<'f>> = index.blocks.into_iter().flatten().map(Self::close).collect();
            block.blocks = forest.keep_list(&blocks);
            if !lost.is_empty() {
                // Arguments that were removed without a replacement are kept in a block like their own.
                let arguments = forest.keep_list(&lost);
                history.removed_blocks.push(forest, Block { arguments, ..header_only(&block) });
            }
        }
        block.history = history.keep(forest);
        block
    }

    fn open(&mut self) -> &mut Index<'f> {
        let Self { block, grouping, index, forest, .. } = self;
        index.get_or_insert_with(|| Box::new(Index::from_block(block, *grouping, forest)))
    }

    pub(super) const fn spec(&self) -> Option<&'static BlockSpec> {
        self.block.spec
    }

    pub(super) const fn header(&self) -> Span {
        self.block.header
    }

    /// Returns the range of the whole block.
    pub(super) const fn range(&self) -> Span {
        self.block.range
    }

    /// Moves the block to another location.
    pub(super) const fn move_to(&mut self, header: Span, range: Span) {
        self.block.header = header;
        self.block.range = range;
    }

    /// Records a block that is merged into this one, once for all copies that expansion makes of it.
    pub(super) fn overridden_by(&mut self, over: &Block<'f>) {
        if !self.is_overridden_by(over) {
            self.history.overridden_by.push(self.forest, over.place());
        }
    }

    /// Whether the last block that was merged into this one is this one.
    pub(super) fn is_overridden_by(&self, over: &Block<'f>) -> bool {
        self.history.overridden_by.last().is_some_and(|last| last.header == over.header)
    }

    // Arguments.

    /// Returns the arguments in order.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &Argument<'f>> {
        let indexed = self.index.iter().flat_map(|index| index.arguments.list.iter().flatten());
        let unindexed = if self.index.is_none() { self.block.arguments } else { &[] };
        unindexed.iter().chain(indexed)
    }

    pub(super) fn argument(&mut self, name: &str) -> Option<&Argument<'f>> {
        self.open().arguments.get(name)
    }

    /// Replaces the argument of the same name and remembers it, or adds the argument at the end. Returns the location
    /// of the replaced argument.
    pub(super) fn set(&mut self, argument: Argument<'f>) -> Option<Span> {
        let forest = self.forest;
        self.open().arguments.set(argument, forest)
    }

    /// Sets an argument of the escape block in the same way.
    pub(super) fn set_escaped(&mut self, argument: Argument<'f>) -> Option<Span> {
        let forest = self.forest;
        self.open().escaped.set(argument, forest)
    }

    /// Removes the argument with this name and keeps a record of it. Returns its location.
    pub(super) fn remove_recorded(&mut self, name: &str) -> Option<Span> {
        self.open().arguments.remove_recorded(name)
    }

    /// Removes the arguments with these names for which `predicate` holds, without a record, and returns them in their
    /// original order.
    pub(super) fn take_arguments<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
        predicate: impl Fn(&Argument<'f>) -> bool,
    ) -> Vec<Argument<'f>> {
        let arguments = &mut self.open().arguments;
        let mut taken: Vec<(usize, Argument<'f>)> = names
            .into_iter()
            .filter_map(|name| arguments.get(name).is_some_and(&predicate).then(|| arguments.take(name))?)
            .collect();
        taken.sort_unstable_by_key(|(at, _)| *at);
        taken.into_iter().map(|(_, argument)| argument).collect()
    }

    // Nested blocks.

    /// Returns the type of `block` among the nested blocks.
    pub(super) fn type_of(&self, block: &Block<'f>) -> BlockType<'f> {
        self.grouping.type_of(self.block.spec, block)
    }

    /// Whether there is a nested block of the type.
    pub(super) fn has(&mut self, of_type: BlockType<'f>) -> bool {
        !self.places(of_type).is_empty()
    }

    /// Returns the slots of the nested blocks of a type, ascending. Slots remain valid until the block is closed.
    pub(super) fn places(&mut self, of_type: BlockType<'f>) -> &[usize] {
        self.open().by_type.get(&of_type).map_or(&[], Vec::as_slice)
    }

    /// Returns the nested block in a slot.
    pub(super) fn nested(&mut self, place: usize) -> Option<&mut Self> {
        self.open().blocks.get_mut(place)?.as_mut()
    }

    /// Returns the first nested block with a row that has the same keyword and labels as `over`.
    pub(super) fn same_header(&mut self, over: &Block<'f>) -> Option<&mut Self> {
        let index = self.open();
        let at = *index.by_header.get(&header_key(over))?;
        index.blocks.get_mut(at)?.as_mut()
    }

    /// Adds a nested block at the end.
    pub(super) fn push(&mut self, inner: Block<'f>) {
        let (grouping, around, forest) = (self.grouping, self.block.spec, self.forest);
        self.open().push(BlockMerger::new(inner, grouping, forest), around);
    }

    /// Replaces the nested block that has the same keyword and labels as `new`, and records it. Returns the replaced
    /// one; if there is no such block, does nothing and returns `None`.
    pub(super) fn replace(&mut self, new: Block<'f>) -> Option<Block<'f>> {
        let (grouping, forest) = (self.grouping, self.forest);
        let index = self.open();
        let at = *index.by_header.get(&header_key(&new))?;
        let place = index.blocks.get_mut(at)?.as_mut()?;
        let old = std::mem::replace(place, Self::new(new, grouping, forest)).close();
        self.history.removed_blocks.push(forest, old);
        Some(old)
    }

    /// Moves all nested blocks of the types to the record of what was overridden, in their original order, and returns
    /// them.
    pub(super) fn remove_blocks(&mut self, types: impl IntoIterator<Item = BlockType<'f>>) -> Vec<Block<'f>> {
        let index = self.open();
        let mut places: Vec<usize> =
            types.into_iter().filter_map(|of_type| index.by_type.remove(&of_type)).flatten().collect();
        places.sort_unstable();
        let gone = places.into_iter().filter_map(|at| index.blocks.get_mut(at).and_then(Option::take));
        let gone: Vec<Block<'f>> = gone.map(Self::close).collect();
        for &block in &gone {
            self.history.removed_blocks.push(self.forest, block);
        }
        gone
    }
}

impl<'f> Index<'f> {
    fn from_block(block: &Block<'f>, grouping: Grouping, forest: &'f Forest) -> Self {
        let mut index = Self {
            arguments: Arguments::new(block.arguments),
            escaped: Arguments::new(block.escaped),
            blocks: Vec::with_capacity(block.blocks.len()),
            by_type: HashMap::default(),
            by_header: HashMap::default(),
        };
        for &inner in block.blocks {
            index.push(BlockMerger::new(inner, grouping, forest), block.spec);
        }
        index
    }

    fn push(&mut self, inner: BlockMerger<'f>, around: Option<&BlockSpec>) {
        account::work(8);
        let at = self.blocks.len();
        let of_type = inner.grouping.type_of(around, &inner.block);
        if of_type.has_row {
            self.by_header.entry(header_key(&inner.block)).or_insert(at);
        }
        self.by_type.entry(of_type).or_default().push(at);
        self.blocks.push(Some(inner));
    }
}

/// Arguments in order, indexed by name.
struct Arguments<'f> {
    /// The arguments. An argument that was removed leaves its slot empty.
    list: Vec<Option<Argument<'f>>>,
    places: HashMap<&'f str, ArgumentSlot>,
    /// The arguments that were removed without a replacement, oldest first. An argument that has found a replacement
    /// leaves its slot empty.
    lost: Vec<Option<Argument<'f>>>,
}

#[derive(Clone, Copy)]
enum ArgumentSlot {
    Held(usize),
    Lost(usize),
}

impl<'f> Arguments<'f> {
    fn new(arguments: &[Argument<'f>]) -> Self {
        let list: Vec<Option<Argument<'f>>> = arguments.iter().copied().map(Some).collect();
        let mut places = HashMap::with_capacity_and_hasher(list.len(), foldhash::fast::RandomState::default());
        for (at, argument) in list.iter().flatten().enumerate() {
            places.entry(argument.name).or_insert(ArgumentSlot::Held(at));
        }
        Self { list, places, lost: Vec::new() }
    }

    /// Returns the current arguments and those that were removed without a replacement.
    fn close(self) -> (Vec<Argument<'f>>, Vec<Argument<'f>>) {
        (self.list.into_iter().flatten().collect(), self.lost.into_iter().flatten().collect())
    }

    fn get(&self, name: &str) -> Option<&Argument<'f>> {
        match self.places.get(name)? {
            ArgumentSlot::Held(at) => self.list.get(*at)?.as_ref(),
            ArgumentSlot::Lost(_) => None,
        }
    }

    fn set(&mut self, mut argument: Argument<'f>, forest: &'f Forest) -> Option<Span> {
        account::work(4);
        let place = self.places.get(argument.name).copied();
        if let Some(ArgumentSlot::Held(at)) = place
            && let Some(held) = self.list.get_mut(at)
        {
            let replaced = held.take().map(|old| {
                let range = old.range;
                argument.remember(forest, old);
                range
            });
            *held = Some(argument);
            return replaced;
        }
        if let Some(ArgumentSlot::Lost(at)) = place
            && let Some(lost) = self.lost.get_mut(at).and_then(Option::take)
        {
            argument.remember(forest, lost);
        }
        self.places.insert(argument.name, ArgumentSlot::Held(self.list.len()));
        self.list.push(Some(argument));
        None
    }

    fn remove_recorded(&mut self, name: &str) -> Option<Span> {
        let (_, argument) = self.take(name)?;
        let range = argument.range;
        self.places.insert(argument.name, ArgumentSlot::Lost(self.lost.len()));
        self.lost.push(Some(argument));
        Some(range)
    }

    /// Removes the argument with this name and returns it with its slot.
    fn take(&mut self, name: &str) -> Option<(usize, Argument<'f>)> {
        let &ArgumentSlot::Held(at) = self.places.get(name)? else { return None };
        let argument = self.list.get_mut(at)?.take()?;
        self.places.remove(name);
        Some((at, argument))
    }
}

/// Records which arguments of a block replace those of the same name in `old`, the arguments of a block that it
/// replaces. Returns its arguments, and those of `old` without a replacement, in order.
pub(super) fn remember_by_name<'f>(
    arguments: &[Argument<'f>],
    old: &[Argument<'f>],
    forest: &'f Forest,
) -> (&'f [Argument<'f>], Vec<Argument<'f>>) {
    account::work((arguments.len() + old.len()) as u64);
    let mut earlier = Arguments::new(old);
    let arguments = forest.keep_each(arguments.iter().map(|&(mut argument)| {
        if let Some((_, replaced)) = earlier.take(argument.name) {
            argument.remember(forest, replaced);
        }
        argument
    }));
    (arguments, earlier.close().0)
}

/// Returns a block with the header of `block`, but without labels and content.
pub(super) const fn header_only<'f>(block: &Block<'f>) -> Block<'f> {
    let bare = Block::empty(block.keyword, &[], block.header);
    Block { spec: block.spec, range: block.range, ..bare }
}

/// Returns what two blocks with a row must have in common for one to be merged into the other.
fn header_key<'f>(block: &Block<'f>) -> Vec<&'f str> {
    std::iter::once(block.keyword).chain(block.labels.iter().map(|label| label.text)).collect()
}

/// Groups blocks by type, in the order in which the types first occur.
pub(super) fn by_type<'b, 'f: 'b>(
    blocks: impl Iterator<Item = &'b Block<'f>>,
    name: impl Fn(&Block<'f>) -> BlockType<'f>,
) -> Vec<(BlockType<'f>, Vec<&'b Block<'f>>)> {
    let mut places: HashMap<BlockType<'f>, usize> = HashMap::default();
    let mut types: Vec<(BlockType<'f>, Vec<&Block<'f>>)> = Vec::new();
    for block in blocks.charged(4) {
        let name = name(block);
        let at = *places.entry(name).or_insert(types.len());
        match types.get_mut(at) {
            Some((_, blocks)) => blocks.push(block),
            None => types.push((name, vec![block])),
        }
    }
    types
}

#[cfg(test)]
mod tests;
