//! Compares the effective configurations of two merged modules: formatting, comments, the order of arguments and the
//! distribution over files make no difference.
//!
//! Both are written in the form of the part `config`, secrets included, with a note of the origin of each value
//! (`outline`). Objects are compared by address, arguments by name, and nested blocks by type and labels; among several
//! blocks of the same type and labels, equal ones are paired first, in order (`align`). Arguments are compared by their
//! meaning in that form (`normal`). None of these two texts is shown: only source text is, as far as
//! `output::redaction` allows it.

mod align;
mod bounded;
mod compare;
mod findings;
mod json;
mod markdown;
mod normal;
mod outline;
mod text;
mod tree;

use super::diagnostics;
use super::redaction::{MARKER, Redaction};
use crate::account;
use crate::diag::Span;
use crate::files::Position;
use crate::pipeline::Report;
use findings::Findings;
pub use markdown::MAX_MARKDOWN;
pub use text::MAX_TEXT;
pub use tree::{DifferenceForm, TreeDifference};

/// The differences between two reports.
pub struct Difference<'r> {
    before: &'r Report<'r>,
    after: &'r Report<'r>,
    /// The changes, sorted by address and position.
    changes: Vec<Change>,
    findings: Findings,
}

/// An object that differs between the two sides.
#[derive(Debug)]
struct Change {
    address: String,
    kind: String,
    act: Act,
    sides: Sides,
    /// The differences within an object that exists on both sides, in the order of `config`.
    parts: Vec<PartChange>,
}

/// An argument or nested block that differs between the two sides.
#[derive(Debug)]
struct PartChange {
    /// The name of the argument, or the type and labels of the block, after those of the enclosing blocks.
    name: String,
    is_block: bool,
    act: Act,
    sides: Sides,
}

/// The positions of something on the sides where it exists.
#[derive(Debug)]
struct Sides {
    before: Option<Side>,
    after: Option<Side>,
    /// The override files that caused it to be present or absent: before, after.
    overrides: [Option<String>; 2],
}

/// The position of something on one side.
#[derive(Debug)]
struct Side {
    /// JSON Pointer into the part `config` of that side.
    pointer: String,
    /// The range from the name of an argument to the end of its expression, or of a whole block. `None` for something
    /// without a position of its own.
    range: Option<Span>,
    /// The expression, for an argument.
    expression: Option<Expression>,
}

/// The expression of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expression {
    /// May not be shown.
    Hidden,
    /// Has a syntax error.
    Broken,
    /// Can be shown as this source text.
    Source(Span),
}

/// The kind of change from one side to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Added,
    Removed,
    Changed,
    /// Unchanged, but in another file.
    Moved,
    /// The same items in another order, where the order matters.
    Reordered,
}

impl Act {
    const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Reordered => "reordered",
        }
    }

    /// A one-character sign for people.
    const fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
            Self::Moved => '>',
            Self::Reordered => '^',
        }
    }
}

/// The number of objects by kind of change, and of arguments and nested blocks within changed objects.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    added: u32,
    removed: u32,
    changed: u32,
    moved: u32,
    parts: u32,
}

impl<'r> Difference<'r> {
    /// Compares two reports, of the same or of different files, dialects and versions.
    pub fn of(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let redactions = [Redaction::of(before), Redaction::of(after)];
        let changes = compare::changes([before, after], [&redactions[0], &redactions[1]]);
        let findings = Findings::of([before, after], [&redactions[0], &redactions[1]]);
        Self { before, after, changes, findings }
    }

    /// Compares only the findings of two reports, for modules that cannot be compared otherwise.
    fn of_findings(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let findings = Findings::of([before, after], [&Redaction::of(before), &Redaction::of(after)]);
        Self { before, after, changes: Vec::new(), findings }
    }

    /// Whether the effective configurations differ in anything but position. Diagnostics are ignored.
    pub fn is_different(&self) -> bool {
        self.changes.iter().any(|change| change.act != Act::Moved)
    }

    /// Returns the difference as JSON.
    pub fn json(&self) -> Vec<u8> {
        json::write(self)
    }

    /// Returns the difference as a comment for a pull request, in GitHub Flavored Markdown: at most [`MAX_MARKDOWN`]
    /// characters.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// Returns the difference as text for a terminal: at most [`MAX_TEXT`] characters, and no control characters
    /// except line feeds.
    pub fn text(&self) -> String {
        text::write(self)
    }

    /// Returns the difference in the given form, as bytes.
    pub fn write(&self, form: DifferenceForm) -> Vec<u8> {
        match form {
            DifferenceForm::Json => self.json(),
            DifferenceForm::Markdown => self.markdown().into_bytes(),
            DifferenceForm::Text => self.text().into_bytes(),
        }
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for change in &self.changes {
            match change.act {
                Act::Added => counts.added += 1,
                Act::Removed => counts.removed += 1,
                Act::Changed | Act::Reordered => counts.changed += 1,
                Act::Moved => counts.moved += 1,
            }
            counts.parts = counts.parts.saturating_add(u32::try_from(change.parts.len()).unwrap_or(u32::MAX));
        }
        counts
    }
}

impl Counts {
    /// Adds the counts of another difference.
    const fn add(&mut self, other: Self) {
        self.added = self.added.saturating_add(other.added);
        self.removed = self.removed.saturating_add(other.removed);
        self.changed = self.changed.saturating_add(other.changed);
        self.moved = self.moved.saturating_add(other.moved);
        self.parts = self.parts.saturating_add(other.parts);
    }
}

/// The file name and the start position of a span.
fn place(report: &Report<'_>, span: Span) -> (String, Position) {
    let sources = &report.forest.sources;
    (sources.name(span.source).to_owned(), sources.position(span.source, span.start))
}

/// Returns an expression in one line of at most `most` characters, for people.
fn in_one_line(report: &Report<'_>, expression: Expression, most: usize) -> String {
    let span = match expression {
        Expression::Hidden => return MARKER.to_owned(),
        Expression::Broken => return "(syntax error)".to_owned(),
        Expression::Source(span) => span,
    };
    let source = report.forest.sources.text(span);
    // Only the beginning is examined: apart from white space, it is all that can be shown.
    let enough: String = source.chars().take(most.saturating_mul(8)).collect();
    account::touch(source.len());
    let words: Vec<&str> = enough.split_whitespace().collect();
    let line = words.join(" ");
    let is_cut = enough.len() < source.len();
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} …", line.get(..end).unwrap_or_default()),
        None if is_cut => format!("{line} …"),
        None => line,
    }
}

/// Replaces characters that a terminal or a reader of Markdown would interpret or not show: control characters, and
/// those that change the direction of text.
fn sanitized(text: &str) -> String {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    text.chars().map(|c| if acts(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// `1 object`, `2 objects`.
fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
