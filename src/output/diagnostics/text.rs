//! Diagnostics as text for people: place, title, the source line with the spot marked, what it means.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::redaction::Redaction;
use super::snippet::Snippet;
use super::{Placed, in_order};
use crate::diag::{Origin, Severity};
use crate::pipeline::Report;

/// All findings, in the order of the answer, and a closing line that counts them.
pub fn text(report: &Report<'_>) -> String {
    let mut counts = Counts::default();
    let mut text = findings(report, &mut counts);
    text.push_str(&counts.line());
    text
}

/// How many findings there are of each kind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    errors: u32,
    warnings: u32,
    notes: u32,
    dropped: usize,
}

impl Counts {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.errors == 0 && self.warnings == 0 && self.notes == 0
    }

    /// Whether there is an error.
    pub const fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Counts what another one counts, too.
    pub const fn add(&mut self, other: &Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.dropped += other.dropped;
    }

    /// The closing line.
    pub fn line(&self) -> String {
        let plural = |count| if count == 1 { "" } else { "s" };
        let Self { errors, warnings, notes, dropped } = *self;
        let (e, w, n) = (plural(errors), plural(warnings), plural(notes));
        let mut text = format!("{errors} error{e}, {warnings} warning{w}, {notes} note{n}\n");
        if dropped > 0 {
            // Writing to a string does not fail.
            let _ = writeln!(text, "and {dropped} more that are not listed");
        }
        text
    }
}

/// All findings, in the order of the answer; they are added to `counts`.
pub fn findings(report: &Report<'_>, counts: &mut Counts) -> String {
    let mut text = String::new();
    let redaction = Redaction::of(report);
    counts.dropped += report.diagnostics.dropped();
    for placed in in_order(&report.diagnostics, &report.forest.sources) {
        *match placed.diagnostic.severity {
            Severity::Error => &mut counts.errors,
            Severity::Warning => &mut counts.warnings,
            Severity::Info => &mut counts.notes,
        } += 1;
        // Writing to a string does not fail.
        let _ = finding(&mut text, report, &redaction, &placed);
    }
    text
}

fn finding(
    text: &mut String,
    report: &Report<'_>,
    redaction: &Redaction<'_>,
    placed: &Placed<'_>,
) -> std::fmt::Result {
    let diagnostic = placed.diagnostic;
    let texts = redaction.texts(diagnostic);
    let severity = match (diagnostic.severity, diagnostic.origin) {
        (Severity::Error, _) => "error",
        (Severity::Warning, _) => "warning",
        (Severity::Info, _) => "note",
    };
    writeln!(text, "{severity}: {} [{}]", texts.summary, diagnostic.code.id)?;
    if let Some((name, range)) = placed.at.filter(|(name, _)| !name.is_empty()) {
        write!(text, "  --> {name}:{}:{}", range.start.line, range.start.column)?;
        match texts.address {
            Some(address) => writeln!(text, " ({address})")?,
            None => writeln!(text)?,
        }
    }
    if let Some(snippet) = diagnostic.span.and_then(|span| Snippet::of(redaction, report.forest, span, None)) {
        excerpt(text, &snippet)?;
    }
    if !texts.detail.is_empty() {
        writeln!(text, "  {}", texts.detail)?;
    }
    for label in &diagnostic.related {
        let sources = &report.forest.sources;
        let start = sources.position(label.span.source, label.span.start);
        writeln!(
            text,
            "  {}:{}:{}: {}",
            sources.name(label.span.source),
            start.line,
            start.column,
            texts.label(label)
        )?;
    }
    if diagnostic.origin == Origin::Overfold && diagnostic.severity != Severity::Info {
        writeln!(text, "  (the tool would show this only once earlier errors are mended)")?;
    }
    writeln!(text)
}

/// The first line of the place, with marks under the place. Tabs stay tabs above and below, so that the marks stand
/// right however wide a tab is shown.
fn excerpt(text: &mut String, snippet: &Snippet) -> std::fmt::Result {
    let (start, end) = (snippet.highlight.0 as usize, snippet.highlight.1 as usize);
    let from = snippet.code.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line_number = snippet.code.get(..from).unwrap_or_default().matches('\n').count();
    let Some(line) = snippet.code.get(from..).and_then(|rest| rest.lines().next()) else { return Ok(()) };
    let before = line.get(..start - from).unwrap_or_default();
    let marked = line.get(start - from..(end - from).min(line.len())).unwrap_or_default();
    let number = (snippet.start_line as usize + line_number).to_string();
    let blank = " ".repeat(number.len());
    writeln!(text, "  {blank} |\n  {number} | {line}")?;
    let indent: String = before.graphemes(true).map(|letter| if letter == "\t" { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(marked.graphemes(true).count().max(1));
    writeln!(text, "  {blank} | {indent}{marks}")
}
