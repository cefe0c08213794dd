//! Single objects and positions of a report in a form that outlives it, for comparing two runs.

use super::config;
use super::json::JsonText;
use super::redaction::{MARKER, Redaction};
use crate::view::Range;
use overfold_base::diag::Span;
use overfold_module::pipeline::Report;

/// Returns the address and the effective body of every object. The body is as in `config` with the format `tf-json` (a
/// JSON object, secrets hidden); the list is sorted by address, and by order of declaration within one address.
pub fn effective_objects(report: &Report<'_>) -> Vec<(String, String)> {
    config::each_as_tf_json(report, &Redaction::of(report))
}

/// A range as it is written in answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenRange {
    /// The range as a JSON object: file name, start and end.
    pub json: JsonText<'static>,
    /// The start as `FILE:LINE:COLUMN`, 1-based; columns in grapheme clusters.
    pub line: String,
}

/// Returns a range of a report as it is written in answers.
pub fn written_range(report: &Report<'_>, span: Span) -> WrittenRange {
    let sources = &report.forest.sources;
    let start = sources.position(span.source, span.start);
    let json = JsonText::of_view(&Range::of(sources, span));
    WrittenRange { json, line: format!("{}:{}:{}", sources.name(span.source), start.line, start.column) }
}

/// Returns a text from a file as it may be shown; `span` is its position.
pub fn shown_text(report: &Report<'_>, text: &str, span: Span) -> String {
    let redaction = Redaction::of(report);
    if redaction.hides_text(span) { MARKER.to_owned() } else { text.to_owned() }
}
