//! Which parts of a value are unknown, and which are sensitive, in the shape of the value (plan.md, section 14).

use super::super::json::JsonWriter;
use overfold_base::account::ChargedIterator;
use overfold_value::{Kind, Type, Value, with_stack};

/// Writes which parts of a planned object are unknown: `{}` if none is.
pub(crate) fn after_unknown(json: &mut JsonWriter, object: &Value) {
    if object.is_wholly_known() { json.object(|_| {}) } else { unknown_mask(json, object) }
}

/// Writes which parts of the value of an output are unknown: `false` if none is.
pub(crate) fn output_unknown(json: &mut JsonWriter, value: &Value) {
    if value.is_wholly_known() { json.bool(false) } else { unknown_mask(json, value) }
}

/// Writes the mask of unknown parts: an unknown of any type is one `true`, nulls and scalars are `false`; in the place of
/// a list, set or tuple is an array of the same length, in that of a map or object are its entries that are not `false`.
pub(crate) fn unknown_mask(json: &mut JsonWriter, value: &Value) {
    match value.kind() {
        Kind::Unknown { .. } => json.bool(true),
        Kind::Null(_) | Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => json.bool(false),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            json.array(|json| {
                for item in sequence.items() {
                    with_stack(|| unknown_mask(json, item));
                }
            });
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            json.object(|json| {
                for (key, entry) in mapping.entries().charged_at_once(1) {
                    if !entry.is_known() || entry.length().is_some() {
                        json.key(key);
                        with_stack(|| unknown_mask(json, entry));
                    }
                }
            });
        }
    }
}

/// Writes the mask of sensitive parts: what is marked is `true`, and nothing below it is looked at; nulls and scalars are
/// `false`; in the place of a list, set or tuple is an array, in that of a map or object are its entries that are not
/// `false`. An unknown shows by its type that it will be a structure: it is then an empty one.
pub(crate) fn sensitive_mask(json: &mut JsonWriter, value: &Value) {
    if value.marks().is_sensitive() {
        return json.bool(true);
    }
    match value.kind() {
        Kind::Unknown { ty, .. } => match ty {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => json.array(|_| {}),
            Type::Map(_) | Type::Object(_) => json.object(|_| {}),
            Type::Dynamic | Type::String | Type::Number | Type::Bool => json.bool(false),
        },
        Kind::Null(_) | Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => json.bool(false),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            json.array(|json| {
                for item in sequence.items() {
                    with_stack(|| sensitive_mask(json, item));
                }
            });
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            json.object(|json| {
                for (key, entry) in mapping.entries().charged_at_once(1) {
                    if has_sensitive_entry(entry) {
                        json.key(key);
                        with_stack(|| sensitive_mask(json, entry));
                    }
                }
            });
        }
    }
}

/// Whether the mask of an entry is anything but `false`.
fn has_sensitive_entry(entry: &Value) -> bool {
    if entry.marks().is_sensitive() {
        return true;
    }
    match entry.kind() {
        Kind::Unknown { ty, .. } => !ty.is_primitive() && !ty.is_dynamic(),
        _ => entry.length().is_some(),
    }
}
