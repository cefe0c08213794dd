//! Whether two expressions are written alike.

use super::super::tree::{Expr, ExprKind, Id, StepKind, Tree};
use super::super::{ExprAt, Forest};
use overfold_base::account::{self, ChargedIterator};

/// Whether two expressions of the native syntax are built alike from the same names, operators and literals, apart from
/// blanks and parentheses. Expressions with a splat, or that are a template of one interpolation, are never alike (read
/// in the tool's code). No recursion.
pub fn are_alike(forest: &Forest, a: ExprAt, b: ExprAt) -> bool {
    let (ExprAt::Native(one, a), ExprAt::Native(other, b)) = (a, b) else { return false };
    let (Some(one), Some(other)) = (forest.native(one), forest.native(other)) else { return false };
    let mut left = vec![(a, b)];
    while let Some((a, b)) = left.pop() {
        account::work(2);
        if !nodes_are_alike((one, unwrapped(one, a)), (other, unwrapped(other, b)), &mut left) {
            return false;
        }
    }
    true
}

fn unwrapped(tree: &Tree, mut id: Id<Expr>) -> Id<Expr> {
    while let ExprKind::Parens(inner) = tree.expr(id).kind {
        account::work(1);
        id = inner;
    }
    id
}

/// Compares two nodes, and adds their children to those that are left to compare.
fn nodes_are_alike(
    (one, a): (&Tree, Id<Expr>),
    (other, b): (&Tree, Id<Expr>),
    left: &mut Vec<(Id<Expr>, Id<Expr>)>,
) -> bool {
    match (one.expr(a).kind, other.expr(b).kind) {
        (ExprKind::Number, ExprKind::Number) => {
            let (a, b) = (one.bytes(one.expr(a).range), other.bytes(other.expr(b).range));
            account::touch(a.len());
            a == b
        }
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
        (ExprKind::Null, ExprKind::Null) => true,
        (ExprKind::Text(a), ExprKind::Text(b)) => {
            account::touch(one.str(a).len());
            one.str(a) == other.str(b)
        }
        (ExprKind::Traversal(a), ExprKind::Traversal(b)) => steps(one, other, one.steps(a), other.steps(b)),
        (ExprKind::RelativeTraversal { on: a, steps: of_a }, ExprKind::RelativeTraversal { on: b, steps: of_b }) => {
            left.push((a, b));
            steps(one, other, one.steps(of_a), other.steps(of_b))
        }
        (ExprKind::Call(a), ExprKind::Call(b)) => {
            let (a, b) = (one.call(a), other.call(b));
            one.str(a.name) == other.str(b.name) && lists(one.list(a.args), other.list(b.args), left)
        }
        (
            ExprKind::Conditional { cond: a, then: a_then, or_else: a_else },
            ExprKind::Conditional { cond: b, then: b_then, or_else: b_else },
        ) => {
            left.extend([(a, b), (a_then, b_then), (a_else, b_else)]);
            true
        }
        (ExprKind::Index(a), ExprKind::Index(b)) => {
            let (a, b) = (one.index_expr(a), other.index_expr(b));
            left.extend([(a.collection, b.collection), (a.key, b.key)]);
            true
        }
        (ExprKind::Tuple { items: a, .. }, ExprKind::Tuple { items: b, .. })
        | (ExprKind::Template { parts: a, .. }, ExprKind::Template { parts: b, .. }) => {
            lists(one.list(a), other.list(b), left)
        }
        (ExprKind::Object { items: a, .. }, ExprKind::Object { items: b, .. }) => {
            let (a, b) = (one.items(a), other.items(b));
            left.extend(a.iter().charged_at_once(1).zip(b).flat_map(|(a, b)| [(a.key, b.key), (a.value, b.value)]));
            a.len() == b.len()
        }
        (ExprKind::For(a), ExprKind::For(b)) => {
            let (a, b) = (one.for_expr(a), other.for_expr(b));
            let (keys, conditions) = (a.key.zip(b.key), a.cond.zip(b.cond));
            left.extend(
                [Some((a.collection, b.collection)), keys, Some((a.value, b.value)), conditions]
                    .into_iter()
                    .flatten(),
            );
            let names = a.key_var.map(|name| one.bytes(name)) == b.key_var.map(|name| other.bytes(name))
                && one.bytes(a.value_var) == other.bytes(b.value_var);
            names && a.group == b.group && a.key.is_some() == b.key.is_some() && a.cond.is_some() == b.cond.is_some()
        }
        (
            ExprKind::Binary { op: a_op, lhs: a, rhs: a_rhs, .. },
            ExprKind::Binary { op: b_op, lhs: b, rhs: b_rhs, .. },
        ) => {
            left.extend([(a, b), (a_rhs, b_rhs)]);
            a_op == b_op
        }
        (ExprKind::Unary { op: a_op, operand: a, .. }, ExprKind::Unary { op: b_op, operand: b, .. }) => {
            left.push((a, b));
            a_op == b_op
        }
        _ => false,
    }
}

fn lists(a: &[Id<Expr>], b: &[Id<Expr>], left: &mut Vec<(Id<Expr>, Id<Expr>)>) -> bool {
    left.extend(a.iter().charged_at_once(1).copied().zip(b.iter().copied()));
    a.len() == b.len()
}

fn steps(one: &Tree, other: &Tree, a: &[super::super::tree::Step], b: &[super::super::tree::Step]) -> bool {
    a.len() == b.len()
        && a.iter().charged_at_once(1).zip(b).all(|(a, b)| match (a.kind, b.kind) {
            (StepKind::Root, StepKind::Root) => one.bytes(a.range) == other.bytes(b.range),
            (StepKind::Attr(a), StepKind::Attr(b)) | (StepKind::IndexNumber(a), StepKind::IndexNumber(b)) => {
                one.bytes(a) == other.bytes(b)
            }
            (StepKind::IndexText(a), StepKind::IndexText(b)) => one.str(a) == other.str(b),
            _ => false,
        })
}
