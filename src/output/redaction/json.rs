//! Finds the secret values in a file in JSON syntax.

use super::Redaction;
use super::native::{RUN, SAFE_PARTS, VALUES};
use crate::config::secrets::{flagged_body, json_declarations, members, objects};
use crate::diag::{Secrecy, TextRange};
use crate::syntax::json::{JsonKind, JsonNode, JsonTree};
use crate::syntax::tree::Id;

/// Collects the ranges to hide in a configuration or test file.
pub(super) fn configuration(redaction: &Redaction<'_>, tree: &JsonTree, out: &mut Vec<TextRange>) {
    json_declarations(tree, &mut |name, body| {
        let by_name = name.map_or(Secrecy::Open, |name| redaction.secrets.variable(name));
        if redaction.hides(by_name.max(flagged_body(tree, body))) {
            declaration(tree, body, out);
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

/// Collects the ranges to hide in a definitions file.
pub(super) fn definitions(redaction: &Redaction<'_>, tree: &JsonTree, out: &mut Vec<TextRange>) {
    assignments(redaction, tree, tree.root, out);
}

fn assignments(redaction: &Redaction<'_>, tree: &JsonTree, at: Id<JsonNode>, out: &mut Vec<TextRange>) {
    let objects = objects(tree, at);
    let is_all = match tree.node(at).kind {
        JsonKind::Array { items, .. } => tree.list(items).len() == objects.len(),
        kind => matches!(kind, JsonKind::Object { .. }),
    };
    if !is_all {
        // It is not known which variables these values belong to.
        out.push(tree.node(at).range);
        return;
    }
    for (name, value) in objects.into_iter().flat_map(|object| members(tree, object)) {
        if redaction.hides_variable(name) {
            out.push(tree.node(value).range);
        }
    }
}

fn declaration(tree: &JsonTree, body: Id<JsonNode>, out: &mut Vec<TextRange>) {
    for (name, value) in members(tree, body) {
        let node = tree.node(value);
        let is_safe = match node.kind {
            JsonKind::Text(text) => name != "type" || is_plain_type(tree.str(text)),
            _ => name != "type",
        };
        if !is_safe || !SAFE_PARTS.contains(&name) {
            out.push(node.range);
        }
    }
}

/// Whether a type certainly contains no values: no `optional`, no string, no number.
fn is_plain_type(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-'));
    let is_number = |word: &str| word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
    !text.contains('"') && !words.any(|word| word == "optional" || is_number(word))
}
