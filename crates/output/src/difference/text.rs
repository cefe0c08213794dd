//! Writes a difference as text for a terminal.

use super::findings::Findings;
use super::{
    Contents, Counts, Difference, DifferenceKind, ItemChange, Locations, OverriddenEdit, PartChange, PartKind, Side,
    counted, in_one_line, item_texts, place, sanitized,
};
use crate::bounded::Bounded;
use overfold_base::account::{self, List};
use overfold_base::diag::Span;
use overfold_module::pipeline::Report;

/// The maximum number of characters of an expression.
const MAX: usize = 80;

/// The maximum number of characters (Unicode scalar values) of the whole text.
pub const MAX_TEXT: usize = 1_000_000;

pub(super) fn write(difference: &Difference<'_>) -> String {
    let mut text = Bounded::new(MAX_TEXT);
    let totals = totals(difference.counts()) + "\n";
    text.reserve(&totals);
    for line in changes(difference) {
        text.entry(&line);
    }
    text.end(&totals);
    for line in findings(difference) {
        text.entry(&line);
    }
    text.finish()
}

/// Returns the changes: one entry for each object or changed part, each a whole line.
pub(super) fn changes(difference: &Difference<'_>) -> Vec<String> {
    let mut lines = List::new();
    overridden([difference.before, difference.after], &difference.overridden, &mut lines);
    for change in &difference.changes {
        let from = change.previous_address.as_ref().map_or_else(String::new, |from| format!(", moved from {from}"));
        let act = if from.is_empty() { change.act } else { DifferenceKind::Changed };
        let places = places(difference, &change.sides, act);
        push(&mut lines, &format!("{} {}{from}{places}", change.act.sign(), change.address));
        for part in &change.parts {
            push(&mut lines, &format!("    {}", part_line(difference, part)));
            contents(difference, &part.body, "        ", &mut lines);
            for item in &part.items {
                push(&mut lines, &format!("        {}", item_line(difference, item)));
            }
        }
        contents(difference, &change.body, "    ", &mut lines);
    }
    lines.into_vec()
}

/// Adds the edits without an effect.
pub(super) fn overridden(reports: [&Report<'_>; 2], edits: &[OverriddenEdit], lines: &mut List<String>) {
    let at = |side: usize, span: Span| {
        let found = reports.get(side).map(|report| place(report, report.forest.sources.in_file(span)));
        found.map_or_else(String::new, |(file, position)| format!("{file}:{}", position.line))
    };
    for edit in edits {
        push(lines, &format!("without effect: {}", edit.line(str::to_owned, at)));
    }
}

/// Adds the body of a block that exists on one side only.
fn contents(difference: &Difference<'_>, body: &Contents, indent: &str, lines: &mut List<String>) {
    for part in &body.parts {
        push(lines, &format!("{indent}{}", part_line(difference, part)));
    }
    if body.more > 0 {
        push(lines, &format!("{indent}({} more)", body.more));
    }
}

/// Describes an item of a list or an object that differs.
fn item_line(difference: &Difference<'_>, item: &ItemChange) -> String {
    let [was, is] = item_texts(difference, item, MAX, str::to_owned);
    let key = item.key.as_ref().map_or_else(String::new, |key| format!("{key}: "));
    let both: Vec<String> = [was, is].into_iter().flatten().collect();
    format!("{} {key}{}", item.act.sign(), both.join(" -> "))
}

/// Returns the diagnostics that appeared and vanished, as lines.
pub(super) fn findings(difference: &Difference<'_>) -> Vec<String> {
    findings_of([difference.before, difference.after], &difference.findings)
}

/// Returns the diagnostics that appeared and vanished between two reports, as lines.
pub(super) fn findings_of([before, after]: [&Report<'_>; 2], findings: &Findings) -> Vec<String> {
    let mut lines = List::new();
    for (verb, report, list) in [("appeared", after, &findings.appeared), ("vanished", before, &findings.vanished)] {
        for finding in super::findings::lines(report, list) {
            push(&mut lines, &format!("{verb}: {finding}"));
        }
    }
    lines.into_vec()
}

/// Describes how many objects differ.
pub(super) fn totals(counts: Counts) -> String {
    let Counts { added, removed, changed, moved, .. } = counts;
    let moved = if moved > 0 { format!(", {moved} moved") } else { String::new() };
    format!("{} added, {removed} removed, {changed} changed{moved}", counted(added, "object"))
}

/// Adds a line.
pub(super) fn push(lines: &mut List<String>, line: &str) {
    let line = sanitized(line) + "\n";
    account::text(line.len());
    lines.push(line);
}

fn at(report: &Report<'_>, side: &Side) -> Option<String> {
    let (file, position) = place(report, side.range?);
    Some(format!("{file}:{}", position.line))
}

/// Returns the positions of an object, in parentheses.
fn places(difference: &Difference<'_>, sides: &Locations, act: DifferenceKind) -> String {
    let was = sides.before.as_ref().and_then(|side| at(difference.before, side));
    let is = sides.after.as_ref().and_then(|side| at(difference.after, side));
    match (was, is) {
        (Some(was), Some(is)) if act == DifferenceKind::Moved => format!(" moved from {was} to {is}"),
        (Some(was), Some(is)) if was != is => format!(" ({was} -> {is})"),
        (Some(at), _) | (None, Some(at)) => format!(" ({at})"),
        (None, None) => String::new(),
    }
}

fn part_line(difference: &Difference<'_>, part: &PartChange) -> String {
    let [was, is] = &part.sides.overrides;
    let sides = [part.sides.before.as_ref(), part.sides.after.as_ref()];
    let [old, new] = in_one_line([difference.before, difference.after], sides, MAX, str::to_owned);
    let side = |side: Option<&Side>, report, expression: Option<String>, file: &Option<String>| {
        let side = side?;
        let mut words: Vec<String> = expression.into_iter().collect();
        words.extend((side.is_block && part.what == PartKind::Argument).then(|| "a block".to_owned()));
        let overrides = if file.is_some() { ", override" } else { "" };
        words.extend(at(report, side).map(|at| format!("({at}{overrides})")));
        Some(words.join(" "))
    };
    let gone = |file: &Option<String>| file.as_ref().map(|file| format!("(removed by the override file {file})"));
    let [before, after] = sides;
    let before = side(before, difference.before, old, was).or_else(|| gone(was));
    let after = side(after, difference.after, new, is).or_else(|| gone(is));
    let what = match part.what {
        PartKind::Argument => "",
        PartKind::Block => " (block)",
        PartKind::Label => " (label)",
    };
    let both: Vec<String> = [before, after].into_iter().flatten().collect();
    let order = if part.act == DifferenceKind::Reordered { " in another order" } else { "" };
    format!("{} {}{what}{order}: {}", part.act.sign(), part.name, both.join(" -> "))
}
