//! Diagnostics as text for people: position, title, the source line with the position marked, and the detail.

use unicode_segmentation::UnicodeSegmentation as _;

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use super::snippet::Snippet;
use crate::account;
use crate::diag::{Origin, Severity};
use crate::output::plain::TextWriter;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "text",
    media_type: "text/plain",
    extension: "txt",
    about: "text for people, with the source lines",
    columns: "grapheme clusters",
    severities: ["`error`", "`warning`", "`note`"],
    extras: Extras { snippets: true, line_hashes: false },
    write,
};

/// Writes all findings, and a closing line with their number.
fn write(findings: &Findings) -> Vec<u8> {
    let mut out = TextWriter::default();
    let (mut errors, mut warnings, mut notes) = (0_u32, 0_u32, 0_u32);
    for one in &findings.list {
        *match one.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
            Severity::Info => &mut notes,
        } += 1;
        finding(&mut out, one);
        out.push("\n");
    }
    let plural = |count| if count == 1 { "" } else { "s" };
    let (e, w, n) = (plural(errors), plural(warnings), plural(notes));
    out.write_fmt(format_args!("{errors} error{e}, {warnings} warning{w}, {notes} note{n}\n"));
    if findings.dropped > 0 {
        out.write_fmt(format_args!("and {} more that are not listed\n", findings.dropped));
    }
    out.into_bytes()
}

/// Writes one finding. Control characters, which a terminal would interpret, are shown as U+FFFD.
pub(super) fn finding(out: &mut TextWriter, finding: &Finding) {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    line(out, format_args!("{severity}: {} [{}]", finding.summary, finding.code.id));
    if let Some(place) = finding.place.as_ref().filter(|place| !place.name.is_empty()) {
        let start = place.shown.start;
        let about = finding.address.as_ref().map(|address| format!(" ({address})")).unwrap_or_default();
        line(out, format_args!("  --> {}:{}:{}{about}", place.name, start.line, start.column));
    }
    if let Some(snippet) = &finding.snippet {
        excerpt(out, snippet);
    }
    if !finding.detail.is_empty() {
        line(out, format_args!("  {}", finding.detail));
    }
    for related in &finding.related {
        let start = related.place.shown.start;
        line(out, format_args!("  {}:{}:{}: {}", related.place.name, start.line, start.column, related.message));
    }
    if finding.origin == Origin::Overfold && finding.severity != Severity::Info {
        line(
            out,
            match finding.code.origin {
                Origin::Tool => format_args!("  (the tool reports this only after earlier errors are fixed)"),
                Origin::Overfold => {
                    format_args!("  (reported by overfold; the tool does not report it at this point)")
                }
            },
        );
    }
}

/// Writes a line, or several if the text contains line ends.
fn line(out: &mut TextWriter, text: std::fmt::Arguments<'_>) {
    let text = text.to_string();
    account::touch(text.len());
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\t' | '\n');
    if text.contains(is_obeyed) {
        out.push(&text.replace(is_obeyed, "\u{FFFD}"));
    } else {
        out.push(&text);
    }
    out.push("\n");
}

/// Writes the first line of the range, with marks under the range. Tabs are kept in both lines, so that the marks are
/// aligned however wide a tab is shown.
fn excerpt(out: &mut TextWriter, snippet: &Snippet) {
    let (start, end) = (snippet.highlight.0 as usize, snippet.highlight.1 as usize);
    let from = snippet.code.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line_number = snippet.code.get(..from).unwrap_or_default().matches('\n').count();
    let Some(line) = snippet.code.get(from..).and_then(|rest| rest.lines().next()) else { return };
    let before = line.get(..start - from).unwrap_or_default();
    let marked = line.get(start - from..(end - from).min(line.len())).unwrap_or_default();
    let number = (snippet.start_line as usize + line_number).to_string();
    let blank = " ".repeat(number.len());
    let shown = line;
    self::line(out, format_args!("  {blank} |\n  {number} | {shown}"));
    let indent: String = before.graphemes(true).map(|letter| if letter == "\t" { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(marked.graphemes(true).count().max(1));
    self::line(out, format_args!("  {blank} | {indent}{marks}"));
}
