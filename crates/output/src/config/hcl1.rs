//! Writes values of HCL 1 as JSON. A string is read the same way in both forms, interpolations included, so strings and
//! keys stay as they are.

use std::collections::BTreeMap;

use super::sink::JsonSink;
use overfold_syntax::hcl1::{Number, number};
use overfold_syntax::tree::{Expr, ExprKind, Id, ObjectItem, Tree};
use overfold_value::with_stack;

/// Writes a value. A value that could not be read becomes null.
pub(super) fn write(sink: &mut impl JsonSink, tree: &Tree, id: Id<Expr>) {
    with_stack(|| write_here(sink, tree, id));
}

fn write_here(sink: &mut impl JsonSink, tree: &Tree, id: Id<Expr>) {
    let expr = tree.expr(id);
    match expr.kind {
        ExprKind::Number => match number(tree.slice(expr.range)) {
            Some(Number::Whole(whole)) => sink.scalar(&whole.to_string()),
            Some(Number::Fraction(fraction)) => sink.scalar(&fraction.to_string()),
            None => sink.null(),
        },
        ExprKind::Bool(value) => sink.bool(value),
        ExprKind::Text(text) | ExprKind::Interpolated(text) => sink.str(tree.str(text)),
        ExprKind::Tuple { items, .. } => sink.array(|sink| {
            for &item in tree.list(items) {
                write(sink, tree, item);
            }
        }),
        ExprKind::Object { items, .. } => sink.object(|sink| {
            let items = tree.items(items);
            let names: Vec<&str> = items.iter().map(|item| key(tree, item)).collect();
            // If a key has several values, the last one wins.
            let mut last: BTreeMap<&str, Id<Expr>> = BTreeMap::new();
            for (name, item) in names.iter().zip(items) {
                last.insert(name, item.value);
            }
            for (name, value) in last {
                sink.key(name);
                write(sink, tree, value);
            }
        }),
        _ => sink.null(),
    }
}

fn key<'t>(tree: &'t Tree, item: &ObjectItem) -> &'t str {
    match (item.literal_name, tree.expr(item.key).kind) {
        (Some(name), _) => tree.slice(name),
        (None, ExprKind::Text(text) | ExprKind::Interpolated(text)) => tree.str(text),
        (None, _) => tree.slice(tree.expr(item.key).range),
    }
}
