//! Lists, sets, tuples, maps and objects (expressions.md, sections 5 and 7).

mod lists;
mod maps;
mod sets;

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation as _;

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, param};
use lists::{
    chunks, chunks_type, concat, concat_type, element, element_type, forward_element_type, one, one_type, range,
    range_type, reverse, reverse_type, slice, slice_type, wrapped_element_type,
};
use maps::{keys, keys_type, lookup, lookup_type, merge, merge_type, transpose, values, values_type, zip, zip_type};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_value::{Bound, Equality, Marks, Number, NumberRange, Type, Value, convert, unify};
use sets::{Elements, difference, intersection, product, product_type, set_operation, sets_type, union};

pub(super) fn rows() -> Vec<Function> {
    let any = |name| param(name, Type::Dynamic);
    let list = |name| param(name, Type::list(Type::Dynamic));
    let number = |name| param(name, Type::Number);
    let set = |name| param(name, Type::set(Type::Dynamic));
    let fixed = Returns::Fixed;
    let element = |rule| {
        let params = [any("list").marked(), number("index").marked()];
        Function::new("element", params, Returns::Rule(rule), element).may_be_null()
    };
    let mut rows = vec![
        Function::new("alltrue", [param("list", Type::list(Type::Bool))], fixed(Type::Bool), |args, _, _| {
            Ok(all_or_any(args, false))
        }),
        Function::new("anytrue", [param("list", Type::list(Type::Bool))], fixed(Type::Bool), |args, _, _| {
            Ok(all_or_any(args, true))
        }),
        Function::new("chunklist", [list("list").marked(), number("size")], Returns::Rule(chunks_type), chunks),
        Function::new("coalesce", [], Returns::Rule(coalesce_type), coalesce)
            .variadic(any("vals").null().unknown().dynamic()),
        Function::new("coalescelist", [], Returns::Rule(coalesce_list_type), coalesce_list)
            .variadic(any("vals").null().unknown().dynamic()),
        Function::new("compact", [param("list", Type::list(Type::String))], fixed(Type::list(Type::String)), compact),
        Function::new("concat", [], Returns::Rule(concat_type), concat).variadic(any("seqs").marked().unknown()),
        Function::new("contains", [any("list"), any("value")], fixed(Type::Bool), contains),
        Function::new("distinct", [list("list")], Returns::Rule(first_type), distinct),
        Function::new("flatten", [any("list").marked()], fixed(Type::Dynamic), flatten),
        Function::new("index", [any("list"), any("value")], fixed(Type::Number), index),
        Function::new("keys", [any("inputMap").marked().unknown()], Returns::Rule(keys_type), keys),
        Function::new("length", [any("value").marked().unknown().dynamic()], Returns::Rule(length_type), length),
        Function::new("list", [], Returns::Rule(|_| removed_function("list", "[…] with tolist")), |_, _, _| {
            Ok(Value::dynamic())
        })
        .variadic(any("vals").null().unknown().dynamic()),
        Function::new("map", [], Returns::Rule(|_| removed_function("map", "{…} with tomap")), |_, _, _| {
            Ok(Value::dynamic())
        })
        .variadic(any("vals").null().unknown().dynamic()),
        Function::new(
            "lookup",
            [any("inputMap").marked(), param("key", Type::String).marked()],
            Returns::Rule(lookup_type),
            lookup,
        )
        .variadic(any("default").null().unknown().dynamic().marked())
        .may_be_null(),
        Function::new(
            "matchkeys",
            [list("values"), list("keys"), list("searchset")],
            Returns::Rule(match_keys_type),
            match_keys,
        ),
        Function::new("merge", [], Returns::Rule(merge_type), merge).variadic(any("maps").null().dynamic().marked()),
        Function::new("one", [any("list").marked()], Returns::Rule(one_type), one).may_be_null(),
        Function::new("range", [], Returns::Rule(range_type), range).variadic(number("params")),
        Function::new("reverse", [any("list").marked()], Returns::Rule(reverse_type), reverse),
        Function::new("setintersection", [set("first_set")], Returns::Rule(sets_type), |args, ty, cx| {
            set_operation(args, ty, cx, (intersection, Elements::Known))
        })
        .variadic(set("other_sets")),
        Function::new("setunion", [set("first_set")], Returns::Rule(sets_type), |args, ty, cx| {
            set_operation(args, ty, cx, (union, Elements::MayBeUnknown))
        })
        .variadic(set("other_sets")),
        Function::new("setsubtract", [set("a"), set("b")], Returns::Rule(sets_type), |args, ty, cx| {
            set_operation(args, ty, cx, (difference, Elements::Known))
        }),
        Function::new("setproduct", [], Returns::Rule(product_type), product)
            .variadic(any("sets").marked().unknown()),
        Function::new(
            "slice",
            [any("list").marked(), number("start_index"), number("end_index")],
            Returns::Rule(slice_type),
            slice,
        ),
        Function::new(
            "sort",
            [param("list", Type::list(Type::String)).unknown()],
            fixed(Type::list(Type::String)),
            sort,
        ),
        Function::new("sum", [any("list")], fixed(Type::Number), sum),
        Function::new(
            "transpose",
            [param("values", Type::map(Type::list(Type::String)))],
            fixed(Type::map(Type::list(Type::String))),
            transpose,
        ),
        Function::new("values", [any("mapping").marked()], Returns::Rule(values_type), values),
        Function::new(
            "zipmap",
            [param("keys", Type::list(Type::String)).marked(), any("values").marked()],
            Returns::Rule(zip_type),
            zip,
        ),
    ];
    // Of rows with one name, the last one that holds is the function.
    rows.extend([
        element(element_type),
        element(wrapped_element_type).with(Variation::TuplesWrapBackwards),
        element(forward_element_type).with(Variation::NegativeElementRefused),
        Function::new("concat", [], Returns::Rule(concat_type), concat)
            .variadic(any("seqs").marked())
            .with(Variation::UnknownsLoseMarks),
        Function::new("contains", [any("list"), any("value").null()], fixed(Type::Bool), contains)
            .with(Variation::ContainsNull),
    ]);
    rows
}

