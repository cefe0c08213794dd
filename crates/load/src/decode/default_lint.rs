//! Finds attributes in a variable's default that are not part of its type (opentofu.md, section 5).

use crate::decode::codes;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::nearest::hint;
use overfold_eval as eval;
use overfold_syntax::tree::{Expr, ExprKind, Id, ObjectItem, Tree};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Type, convert};
use std::sync::Arc;

/// Reports every attribute written in `expr` that a conversion to `ty` would drop, at the attribute's name. Examines
/// objects, lists and for-expressions as far as they are written out, and only in native syntax, as the tool does.
/// Linear in the size of the expression.
pub fn lost_attributes(forest: &Forest, expr: ExprAt, ty: &Type, out: &mut Diagnostics) {
    let ExprAt::Native(source, id) = expr else { return };
    let Some(tree) = forest.native(source) else { return };
    // Expressions that remain to be examined, with the types to which they are converted.
    let mut pending: Vec<(Id<Expr>, &Type)> = vec![(id, ty)];
    while let Some((id, ty)) = pending.pop() {
        match (tree.expr(id).kind, ty) {
            (ExprKind::Object { items, .. }, Type::Object(_)) => {
                for item in tree.items(items) {
                    let Some(name) = key(forest, tree, item) else { continue };
                    match ty.attribute(&name) {
                        Some(inner) => pending.push((item.value, &inner.ty)),
                        None => {
                            let at = tree.span(tree.expr(item.key).range);
                            let known = ty.attributes().iter();
                            let hint = hint(&name, known.map(|attribute| &*attribute.name));
                            let detail = format!(
                                "The type of the variable has no attribute {:?} here, so this value is discarded.{hint} Correct the name, or add the attribute to the type.",
                                &*name
                            );
                            let found = Diagnostic::tool(&codes::LOST_ATTRIBUTE, at, detail);
                            out.push(found.within(tree.span(tree.expr(id).range)));
                        }
                    }
                }
            }
            (ExprKind::Object { items, .. }, Type::Map(_)) => {
                let Some(element) = ty.element() else { continue };
                let known = tree.items(items).iter().filter(|item| key(forest, tree, item).is_some());
                pending.extend(known.map(|item| (item.value, element)));
            }
            (ExprKind::Tuple { items, .. }, Type::List(_) | Type::Set(_)) => {
                let Some(element) = ty.element() else { continue };
                pending.extend(tree.list(items).iter().map(|&item| (item, element)));
            }
            (ExprKind::Tuple { items, .. }, Type::Tuple(_)) => {
                let (items, types) = (tree.list(items), ty.tuple_elements());
                // With a different number of elements, the conversion fails anyway.
                if items.len() == types.len() {
                    pending.extend(items.iter().copied().zip(types));
                }
            }
            (ExprKind::For(each), Type::Map(_) | Type::List(_) | Type::Set(_)) => {
                let each = tree.for_expr(each);
                if each.key.is_some() == matches!(ty, Type::Map(_))
                    && let Some(element) = ty.element()
                {
                    pending.push((each.value, element));
                }
            }
            _ => {}
        }
    }
}

/// Returns the name of an item, if it is a constant.
fn key(forest: &Forest, tree: &Tree, item: &ObjectItem) -> Option<Arc<str>> {
    if let Some(name) = item.literal_name {
        return Some(Arc::from(tree.slice(name)));
    }
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, ExprAt::Native(tree.source, item.key), &mut discarded);
    if discarded.has_errors() || !value.is_known() || value.is_null() {
        return None;
    }
    convert(&value, &Type::String).ok()?.as_shared_text().cloned()
}
