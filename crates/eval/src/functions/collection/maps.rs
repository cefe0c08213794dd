//! Functions on maps and objects (expressions.md, sections 5 and 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{CallContext, FunctionError, Outcome, Variation};
use super::{arg, converted, describe_type};
use overfold_base::account::{self, ChargedIterator};
use overfold_value::{AttributeType, Marks, Type, Value, convert, excerpt};

pub(super) fn keys_type(args: &[Value]) -> Result<Type, FunctionError> {
    let map = arg(args, 0);
    match map.ty() {
        Type::Map(_) => Ok(Type::list(Type::String)),
        Type::Object(_) => Ok(Type::tuple(vec![Type::String; map.ty().attributes().len()])),
        _ => Err(FunctionError::argument(0, format!("it must be a map or object, not {}", describe_type(&map)))),
    }
}

pub(super) fn keys(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let map = arg(args, 0);
    let marks = map.marks();
    // The type of an object contains its keys, even if the object itself is unknown.
    if let Some(attributes) = map.ty().as_object() {
        let names = attributes.iter().map(|attribute| Value::text(&attribute.name));
        return Ok(Value::tuple(names.collect()).with_marks(marks));
    }
    let Some(entries) = map.as_entries() else { return Ok(Value::unknown(ty.clone()).with_marks(marks)) };
    let names = entries.iter().map(|(key, _)| Value::text(key));
    Ok(Value::list(Type::String, names.collect()).with_marks(marks))
}

pub(super) fn lookup_type(args: &[Value]) -> Result<Type, FunctionError> {
    if args.len() > 3 {
        return Err(FunctionError::new("it takes at most three arguments: a map, a key and a default"));
    }
    let (map, key, default) = (arg(args, 0), arg(args, 1), args.get(2));
    match map.ty() {
        Type::Object(_) => match (key.is_known(), key.as_text()) {
            (true, Some(key)) => match (map.ty().attribute(key), default) {
                (Some(attribute), _) => Ok(attribute.ty.clone()),
                (None, Some(default)) => Ok(default.ty().clone()),
                (None, None) => {
                    Err(FunctionError::argument(0, format!("the object has no attribute {:?}", excerpt(key))))
                }
            },
            _ => Ok(Type::Dynamic),
        },
        Type::Map(_) => {
            let element = map.ty().element().cloned().unwrap_or(Type::Dynamic);
            match default.map(|default| convert(default, &element)) {
                Some(Err(error)) => Err(FunctionError::argument(
                    2,
                    format!(
                        "the default cannot be converted to the type of the map's \
                        elements: {error}"
                    ),
                )),
                _ => Ok(element),
            }
        }
        _ => Err(FunctionError::argument(0, format!("it must be a map or object, not {}", describe_type(&map)))),
    }
}

pub(super) fn lookup(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (map, key) = (arg(args, 0), arg(args, 1));
    let marks = map.marks().and(key.marks());
    let name = key.as_text().unwrap_or_default();
    if let Some(value) = map.get(name) {
        return Ok(value.clone().with_marks(marks));
    }
    match args.get(2) {
        Some(default) => Ok(converted(default, ty).with_marks(marks)),
        None => Err(FunctionError::new(format!("the map has no key {:?}", excerpt(name)))),
    }
}

// merge: maps of one type produce a map; everything else produces an object.

pub(super) fn merge_type(args: &[Value]) -> Result<Type, FunctionError> {
    let mut attributes: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    let mut maps: Option<Type> = None;
    let mut as_object = args.is_empty();
    if let (Some(first), false) = (args.first(), args.iter().any(|value| value.ty().is_dynamic()))
        && matches!(first.ty(), Type::Object(_))
        && args.iter().all(|value| value.ty() == first.ty())
    {
        return Ok(first.ty().clone());
    }
    for value in args {
        match value.ty() {
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Map(_) => match &maps {
                Some(first) if first != value.ty() => as_object = true,
                _ => maps = Some(value.ty().clone()),
            },
            Type::Object(_) => as_object = true,
            _ => {
                return Err(FunctionError::new(format!("it must be a map or object, not {}", describe_type(value))));
            }
        }
    }
    if let (Some(map), false) = (maps, as_object) {
        return Ok(map);
    }
    for value in args.iter().filter(|value| !value.is_null()) {
        match value.ty().as_object() {
            Some(all) => {
                attributes.extend(all.iter().charged_at_once(3).map(|a| (a.name.clone(), a.ty.clone())));
            }
            None => match value.as_entries() {
                Some(entries) => attributes.extend(entries.iter().map(|(k, v)| (k.clone(), v.ty().clone()))),
                None => return Ok(Type::Dynamic),
            },
        }
    }
    Ok(Type::object(attributes.into_iter().map(|(name, ty)| AttributeType::new(name, ty)).collect()))
}

