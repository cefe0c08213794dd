//! The difference as text for a terminal.

use std::fmt::Write as _;

use super::{Act, Difference, PartChange, Side, Sides, counted, harmless, in_one_line, place};
use crate::account;
use crate::pipeline::Report;

/// The most characters of an expression.
const MOST: usize = 80;

pub(super) fn write(difference: &Difference<'_>) -> String {
    let Difference { before, after, changes, findings } = difference;
    let mut text = String::new();
    for change in changes {
        let mut line = format!("{} {}", change.act.sign(), change.address);
        line.push_str(&places(difference, &change.sides, change.act));
        push(&mut text, &line);
        for part in &change.parts {
            push(&mut text, &format!("    {}", part_line(difference, part)));
        }
    }
    let counts = difference.counts();
    let mut line = format!(
        "{}, {}, {}",
        counted(counts.added, "object") + " added",
        counts.removed.to_string() + " removed",
        counts.changed.to_string() + " changed"
    );
    if counts.moved > 0 {
        // Writing to a string does not fail.
        let _ = write!(line, ", {} moved", counts.moved);
    }
    push(&mut text, &line);
    for (verb, report, list) in [("appeared", after, &findings.appeared), ("vanished", before, &findings.vanished)] {
        for finding in super::findings::lines(report, list) {
            push(&mut text, &format!("{verb}: {finding}"));
        }
    }
    text
}

/// Adds a line.
fn push(text: &mut String, line: &str) {
    let line = harmless(line);
    account::grow(line.len() as u64 + 1);
    account::touch(line.len());
    text.push_str(&line);
    text.push('\n');
}

fn at(report: &Report<'_>, side: &Side) -> Option<String> {
    let (file, position) = place(report, side.range?);
    Some(format!("{file}:{}", position.line))
}

/// Where an object stands, in parentheses.
fn places(difference: &Difference<'_>, sides: &Sides, act: Act) -> String {
    let was = sides.before.as_ref().and_then(|side| at(difference.before, side));
    let is = sides.after.as_ref().and_then(|side| at(difference.after, side));
    match (was, is) {
        (Some(was), Some(is)) if act == Act::Moved => format!(" moved from {was} to {is}"),
        (Some(was), Some(is)) if was != is => format!(" ({was} -> {is})"),
        (Some(at), _) | (None, Some(at)) => format!(" ({at})"),
        (None, None) => String::new(),
    }
}

fn part_line(difference: &Difference<'_>, part: &PartChange) -> String {
    let [was, is] = &part.sides.overrides;
    let side = |side: &Option<Side>, report, file: &Option<String>| {
        let side = side.as_ref()?;
        let mut words = Vec::new();
        words.extend(side.expression.map(|expression| in_one_line(report, expression, MOST)));
        let overrides = if file.is_some() { ", override" } else { "" };
        words.extend(at(report, side).map(|at| format!("({at}{overrides})")));
        Some(words.join(" "))
    };
    let gone = |file: &Option<String>| file.as_ref().map(|file| format!("(removed by the override file {file})"));
    let before = side(&part.sides.before, difference.before, was).or_else(|| gone(was));
    let after = side(&part.sides.after, difference.after, is).or_else(|| gone(is));
    let what = if part.is_block { " (block)" } else { "" };
    let both: Vec<String> = [before, after].into_iter().flatten().collect();
    let order = if part.act == Act::Reordered { " in another order" } else { "" };
    format!("{} {}{what}{order}: {}", part.act.sign(), part.name, both.join(" -> "))
}
