//! Writes syntax trees as JSON, in the form of the recorded syntax cases.

mod json;
mod native;
mod number;

use overfold_cli::diag::{Diagnostic, Diagnostics, Severity, SourceId, Span};
use overfold_cli::eval;
use overfold_cli::files::Position;
use overfold_cli::output::JsonWriter;
use overfold_cli::syntax::json::JsonNode;
use overfold_cli::syntax::tree::Id;
use overfold_cli::syntax::{ExprAt, Forest, Parsed};

/// Returns the value tree of a JSON source, as JSON. `None` if the source is in native syntax.
pub(crate) fn json_tree(forest: &Forest, source: SourceId) -> Option<Vec<u8>> {
    let Parsed::Json(tree) = forest.parsed(source)? else { return None };
    let mut json = JsonWriter::with_capacity(4 * tree.text.len());
    json::write_tree(&mut json, forest, tree);
    Some(json.into_bytes())
}

/// Returns the tree of a native source, as JSON: its body or its expression. `None` if the source is in JSON syntax.
pub(crate) fn native_tree(forest: &Forest, source: SourceId) -> Option<Vec<u8>> {
    let tree = forest.native(source)?;
    let mut json = JsonWriter::with_capacity(16 * tree.text.len());
    native::write_tree(&mut json, forest, tree);
    Some(json.into_bytes())
}

/// Formats a span as `line:column@byte-line:column@byte`.
fn range_text(forest: &Forest, span: Span) -> String {
    let range = forest.sources.range(span);
    let text = |at: Position| format!("{}:{}@{}", at.line, at.column, at.byte);
    format!("{}-{}", text(range.start), text(range.end))
}

/// Writes the parse of a JSON string as a template.
fn template(json: &mut JsonWriter, forest: &Forest, source: SourceId, id: Id<JsonNode>) {
    let mut problems = Diagnostics::new();
    let expr = forest.parse_json_template(source, id, &mut problems);
    json.object(|json| {
        if let Some(at @ ExprAt::Native(text, _)) = expr
            && let Some(tree) = forest.native(text)
        {
            json.key("expr");
            native::write_tree(json, forest, tree);
            if !problems.has_errors() {
                constant(json, forest, at);
            }
        }
        if problems.iter().len() > 0 {
            json.key("diagnostics");
            json.array(|json| {
                for (order, problem) in (0..).zip(problems.iter()) {
                    diagnostic(json, forest, problem, order);
                }
            });
        }
    });
}

/// Writes the member `value` of a constant expression: its type and its value. Other expressions have no such member.
fn constant(json: &mut JsonWriter, forest: &Forest, expr: ExprAt) {
    let mut problems = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut problems);
    if problems.has_errors() || !value.is_wholly_known() {
        return;
    }
    let text = match value.as_number() {
        Some(number) => number.to_text().map(|text| format!("\"{text}\"")).ok(),
        None => value.to_json().ok(),
    };
    let Some(text) = text else { return };
    json.key("value");
    json.object(|json| {
        json.key("type");
        json.raw(&value.type_json());
        json.key("value");
        json.raw(&text);
    });
}

/// Writes a diagnostic with its number in the order of reporting.
fn diagnostic(json: &mut JsonWriter, forest: &Forest, diagnostic: &Diagnostic, order: u32) {
    json.object(|json| {
        json.member(
            "severity",
            match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            },
        );
        json.member("summary", &diagnostic.summary);
        json.key("order");
        json.uint(order);
        for (name, span) in [("range", diagnostic.span), ("context", diagnostic.context)] {
            if let Some(span) = span {
                json.key(name);
                place(json, forest, span);
            }
        }
    });
}

fn place(json: &mut JsonWriter, forest: &Forest, span: Span) {
    let range = forest.sources.range(span);
    json.object(|json| {
        json.member("filename", forest.sources.name(span.source));
        for (name, at) in [("start", range.start), ("end", range.end)] {
            json.key(name);
            json.object(|json| {
                for (name, number) in [("line", at.line), ("column", at.column), ("byte", at.byte)] {
                    json.key(name);
                    json.uint(number);
                }
            });
        }
    });
}
