//! Diagnostics in the shape of `terraform validate -json`, with additional fields of our own.

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::snippet::Snippet;
use super::{Placed, in_order};
use overfold_base::diag::{Diagnostic, Diagnostics, Severities, Span};
use overfold_base::files::{Position, Range, Sources};
use overfold_syntax::Forest;

/// Writes the array of all diagnostics.
pub(crate) fn write_all(
    json: &mut JsonWriter,
    redaction: &Redaction<'_>,
    forest: &Forest,
    diagnostics: &Diagnostics,
    severities: &Severities,
) {
    json.array(|json| {
        for placed in in_order(diagnostics, severities, &forest.sources) {
            json.object(|json| write(json, redaction, forest, &placed));
        }
    });
}

/// A diagnostic as JSON, with its sort key.
pub(crate) struct Record {
    /// The file name and the 0-based byte offset in the file; `None` if it has no position.
    pub(crate) at: Option<(Box<str>, u32)>,
    /// The title.
    pub(crate) summary: Box<str>,
    /// The diagnostic as a JSON object.
    pub(crate) json: Box<str>,
}

/// Returns every diagnostic of one module of several, each as an object that names the module directory.
pub(crate) fn records<'d>(
    redaction: &Redaction<'_>,
    forest: &'d Forest,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    severities: &Severities,
    module: &str,
) -> Vec<Record> {
    let record = |placed: Placed<'_>| {
        let mut json = JsonWriter::with_capacity(512);
        json.object(|json| {
            write(json, redaction, forest, &placed);
            json.member("module", module);
        });
        Record {
            at: placed.at.map(|(name, range)| (name.into(), range.start.byte)),
            summary: placed.diagnostic.summary.as_ref().into(),
            json: String::from_utf8(json.into_bytes()).unwrap_or_default().into(),
        }
    };
    in_order(diagnostics, severities, &forest.sources).into_iter().map(record).collect()
}

pub(super) fn write(json: &mut JsonWriter, redaction: &Redaction<'_>, forest: &Forest, placed: &Placed<'_>) {
    let diagnostic = placed.diagnostic;
    let texts = redaction.texts(diagnostic);
    json.member("severity", placed.severity.name());
    if placed.severity != diagnostic.severity {
        json.member("default_severity", diagnostic.severity.name());
    }
    json.member("code", diagnostic.code.id);
    json.member("origin", diagnostic.origin.name());
    json.member("summary", texts.summary);
    json.member("detail", &texts.detail);
    if let Some(address) = texts.address {
        json.member("address", address);
    }
    if let (Some((name, range)), Some(span)) = (placed.at, diagnostic.span) {
        json.key("range");
        write_positions(json, name, range);
        if let Some(snippet) = Snippet::of(redaction, forest, span, diagnostic.context) {
            json.key("snippet");
            json.object(|json| write_snippet(json, &snippet));
        }
    }
    if !diagnostic.related.is_empty() {
        json.key("related");
        json.array(|json| {
            for label in &diagnostic.related {
                json.object(|json| {
                    json.member("message", texts.label(label));
                    json.key("range");
                    write_range(json, &forest.sources, label.span);
                });
            }
        });
    }
}

fn write_snippet(json: &mut JsonWriter, snippet: &Snippet) {
    json.key("context");
    match &snippet.context {
        Some(context) => json.str(context),
        None => json.null(),
    }
    json.member("code", &snippet.code);
    json.key("start_line");
    json.uint(snippet.start_line);
    json.key("highlight_start_offset");
    json.uint(snippet.highlight.0);
    json.key("highlight_end_offset");
    json.uint(snippet.highlight.1);
    json.key("values");
    json.array(|_| {});
}

/// Writes a span as file name, start and end; an empty span is widened as the tools print it.
pub(crate) fn write_range(json: &mut JsonWriter, sources: &Sources, span: Span) {
    write_positions(json, sources.name(span.source), sources.range(span).widened());
}

/// Writes positions in a file.
pub(crate) fn write_positions(json: &mut JsonWriter, filename: &str, range: Range) {
    json.object(|json| {
        json.member("filename", filename);
        json.key("start");
        write_position(json, range.start);
        json.key("end");
        write_position(json, range.end);
    });
}

fn write_position(json: &mut JsonWriter, position: Position) {
    json.object(|json| {
        json.number("line", position.line);
        json.number("column", position.column);
        json.number("byte", position.byte);
    });
}
