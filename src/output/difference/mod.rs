//! What differs between two merged modules in effect: formatting, comments, the order of arguments and the files that
//! things stand in are no difference.
//!
//! Both are written in the form of the part `config`, secrets included, with a note of what each value is made of
//! (`outline`). Objects are compared by address, arguments by their names, nested blocks by type and labels, and of those
//! the ones that are equal first, in order (`align`). An argument counts by what it says in that form (`normal`). Nothing
//! of the two texts is shown: what is shown is source text, as `output::redaction` allows.

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
pub use markdown::MOST_MARKDOWN;
pub use text::MOST_TEXT;
pub use tree::{DifferenceForm, TreeDifference};

/// What differs between two reports.
pub struct Difference<'r> {
    before: &'r Report<'r>,
    after: &'r Report<'r>,
    /// Sorted by address and place.
    changes: Vec<Change>,
    findings: Findings,
}

/// One object that is not the same on both sides.
#[derive(Debug)]
struct Change {
    address: String,
    kind: String,
    act: Act,
    sides: Sides,
    /// What differs inside of an object that is on both sides, in the order of `config`.
    parts: Vec<PartChange>,
}

/// An argument or nested block that is not the same on both sides.
#[derive(Debug)]
struct PartChange {
    /// The argument's name, or the type and labels of the block, after those of the blocks around it.
    name: String,
    is_block: bool,
    act: Act,
    sides: Sides,
}

/// Where something stands, on the sides where it is.
#[derive(Debug)]
struct Sides {
    before: Option<Side>,
    after: Option<Side>,
    /// The override file that is the cause of what is, or is not, there: before, after.
    overrides: [Option<String>; 2],
}

/// Where something stands on one side.
#[derive(Debug)]
struct Side {
    /// JSON Pointer into the part `config` of that side.
    pointer: String,
    /// From the name of an argument to the end of its expression, or a whole block. `None` for what stands nowhere by
    /// itself.
    range: Option<Span>,
    /// Of an argument: what it says.
    expression: Option<Expression>,
}

/// What an argument says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expression {
    /// It may not be shown.
    Hidden,
    /// It has a syntax error.
    Broken,
    /// Its source text.
    Source(Span),
}

/// What happened from one side to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Added,
    Removed,
    Changed,
    /// The same in another file.
    Moved,
    /// The same things in another order that counts.
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

    /// One character for people.
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

/// How many objects were added and so on, and how many arguments and nested blocks inside of changed objects.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    added: u32,
    removed: u32,
    changed: u32,
    moved: u32,
    parts: u32,
}

impl<'r> Difference<'r> {
    /// Compares two reports: of the same or of different files, dialects and versions.
    pub fn of(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let redactions = [Redaction::of(before), Redaction::of(after)];
        let changes = compare::changes([before, after], [&redactions[0], &redactions[1]]);
        let findings = Findings::of([before, after], [&redactions[0], &redactions[1]]);
        Self { before, after, changes, findings }
    }

    /// What the findings of two reports differ in alone, for what cannot be compared.
    fn of_findings(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let findings = Findings::of([before, after], [&Redaction::of(before), &Redaction::of(after)]);
        Self { before, after, changes: Vec::new(), findings }
    }

    /// Whether the effective configurations differ: anything but where it stands. Diagnostics do not count.
    pub fn is_different(&self) -> bool {
        self.changes.iter().any(|change| change.act != Act::Moved)
    }

    /// The difference as JSON bytes.
    pub fn json(&self) -> Vec<u8> {
        json::write(self)
    }

    /// The difference as a comment for a pull request, in GitHub's dialect of Markdown: at most [`MOST_MARKDOWN`]
    /// characters.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The difference as text for a terminal: at most [`MOST_TEXT`] characters, no control characters but line feeds.
    pub fn text(&self) -> String {
        text::write(self)
    }

    /// The difference in one of its forms, as bytes.
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
    /// Adds those of another difference.
    const fn add(&mut self, other: Self) {
        self.added = self.added.saturating_add(other.added);
        self.removed = self.removed.saturating_add(other.removed);
        self.changed = self.changed.saturating_add(other.changed);
        self.moved = self.moved.saturating_add(other.moved);
        self.parts = self.parts.saturating_add(other.parts);
    }
}

/// The name of a file, and the position in it where something begins.
fn place(report: &Report<'_>, span: Span) -> (String, Position) {
    let sources = &report.forest.sources;
    (sources.name(span.source).to_owned(), sources.position(span.source, span.start))
}

/// An expression in one line of at most `most` characters, for people.
fn in_one_line(report: &Report<'_>, expression: Expression, most: usize) -> String {
    let span = match expression {
        Expression::Hidden => return MARKER.to_owned(),
        Expression::Broken => return "(syntax error)".to_owned(),
        Expression::Source(span) => span,
    };
    let source = report.forest.sources.text(span);
    // No more is looked at than can be shown: blanks aside, what is shown stands at the beginning.
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

/// A text without what a terminal or a reader of Markdown would obey or not show: control characters, and those that
/// change the direction of text.
fn harmless(text: &str) -> String {
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
