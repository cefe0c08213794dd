//! Diagnostics as text for people: position, title, the source line with the position marked, and the detail.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation as _;

use super::finding::{Extras, Finding, Findings, Related};
use super::format::DiagnosticFormat;
use super::snippet::Snippet;
use crate::extent::Extent;
use crate::plain::TextWriter;
use overfold_base::account::{ChargedIterator, List};
use overfold_base::diag::{Code, Origin, Severity};
use overfold_base::echo;
use overfold_base::written::written;
use overfold_module::tool_version::codes::UNSUPPORTED_TOOL_VERSION;
use overfold_module::vars::codes::NOT_SET;

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

/// The number of findings of a kind that are written in full.
const IN_FULL: usize = 3;
/// The number of places in a line that stands for several findings.
const MAX_PLACES: usize = 10;
/// The number of required variables without a value that are listed together.
const MAX_VARIABLES: usize = 100;
/// How required variables get values.
const VARIABLES_HINT: &str = "Give values with --var NAME=VALUE or --var-file FILE; in a plan, --unset-variables takes those without one as unknown.";
/// How another version is followed.
const VERSION_HINT: &str = "--version VERSION follows another version.";
/// What can be done about a file that a function reads and that is not there.
const FILES_HINT: &str =
    "Where the file is built later: in a plan, --missing-files unknown takes what is read from it as unknown.";
/// The end of a detail about such a file.
const NO_FILE: &str = "is not among the given files.";

/// Returns the option that helps with a diagnostic, in a sentence.
pub(crate) fn hint(code: &Code, detail: &str) -> Option<&'static str> {
    if code.id == NOT_SET.id {
        Some(VARIABLES_HINT)
    } else if code.id == UNSUPPORTED_TOOL_VERSION.id {
        Some(VERSION_HINT)
    } else {
        (code.id.starts_with("evaluation/") && detail.ends_with(NO_FILE)).then_some(FILES_HINT)
    }
}

/// Writes all findings, and closing lines with their number and with what was looked at. Of many findings of a kind, only the first ones are
/// written in full, followed by the places of the others.
fn write(findings: &Findings) -> Vec<u8> {
    let mut out = TextWriter::default();
    let (mut errors, mut warnings, mut notes) = (0_u32, 0_u32, 0_u32);
    let mut kinds: HashMap<(&str, &str, Severity), List<&Finding>> = HashMap::new();
    for one in findings.list.iter().charged_at_once(8) {
        kinds.entry(kind(one)).or_default().push(one);
    }
    for one in &findings.list {
        *match one.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
            Severity::Info => &mut notes,
        } += 1;
        let Some(alike) = kinds.get(&kind(one)) else { continue };
        if one.code == &NOT_SET && alike.len() > 1 {
            if alike.first().is_some_and(|first| std::ptr::eq(*first, one)) {
                required(&mut out, alike);
            }
            continue;
        }
        let all = alike.len() <= IN_FULL + 1;
        let at = alike.iter().take(IN_FULL + 1).position(|other| std::ptr::eq(*other, one));
        if let Some(at) = at.filter(|at| all || *at < IN_FULL) {
            finding(&mut out, one);
            out.push("\n");
            if !all && at + 1 == IN_FULL {
                others(&mut out, alike.split_at(IN_FULL).1);
            }
        }
    }
    let is_empty = findings.list.is_empty() && findings.dropped == 0;
    match findings.extent.as_ref().filter(|_| is_empty).and_then(Extent::nothing_found) {
        Some(sentence) => out.write_fmt(format_args!("{sentence}\n")),
        None => {
            let plural = |count| if count == 1 { "" } else { "s" };
            let (e, w, n) = (plural(errors), plural(warnings), plural(notes));
            let remark = findings.extent.as_ref().map_or("", Extent::remark);
            out.write_fmt(format_args!("{errors} error{e}, {warnings} warning{w}, {notes} note{n}{remark}\n"));
        }
    }
    if findings.dropped > 0 {
        out.write_fmt(format_args!("and {} more that are not listed\n", findings.dropped));
    }
    if let Some(sentence) = findings.extent.as_ref().and_then(Extent::unchecked) {
        out.write_fmt(format_args!("{sentence}\n"));
    }
    out.into_bytes()
}

/// Returns what findings of a kind have in common.
fn kind(finding: &Finding) -> (&str, &str, Severity) {
    (finding.code.id, &finding.summary, finding.severity)
}

/// Writes the required variables without a value together, and once what gives them one.
fn required(out: &mut TextWriter, alike: &[&Finding]) {
    let [first, ..] = alike else { return };
    heading(out, first);
    for one in alike.iter().take(MAX_VARIABLES) {
        arrow(out, one);
    }
    let more = alike.len().saturating_sub(MAX_VARIABLES);
    if more > 0 {
        line(out, format_args!("  ... and {more} more"));
    }
    note(out, "", &format!("{} required variables have no default and no value.", alike.len()));
    note(out, "", VARIABLES_HINT);
    out.push("\n");
}

