//! Finds what was edited without an effect, because an override file that says the same on both sides takes its place.

use std::collections::{BTreeMap, VecDeque};

use super::super::config::Form;
use super::normal::normalized;
use crate::comment::counted;
use overfold_base::account;
use overfold_base::diag::Span;
use overfold_base::files::SourceKind;
use overfold_module::pipeline::Report;
use overfold_module::plan::Overriding;
use overfold_syntax::Forest;

/// The verdict on two sides that are the same in effect.
pub(super) const NOTHING: &str = "no effective changes";

/// A part that is not the same on both sides, and that an override file replaces or removes on both.
#[derive(Debug)]
pub(super) struct OverriddenEdit {
    /// The address of the object.
    pub(super) address: Box<str>,
    /// The name of the argument, or the type of the nested block; `None` for the object as a whole.
    pub(super) part: Option<Box<str>>,
    /// The side that has it, the second one if both do.
    pub(super) side: usize,
    /// Where it is on that side.
    pub(super) place: Span,
    /// What takes its place, on the second side.
    pub(super) by: Span,
}

/// Returns the edits of two modules without an effect.
pub(super) fn of_modules(reports: [&Report<'_>; 2]) -> Vec<OverriddenEdit> {
    let lists = reports.map(|report| {
        let mut list = Vec::new();
        Overriding::add_of(&report.module, report.forest, &[], &mut list);
        list
    });
    edits(reports.map(|report| report.forest), lists.each_ref().map(Vec::as_slice))
}

/// Returns the edits without an effect, in the order of the override files of the second side.
pub(super) fn edits(forests: [&Forest; 2], [was, is]: [&[Overriding]; 2]) -> Vec<OverriddenEdit> {
    let mut edits: Vec<OverriddenEdit> = Vec::new();
    if was.is_empty() || is.is_empty() {
        return edits;
    }
    // The same acts on the first side, in order.
    let mut acts: BTreeMap<(&str, Option<&str>), VecDeque<&Overriding>> = BTreeMap::new();
    for act in was {
        account::build(8, 96);
        acts.entry((&act.address, act.part.as_deref())).or_default().push_back(act);
    }
    let mut last: BTreeMap<(&str, Option<&str>), &Overriding> = BTreeMap::new();
    for act in is {
        account::work(8);
        let key = (&*act.address, act.part.as_deref());
        let taken = acts.get_mut(&key).and_then(VecDeque::pop_front);
        // One more of what the same override removes is another part that has no effect.
        let Some(other) = taken.or_else(|| last.get(&key).copied()) else { continue };
        last.insert(key, other);
        let before = other.before.filter(|_| taken.is_some());
        let (side, place) = match (before, act.before) {
            (None, None) => continue,
            (Some(own), Some(other)) if are_same(forests, [own, other]) => continue,
            (_, Some(place)) => (1, place),
            (Some(place), None) => (0, place),
        };
        if !are_same(forests, [other.cause, act.cause]) {
            continue;
        }
        // What is within a part that is listed says nothing more.
        let is_within = |edit: &OverriddenEdit| {
            let (outer, own) = (edit.place, place);
            edit.side == side && outer.source == own.source && outer.start <= own.start && own.end <= outer.end
        };
        if !edits.last().is_some_and(is_within) {
            account::grow((act.address.len() + act.part.as_deref().map_or(0, str::len)) as u64);
            let (address, part) = (act.address.clone(), act.part.clone());
            account::push(&mut edits, OverriddenEdit { address, part, side, place, by: act.cause });
        }
    }
    edits
}

/// Whether two texts are the same but for their form. Texts of different syntaxes are taken for the same.
fn are_same([first, second]: [&Forest; 2], [was, is]: [Span; 2]) -> bool {
    let text = |forest: &Forest, span: Span| {
        let span = forest.sources.in_file(span);
        let is_json = forest.sources.get(span.source).is_some_and(|source| matches!(source.kind, SourceKind::Json));
        (is_json, normalized(&forest.sources.text(span), Form::Bare))
    };
    let (was, is) = (text(first, was), text(second, is));
    was.0 != is.0 || was.1 == is.1
}

impl OverriddenEdit {
    /// Describes the edit for people: what was edited where, and what has taken its place. `code` marks a name, and
    /// `at` returns a place on a side.
    pub(super) fn line(&self, code: impl Fn(&str) -> String, at: impl Fn(usize, Span) -> String) -> String {
        let part = self.part.as_ref().map_or_else(String::new, |part| format!(": {}", code(part)));
        let gone = if self.side == 0 { ", removed" } else { "" };
        format!(
            "{}{part} ({}{gone}) is replaced by {}, as before",
            code(&self.address),
            at(self.side, self.place),
            at(1, self.by)
        )
    }
}

/// Adds to the words of a verdict how many edits have no effect.
pub(super) fn add_to_verdict(count: usize, words: &mut Vec<String>) {
    let Some(last) = words.last_mut().filter(|_| count > 0) else { return };
    let edits = format!("{} {} overridden", counted(count, "edit"), if count == 1 { "is" } else { "are" });
    if last == NOTHING {
        // It is why there are none.
        last.push_str(": ");
        last.push_str(&edits);
    } else {
        words.push(edits);
    }
}
