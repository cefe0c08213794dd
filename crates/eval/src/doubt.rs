//! Values that may not be what they seem, because something was not given: an error that depends on such a value may be none,
//! and is not reported; what is computed from it is marked in turn (plan.md, section 20).

use overfold_base::account;
use overfold_value::{Kind, Marks, Type, Value, with_stack};

/// Returns whether the type of a value is what it seems, whatever its content is. A text that is known may stand for a
/// number, and a list for a set.
pub(super) fn has_certain_type(value: &Value) -> bool {
    if !value.deep_marks().is_inexact() {
        return true;
    }
    account::work(1);
    if !value.is_known() {
        return !value.ty().has_dynamic();
    }
    if value.marks().is_inexact() {
        return false;
    }
    with_stack(|| match value.kind() {
        Kind::List(parts) | Kind::Set(parts) | Kind::Tuple(parts) => parts.items().iter().all(has_certain_type),
        Kind::Map(parts) | Kind::Object(parts) => parts.entries().iter().all(|(_, part)| has_certain_type(part)),
        _ => true,
    })
}

/// Returns a value that may have been converted to the common type with another one, of which nobody knows the type: numbers
/// and booleans may have become text, so they are in doubt. Texts, keys and lengths stay (plan.md, section 20).
pub fn loosened(value: &Value) -> Value {
    let own = value.marks();
    match value.kind() {
        Kind::Bool(_) | Kind::Number(_) | Kind::Unknown { ty: Type::Bool | Type::Number, .. } => {
            value.clone().with_marks(Marks::INEXACT)
        }
        Kind::Set(set) if set.items().first().is_some_and(|item| *item.ty() != Type::String) => {
            value.clone().with_marks(Marks::INEXACT)
        }
        Kind::List(_) | Kind::Tuple(_) | Kind::Map(_) | Kind::Object(_) => {
            account::work(value.weight() / 8);
            value.map_parts(&loosened).with_marks(own)
        }
        _ => value.clone(),
    }
}

/// Returns a value in which everything is unknown that may not be what it seems.
pub(super) fn in_question(value: &Value) -> Value {
    let own = value.marks();
    if !value.deep_marks().is_inexact() {
        return value.clone();
    }
    account::work(1);
    if own.is_inexact() {
        let ty = if value.is_known() { Type::Dynamic } else { value.ty().clone() };
        return Value::unknown(ty).with_marks(own);
    }
    value.map_parts(&in_question).with_marks(own)
}

/// Returns a value without any marks but those that say which parts may not be what they seem.
pub(super) fn only_doubt(value: &Value) -> Value {
    let own = value.marks();
    if value.deep_marks().is_empty() {
        return value.clone();
    }
    account::work(1);
    value.map_parts(&only_doubt).with_marks(own.without(own.without_doubt()))
}

/// Returns a value whose unknown parts are in doubt.
pub(super) fn doubtful(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    account::work(1);
    match value.kind() {
        Kind::Unknown { .. } | Kind::Set(_) => value.clone().with_marks(Marks::INEXACT),
        _ => value.map_parts(&doubtful).with_marks(value.marks()),
    }
}

/// Whether a value is a structure for certain, though it may have other parts than those that are known: the object of a
/// resource, or the only block of its type.
pub(super) const fn cannot_be_primitive(value: &Value) -> bool {
    value.marks().is_open() && matches!(value.kind(), Kind::Object(_) | Kind::Tuple(_))
}
