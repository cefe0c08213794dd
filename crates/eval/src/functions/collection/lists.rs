//! Functions on lists and tuples that depend on positions (expressions.md, sections 5 and 7).

use super::super::{CallContext, FunctionError, Outcome, Variation};
use super::{arg, converted, describe_type, nothing, whole};
use overfold_base::account::{self, ChargedIterator};
use overfold_value::{Marks, Number, Type, Value, unify};

pub(super) fn chunks_type(args: &[Value]) -> Result<Type, FunctionError> {
    Ok(Type::list(arg(args, 0).ty().clone()))
}

pub(super) fn chunks(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let size = usize::try_from(whole(args, 1)?).map_err(|_| FunctionError::new("the size must not be negative"))?;
    let element = list.ty().element().cloned().unwrap_or(Type::Dynamic);
    let items = list.items();
    let chunk = |items: &[Value]| Value::list(element.clone(), items.to_vec());
    let chunks = match size {
        _ if items.is_empty() => Vec::new(),
        0 => vec![chunk(items)],
        size => items.chunks(size).map(chunk).collect(),
    };
    Ok(Value::list(list.ty().clone(), chunks).with_marks(list.marks()))
}

// concat: lists with a common type produce a list; a tuple among the arguments produces a tuple.

pub(super) fn concat_type(args: &[Value]) -> Result<Type, FunctionError> {
    if args.is_empty() {
        return Err(FunctionError::new("at least one argument is required"));
    }
    for (index, value) in args.iter().enumerate() {
        if !matches!(value.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(FunctionError::argument(
                index,
                format!("it must be a list or tuple, not {}", describe_type(value)),
            ));
        }
        // The tool does not look further once the type of the result cannot be known.
        let others = args.iter().any(|other| !matches!(other.ty(), Type::List(_)));
        if others && !value.is_known() && matches!(value.ty(), Type::List(_)) {
            return Ok(Type::Dynamic);
        }
    }
    if args.iter().all(|value| matches!(value.ty(), Type::List(_))) {
        let elements: Vec<Type> = args
            .iter()
            .filter_map(|value| value.ty().element().cloned())
            .filter(|element| !element.is_dynamic())
            .collect();
        if elements.is_empty() {
            return Ok(Type::list(Type::Dynamic));
        }
        if let Some(element) = unify(&elements) {
            return Ok(Type::list(element));
        }
    }
    let mut all = Vec::new();
    for value in args {
        match value.ty().as_tuple() {
            Some(elements) => all.extend(elements.iter().cloned()),
            None if value.is_known() => {
                all.extend(value.items().iter().map(|item| item.ty().clone()));
            }
            None => return Ok(Type::Dynamic),
        }
    }
    Ok(Type::tuple(all))
}

pub(super) fn concat(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let marks = args.iter().fold(Marks::NONE, |marks, value| marks.and(value.marks()));
    if args.iter().any(|value| !value.is_known()) {
        return Ok(Value::unknown(ty.clone()).with_marks(marks));
    }
    let items: Vec<Value> = args.iter().flat_map(|value| value.items().iter().cloned()).collect();
    let value = match ty.element() {
        Some(element) => Value::list(
            element.clone(),
            items.iter().charged_at_once(1).map(|item| converted(item, element)).collect(),
        ),
        None => Value::tuple(items),
    };
    Ok(value.with_marks(marks))
}

// element: wraps around.

fn element_index(args: &[Value], length: usize, list: bool) -> Result<usize, FunctionError> {
    let index = whole(args, 1)?;
    let Ok(length) = i64::try_from(length) else { return Ok(0) };
    if length == 0 {
        return Err(FunctionError::new("the list is empty"));
    }
    let wrapped = if list { index.rem_euclid(length) } else { index % length };
    usize::try_from(wrapped).map_err(|_| FunctionError::new("an index must not be negative"))
}

