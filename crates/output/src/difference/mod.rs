//! Compares the effective configurations of two merged modules: formatting, comments, the order of arguments and the
//! distribution over files make no difference.
//!
//! Both are walked like the part `config`, secrets included, and outlined with the origin of each value (`outline`).
//! Objects are compared by address, arguments by name, and nested blocks by type and labels; among several blocks of the
//! same type and labels, equal ones are paired first, in order (`align`). Arguments are compared by their meaning in that
//! form (`normal`). Nothing of the outlines is shown: only source text is, as far as `output::redaction` allows it.

mod ambiguous;
mod compare;
mod details;
mod findings;
mod json;
mod markdown;
mod normal;
mod outline;
mod overridden;
mod pairing;
mod plans;
mod renames;
mod text;
mod tree;
mod verdict;

use std::borrow::Cow;

use super::diagnostics;
use super::excerpt::distinct;
use super::redaction::{MARKER, Redaction};
use crate::plain::sanitized;
use crate::view::DiffCounts as Counts;
use findings::Findings;
pub(crate) use json::{Changes, Parts};
pub use markdown::Links;
use overfold_base::account::{self, List};
use overfold_base::diag::Span;
use overfold_base::files::Position;
use overfold_base::named;
use overfold_module::pipeline::Report;
use overridden::OverriddenEdit;
pub(crate) use plans::{
    CallChanges, CheckChanges, InstanceChangeKind, InstanceChanges, OutputChanges, SuggestedMoves, ValueChanges,
};
pub use plans::{
    PlanDifference, PlanDifferences, RootSide, UpgradeDifference, UpgradeDifferences, UpgradeKeys, UpgradeKind,
    UpgradeVerdict, upgrade_keys,
};
pub use text::MAX_TEXT;
pub(crate) use tree::{AffectedModules, ModuleChangeKind, WrittenPairs};
pub use tree::{DifferenceForm, TreeDifference};

/// The differences between two reports.
pub struct Difference<'r> {
    before: &'r Report<'r>,
    after: &'r Report<'r>,
    /// The changes, sorted by address and position.
    changes: Vec<Change>,
    /// What was edited without an effect.
    overridden: Vec<OverriddenEdit>,
    findings: Findings,
}

/// An object that differs between the two sides.
#[derive(Debug)]
struct Change {
    address: String,
    /// The address on the first side, if blocks have moved the object from there.
    previous_address: Option<String>,
    kind: String,
    act: DifferenceKind,
    sides: Locations,
    /// The differences within an object that exists on both sides, in the order of `config`.
    parts: List<PartChange>,
    /// The body of an object that exists on one side only.
    body: Contents,
}

/// An argument or nested block that differs between the two sides.
#[derive(Debug)]
struct PartChange {
    /// The name of the argument, or the type and labels of the block, after those of the enclosing blocks.
    name: String,
    what: PartKind,
    act: DifferenceKind,
    sides: Locations,
    /// The body of a nested block that exists on one side only.
    body: Contents,
    /// The items that differ of a list or an object that both sides write out and that have an item in common.
    items: Vec<ItemChange>,
}

/// The arguments and nested blocks of a block that exists on one side only, in the order of `config`.
#[derive(Default, Debug)]
struct Contents {
    /// As many as are kept.
    parts: List<PartChange>,
    /// The number of others.
    more: u32,
}

/// An item of a list or an object that is not the same on both sides.
#[derive(Debug)]
struct ItemChange {
    /// The key of an item of an object, as written.
    key: Option<String>,
    act: DifferenceKind,
    /// The text before.
    before: Option<Span>,
    /// The text after.
    after: Option<Span>,
}

named! {
    /// The kind of a part.
    #[schema(as = DiffPartKind)]
    pub enum PartKind {
        /// An argument.
        Argument = "argument",
        /// A nested block.
        Block = "block",
        /// A label of the object that is not in its address.
        Label = "label",
    }
}

/// The positions of something on the sides where it exists.
#[derive(Debug)]
struct Locations {
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
    /// Whether it is a block.
    is_block: bool,
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

named! {
    /// What happened from one side to the other.
    #[schema(as = DiffAct)]
    pub enum DifferenceKind {
        /// It exists only after the change.
        Added = "added",
        /// It existed only before the change.
        Removed = "removed",
        /// Its content differs.
        Changed = "changed",
        /// An object has the same content at another address, to which a `moved` block has moved it; or in another
        /// file, which makes no difference in effect.
        Moved = "moved",
        /// The same items are in a different order, where the order matters.
        Reordered = "reordered",
    }
}

impl DifferenceKind {
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

impl<'r> Difference<'r> {
    /// Compares two reports, of the same or of different files, dialects and versions.
    pub fn of(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let redactions = [Redaction::of(before), Redaction::of(after)];
        let changes = compare::changes([before, after], [&redactions[0], &redactions[1]]);
        let findings = Findings::of([before, after], [&redactions[0], &redactions[1]]);
        Self { before, after, changes, overridden: overridden::of_modules([before, after]), findings }
    }

