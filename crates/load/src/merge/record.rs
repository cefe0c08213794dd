//! The context of a merge in addition to the two blocks, and the record of its changes.

use foldhash::HashMap;

use overfold_base::account::{ChargedIterator, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_model::config::{Change, ChangeKind, MergeRule, ObjectAddr, Part};
use overfold_syntax::Forest;

use super::codes;

/// The maximum number of notes about lost content in an answer.
const MAX_LOSSES: usize = 200;

/// The record of one merge.
pub(super) struct Record<'f> {
    changes: List<Change<'f>>,
    /// The number of further notes about lost content that are allowed; `None` after it has been reported that there
    /// are too many.
    losses_left: Option<usize>,
}

impl<'f> Record<'f> {
    pub(super) const fn new() -> Self {
        Self { changes: List::new(), losses_left: Some(MAX_LOSSES) }
    }

    pub(super) fn push(&mut self, change: Change<'f>) {
        self.changes.push(change);
    }

    /// Adds changes that are known already.
    pub(super) fn extend(&mut self, changes: Vec<Change<'f>>) {
        for change in changes {
            self.push(change);
        }
    }

    /// Returns the number of changes so far.
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Turns the change at index `from` or later that put `part` at `cause` into one without effect: `kept` is there
    /// instead. Returns whether there is such a change.
    pub(super) fn ignore(&mut self, from: usize, part: Part<'_>, cause: Span, kept: Span) -> bool {
        let recent = self.changes.get_mut(from..).unwrap_or_default();
        let Some(change) =
            recent.iter_mut().charged_at_once(1).find(|change| change.part == part && change.after() == Some(cause))
        else {
            return false;
        };
        change.act = ChangeKind::Ignored;
        change.before = Some(kept);
        true
    }

    /// Changes the addresses of objects that have been renamed since they were changed.
    pub(super) fn rename(&mut self, addresses: &HashMap<ObjectAddr<'f>, ObjectAddr<'f>>) {
        for change in self.changes.iter_mut().charged_at_once(1) {
            change.address = addresses.get(&change.address).copied().unwrap_or(change.address);
        }
    }

    /// Returns all changes in the order in which they were made.
    pub(super) fn close(self) -> Vec<Change<'f>> {
        self.changes.into_vec()
    }

    /// Reports that something is lost, unless there are already too many such notes.
    pub(super) fn note_loss(&mut self, note: impl FnOnce() -> Diagnostic, out: &mut Diagnostics) {
        let Some(left) = self.losses_left else { return };
        self.losses_left = left.checked_sub(1);
        if self.losses_left.is_some() {
            out.push(note());
        } else {
            let detail =
                format!("There are more than {MAX_LOSSES} notes about lost content. The remaining ones are omitted.");
            out.push(Diagnostic::ours(&codes::LOSSES_CUT, None, detail));
        }
    }
}

/// The object that is being merged, and where changes and diagnostics go.
pub(super) struct Context<'f, 'a> {
    pub(super) forest: &'f Forest,
    pub(super) out: &'a mut Diagnostics,
    pub(super) record: &'a mut Record<'f>,
    /// The address of the object in the module.
    pub(super) object: ObjectAddr<'f>,
    /// The address in the override, for diagnostics.
    pub(super) address: ObjectAddr<'f>,
    /// Whether the block is new as a whole, so that nothing in it is recorded as added.
    pub(super) is_new: bool,
}

impl<'f, 'a> Context<'f, 'a> {
    /// Returns the context of an override whose object has the same address in both files.
    pub(super) const fn new(
        forest: &'f Forest,
        out: &'a mut Diagnostics,
        record: &'a mut Record<'f>,
        address: ObjectAddr<'f>,
    ) -> Self {
        Self { forest, out, record, object: address, address, is_new: false }
    }
}

/// The context of an act: the header of the enclosing block, and the rule.
#[derive(Clone, Copy)]
pub(super) struct Reason {
    pub(super) within: Span,
    pub(super) rule: MergeRule,
}

impl<'f> Context<'f, '_> {
    /// Records one act; see [`Change`].
    pub(super) fn record_change(
        &mut self,
        part: Part<'f>,
        act: ChangeKind,
        before: Option<Span>,
        cause: Span,
        reason: Reason,
    ) {
        if self.is_new && act == ChangeKind::Added {
            return;
        }
        let Reason { within, rule } = reason;
        self.record.push(Change { address: self.object, part, act, within, before, cause, rule });
    }

    /// Records that an argument was set: added, or as the replacement of the one at `before`.
    pub(super) fn set(&mut self, name: &'f str, before: Option<Span>, cause: Span, reason: Reason) {
        let act = if before.is_some() { ChangeKind::Replaced } else { ChangeKind::Added };
        self.record_change(Part::Argument(name), act, before, cause, reason);
    }
}
