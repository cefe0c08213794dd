//! The list of everything that overriding changed: one record for each act, in the order of the override files.

use crate::config::ObjectAddr;
use overfold_base::diag::{SourceId, Span};
use overfold_dialect::{AttrMerge, ListRule, NestedRule, OverrideRule};

/// One act of an override file on one object. Something that is replaced as a whole yields one record, and one more,
/// of a removal, for each of its parts that the replacement does not repeat.
///
/// The place of an argument extends from its name to the end of its expression; the place of a block or object is the
/// whole block ([`crate::config::Block::range`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change<'f> {
    /// The address of the object in the merged module. In a list of blocks, this is the type and the labels joined by
    /// dots, which several blocks may share.
    pub address: ObjectAddr<'f>,
    /// The part of the object that was changed.
    pub part: Part<'f>,
    /// What happened to the part.
    pub act: ChangeKind,
    /// The header of the enclosing block: the block into which an argument or nested block was put, in which it was
    /// kept, or with which it was lost, at its position at that time. For an object, the header of the block in the
    /// override file; for a nested block that is not read in an override file, that of the block around it.
    pub within: Span,
    /// The place of what was replaced or removed. For something ignored, the place of what is kept instead, if
    /// anything.
    pub before: Option<Span>,
    /// The place in the override file of what caused the change: the new part, the ignored part, or the block that
    /// removed something (only its header if an object is removed because another one received its address).
    pub cause: Span,
    /// The rule that determined the change.
    pub rule: MergeRule,
}

impl Change<'_> {
    /// Returns the place of what is there after the change; `None` if the act put nothing there.
    pub const fn after(&self) -> Option<Span> {
        match self.act {
            ChangeKind::Replaced | ChangeKind::Added => Some(self.cause),
            ChangeKind::Removed | ChangeKind::Ignored => None,
        }
    }

    /// Returns the override file that made the change.
    pub const fn file(&self) -> SourceId {
        self.cause.source
    }
}

/// The part of an object that an act changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'f> {
    /// The argument of this name.
    Argument(&'f str),
    /// A nested block of this type.
    Block(&'f str),
    /// The object as a whole.
    Object,
}

/// What happened to a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// A part of the override file replaced it.
    Replaced,
    /// The part is new.
    Added,
    /// The part was removed without a replacement.
    Removed,
    /// The part of the override file changed nothing, silently or with an error.
    Ignored,
}

/// The rule of the dialect's table that determined a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeRule {
    /// The rule of an argument; for one without a row, [`AttrMerge::Replace`].
    Argument(&'static AttrMerge),
    /// The rule in the row of a block.
    Block(&'static OverrideRule),
    /// The rule of nested blocks without a row.
    Nested(NestedRule),
    /// The rule of a list of blocks.
    List(&'static ListRule),
}
