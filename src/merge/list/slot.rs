//! A block that may take override blocks, one after another.

use std::collections::HashMap;

use crate::config::{Argument, Block};
use crate::diag::Span;

/// A block of the list, or one nested in such. Once it is overridden it keeps indexes of its parts, so that a long chain of
/// overrides costs what the overrides hold.
pub(super) struct Slot<'f> {
    /// Once there is an index its nested blocks are there.
    block: Block<'f>,
    index: Option<Box<Index<'f>>>,
}

#[derive(Default)]
struct Index<'f> {
    by_name: HashMap<&'f str, usize>,
    /// Nested blocks in order; one that is gone leaves its place empty.
    inner: Vec<Option<Slot<'f>>>,
    by_type: HashMap<&'f str, Vec<usize>>,
    /// What was removed since [`Slot::finalize`], with its place.
    removed: Vec<(usize, Block<'f>)>,
}

impl<'f> Index<'f> {
    fn of(block: &mut Block<'f>) -> Self {
        let mut index = Self::default();
        for (at, argument) in block.arguments.iter().enumerate() {
            index.by_name.entry(argument.name).or_insert(at);
        }
        for inner in std::mem::take(&mut block.blocks) {
            index.push(inner);
        }
        index
    }

    fn push(&mut self, block: Block<'f>) {
        self.by_type.entry(block.keyword).or_default().push(self.inner.len());
        self.inner.push(Some(Slot::new(block)));
    }
}

impl<'f> Slot<'f> {
    pub(super) const fn new(block: Block<'f>) -> Self {
        Self { block, index: None }
    }

    /// The merged block.
    pub(super) fn close(self) -> Block<'f> {
        match self.index {
            Some(index) => {
                Block { blocks: index.inner.into_iter().flatten().map(Self::close).collect(), ..self.block }
            }
            None => self.block,
        }
    }

    fn open(&mut self) -> (&mut Block<'f>, &mut Index<'f>) {
        let Self { block, index } = self;
        let index = index.get_or_insert_with(|| Box::new(Index::of(block)));
        (block, index)
    }

    pub(super) const fn header(&self) -> Span {
        self.block.header
    }

    pub(super) fn arguments(&self) -> &[Argument<'f>] {
        &self.block.arguments
    }

    /// Notes the header of a block that is merged into this one; once for all copies that expansion makes of it.
    pub(super) fn overridden(&mut self, header: Span) {
        if self.block.overridden.last() != Some(&header) {
            self.block.overridden.push(header);
        }
    }

    /// Whether the last block that was merged into this one has this header.
    pub(super) fn is_overridden_by(&self, header: Span) -> bool {
        self.block.overridden.last() == Some(&header)
    }

    /// What was removed since [`Self::finalize`]; blocks of one type in their order.
    pub(super) fn removed(&self) -> impl Iterator<Item = &Block<'f>> {
        self.index.iter().flat_map(|index| &index.removed).map(|(_, gone)| gone)
    }

    /// Puts an argument in the place of the one of its name, or at the end.
    pub(super) fn set(&mut self, mut argument: Argument<'f>) {
        let (block, index) = self.open();
        match index.by_name.get(argument.name).and_then(|&at| block.arguments.get_mut(at)) {
            Some(place) => {
                argument.overrode = std::mem::take(&mut place.overrode);
                let earlier = std::mem::replace(place, argument);
                place.overrode.push(earlier);
            }
            None => {
                index.by_name.insert(argument.name, block.arguments.len());
                block.arguments.push(argument);
            }
        }
    }

    /// Takes away every nested block of a type.
    pub(super) fn remove(&mut self, keyword: &str) {
        let (_, index) = self.open();
        for at in index.by_type.remove(keyword).unwrap_or_default() {
            if let Some(gone) = index.inner.get_mut(at).and_then(Option::take) {
                index.removed.push((at, gone.close()));
            }
        }
    }

    /// Notes what was removed, in the order in which it stood.
    pub(super) fn finalize(&mut self) {
        let (block, index) = self.open();
        index.removed.sort_by_key(|(at, _)| *at);
        block.overrode_blocks.extend(index.removed.drain(..).map(|(_, gone)| gone));
    }

    /// Adds a nested block at the end.
    pub(super) fn push(&mut self, inner: Block<'f>) {
        self.open().1.push(inner);
    }

    /// Places of the nested blocks of a type, in order.
    pub(super) fn places(&mut self, keyword: &str) -> &[usize] {
        self.open().1.by_type.get(keyword).map_or(&[], Vec::as_slice)
    }

    /// A nested block.
    pub(super) fn inner(&mut self, place: usize) -> Option<&mut Self> {
        self.open().1.inner.get_mut(place)?.as_mut()
    }
}
