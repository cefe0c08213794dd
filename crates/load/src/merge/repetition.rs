//! Several ways to repeat one object that overrides combine, of which the tool uses only the first that it looks for
//! (terraform.md, section 7.5; opentofu.md, section 7.2). The others stay in the block but have no effect, so the record
//! treats them as removed or ignored.

use super::block::{BlockMerger, BlockType};
use super::record::{Context, Reason};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Span;
use overfold_dialect::words::{ENABLED, LIFECYCLE};
use overfold_dialect::{AttrMerge, BlockSpec};
use overfold_model::config::{Argument, ChangeKind, MergeRule, Part};

/// An argument that repeats the object of a block.
#[derive(Clone, Copy)]
pub(crate) struct Repetition {
    name: &'static str,
    range: Span,
    /// The header of the block that contains it.
    within: Span,
    rule: &'static AttrMerge,
}

/// Returns the arguments of a block that repeat its object, the one that takes effect first. Blocks in which several
/// are allowed have none.
pub(super) fn repetitions(base: &mut BlockMerger<'_>) -> Vec<Repetition> {
    let order = base.spec().map_or(&[][..], BlockSpec::repetition_order);
    let mut found = Vec::new();
    for &name in order {
        let is_there = |argument: &&Argument<'_>| argument.spec.is_some() && argument.is_listed();
        let repetition = |argument: &Argument<'_>, within| Repetition {
            name,
            range: argument.range,
            within,
            rule: argument.spec.map_or(&AttrMerge::Replace, |row| &row.merge),
        };
        let within = base.header();
        if let Some(argument) = base.argument(name).filter(is_there) {
            found.push(repetition(argument, within));
        } else if name == ENABLED {
            let place = base.places(BlockType::with_row(LIFECYCLE)).first().copied();
            if let Some(place) = place
                && let Some(lifecycle) = base.nested(place)
            {
                let within = lifecycle.header();
                found.extend(lifecycle.argument(name).filter(is_there).map(|argument| repetition(argument, within)));
            }
        }
    }
    found
}

/// Corrects the record of an override of `base`, whose changes begin at `mark`: what it sets without effect is ignored,
/// and what it displaces is removed. `before` are the repetitions before the override, and `over` is the range of its
/// block.
pub(super) fn settle(
    base: &mut BlockMerger<'_>,
    before: &[Repetition],
    mark: usize,
    over: Span,
    cx: &mut Context<'_, '_>,
) {
    let after = repetitions(base);
    let Some((winner, idle)) = after.split_first() else { return };
    let is_new = |range: Span| range.source == over.source && over.start <= range.start && range.end <= over.end;
    for repetition in idle.charged(4) {
        let part = Part::Argument(repetition.name);
        let reason = Reason { within: repetition.within, rule: MergeRule::Argument(repetition.rule) };
        if is_new(repetition.range) {
            if !cx.record.ignore(mark, part, repetition.range, winner.range) {
                cx.record_change(part, ChangeKind::Ignored, Some(winner.range), repetition.range, reason);
            }
        } else if is_new(winner.range) && before.first().is_some_and(|first| first.range == repetition.range) {
            let reason = Reason { rule: MergeRule::Argument(winner.rule), ..reason };
            cx.record_change(part, ChangeKind::Removed, Some(repetition.range), winner.range, reason);
        }
    }
}
