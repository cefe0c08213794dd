//! Selecting a part of a value: `[key]` and `.name` (expressions.md, section 3).

use super::{codes, error};
use overfold_base::diag::{Diagnostics, Span};
use overfold_base::nearest::hint;
use overfold_value::{Marks, Number, Type, Value, convert};

/// Evaluates `base[key]`; `span` covers the brackets with the key. Reports a diagnostic and returns an unknown value if
/// there is no such element. With `late`, the attributes of an
/// unknown object are checked only when it is known.
pub fn index(base: &Value, key: &Value, span: Span, late: bool, out: &mut Diagnostics) -> Value {
    let doubt = base.marks().and(key.marks()).doubt();
    if !doubt.is_empty() && (base.is_null() || key.is_null()) {
        return Value::dynamic().with_marks(doubt);
    }
    if base.is_null() {
        out.push(error(&codes::INDEX_OF_NULL, span, "The value before the brackets is null, so it has no elements."));
        return Value::dynamic();
    }
    if key.is_null() {
        out.push(error(
            &codes::INVALID_INDEX,
            span,
            "The key in the brackets is null, so it does not select an element.",
        ));
        return Value::dynamic();
    }
    if base.ty().is_dynamic() || key.ty().is_dynamic() {
        return Value::dynamic().with_marks(base.marks().and(key.marks().doubt()));
    }
    match by_key(base, key, late) {
        Ok(found) => found.with_marks(key.marks().doubt()),
        Err(_) if !doubt.is_empty() => Value::dynamic().with_marks(doubt),
        Err(detail) => {
            out.push(error(&codes::INVALID_INDEX, span, detail));
            Value::dynamic()
        }
    }
}

/// Selects by a key, where neither value is null or of unknown type. The error describes what is wrong with the key.
fn by_key(base: &Value, key: &Value, late: bool) -> Result<Value, String> {
    let ty = base.ty();
    let wanted = match ty {
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) | Type::Object(_) => Type::String,
        Type::Set(_) => {
            return Err("The elements of a set have no keys or indexes. Convert the set with tolist, or use a for expression."
                .to_owned());
        }
        _ => {
            return Err(format!(
                "The value before the brackets is {}, so it has no elements.",
                convert::with_article(ty)
            ));
        }
    };
    let key = convert::convert(key, &wanted)
        .map_err(|problem| format!("The key cannot be used with this value: {problem}."))?;
    if matches!(ty, Type::Object(_)) {
        return by_attribute(base, &key, late);
    }
    match (key.as_text(), key.as_number()) {
        (Some(name), _) if base.is_known() => by_map_key(base, name, key.marks()),
        (_, Some(number)) => by_position(base, number, key.marks()),
        _ => Ok(unknown_element(base)),
    }
}

/// Returns an element as an unknown value, because the structure or the key is unknown.
fn unknown_element(base: &Value) -> Value {
    Value::unknown(base.ty().element().cloned().unwrap_or(Type::Dynamic)).with_marks(base.marks())
}

fn by_attribute(base: &Value, key: &Value, late: bool) -> Result<Value, String> {
    let name = match key.as_text() {
        Some(name) if base.is_known() || !late => name,
        _ => return Ok(Value::dynamic().with_marks(base.marks())),
    };
    // The key's marks are dropped: attribute names are not secret.
    match base.ty().attribute(name) {
        Some(attribute) => Ok(attribute_value(base, &attribute.name, &attribute.ty)),
        None if base.marks().is_inexact() => Ok(not_given(base)),
        None if key.marks().is_empty() => Err(format!("The object has no attribute \"{name}\".")),
        None => Err("The object has no attribute with this name.".to_owned()),
    }
}

fn attribute_value(base: &Value, name: &str, ty: &Type) -> Value {
    // What is known of an object of which only some attributes are known is exact.
    let marks = base.marks();
    let marks = if marks.is_open() { marks.without(Marks::OPEN) } else { marks };
    base.get(name).cloned().unwrap_or_else(|| Value::unknown(ty.clone())).with_marks(marks)
}