/// The type of an element where a negative index counts from the end of a list only.
pub(super) fn element_type(args: &[Value]) -> Result<Type, FunctionError> {
    element_type_at(args, false)
}

/// The type of an element where a negative index counts from the end.
pub(super) fn wrapped_element_type(args: &[Value]) -> Result<Type, FunctionError> {
    element_type_at(args, true)
}

/// The type of an element where a negative index is refused.
pub(super) fn forward_element_type(args: &[Value]) -> Result<Type, FunctionError> {
    if arg(args, 1).as_number().is_some_and(|index| index.signum() < 0) {
        return Err(FunctionError::new("the index must not be negative"));
    }
    element_type_at(args, false)
}

fn element_type_at(args: &[Value], wraps: bool) -> Result<Type, FunctionError> {
    let list = arg(args, 0);
    match list.ty() {
        Type::List(_) => Ok(list.ty().element().cloned().unwrap_or(Type::Dynamic)),
        Type::Tuple(_) => {
            if !arg(args, 1).is_known() {
                return Ok(Type::Dynamic);
            }
            let elements = list.ty().tuple_elements();
            let index = element_index(args, elements.len(), wraps)?;
            Ok(elements.get(index).cloned().unwrap_or(Type::Dynamic))
        }
        _ => Err(FunctionError::new(format!("it must be a list or tuple, not {}", describe_type(&list)))),
    }
}

pub(super) fn element(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let items = list.items();
    let wraps = matches!(list.ty(), Type::List(_)) || context.has(Variation::TuplesWrapBackwards);
    let index = element_index(args, items.len(), wraps)?;
    let marks = list.marks().and(arg(args, 1).marks());
    Ok(items.get(index).cloned().unwrap_or_else(nothing).with_marks(marks))
}

pub(super) fn one_type(args: &[Value]) -> Result<Type, FunctionError> {
    let list = arg(args, 0);
    match list.ty() {
        Type::List(_) | Type::Set(_) => Ok(list.ty().element().cloned().unwrap_or(Type::Dynamic)),
        Type::Tuple(_) => match list.ty().tuple_elements() {
            [] => Ok(Type::Dynamic),
            [only] => Ok(only.clone()),
            _ => Err(FunctionError::argument(0, "it has more than one element")),
        },
        _ => {
            Err(FunctionError::argument(0, format!("it must be a list, set or tuple, not {}", describe_type(&list))))
        }
    }
}

pub(super) fn one(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    if list.ty().is_collection() && list.count_range().min != list.count_range().max {
        return Ok(Value::unknown(ty.clone()).with_marks(list.marks()));
    }
    match list.items() {
        [] => Ok(Value::null(ty.clone()).with_marks(list.marks())),
        [only] => Ok(only.clone().with_marks(list.marks())),
        _ => Err(FunctionError::argument(0, "it has more than one element")),
    }
}

pub(super) fn range_type(args: &[Value]) -> Result<Type, FunctionError> {
    if matches!(args.len(), 1..=3) {
        Ok(Type::list(Type::Number))
    } else {
        Err(FunctionError::new("the arguments must be a limit, a start and a limit, or a start, a limit and a step"))
    }
}

pub(super) fn range(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    /// The tool has the same limit.
    const MAX: usize = 1024;
    let number = |index: usize| args.get(index).and_then(Value::as_number).cloned();
    let zero = Number::from_usize(0);
    let one = Number::from_usize(1);
    let (start, limit, step) = match (number(0), number(1), number(2)) {
        (Some(limit), None, _) => (zero.clone(), limit, None),
        (Some(start), Some(limit), step) => (start, limit, step),
        _ => return Ok(Value::unknown(Type::list(Type::Number))),
    };
    let step = step.unwrap_or_else(|| if limit < start { one.negate() } else { one });
    if step.is_zero() {
        return Err(FunctionError::new("the step must not be zero"));
    }
    let down = step.is_negative();
    if down && limit > start {
        return Err(FunctionError::argument(1, "the limit must not be above the start when the step is negative"));
    }
    if !down && limit < start {
        return Err(FunctionError::argument(1, "the limit must not be below the start when the step is positive"));
    }
    let mut numbers = Vec::new();
    let mut next = start;
    while if down { next > limit } else { next < limit } {
        if numbers.len() >= MAX {
            return Err(FunctionError::new("the result would have more than 1024 numbers"));
        }
        account::work(1);
        numbers.push(Value::number(next.clone()));
        next = next.add(&step).map_err(|_| FunctionError::new("the numbers must be finite"))?;
    }
    Ok(Value::list(Type::Number, numbers))
}