/// Writes the places of further findings of a kind: those with the same detail in one line.
fn others(out: &mut TextWriter, alike: &[&Finding]) {
    let mut by_detail: List<(&str, List<&Finding>)> = List::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for one in alike {
        let at = *numbers.entry(one.detail.as_str()).or_insert(by_detail.len());
        if at == by_detail.len() {
            by_detail.push((one.detail.as_str(), List::new()));
        }
        if let Some((_, places)) = by_detail.get_mut(at) {
            places.push(*one);
        }
    }
    line(out, format_args!("... and {} more of these:", alike.len()));
    for (detail, places) in by_detail {
        let shown: Vec<String> = places
            .iter()
            .take(MAX_PLACES)
            .map(|one| match &one.place {
                Some(place) => format!("{}:{}:{}", place.name, place.shown.start.line, place.shown.start.column),
                None => one.file.to_string(),
            })
            .collect();
        let more = places.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more places") } else { String::new() };
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        line(out, format_args!("  {}{more}{detail}", shown.join(", ")));
    }
    out.push("\n");
}

/// Writes one finding. Every line begins with words or marks of our own, so that no text of a module can look like a
/// finding of ours, or like a command to a log that obeys lines: the lines of a detail have a bar before them.
pub(super) fn finding(out: &mut TextWriter, finding: &Finding) {
    heading(out, finding);
    arrow(out, finding);
    // What follows the excerpt is aligned with its bar.
    let blank = finding.snippet.as_ref().and_then(|snippet| excerpt(out, snippet)).unwrap_or_default();
    if !finding.detail.is_empty() {
        note(out, &blank, &finding.detail);
    }
    if let Some(hint) = hint(finding.code, &finding.detail) {
        note(out, &blank, hint);
    }
    // What stands at the same place is shown by the arrow.
    let is_elsewhere = |related: &&Related| {
        finding.place.as_ref().is_none_or(|place| {
            place.name != related.place.name
                || place.shown.start.line != related.place.shown.start.line
                || place.shown.start.column != related.place.shown.start.column
        })
    };
    for related in finding.related.iter().filter(is_elsewhere) {
        let start = related.place.shown.start;
        let text = format!("{}:{}:{}: {}", related.place.name, start.line, start.column, related.message);
        note(out, &blank, &text);
    }
    match finding.origin {
        Origin::Tool => {}
        Origin::ToolLater => {
            note(out, &blank, "(reported later: by another command, or once other errors are fixed)");
        }
        Origin::Overfold if finding.default_severity == Severity::Info => {}
        Origin::Overfold => note(out, &blank, "(reported by overfold only)"),
    }
}

/// Writes the severity, the title and the code of a finding.
fn heading(out: &mut TextWriter, finding: &Finding) {
    let severity = finding.severity.word();
    line(out, format_args!("{severity}: {} [{}]", finding.summary, finding.code.id));
}

/// Writes the place of a finding, if it is in a file.
fn arrow(out: &mut TextWriter, finding: &Finding) {
    if let Some(place) = finding.place.as_ref().filter(|place| !place.name.is_empty()) {
        let start = place.shown.start;
        let about = finding.address.as_ref().map(|address| format!(" ({address})")).unwrap_or_default();
        line(out, format_args!("  --> {}:{}:{}{about}", place.name, start.line, start.column));
    }
}

/// Writes a text of one or more lines: the first one after `=`, the others after `|`.
fn note(out: &mut TextWriter, blank: &str, text: &str) {
    let mut mark = '=';
    for part in text.trim_end_matches(['\n', '\r']).split('\n') {
        let part = part.strip_suffix('\r').unwrap_or(part);
        let space = if part.is_empty() { "" } else { " " };
        line(out, format_args!("  {blank}{mark}{space}{part}"));
        mark = '|';
    }
}

/// Writes a line. What a terminal or a log would interpret is shown as U+FFFD.
fn line(out: &mut TextWriter, text: std::fmt::Arguments<'_>) {
    out.push(&echo::line(&written(text)));
    out.push("\n");
}

/// Writes the first line of the range, with marks under the range, and returns the space before the bar. Tabs are kept in
/// both lines, so that the marks are aligned however wide a tab is shown.
fn excerpt(out: &mut TextWriter, snippet: &Snippet) -> Option<String> {
    let (start, end) = (snippet.highlight_start_offset as usize, snippet.highlight_end_offset as usize);
    let from = snippet.code.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line_number = snippet.code.get(..from).unwrap_or_default().matches('\n').count();
    let shown = snippet.code.get(from..)?.lines().next()?;
    let (before, marked) = shown.split_at_checked(start - from).unwrap_or_default();
    let marked = marked.get(..end.saturating_sub(start)).unwrap_or(marked);
    let number = (snippet.start_line as usize + line_number).to_string();
    let blank = " ".repeat(number.len() + 1);
    line(out, format_args!("  {blank}|"));
    line(out, format_args!("  {number} | {shown}"));
    // As they are shown.
    let [before, marked] = [before, marked].map(echo::line);
    let indent: String = before.graphemes(true).map(|letter| if letter == "\t" { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(marked.graphemes(true).count().max(1));
    line(out, format_args!("  {blank}| {indent}{marks}"));
    Some(blank)
}
