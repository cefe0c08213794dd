//! Selecting a part of a value: `[key]` and `.name` (expressions.md, section 3).

use super::{codes, error};
use crate::diag::{Diagnostics, Span};
use crate::value::{Type, Value, convert};

/// `base[key]`; `span`: the brackets with the key. Unknown, with a finding, when nothing is selected.
pub fn index(base: &Value, key: &Value, span: Span, out: &mut Diagnostics) -> Value {
    select(base, key, span, false, out)
}

/// `late`: the attributes of an object that is not known yet are looked at only when it is.
pub(super) fn select(base: &Value, key: &Value, span: Span, late: bool, out: &mut Diagnostics) -> Value {
    if base.is_null() {
        out.push(error(&codes::INDEX_OF_NULL, span, "The value before the brackets is null; it has no elements."));
        return Value::dynamic();
    }
    let mut invalid = |detail: String| {
        out.push(error(&codes::INVALID_INDEX, span, detail));
        Value::dynamic()
    };
    if key.is_null() {
        return invalid("The key in the brackets is null.".to_owned());
    }
    let ty = base.ty();
    if ty.is_dynamic() || key.ty().is_dynamic() {
        return Value::dynamic().with_marks(base.marks());
    }
    let wanted = match ty {
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) | Type::Object(_) => Type::String,
        Type::Set(_) => {
            return invalid(
                "The elements of a set have no keys or positions. Make it a list with tolist, or use a for expression."
                    .to_owned(),
            );
        }
        _ => {
            return invalid(format!(
                "The value before the brackets is {}; it has no elements.",
                convert::with_article(ty)
            ));
        }
    };
    let key = match convert::convert(key, &wanted) {
        Ok(key) => key,
        Err(problem) => return invalid(format!("The key does not fit this value: {problem}.")),
    };
    let marks = base.marks().and(key.marks());
    if let Type::Object(object) = ty {
        let name = match key.as_text() {
            Some(name) if base.is_known() || !late => name,
            _ => return Value::dynamic().with_marks(base.marks()),
        };
        let Some(attribute) = object.get(name) else {
            return invalid(if key.marks().is_empty() {
                format!("The object has no attribute \"{name}\".")
            } else {
                "The object has no attribute of this name.".to_owned()
            });
        };
        // The key's marks stay behind: attribute names are no secret.
        return match base.get(name) {
            Some(value) => value.clone().with_marks(base.marks()),
            None => Value::unknown(attribute.ty.clone()).with_marks(base.marks()),
        };
    }
    if !key.is_known() {
        return match ty.element() {
            Some(element) => Value::unknown(element.clone()).with_marks(base.marks()),
            None => Value::dynamic().with_marks(base.marks()),
        };
    }
    match ty {
        Type::Map(_) => {
            let name = key.as_text().unwrap_or_default();
            if !base.is_known() {
                return Value::unknown(ty.element().cloned().unwrap_or(Type::Dynamic)).with_marks(base.marks());
            }
            match base.get(name) {
                Some(value) => value.clone().with_marks(marks),
                None if marks.is_empty() => invalid(format!("The map has no element \"{name}\".")),
                None => invalid("The map has no element of this key.".to_owned()),
            }
        }
        _ => {
            let Some(number) = key.as_number() else { return Value::dynamic() };
            let position = number.to_usize();
            let tuple_type = ty.tuple_elements().and_then(|elements| elements.get(position?));
            let length = ty.tuple_elements().map(<[Type]>::len).or_else(|| base.length());
            if !base.is_known() && length.is_none() {
                return Value::unknown(ty.element().cloned().unwrap_or(Type::Dynamic)).with_marks(base.marks());
            }
            let found = position.and_then(|position| base.items()?.get(position));
            match (found, tuple_type) {
                (Some(value), _) => value.clone().with_marks(marks),
                (None, Some(element)) if !base.is_known() => Value::unknown(element.clone()).with_marks(marks),
                _ => invalid(if !number.is_integer() {
                    "A position must be a whole number.".to_owned()
                } else if number.is_negative() && !number.is_zero() {
                    "A position must not be negative; positions count from 0 at the front.".to_owned()
                } else {
                    match length {
                        Some(0) => "There are no elements to select from.".to_owned(),
                        Some(length) => {
                            format!("There are {length} elements; the last one has position {}.", length - 1)
                        }
                        None => "There is no element at this position.".to_owned(),
                    }
                }),
            }
        }
    }
}

/// `base.name`; `span`: the dot and the name. Unknown, with a finding, when there is no such attribute.
pub fn attribute(base: &Value, name: &str, span: Span, out: &mut Diagnostics) -> Value {
    if base.is_null() {
        out.push(error(&codes::ATTRIBUTE_OF_NULL, span, "The value before the dot is null; it has no attributes."));
        return Value::dynamic();
    }
    let ty = base.ty();
    let unsupported = match ty {
        Type::Dynamic => return Value::dynamic().with_marks(base.marks()),
        Type::Object(object) => match object.get(name) {
            Some(attribute) => {
                return match base.get(name) {
                    Some(value) => value.clone().with_marks(base.marks()),
                    None => Value::unknown(attribute.ty.clone()).with_marks(base.marks()),
                };
            }
            None => {
                let names = object.attributes().iter().map(|attribute| &*attribute.name);
                let hint = super::similar_name(name, names).map(|name| format!(" Is \"{name}\" meant?"));
                format!("The object has no attribute \"{name}\".{}", hint.unwrap_or_default())
            }
        },
        Type::Map(_) => {
            if !base.is_known() {
                return Value::unknown(ty.element().cloned().unwrap_or(Type::Dynamic)).with_marks(base.marks());
            }
            return base.get(name).map_or_else(
                || {
                    let detail = format!("The map has no element \"{name}\".");
                    out.push(error(&codes::MISSING_MAP_ELEMENT, span, detail));
                    Value::dynamic()
                },
                |value| value.clone().with_marks(base.marks()),
            );
        }
        Type::List(_) | Type::Set(_) if matches!(ty.element(), Some(Type::Object(_))) => format!(
            "This is {}: select one element first, or use [*] to take the attribute of every element.",
            convert::with_article(ty)
        ),
        _ => format!("The value before the dot is {}; it has no attributes.", convert::with_article(ty)),
    };
    out.push(error(&codes::UNSUPPORTED_ATTRIBUTE, span, unsupported));
    Value::dynamic()
}
