//! The type of the values of a valid type constraint, without what only a conversion needs: which attributes are
//! optional, and their defaults.

use super::references;
use super::type_expr::{TypeConstraint, TypeRules, simple, type_constraint};
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{AttributeType, Type, normalized, with_stack};

/// Returns the type of the values that a constraint accepts: [`Type::without_optional`] of what [`type_constraint`] reads, at
/// a fraction of its cost. The constraint must be valid; what is not becomes any.
pub fn value_type(forest: &Forest, expr: ExprAt, rules: TypeRules) -> Type {
    let whole = || {
        let TypeConstraint { ty, .. } = type_constraint(forest, expr, rules, &mut Diagnostics::new());
        ty.without_optional()
    };
    let ExprAt::Native(source, id) = expr else { return whole() };
    match forest.native(source) {
        // Anything else may be of the legacy forms.
        Some(tree) if matches!(tree.expr(id).kind, ExprKind::Call(_)) => read(tree, id),
        _ => whole(),
    }
}

fn read(tree: &Tree, id: Id<Expr>) -> Type {
    account::work(2);
    match tree.expr(id).kind {
        ExprKind::Call(call) => {
            let call = tree.call(call);
            let Some(&argument) = tree.list(call.args).first() else { return Type::Dynamic };
            with_stack(|| constructed(tree, tree.str(call.name), argument))
        }
        _ => references::keyword(tree, id).and_then(simple).unwrap_or(Type::Dynamic),
    }
}

fn constructed(tree: &Tree, constructor: &str, argument: Id<Expr>) -> Type {
    match (constructor, tree.expr(argument).kind) {
        ("optional", _) => read(tree, argument),
        ("list", _) => Type::list(read(tree, argument)),
        ("set", _) => Type::set(read(tree, argument)),
        ("map", _) => Type::map(read(tree, argument)),
        ("tuple", ExprKind::Tuple { items, .. }) => {
            Type::tuple(tree.list(items).iter().map(|&item| read(tree, item)).collect())
        }
        ("object", ExprKind::Object { items, .. }) => {
            let named = |item: &overfold_syntax::tree::ObjectItem| {
                Some(AttributeType::new(normalized(tree.slice(item.literal_name?)), read(tree, item.value)))
            };
            Type::object(tree.items(items).iter().filter_map(named).collect())
        }
        _ => Type::Dynamic,
    }
}
