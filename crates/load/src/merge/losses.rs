//! Blocks that replace others as a whole, and what is lost in the process: arguments and nested blocks of the base
//! that the override does not replace. The tool does not report such losses.

use foldhash::{HashMap, HashSet};
use overfold_dialect::words;
use std::collections::VecDeque;

use super::codes;
use super::record::{Context, Reason};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Span};
use overfold_model::config::{Argument, Block, ChangeKind, Element, Part};

/// The namespace of a provider whose source is not given.
const IMPLIED_NAMESPACE: &str = "hashicorp";

/// Whether losses are reported in addition to being recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Losses {
    Reported,
    RecordedOnly,
}

impl<'f> Context<'f, '_> {
    /// Records that the blocks `new` of an override replace the blocks `gone` of the same type, and what is lost.
    /// Blocks with the same labels are compared in order.
    pub(super) fn record_replaced_blocks<'b>(
        &mut self,
        gone: impl IntoIterator<Item = &'b Block<'f>>,
        new: &[&Block<'f>],
        losses: Losses,
        reason: Reason,
    ) where
        'f: 'b,
    {
        let Some(first) = new.first() else { return };
        let mut used = vec![false; new.len()];
        let mut gone = gone.into_iter().peekable();
        let mut partners: HashMap<Vec<&str>, VecDeque<usize>> = HashMap::default();
        if gone.peek().is_some() {
            for (at, block) in new.iter().enumerate().charged(4) {
                partners.entry(labels(block)).or_default().push_back(at);
            }
        }
        for old in gone.charged(4) {
            let partner = partners.get_mut(&labels(old)).and_then(VecDeque::pop_front);
            match partner.and_then(|at| Some((new.get(at)?, used.get_mut(at)?))) {
                Some((partner, used)) => {
                    *used = true;
                    let part = Part::Block(kind(old));
                    self.record_change(part, ChangeKind::Replaced, Some(old.range), partner.range, reason);
                    self.record_lost_contents(old, partner, losses, reason);
                }
                None => self.record_lost_block(old, first, losses, reason),
            }
        }
        for (block, _) in new.iter().zip(used).filter(|(_, used)| !used) {
            self.record_change(Part::Block(kind(block)), ChangeKind::Added, None, block.range, reason);
        }
    }

    /// Records which parts of `gone` have no counterpart of the same name in `new`, which replaces it.
    pub(super) fn record_lost_contents(&mut self, gone: &Block<'f>, new: &Block<'f>, losses: Losses, reason: Reason) {
        let mut pairs = vec![(gone, new)];
        while let Some((gone, new)) = pairs.pop() {
            let (old, over) = (body(gone), body(new));
            let reason = Reason { within: gone.header, ..reason };
            account::work(
                4 + (old.arguments.len() + old.blocks.len() + over.arguments.len() + over.blocks.len()) as u64,
            );
            let arguments: HashSet<&str> = over.arguments.iter().map(|argument| argument.name).collect();
            let mut partners: HashMap<&str, VecDeque<&Block<'f>>> = HashMap::default();
            for block in over.blocks {
                partners.entry(kind(block)).or_default().push_back(block);
            }
            for argument in old.arguments {
                if !arguments.contains(argument.name) && !partners.contains_key(argument.name) {
                    self.record_lost_argument(argument, kind(gone), new, losses, reason);
                }
            }
            for inner in old.blocks {
                match partners.get_mut(kind(inner)).and_then(VecDeque::pop_front) {
                    Some(partner) => pairs.push((inner, partner)),
                    None if arguments.contains(kind(inner)) => {}
                    None => self.record_lost_block(inner, new, losses, reason),
                }
            }
        }
    }

    fn record_lost_argument(
        &mut self,
        lost: &Argument<'f>,
        block: &str,
        new: &Block<'f>,
        losses: Losses,
        reason: Reason,
    ) {
        self.record_change(Part::Argument(lost.name), ChangeKind::Removed, Some(lost.range), new.range, reason);
        let detail = || {
            format!(
                "This block replaces the whole original `{block}` block but does not set `{}`, so that argument is lost. Repeat it here to keep it.",
                lost.name
            )
        };
        self.report_loss(losses, new.header, lost.range, detail);
    }

    fn record_lost_block(&mut self, lost: &Block<'f>, new: &Block<'f>, losses: Losses, reason: Reason) {
        self.record_change(Part::Block(kind(lost)), ChangeKind::Removed, Some(lost.range), new.range, reason);
        let detail = || {
            format!(
                "The override replaces nested blocks by type, and this `{}` block is not repeated, so it is lost. Repeat it in the override to keep it.",
                kind(lost)
            )
        };
        self.report_loss(losses, new.header, lost.header, detail);
    }

    fn report_loss(&mut self, losses: Losses, at: Span, lost: Span, detail: impl FnOnce() -> String) {
        if losses == Losses::Reported {
            let address = self.address;
            let note =
                || Diagnostic::ours(&codes::CONTENT_LOST, at, detail()).about(address).and("this is lost", lost);
            self.record.note_loss(note, self.out);
        }
    }

    /// Records which arguments are lost when the block of an element is replaced as a whole.
    pub(super) fn record_lost_arguments(&mut self, lost: &[Argument<'f>], new: &Element<'f>, reason: Reason) {
        let is_requirement = new.block.spec.is_some_and(|row| row.traits.requirements_of.is_some());
        for argument in lost {
            if is_requirement && *argument.name == *words::SOURCE_ARGUMENT {
                self.report_lost_source(argument, new, reason);
            } else {
                self.record_lost_argument(argument, new.kind.name(), new.block, Losses::Reported, reason);
            }
        }
    }

    /// Records that the source of a provider is lost, which is implied if none is given.
    fn report_lost_source(&mut self, lost: &Argument<'f>, new: &Element<'f>, reason: Reason) {
        let (address, header) = (new.address, new.block.header);
        self.record_change(Part::Argument(lost.name), ChangeKind::Removed, Some(lost.range), new.block.range, reason);
        let name = address.name();
        let implied = format!("{IMPLIED_NAMESPACE}/{name}");
        let source = self.forest.sources.text(self.forest.expr_span(lost.expr));
        let source = source.trim_matches('"');
        if source.eq_ignore_ascii_case(&implied) || source.eq_ignore_ascii_case(name) {
            return;
        }
        let note = || {
            let detail = format!(
                "This entry replaces the whole original entry but sets no source, so the provider is now {implied} instead of {source}. Repeat the source here to keep it."
            );
            let note = Diagnostic::ours(&codes::PROVIDER_SOURCE_LOST, header, detail).about(address);
            note.and("the original source", lost.range)
        };
        self.record.note_loss(note, self.out);
    }
}

/// Returns the type that a block represents: for `dynamic`, the generated one.
fn kind<'f>(block: &Block<'f>) -> &'f str {
    match block.labels.first() {
        Some(label) if is_dynamic(block) => label.text,
        _ => block.keyword,
    }
}

/// Returns the content of a block or, for `dynamic`, of each block that it generates.
fn body<'b, 'f>(block: &'b Block<'f>) -> &'b Block<'f> {
    let content = || block.blocks.iter().find(|inner| inner.keyword == words::CONTENT);
    if is_dynamic(block) { content().unwrap_or(block) } else { block }
}

fn is_dynamic(block: &Block<'_>) -> bool {
    block.keyword == words::DYNAMIC && block.spec.is_none() && block.labels.len() == 1
}

/// Returns what two blocks of one type must have in common for one to be the replacement of the other.
fn labels<'f>(block: &Block<'f>) -> Vec<&'f str> {
    if is_dynamic(block) { Vec::new() } else { block.labels.iter().map(|label| label.text).collect() }
}