pub(super) fn merge(args: &[Value], ty: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let marks = args.iter().fold(Marks::NONE, |marks, value| marks.and(value.marks()));
    // For objects of one type, the tool promises that type; with nothing but nulls it cannot keep the promise.
    if args.iter().all(Value::is_null) && !ty.attributes().is_empty() {
        if context.has(Variation::MergesTypedNulls) {
            return Ok(Value::object(Vec::new()).with_marks(marks));
        }
        return Err(FunctionError::new("every argument is null, so the result has no attributes"));
    }
    let mut entries: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    for value in args.iter().filter(|value| !value.is_null()) {
        let Some(own) = value.as_entries() else {
            entries.extend(entries_of_no_map(value)?);
            continue;
        };
        entries.extend(own.iter().charged_at_once(4).cloned());
    }
    let entries = entries.into_iter().collect();
    let merged = match ty.element() {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    };
    Ok(merged.with_marks(marks))
}

/// Returns the entries of a value that is no map or object. The tool gets to see one only beside a null without a type: it
/// takes the texts of a set as entries under their own name, and accepts what is empty.
fn entries_of_no_map(value: &Value) -> Result<Vec<(Arc<str>, Value)>, FunctionError> {
    let refused = || FunctionError::new(format!("it must be a map or object, not {}", describe_type(value)));
    let items = value.as_items().ok_or_else(refused)?;
    if !items.is_empty() && !matches!(value.ty(), Type::Set(_)) {
        return Err(refused());
    }
    items
        .iter()
        .charged_at_once(4)
        .map(|item| Ok((item.as_shared_text().ok_or_else(refused)?.clone(), item.clone())))
        .collect()
}

pub(super) fn transpose(args: &[Value], ty: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let map = arg(args, 0);
    if !map.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    account::work(map.weight());
    let names_argument = context.has(Variation::TransposeNamesArgument);
    let refused = |message: &str| {
        if names_argument { FunctionError::argument(0, message) } else { FunctionError::new(message) }
    };
    let mut turned: BTreeMap<Arc<str>, Vec<Value>> = BTreeMap::new();
    for (key, list) in map.entries() {
        let items = list.as_items().ok_or_else(|| refused("a list is null"))?;
        for item in items {
            let text = item.as_shared_text().ok_or_else(|| refused("an element of a list is null"))?;
            turned.entry(text.clone()).or_default().push(Value::text(key));
        }
    }
    let entries = turned.into_iter().map(|(key, mut keys)| {
        keys.sort_by(|a, b| a.as_text().cmp(&b.as_text()));
        (key, Value::list(Type::String, keys))
    });
    Ok(Value::map(Type::list(Type::String), entries.collect()))
}

pub(super) fn values_type(args: &[Value]) -> Result<Type, FunctionError> {
    let map = arg(args, 0);
    match map.ty() {
        Type::Map(_) => Ok(Type::list(map.ty().element().cloned().unwrap_or(Type::Dynamic))),
        Type::Object(_) => {
            let attributes = map.ty().attributes();
            Ok(Type::tuple(attributes.iter().map(|attribute| attribute.ty.clone()).collect()))
        }
        _ => Err(FunctionError::new(format!("it must be a map or object, not {}", describe_type(&map)))),
    }
}

pub(super) fn values(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let map = arg(args, 0);
    let values: Vec<Value> = map.entries().iter().map(|(_, value)| value.clone()).collect();
    let values = match ty.element() {
        Some(element) => Value::list(element.clone(), values),
        None => Value::tuple(values),
    };
    Ok(values.with_marks(map.marks()))
}

// zipmap: a list of values produces a map, a tuple an object.

pub(super) fn zip_type(args: &[Value]) -> Result<Type, FunctionError> {
    let (keys, values) = (arg(args, 0), arg(args, 1));
    match values.ty() {
        Type::List(_) => Ok(Type::map(values.ty().element().cloned().unwrap_or(Type::Dynamic))),
        Type::Tuple(_) => {
            let elements = values.ty().tuple_elements();
            let Some(names) = keys.as_items().filter(|_| keys.is_wholly_known()) else { return Ok(Type::Dynamic) };
            if names.len() != elements.len() {
                return Err(unequal(names.len(), elements.len()));
            }
            let mut attributes: BTreeMap<Arc<str>, Type> = BTreeMap::new();
            for (name, ty) in names.iter().zip(elements) {
                let name = name.as_shared_text().ok_or_else(|| FunctionError::new("a key is null"))?;
                attributes.insert(name.clone(), ty.clone());
            }
            Ok(Type::object(attributes.into_iter().map(|(name, ty)| AttributeType::new(name, ty)).collect()))
        }
        _ => Err(FunctionError::new(format!("the values must be a list or tuple, not {}", describe_type(&values)))),
    }
}

fn unequal(keys: usize, values: usize) -> FunctionError {
    FunctionError::new(format!("the number of keys ({keys}) does not match the number of values ({values})"))
}

pub(super) fn zip(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (keys, values) = (arg(args, 0), arg(args, 1));
    let marks = keys.deep_marks().and(values.marks());
    if !keys.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(marks));
    }
    let (names, items) = (keys.items(), values.items());
    if names.len() != items.len() {
        return Err(unequal(names.len(), items.len()));
    }
    let mut entries = Vec::with_capacity(names.len());
    for (name, item) in names.iter().zip(items) {
        let name = name.as_shared_text().ok_or_else(|| FunctionError::new("a key is null"))?;
        entries.push((name.clone(), item.clone()));
    }
    let zipped = match ty.element() {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    };
    Ok(zipped.with_marks(marks))
}
