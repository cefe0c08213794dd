//! Finds the secret values in a file in JSON syntax.

use super::super::config::bare_type;
use super::native::{RUN, SAFE_PARTS, VALUES};
use super::{Hidden, Redaction, literals};
use overfold_base::diag::{Secrecy, TextRange};
use overfold_dialect::words::{DEFAULT, MODULE, OUTPUT, VALUE, VARIABLE};
use overfold_model::config::secrets::{flagged_body, json_declarations, members, objects};
use overfold_syntax::ExprAt;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::Id;
use overfold_value::json::write_text;

/// The key of comments.
const COMMENT: &str = "//";
/// The beginning of a comment that lists hidden arguments.
const NOTE_START: &str = "redacted: ";
const TYPE: &str = "type";

/// Collects the ranges to hide in a configuration or test file.
pub(super) fn configuration(redaction: &Redaction<'_>, tree: &JsonTree, out: &mut Hidden) {
    json_declarations(tree, VARIABLE, &mut |name, body| {
        let by_name = name.map_or(Secrecy::Open, |name| redaction.secrets.variable(name));
        if redaction.hides(by_name.max(flagged_body(tree, body))) {
            declaration(redaction, tree, body, out);
        }
    });
    json_declarations(tree, OUTPUT, &mut |name, body| {
        let by_name = name.map_or(Secrecy::Open, |name| redaction.secrets.output(name));
        if redaction.hides(by_name.max(flagged_body(tree, body)).min(Secrecy::Sensitive)) {
            hide_literals(tree, body, |name| name == VALUE, out);
        }
    });
    json_declarations(tree, MODULE, &mut |call, body| {
        if let Some(call) = call {
            hide_literals(tree, body, |name| redaction.hides(redaction.secrets.argument(call, name)), out);
        }
    });
    for root in objects(tree, tree.root) {
        for (name, value) in members(tree, root) {
            if name == VALUES {
                assignments(redaction, tree, value, out);
            } else if name == RUN {
                for (_, run) in objects(tree, value).into_iter().flat_map(|runs| members(tree, runs)) {
                    for (name, value) in objects(tree, run).into_iter().flat_map(|body| members(tree, body)) {
                        if name == VALUES {
                            assignments(redaction, tree, value, out);
                        }
                    }
                }
            }
        }
    }
}

fn hide_literals(tree: &JsonTree, body: Id<JsonNode>, is_hidden: impl Fn(&str) -> bool, out: &mut Hidden) {
    for (name, value) in members(tree, body) {
        if is_hidden(name) {
            literals::json(tree, value, out);
        }
    }
}

/// Collects the ranges to hide in a definitions file.
pub(super) fn definitions(redaction: &Redaction<'_>, tree: &JsonTree, out: &mut Hidden) {
    assignments(redaction, tree, tree.root, out);
}

fn assignments(redaction: &Redaction<'_>, tree: &JsonTree, at: Id<JsonNode>, out: &mut Hidden) {
    let objects = objects(tree, at);
    let is_all = match tree.node(at).kind {
        JsonKind::Array { items, .. } => tree.list(items).len() == objects.len(),
        kind => matches!(kind, JsonKind::Object { .. }),
    };
    if !is_all {
        // It is not known which variables these values belong to.
        out.hide_value(tree.node(at).range);
        return;
    }
    for (name, value) in objects.into_iter().flat_map(|object| members(tree, object)) {
        if redaction.hides_variable(name) {
            out.hide_value(tree.node(value).range);
        }
    }
}

fn declaration(redaction: &Redaction<'_>, tree: &JsonTree, body: Id<JsonNode>, out: &mut Hidden) {
    let JsonKind::Object { properties, .. } = tree.node(body).kind else { return };
    let properties = tree.properties(properties);
    let has_comment = properties.iter().any(|property| tree.str(property.name) == COMMENT);
    for property in properties {
        let name = tree.str(property.name);
        let node = tree.node(property.value);
        let is_safe = match node.kind {
            JsonKind::Null => true,
            JsonKind::Text(text) if name == COMMENT => is_note(tree.str(text)),
            JsonKind::Text(text) => name != TYPE || is_plain_type(tree.str(text)),
            _ => name != TYPE,
        };
        let may_hold_value = !SAFE_PARTS.contains(&name) && !matches!(node.kind, JsonKind::Null);
        if is_safe && (!may_hold_value || name == COMMENT) {
            continue;
        }
        let whole = property.name_range.to(node.range);
        match name {
            DEFAULT if has_comment => out.hide(node.range, with_comma(&tree.text, whole, true), ""),
            DEFAULT => out.hide(node.range, whole, format!("\"{COMMENT}\": \"{NOTE_START}{DEFAULT}\"")),
            TYPE => match bare_type(redaction.forest, ExprAt::Json(tree.source, property.value)) {
                Some(bare) => {
                    let mut quoted = String::new();
                    write_text(&bare, &mut quoted);
                    out.hide(node.range, node.range, quoted);
                }
                None => out.hide_value(node.range),
            },
            _ => out.hide_value(node.range),
        }
    }
}

/// Whether a comment is one that stands for hidden arguments.
fn is_note(text: &str) -> bool {
    let names = text.strip_prefix(NOTE_START).map(|names| names.split(", "));
    names.is_some_and(|mut names| names.all(|name| name == DEFAULT || SAFE_PARTS.contains(&name)))
}

/// Returns the range of a property with the comma after it or, if `either` and there is none, with the one before it.
pub(super) fn with_comma(text: &[u8], property: TextRange, either: bool) -> TextRange {
    let (before, after) = text.split_at_checked(property.indexes().end).unwrap_or_default();
    let blanks = after.len() - after.trim_ascii_start().len();
    let length = |bytes: usize| u32::try_from(bytes).unwrap_or_default();
    if after.get(blanks) == Some(&b',') {
        return TextRange::new(property.start, property.end + length(blanks) + 1);
    }
    let before = before.get(..property.indexes().start).unwrap_or_default().trim_ascii_end();
    let start = if either && before.ends_with(b",") { length(before.len()) - 1 } else { property.start };
    TextRange::new(start, property.end)
}

/// Whether a type certainly contains no values: no `optional`, no string, no number.
fn is_plain_type(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-'));
    let is_number = |word: &str| word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
    !text.contains('"') && !words.any(|word| word == "optional" || is_number(word))
}