pub(super) fn reverse_type(args: &[Value]) -> Result<Type, FunctionError> {
    let list = arg(args, 0);
    match list.ty() {
        Type::List(_) => Ok(list.ty().clone()),
        Type::Set(_) => Ok(Type::list(list.ty().element().cloned().unwrap_or(Type::Dynamic))),
        Type::Tuple(_) => {
            let elements = list.ty().tuple_elements();
            Ok(Type::tuple(elements.iter().rev().cloned().collect()))
        }
        _ => {
            Err(FunctionError::argument(0, format!("it must be a list, set or tuple, not {}", describe_type(&list))))
        }
    }
}

pub(super) fn reverse(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let items: Vec<Value> = list.items().iter().rev().cloned().collect();
    let reversed = match ty.element() {
        Some(element) => Value::list(element.clone(), items),
        None => Value::tuple(items),
    };
    Ok(reversed.with_marks(list.marks()))
}

/// Returns the bounds of a slice as far as they are known, having checked all that is known. `length` is the number of
/// elements, if it is known.
fn slice_bounds(args: &[Value], length: Option<usize>) -> Result<(Option<usize>, Option<usize>), FunctionError> {
    let position = |index: usize| {
        if !args.get(index).is_some_and(Value::is_known) {
            return Ok(None);
        }
        let position = whole(args, index).map_err(|error| FunctionError { argument: Some(index), ..error })?;
        let position =
            usize::try_from(position).map_err(|_| FunctionError::argument(index, "it must not be negative"))?;
        match length {
            Some(length) if position > length => {
                let message = format!("it must not be greater than the number of elements, {length}");
                Err(FunctionError::argument(index, message))
            }
            _ => Ok(Some(position)),
        }
    };
    let (start, end) = (position(1)?, position(2)?);
    match (start, end) {
        (Some(start), Some(end)) if start > end => {
            Err(FunctionError::argument(1, "it must not be greater than the end index"))
        }
        bounds => Ok(bounds),
    }
}

pub(super) fn slice_type(args: &[Value]) -> Result<Type, FunctionError> {
    let list = arg(args, 0);
    match list.ty() {
        Type::List(_) => {
            let length = list.length().filter(|_| list.count_range().min == list.count_range().max);
            slice_bounds(args, length)?;
            Ok(list.ty().clone())
        }
        Type::Tuple(_) => {
            let elements = list.ty().tuple_elements();
            Ok(match slice_bounds(args, Some(elements.len()))? {
                (Some(start), Some(end)) => Type::tuple(elements.get(start..end).unwrap_or_default().to_vec()),
                _ => Type::Dynamic,
            })
        }
        _ => Err(FunctionError::argument(0, format!("it must be a list or tuple, not {}", describe_type(&list)))),
    }
}

pub(super) fn slice(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let list = arg(args, 0);
    let items = list.items();
    let (Some(start), Some(end)) = slice_bounds(args, Some(items.len()))? else {
        return Ok(Value::unknown(ty.clone()));
    };
    let part = items.get(start..end).unwrap_or_default().to_vec();
    let slice = match ty.element() {
        Some(element) => Value::list(element.clone(), part),
        None => Value::tuple(part),
    };
    Ok(slice.with_marks(list.marks()))
}