/// Returns a part that a value may have beside those that are known.
fn not_given(base: &Value) -> Value {
    Value::dynamic().with_marks(base.marks().without(Marks::OPEN).and(Marks::INEXACT))
}

fn by_map_key(base: &Value, name: &str, key_marks: Marks) -> Result<Value, String> {
    let marks = base.marks().and(key_marks);
    match base.get(name) {
        Some(value) => Ok(value.clone().with_marks(marks)),
        None if marks.is_inexact() => Ok(not_given(base)),
        None if marks.is_empty() => Err(format!("The map has no element \"{name}\".")),
        None => Err("The map has no element with this key.".to_owned()),
    }
}

fn by_position(base: &Value, number: &Number, key_marks: Marks) -> Result<Value, String> {
    let marks = base.marks().and(key_marks);
    let types = base.ty().as_tuple();
    let Some(length) = types.map(<[Type]>::len).or_else(|| base.length()) else { return Ok(unknown_element(base)) };
    if let Some(position) = number.to_usize().filter(|position| *position < length) {
        let known = base.items().get(position).cloned();
        let ty = types.and_then(|types| types.get(position)).cloned().unwrap_or(Type::Dynamic);
        let part = known.unwrap_or_else(|| Value::unknown(ty));
        // What is known of the only block of its type is exact.
        let is_block = matches!(part.ty(), Type::Object(_) | Type::Tuple(_));
        return Ok(part.with_marks(if is_block { marks } else { marks.of_result() }));
    }
    if marks.is_inexact() {
        return Ok(not_given(base));
    }
    Err(if !number.is_integer() {
        "The index of a list or tuple must be a whole number.".to_owned()
    } else if number.signum() < 0 {
        "The index must not be negative; the first element has index 0.".to_owned()
    } else if length == 0 {
        "The collection is empty, so no index is valid.".to_owned()
    } else {
        format!("The index is out of range: the last element has index {}.", length - 1)
    })
}

/// Evaluates `base.name`; `span` covers the dot and the name. Reports a diagnostic and returns an unknown value if
/// there is no such attribute.
pub fn attribute(base: &Value, name: &str, span: Span, out: &mut Diagnostics) -> Value {
    if base.is_null() && base.marks().is_inexact() {
        return Value::dynamic().with_marks(base.marks());
    }
    if base.is_null() {
        out.push(error(
            &codes::ATTRIBUTE_OF_NULL,
            span,
            "The value before the dot is null, so it has no attributes.",
        ));
        return Value::dynamic();
    }
    let ty = base.ty();
    let unsupported = match ty {
        Type::Dynamic => return Value::dynamic().with_marks(base.marks()),
        Type::Object(object) => {
            if let Some(attribute) = object.get(name) {
                return attribute_value(base, name, &attribute.ty);
            }
            if base.marks().is_inexact() {
                return not_given(base);
            }
            let names = object.attributes().iter().map(|attribute| &*attribute.name);
            format!("The object has no attribute \"{name}\".{}", hint(name, names))
        }
        Type::Map(_) => {
            if !base.is_known() {
                return Value::unknown(ty.element().cloned().unwrap_or(Type::Dynamic)).with_marks(base.marks());
            }
            return base.get(name).map_or_else(
                || {
                    if base.marks().is_inexact() {
                        return not_given(base);
                    }
                    let detail = format!("The map has no element \"{name}\".");
                    out.push(error(&codes::MISSING_MAP_ELEMENT, span, detail));
                    Value::dynamic()
                },
                |value| value.clone().with_marks(base.marks()),
            );
        }
        // Blocks of which it is not known whether they are one or several.
        _ if base.marks().is_inexact() => return not_given(base),
        Type::List(_) | Type::Set(_) if matches!(ty.element(), Some(Type::Object(_))) => format!(
            "This is {}. Select one element first, or use [*] to get the attribute of every element.",
            convert::with_article(ty)
        ),
        _ => format!("The value before the dot is {}, so it has no attributes.", convert::with_article(ty)),
    };
    out.push(error(&codes::UNSUPPORTED_ATTRIBUTE, span, unsupported));
    Value::dynamic()
}
