//! What overriding changed, as a list: one record for each act, in the order in which the override files act.

use crate::config::Address;
use crate::diag::{SourceId, Span};
use crate::dialect::{AttrMerge, ListRule, NestedRule, OverrideRule};

/// One act of an override file on one object. Something that is replaced as a whole is one record, and each part of it
/// that the replacement does not repeat is one more, of something removed.
///
/// The place of an argument reaches from its name to the end of its expression, that of a block or object over the whole
/// block ([`crate::config::Block::range`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change<'f> {
    /// The object, by its address in the merged module. In a list of blocks: type and labels joined by dots, which
    /// several blocks may have in common.
    pub address: Address<'f>,
    /// What was changed.
    pub part: Part<'f>,
    /// What happened to it.
    pub act: Act,
    /// The header of the block around the part: of the block that an argument or nested block went into, stayed in or was
    /// lost with, where it stood then. Of an object: that of the block of the override file.
    pub within: Span,
    /// The place of what was replaced or removed. Of something ignored: the place of what is kept, where there is such.
    pub before: Option<Span>,
    /// The place in the override file of what acted: the new part, the ignored one, or the block that removed
    /// something (only its header where an object is removed because another was given its address).
    pub cause: Span,
    /// The rule that says so.
    pub rule: MergeRule,
}

impl Change<'_> {
    /// The place of what is there now; `None` where the act put nothing there.
    pub const fn after(&self) -> Option<Span> {
        match self.act {
            Act::Replaced | Act::Added => Some(self.cause),
            Act::Removed | Act::Ignored => None,
        }
    }

    /// The override file.
    pub const fn file(&self) -> SourceId {
        self.cause.source
    }
}

/// What an act is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'f> {
    /// An argument of this name.
    Argument(&'f str),
    /// A nested block of this type.
    Block(&'f str),
    /// The object as a whole.
    Object,
}

/// What became of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// One of the override file took its place.
    Replaced,
    /// It is new.
    Added,
    /// It is gone, and nothing took its place.
    Removed,
    /// The override file has it, and it changed nothing, silently or with an error.
    Ignored,
}

/// The rule of the dialect's table by which a change was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeRule {
    /// That of an argument; of one without a row [`AttrMerge::Replace`].
    Argument(&'static AttrMerge),
    /// That of the row of a block.
    Block(&'static OverrideRule),
    /// That of nested blocks without a row.
    Nested(NestedRule),
    /// That of a list of blocks.
    List(&'static ListRule),
}
