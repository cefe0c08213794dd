//! Annotations of a GitHub check run (GitHub REST API, "Update a check run", `output.annotations`): an array, which a
//! client sends in batches of fifty.

use super::finding::{Extras, Finding, Findings};
use super::format::{DiagnosticFormat, cut};
use super::place::Region;
use super::text;
use crate::json::JsonWriter;
use crate::plain::TextWriter;
use overfold_base::diag::Severity;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "github-annotations",
    media_type: "application/vnd.github.annotations+json",
    extension: "json",
    about: "annotations of a GitHub check run",
    columns: "UTF-16 code units, if the place is on one line",
    severities: ["`failure`", "`warning`", "`notice`"],
    extras: Extras { snippets: true, line_hashes: false },
    write,
};

/// GitHub limits titles in characters; a character takes at least one byte.
const MAX_TITLE: usize = 255;
/// The limit of 64 KB for the message and for the details.
const MAX_TEXT: usize = 64_000;

fn write(findings: &Findings) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(4096);
    json.array(|json| {
        for finding in &findings.list {
            json.object(|json| annotation(json, finding));
        }
    });
    json.into_bytes()
}

fn annotation(json: &mut JsonWriter, finding: &Finding) {
    let (first, last) = finding.lines();
    json.member("path", &finding.file);
    json.number("start_line", first);
    json.number("end_line", last);
    if let Some(Region { start, end }) = finding.region().filter(Region::is_on_one_line) {
        json.number("start_column", start.utf16);
        json.number("end_column", end.utf16);
    }
    json.member(
        "annotation_level",
        match finding.severity {
            Severity::Error => "failure",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        },
    );
    json.member("title", &cut(&finding.summary, MAX_TITLE));
    // An empty message is rejected.
    let message = if finding.detail.is_empty() { &finding.summary } else { &finding.detail };
    json.member("message", &cut(message, MAX_TEXT));
    let mut details = TextWriter::default();
    text::finding(&mut details, finding);
    let details = String::from_utf8(details.into_bytes()).unwrap_or_default();
    json.member("raw_details", &cut(details.trim_end(), MAX_TEXT));
}