// Helpers shared by the functions below.

fn nothing() -> Value {
    Value::untyped_null()
}

fn arg(args: &[Value], index: usize) -> Value {
    args.get(index).cloned().unwrap_or_else(nothing)
}

fn is_sequence(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

fn describe_type(value: &Value) -> String {
    overfold_value::convert::with_article(value.ty())
}

/// Returns one type for all elements of a list, set or tuple; without elements, any.
fn element_of(ty: &Type) -> Option<Type> {
    match ty {
        Type::List(_) | Type::Set(_) => ty.element().cloned(),
        Type::Tuple(_) => {
            let elements = ty.tuple_elements();
            if elements.is_empty() { Some(Type::Dynamic) } else { unify(elements) }
        }
        _ => None,
    }
}

/// Returns an argument as a whole number that fits 64 bits.
fn whole(args: &[Value], index: usize) -> Result<i64, FunctionError> {
    args.get(index)
        .and_then(Value::as_number)
        .and_then(Number::to_i64)
        .ok_or_else(|| FunctionError::new("an index or size must be a whole number"))
}

fn first_type(args: &[Value]) -> Result<Type, FunctionError> {
    Ok(arg(args, 0).ty().clone())
}

fn removed_function(name: &str, instead: &str) -> Result<Type, FunctionError> {
    Err(FunctionError::new(format!("the function {name} was removed from the language; write {instead} instead")))
}

fn converted(value: &Value, ty: &Type) -> Value {
    convert(value, ty).unwrap_or_else(|_| value.clone())
}

// alltrue, anytrue: null is treated as false by the former and skipped by the latter.

fn all_or_any(args: &[Value], any: bool) -> Value {
    let list = arg(args, 0);
    let items = list.items();
    let decides = |item: &Value| match item.as_bool() {
        Some(value) => value == any,
        None => !any && item.is_null(),
    };
    // With alltrue, nothing after the first unknown element counts.
    let seen = if any { None } else { items.iter().skimmed(16).position(|item| !item.is_known()) };
    let seen = items.get(..seen.unwrap_or(items.len())).unwrap_or(items);
    if seen.iter().any(decides) {
        Value::bool(any)
    } else if items.iter().any(|item| !item.is_known()) {
        Value::unknown_not_null(Type::Bool)
    } else {
        Value::bool(!any)
    }
}

fn coalesce_type(args: &[Value]) -> Result<Type, FunctionError> {
    if args.is_empty() {
        return Err(FunctionError::new("at least one argument is required"));
    }
    let types: Vec<Type> = args.iter().map(|value| value.ty().clone()).collect();
    unify(&types).ok_or_else(|| FunctionError::new("the arguments have no common type"))
}

fn coalesce(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    for value in args {
        let value = converted(value, ty);
        if !value.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        let empty = *ty == Type::String && value.as_text() == Some("");
        if !value.is_null() && !empty {
            return Ok(value);
        }
    }
    Err(FunctionError::new("every argument is null or an empty string"))
}

fn coalesce_list_type(args: &[Value]) -> Result<Type, FunctionError> {
    let Some(first) = args.first() else {
        return Err(FunctionError::new("at least one argument is required"));
    };
    for value in args {
        if !value.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(value.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(FunctionError::new("every argument must be a list or tuple"));
        }
    }
    let same = args.iter().all(|value| value.ty() == first.ty());
    Ok(if same { first.ty().clone() } else { Type::Dynamic })
}

/// Skips typed nulls as well as empty lists.
fn coalesce_list(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    for value in args {
        if !value.is_known() {
            return Ok(Value::dynamic());
        }
        if !value.is_null() && value.length() != Some(0) {
            return Ok(value.clone());
        }
    }
    Err(FunctionError::new("every argument is empty or null"))
}

fn compact(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    if !list.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    account::work(list.length().unwrap_or(0) as u64 / 16);
    let items = list.items().iter().filter(|item| item.as_text().is_some_and(|t| !t.is_empty()));
    Ok(Value::list(Type::String, items.cloned().collect()))
}

fn contains(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (list, wanted) = (arg(args, 0), arg(args, 1));
    let Some(items) = list.as_items() else {
        return Err(FunctionError::new(format!("it must be a list, tuple or set, not {}", describe_type(&list))));
    };
    let mut unsure = false;
    for item in items {
        match item.equality(&wanted) {
            Equality::Equal => return Ok(Value::bool(true)),
            Equality::Unequal => {}
            Equality::Unknown => unsure = true,
        }
    }
    Ok(if unsure { Value::unknown_not_null(Type::Bool) } else { Value::bool(false) })
}

fn distinct(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    if !list.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let items = list.items();
    let mut kept: Vec<Value> = Vec::new();
    let mut seen = HashSet::new();
    let all_text = items.iter().all(|item| item.as_text().is_some());
    for item in items {
        if let Some(text) = item.as_text().filter(|_| all_text) {
            if seen.insert(text.touched()) {
                kept.push(item.clone());
            }
        } else if !kept.iter().any(|other| other.same(item)) {
            kept.push(item.clone());
        }
    }
    Ok(Value::list(ty.element().cloned().unwrap_or(Type::Dynamic), kept))
}

fn flatten(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let mut flat = Vec::new();
    let mut is_known = true;
    let mut marks = Marks::NONE;
    // A stack of the values still to be visited, the next one last.
    let mut open = vec![list];
    if let Some(list) = open.pop_if(|list| !is_sequence(list.ty())) {
        if list.is_wholly_known() {
            return Err(FunctionError::new(format!("it must be a list, tuple or set, not {}", describe_type(&list))));
        }
        // As long as anything in it is unknown, the tools accept a value of any type, and take the elements of a map or
        // an object for those of a list.
        let Some(entries) = list.as_entries() else { return Ok(Value::dynamic().with_marks(list.marks())) };
        marks = list.marks();
        open.extend(entries.iter().charged_at_once(1).rev().map(|(_, value)| value.clone()));
    }
    while let Some(value) = open.pop() {
        account::work(1);
        if value.is_null() && is_sequence(value.ty()) && context.has(Variation::FlattenRefusesNull) {
            return Err(FunctionError::new("an element is a list, set or tuple that is null"));
        }
        let sequence = is_sequence(value.ty()) && !value.is_null();
        let uncounted = value.ty().is_collection() && value.count_range().min != value.count_range().max;
        if value.ty().is_dynamic() && !value.is_known() || sequence && (!value.is_known() || uncounted) {
            // The others are still looked through for marks.
            is_known = false;
            marks = if sequence { marks.and(value.marks()) } else { marks };
            continue;
        }
        match value.as_items() {
            Some(items) if sequence => {
                marks = marks.and(value.marks());
                open.extend(items.iter().rev().cloned());
            }
            _ => flat.push(value),
        }
    }
    let flat = if is_known { Value::tuple(flat) } else { Value::dynamic() };
    Ok(flat.with_marks(marks))
}

fn index(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (list, wanted) = (arg(args, 0), arg(args, 1));
    if !matches!(list.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(FunctionError::new(format!("it must be a list or tuple, not {}", describe_type(&list))));
    }
    for (index, item) in list.items().iter().enumerate() {
        match item.equality(&wanted) {
            Equality::Equal => return Ok(Value::number(Number::from_usize(index))),
            Equality::Unequal => {}
            Equality::Unknown => return Ok(Value::unknown(Type::Number)),
        }
    }
    Err(FunctionError::new("the value is not in the list"))
}

fn length_type(args: &[Value]) -> Result<Type, FunctionError> {
    let value = arg(args, 0);
    let counted = matches!(value.ty(), Type::String | Type::Map(_) | Type::Object(_) | Type::Dynamic);
    if counted || is_sequence(value.ty()) {
        return Ok(Type::Number);
    }
    Err(FunctionError::new(format!(
        "it must be a string, collection, tuple or object, not {}",
        describe_type(&value)
    )))
}

fn length(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let value = arg(args, 0);
    let by_type = value.ty().as_tuple().map(<[Type]>::len).or_else(|| value.ty().as_object().map(<[_]>::len));
    let counted = || value.length().filter(|_| value.count_range().min == value.count_range().max);
    let count = match (value.as_text(), by_type.or_else(counted)) {
        (Some(text), _) => Some(text.scanned(6).graphemes(true).count()),
        (None, count) => count,
    };
    let length = count.map_or_else(|| possible_length(&value), |count| Value::number(Number::from_usize(count)));
    Ok(length.with_marks(value.marks()))
}

/// Returns the length of a value, unknown, within what is known about it (plan.md, section 3).
fn possible_length(value: &Value) -> Value {
    let range = if value.ty().is_collection() {
        value.count_range().numbers()
    } else if *value.ty() == Type::String {
        let prefix = value.known_prefix();
        let least = Number::from_usize(prefix.scanned(6).graphemes(true).count());
        NumberRange { min: Some(Bound::inclusive(least)), max: None }
    } else {
        NumberRange::default()
    };
    Value::unknown_not_null(Type::Number).refined_numbers(range)
}

fn match_keys_type(args: &[Value]) -> Result<Type, FunctionError> {
    let types = [arg(args, 1).ty().clone(), arg(args, 2).ty().clone()];
    match unify(&types) {
        Some(_) => first_type(args),
        None => Err(FunctionError::new("the keys and the search set have no common type")),
    }
}

fn match_keys(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (values, keys, wanted) = (arg(args, 0), arg(args, 1), arg(args, 2));
    if keys.length() != values.length() {
        return Err(FunctionError::new("the number of keys and the number of values must be equal"));
    }
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    if wanted.length() == Some(0) {
        return Ok(Value::list(element, Vec::new()));
    }
    if ![&values, &keys].iter().all(|list| list.is_wholly_known()) {
        return Ok(Value::unknown(ty.clone()));
    }
    let common = unify(&[keys.ty().clone(), wanted.ty().clone()]).unwrap_or(Type::Dynamic);
    let (keys, wanted) = (converted(&keys, &common), converted(&wanted, &common));
    let (keys, wanted) = (keys.items(), wanted.items());
    account::work((keys.len() + wanted.len()) as u64);
    let texts: Option<HashSet<&str>> = wanted.iter().map(Value::as_text).collect();
    let is_wanted = |key: &Value| match (&texts, key.as_text()) {
        (Some(texts), Some(text)) => Equality::from(texts.contains(text.touched())),
        _ => found_in(wanted, key),
    };
    let mut kept = Vec::new();
    for (value, key) in values.items().iter().zip(keys) {
        match is_wanted(key) {
            Equality::Equal => kept.push(value.clone()),
            Equality::Unequal => {}
            // The tool gives up without a result as soon as it cannot tell.
            Equality::Unknown => return Ok(Value::list(element, Vec::new())),
        }
    }
    Ok(Value::list(element, kept))
}

/// Returns whether a value is among others, compared one after the other until one is equal or not known yet.
fn found_in(items: &[Value], value: &Value) -> Equality {
    let mut decided = items.iter().map(|item| item.equality(value)).filter(|equality| *equality != Equality::Unequal);
    decided.next().unwrap_or(Equality::Unequal)
}

fn sort(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    if !list.is_wholly_known() {
        // The order is not known yet, but the number of elements stays.
        return Ok(Value::unknown(ty.clone()).refined_lengths(list.length_range()));
    }
    account::work(list.weight());
    let mut items = list.items().to_vec();
    if items.iter().any(Value::is_null) {
        return Err(FunctionError::new("the list contains null, which cannot be sorted"));
    }
    items.sort_by(|a, b| a.as_text().cmp(&b.as_text()));
    Ok(Value::list(Type::String, items))
}

fn sum(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let items = list.items();
    if !is_sequence(list.ty()) || items.is_empty() {
        return Err(FunctionError::argument(0, "it must be a list, set or tuple with at least one number"));
    }
    if !list.is_wholly_known() {
        return Ok(Value::unknown(Type::Number));
    }
    let mut total: Option<Number> = None;
    for item in items.charged_at_once(1) {
        if item.as_text().is_some() && context.has(Variation::SumRefusesText) {
            return Err(FunctionError::new("every element must be a number, not a string"));
        }
        let number = convert(item, &Type::Number)
            .ok()
            .filter(|number| !number.is_null())
            .ok_or_else(|| FunctionError::argument(0, "every element must be a number"))?;
        let Some(number) = number.as_number() else { continue };
        total = Some(match total {
            Some(total) => total.add(number).map_err(|_| FunctionError::new("the sum is not a number"))?,
            None => number.clone(),
        });
    }
    Ok(total.map_or_else(|| Value::unknown(Type::Number), Value::number))
}
