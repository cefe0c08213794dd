//! Notes about what an override takes away from the base without putting anything in its place: arguments and nested blocks
//! of a block that is replaced as a whole. The tool says nothing about them.

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

use super::codes;
use crate::account;
use crate::config::{Argument, Block, Element};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::dialect::Check;
use crate::syntax::Forest;

/// How many such notes one answer holds.
const MOST: usize = 200;

/// The namespace of a provider whose source is not given.
const IMPLIED_NAMESPACE: &str = "hashicorp";

/// The notes of one merge.
pub(super) struct Losses {
    left: usize,
    cut: bool,
}

impl Losses {
    pub(super) fn new() -> Self {
        Self { left: MOST, cut: false }
    }

    fn note(&mut self, note: Diagnostic, out: &mut Diagnostics) {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            out.push(note);
        } else if !self.cut {
            self.cut = true;
            let detail = format!("There are more than {MOST} notes about lost content; the rest is left out.");
            out.push(Diagnostic::ours(&codes::LOSSES_CUT, None, detail));
        }
    }

    /// Notes what is lost where the blocks `new` of an override take the place of the blocks `gone` of the same type. Blocks
    /// with the same labels are compared in their order.
    pub(super) fn blocks<'b>(
        &mut self,
        gone: impl IntoIterator<Item = &'b Block<'b>>,
        new: &[&Block<'_>],
        address: &str,
        out: &mut Diagnostics,
    ) {
        let Some(first) = new.first() else { return };
        let mut partners: HashMap<Vec<&str>, VecDeque<&Block<'_>>> = HashMap::default();
        for block in new {
            account::work(4);
            partners.entry(labels(block)).or_default().push_back(block);
        }
        for old in gone {
            if self.cut {
                return;
            }
            account::work(4);
            match partners.get_mut(&labels(old)).and_then(VecDeque::pop_front) {
                Some(partner) => self.contents(old, partner, address, out),
                None => self.block(old, first.header, address, out),
            }
        }
    }

    /// Notes which parts of `gone` have no part of the same name in `new`.
    pub(super) fn contents(&mut self, gone: &Block<'_>, new: &Block<'_>, address: &str, out: &mut Diagnostics) {
        let mut pairs = vec![(gone, new)];
        while let Some((gone, new)) = pairs.pop() {
            let (old, over) = (body(gone), body(new));
            account::work(
                4 + (old.arguments.len() + old.blocks.len() + over.arguments.len() + over.blocks.len()) as u64,
            );
            let arguments = over.arguments.iter().map(|argument| argument.name);
            let names: HashSet<&str> = arguments.chain(over.blocks.iter().map(kind)).collect();
            for argument in old.arguments.iter().filter(|argument| !names.contains(argument.name)) {
                self.argument(argument, kind(gone), new.header, address, out);
            }
            let mut partners: HashMap<&str, VecDeque<&Block<'_>>> = HashMap::default();
            for block in &over.blocks {
                partners.entry(kind(block)).or_default().push_back(block);
            }
            for inner in &old.blocks {
                if self.cut {
                    return;
                }
                match partners.get_mut(kind(inner)).and_then(VecDeque::pop_front) {
                    Some(partner) => pairs.push((inner, partner)),
                    None if over.arguments.iter().any(|argument| *argument.name == *kind(inner)) => {}
                    None => self.block(inner, new.header, address, out),
                }
            }
        }
    }

    fn argument(&mut self, lost: &Argument<'_>, block: &str, at: Span, address: &str, out: &mut Diagnostics) {
        let name = &lost.name;
        let detail = format!(
            "The {block} block of the base is replaced as a whole. This one does not set `{name}`, so that argument is lost."
        );
        let note = Diagnostic::ours(&codes::CONTENT_LOST, at, detail).about(address);
        self.note(note.and("lost", lost.range), out);
    }

    fn block(&mut self, lost: &Block<'_>, at: Span, address: &str, out: &mut Diagnostics) {
        let detail = format!(
            "Blocks of an override file replace those of the base by type. Nothing takes the place of this {} block of the base.",
            kind(lost)
        );
        let note = Diagnostic::ours(&codes::CONTENT_LOST, at, detail).about(address);
        self.note(note.and("lost", lost.header), out);
    }

    /// Notes which arguments an element has lost whose block was replaced as a whole; `gone` is what is left of the block.
    pub(super) fn element(&mut self, gone: &Block<'_>, new: &Element<'_>, forest: &Forest, out: &mut Diagnostics) {
        let address = new.address.0;
        let is_requirement = new.block.spec.is_some_and(|row| {
            row.checks.iter().any(|row| matches!(row.check, Check::EntriesAreRequirements { .. }))
        });
        for argument in &gone.arguments {
            if is_requirement && *argument.name == *"source" {
                let name = address.rsplit('.').next().unwrap_or_default();
                let implied = format!("{IMPLIED_NAMESPACE}/{name}");
                let source = forest.sources.text(forest.expr_span(argument.expr));
                let source = source.trim_matches('"');
                if source.eq_ignore_ascii_case(&implied) || source.eq_ignore_ascii_case(name) {
                    continue;
                }
                let detail = format!(
                    "An entry of an override file replaces the base's entry as a whole. This one has no source, so the \
                     provider is {implied} now, in place of {source}. Repeat the source here."
                );
                let note = Diagnostic::ours(&codes::PROVIDER_SOURCE_LOST, new.block.header, detail).about(address);
                self.note(note.and("the source of the base", argument.range), out);
            } else {
                self.argument(argument, new.kind, new.block.header, address, out);
            }
        }
    }
}

/// The type that a block stands for: the generated one for `dynamic`.
fn kind<'f>(block: &Block<'f>) -> &'f str {
    match block.labels.first() {
        Some(label) if is_dynamic(block) => label.text,
        _ => block.keyword,
    }
}

/// What a block, or each block that it generates, holds.
fn body<'b, 'f>(block: &'b Block<'f>) -> &'b Block<'f> {
    let content = || block.blocks.iter().find(|inner| inner.keyword == "content");
    if is_dynamic(block) { content().unwrap_or(block) } else { block }
}

fn is_dynamic(block: &Block<'_>) -> bool {
    block.keyword == "dynamic" && block.spec.is_none() && block.labels.len() == 1
}

/// What two blocks of one type have in common where one takes the other's place.
fn labels<'f>(block: &Block<'f>) -> Vec<&'f str> {
    if is_dynamic(block) { Vec::new() } else { block.labels.iter().map(|label| label.text).collect() }
}
