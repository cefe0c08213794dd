//! Finds what is literally written in the expression of a secret: strings and numbers, wherever in it they are. References
//! say nothing of the secret and stay, and so do the keys of objects.

use super::Hidden;
use overfold_base::account;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_value::with_stack;

/// Hides the literals in an expression in native syntax. A template with a literal part is hidden as a whole.
pub(super) fn native(tree: &Tree, id: Id<Expr>, out: &mut Hidden) {
    account::work(2);
    let expr = tree.expr(id);
    match expr.kind {
        ExprKind::Template { .. } => {
            if has_literal(tree, id) {
                out.hide_value(expr.range);
            }
        }
        _ if is_literal(tree, id) => out.hide_value(expr.range),
        _ => with_stack(|| each_inner(tree, id, &mut |inner| native(tree, inner, out))),
    }
}

/// Whether an expression is a literal that may be the secret.
fn is_literal(tree: &Tree, id: Id<Expr>) -> bool {
    match tree.expr(id).kind {
        ExprKind::Number | ExprKind::BadNumber => true,
        ExprKind::Interpolated(text) => !is_reference(tree.str(text)),
        ExprKind::Text(text) => !tree.str(text).is_empty(),
        _ => false,
    }
}

/// Whether there is a literal in an expression or in what its value is made from.
fn has_literal(tree: &Tree, id: Id<Expr>) -> bool {
    account::work(2);
    let mut found = is_literal(tree, id);
    if !found {
        with_stack(|| each_inner(tree, id, &mut |inner| found = found || has_literal(tree, inner)));
    }
    found
}

/// Calls `visit` with the expressions from which the value of an expression is made.
fn each_inner(tree: &Tree, id: Id<Expr>, visit: &mut dyn FnMut(Id<Expr>)) {
    match tree.expr(id).kind {
        ExprKind::Template { parts: list, .. } | ExprKind::Tuple { items: list, .. } => {
            tree.list(list).iter().for_each(|&inner| visit(inner));
        }
        ExprKind::Call(id) => tree.list(tree.call(id).args).iter().for_each(|&inner| visit(inner)),
        ExprKind::TemplateWrap(inner)
        | ExprKind::TemplateFor(inner)
        | ExprKind::Parens(inner)
        | ExprKind::RelativeTraversal { on: inner, .. }
        | ExprKind::Unary { operand: inner, .. } => visit(inner),
        ExprKind::TemplateIf { then, or_else, .. } => {
            visit(then);
            or_else.into_iter().for_each(visit);
        }
        ExprKind::Conditional { then, or_else, .. } => [then, or_else].into_iter().for_each(visit),
        ExprKind::For(id) => {
            let parts = tree.for_expr(id);
            [parts.collection, parts.value].into_iter().for_each(visit);
        }
        ExprKind::Splat(id) => visit(tree.splat(id).source),
        ExprKind::Index(id) => visit(tree.index_expr(id).collection),
        ExprKind::Object { items, .. } => tree.items(items).iter().for_each(|item| visit(item.value)),
        ExprKind::Binary { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(visit),
        _ => {}
    }
}

/// Hides the literals in an expression in JSON syntax. A string stays only if it is one interpolation without a string in
/// it.
pub(super) fn json(tree: &JsonTree, id: Id<JsonNode>, out: &mut Hidden) {
    account::work(2);
    let node = tree.node(id);
    match node.kind {
        JsonKind::Number => out.hide_value(node.range),
        JsonKind::Text(text) if !is_reference(tree.str(text)) => out.hide_value(node.range),
        JsonKind::Array { items, .. } => {
            with_stack(|| tree.list(items).iter().for_each(|&item| json(tree, item, out)));
        }
        JsonKind::Object { properties, .. } => {
            with_stack(|| tree.properties(properties).iter().for_each(|property| json(tree, property.value, out)));
        }
        _ => {}
    }
}

/// Whether a string that may hold interpolations is one of them, and says nothing else.
fn is_reference(text: &str) -> bool {
    let inside = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
    // A number in it may be an index as well as a literal, so any digit that does not belong to a name counts.
    let is_open = |inside: &str| {
        let mut words = inside.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-'));
        !inside.contains(['"', '{', '}', '<'])
            && !words.any(|word| word.starts_with(|first: char| first.is_ascii_digit()))
    };
    text.is_empty() || inside.is_some_and(is_open)
}