    /// Compares only the findings of two reports, for modules that cannot be compared otherwise.
    fn of_findings(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let findings = Findings::of([before, after], [&Redaction::of(before), &Redaction::of(after)]);
        Self { before, after, changes: Vec::new(), overridden: Vec::new(), findings }
    }

    /// Whether the effective configurations differ in anything but position. Diagnostics are ignored.
    pub fn is_different(&self) -> bool {
        self.changes.iter().any(|change| change.act != DifferenceKind::Moved || change.previous_address.is_some())
    }

    /// Returns the difference as JSON.
    pub fn json(&self) -> Vec<u8> {
        json::write(self)
    }

    /// Returns the difference as a comment for a pull request, in GitHub Flavored Markdown: at most
    /// [`MAX_MARKDOWN`](crate::MAX_MARKDOWN) characters. Places are links as far as addresses are known.
    pub fn markdown(&self, links: Links<'_>) -> String {
        markdown::write(self, links)
    }

    /// Returns the difference as text for a terminal: at most [`MAX_TEXT`] characters, and no control characters
    /// except line feeds.
    pub fn text(&self) -> String {
        text::write(self)
    }

    /// Returns the difference in the given form, as bytes. `links` are those of a comment.
    pub fn write(&self, form: DifferenceForm, links: Links<'_>) -> Vec<u8> {
        match form {
            DifferenceForm::Json => self.json(),
            DifferenceForm::Markdown => self.markdown(links).into_bytes(),
            DifferenceForm::Text => self.text().into_bytes(),
        }
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for change in &self.changes {
            match change.act {
                DifferenceKind::Added => counts.added += 1,
                DifferenceKind::Removed => counts.removed += 1,
                DifferenceKind::Changed | DifferenceKind::Reordered => counts.changed += 1,
                DifferenceKind::Moved => counts.moved += 1,
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

/// Returns the expressions of both sides in one line of at most `most` characters each, for people. If both are shown,
/// they are cut so that the first difference is visible; `shown` returns what a reader will see of a line.
fn in_one_line<'r>(
    reports: [&'r Report<'_>; 2],
    sides: [Option<&Side>; 2],
    most: usize,
    shown: impl Fn(&str) -> String,
) -> [Option<String>; 2] {
    let [before, after] = reports;
    let [was, is] = sides.map(|side| side.and_then(|side| side.expression));
    let text = |report: &'r Report<'_>, expression| match expression {
        Some(Expression::Source(span)) => Some(report.forest.sources.text(span)),
        _ => None,
    };
    let other = |expression| match expression {
        Some(Expression::Hidden) => Some(MARKER.to_owned()),
        Some(Expression::Broken) => Some("(syntax error)".to_owned()),
        Some(Expression::Source(_)) | None => None,
    };
    match (text(before, was), text(after, is)) {
        (Some(was), Some(is)) => {
            let note = if was == is { " (the same text with another value)" } else { "" };
            let [was, is] = distinct([&was, &is], most, shown);
            [Some(was), Some(is + note)]
        }
        (was_text, is_text) => {
            let alone = |text: Cow<'_, str>| distinct([&text, ""], most, &shown).into_iter().next();
            [was_text.and_then(alone).or_else(|| other(was)), is_text.and_then(alone).or_else(|| other(is))]
        }
    }
}

/// Returns the texts of an item of a list or an object on both sides, each in one line of at most `most` characters; `shown`
/// returns what a reader will see of a line.
fn item_texts(
    difference: &Difference<'_>,
    item: &ItemChange,
    most: usize,
    shown: impl Fn(&str) -> String,
) -> [Option<String>; 2] {
    let text = |report: &Report<'_>, span: Option<Span>| {
        let text = report.forest.sources.text(span?).into_owned();
        account::touch(text.len());
        Some(text)
    };
    let (was, is) = (text(difference.before, item.before), text(difference.after, item.after));
    let [old, new] = distinct([was.as_deref().unwrap_or_default(), is.as_deref().unwrap_or_default()], most, shown);
    [was.map(|_| old), is.map(|_| new)]
}

/// `1 object`, `2 objects`.
fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
