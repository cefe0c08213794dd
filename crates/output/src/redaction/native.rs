//! Finds the secret values in a file in native syntax.

use super::json::with_comma;
use super::{Hidden, JSON_VALUE, LEFT_OUT, Redaction, literals};
use overfold_base::diag::{Secrecy, TextRange};
use overfold_dialect::words::{DEFAULT, MODULE, OUTPUT, VALUE as VALUE_ARGUMENT, VARIABLE};
use overfold_model::config::secrets::{flagged_block, name_of};
use overfold_syntax::tree::{Block, Body, Expr, ExprKind, Id, Root, Tree};
use overfold_value::with_stack;

/// The parts of a declaration that contain no values. Anything else may be a misspelt default.
pub(super) const SAFE_PARTS: [&str; 9] =
    ["type", "description", "sensitive", "ephemeral", "nullable", "const", "deprecated", "validation", "lifecycle"];
/// Types as older releases wrote them.
const LEGACY_TYPES: [&[u8]; 3] = [b"\"string\"", b"\"list\"", b"\"map\""];
/// [`LEFT_OUT`] with the end of its line.
const LEFT_OUT_LINE: &str = "/* default: redacted */\n";
/// The block of a test file that assigns values, and the block that it may be nested in.
pub(super) const VALUES: &str = "variables";
pub(super) const RUN: &str = "run";

/// Collects the ranges to hide in a configuration or test file.
pub(super) fn configuration(redaction: &Redaction<'_>, tree: &Tree, out: &mut Hidden) {
    let Root::Body(body) = tree.root else { return };
    let body = tree.body(body);
    for attribute in tree.attributes(body.attributes) {
        // HCL 1 treats an assigned object as a block.
        if tree.hcl1 && tree.name(attribute.name_range) == VARIABLE {
            let range = tree.expr(attribute.expr).range;
            out.hide(range, range, "{}");
        }
    }
    for block in tree.blocks(body.blocks) {
        match tree.name(block.type_range) {
            VARIABLE => declaration(redaction, tree, block, out),
            OUTPUT => {
                let secrecy = name_of(tree, block).map_or(Secrecy::Open, |name| redaction.secrets.output(name));
                if redaction.hides(secrecy.max(flagged_block(tree, block)).min(Secrecy::Sensitive)) {
                    hide_literals(tree, tree.body(block.body), |name| name == VALUE_ARGUMENT, out);
                }
            }
            MODULE => {
                if let Some(call) = name_of(tree, block) {
                    let is_hidden = |name: &str| redaction.hides(redaction.secrets.argument(call, name));
                    hide_literals(tree, tree.body(block.body), is_hidden, out);
                }
            }
            VALUES => assignments(redaction, tree, tree.body(block.body), out),
            RUN => {
                for inner in tree.blocks(tree.body(block.body).blocks) {
                    if tree.name(inner.type_range) == VALUES {
                        assignments(redaction, tree, tree.body(inner.body), out);
                    }
                }
            }
            _ => {}
        }
    }
}

fn hide_literals(tree: &Tree, body: &Body, is_hidden: impl Fn(&str) -> bool, out: &mut Hidden) {
    for attribute in tree.attributes(body.attributes) {
        if is_hidden(tree.name(attribute.name_range)) {
            literals::native(tree, attribute.expr, out);
        }
    }
}

/// Collects the ranges to hide in a definitions file.
pub(super) fn definitions(redaction: &Redaction<'_>, tree: &Tree, out: &mut Hidden) {
    let Root::Body(body) = tree.root else { return };
    assignments(redaction, tree, tree.body(body), out);
}

fn assignments(redaction: &Redaction<'_>, tree: &Tree, body: &Body, out: &mut Hidden) {
    for attribute in tree.attributes(body.attributes) {
        if redaction.hides_variable(tree.name(attribute.name_range)) {
            out.hide_value(tree.expr(attribute.expr).range);
        }
    }
    for block in tree.blocks(body.blocks) {
        let keyword = tree.name(block.type_range);
        // A declaration that does not belong here. Any other block is the older form of a map.
        if keyword == VARIABLE && !tree.hcl1 {
            if name_of(tree, block).is_none_or(|name| redaction.hides_variable(name)) {
                out.hide_value(TextRange::new(block.open_brace.end, block.range.end.max(block.open_brace.end)));
            }
        } else if redaction.hides_variable(keyword) {
            out.hide_value(TextRange::new(block.type_range.end, block.range.end));
        }
    }
}

fn declaration(redaction: &Redaction<'_>, tree: &Tree, block: &Block, out: &mut Hidden) {
    let by_name = name_of(tree, block).map_or(Secrecy::Open, |name| redaction.secrets.variable(name));
    if !redaction.hides(by_name.max(flagged_block(tree, block))) {
        return;
    }
    let body = tree.body(block.body);
    for attribute in tree.attributes(body.attributes) {
        let value = tree.expr(attribute.expr);
        match tree.name(attribute.name_range) {
            "type" => type_values(tree, attribute.expr, out),
            name if SAFE_PARTS.contains(&name) => {}
            _ if matches!(value.kind, ExprKind::Null) => {}
            // HCL 1 also reads JSON, which has no comments, and allows commas between arguments.
            DEFAULT if tree.hcl1 => {
                let with = if out.value == JSON_VALUE { "" } else { LEFT_OUT };
                out.hide(value.range, with_comma(&tree.text, attribute.range, with.is_empty()), with);
            }
            DEFAULT => {
                let whole = attribute.range;
                // A heredoc may include the end of its last line.
                let ends_line = tree.bytes(whole).ends_with(b"\n");
                out.hide(value.range, whole, if ends_line { LEFT_OUT_LINE } else { LEFT_OUT });
            }
            _ => out.hide_value(value.range),
        }
    }
    for inner in tree.blocks(body.blocks) {
        if !SAFE_PARTS.contains(&tree.name(inner.type_range)) {
            out.hide(inner.range, inner.range, "redacted {}");
        }
    }
}

/// Collects everything in a type that is not a type: the defaults in `optional(type, default)`, and the content of a
/// misspelt type.
fn type_values(tree: &Tree, id: Id<Expr>, out: &mut Hidden) {
    let expr = tree.expr(id);
    with_stack(|| match expr.kind {
        ExprKind::Call(id) => {
            if let Some((&kind, values)) = tree.list(tree.call(id).args).split_first() {
                type_values(tree, kind, out);
                let mut end = tree.expr(kind).range.end;
                for value in values.iter().map(|&value| tree.expr(value)) {
                    if !matches!(value.kind, ExprKind::Null) {
                        out.hide(value.range, TextRange::new(end, value.range.end), "");
                    }
                    end = value.range.end;
                }
            }
        }
        ExprKind::Object { items, .. } => {
            tree.items(items).iter().for_each(|item| type_values(tree, item.value, out));
        }
        ExprKind::Tuple { items, .. } => tree.list(items).iter().for_each(|&item| type_values(tree, item, out)),
        ExprKind::Parens(inner) => type_values(tree, inner, out),
        ExprKind::Null => {}
        ExprKind::Traversal(steps) if steps.len() == 1 => {}
        _ if LEGACY_TYPES.contains(&tree.bytes(expr.range)) => {}
        _ => out.hide_value(expr.range),
    });
}
