//! Functions on sets (expressions.md, sections 5 and 7).

use super::super::{CallContext, FunctionError, Outcome};
use super::{converted, element_of, is_sequence, square, what};
use crate::value::{Marks, Type, Value, unify};

type SetOperation = fn(&[&[Value]]) -> Option<Vec<Value>>;

pub(super) fn intersection(sets: &[&[Value]]) -> Option<Vec<Value>> {
    let (first, rest) = sets.split_first()?;
    let inside = |item: &&Value| rest.iter().all(|set| set.iter().any(|other| other.same(item)));
    Some(first.iter().filter(inside).cloned().collect())
}

pub(super) fn union(sets: &[&[Value]]) -> Option<Vec<Value>> {
    Some(sets.iter().flat_map(|set| set.iter().cloned()).collect())
}

pub(super) fn difference(sets: &[&[Value]]) -> Option<Vec<Value>> {
    let (first, rest) = sets.split_first()?;
    let outside = |item: &&Value| !rest.iter().any(|set| set.iter().any(|other| other.same(item)));
    Some(first.iter().filter(outside).cloned().collect())
}

pub(super) fn sets_type(args: &[Value]) -> Result<Type, FunctionError> {
    let elements: Vec<Type> =
        args.iter().filter_map(|set| set.ty().element().cloned()).filter(|element| !element.is_dynamic()).collect();
    if elements.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    unify(&elements).map(Type::set).ok_or_else(|| FunctionError::new("the sets have no element type in common"))
}

pub(super) fn set_operation(
    args: &[Value],
    ty: &Type,
    context: &CallContext<'_, '_>,
    operation: SetOperation,
) -> Outcome {
    if !args.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(ty.clone()));
    }
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let sets: Vec<Value> = args.iter().map(|set| converted(set, ty)).collect();
    let sets: Vec<&[Value]> = sets.iter().map(|set| set.items().unwrap_or_default()).collect();
    let largest = sets.iter().map(|set| set.len()).max().unwrap_or(0);
    square(context, largest, sets.iter().map(|set| set.len()).sum())?;
    Ok(Value::set(element, operation(&sets).unwrap_or_default()))
}

// setproduct

pub(super) fn product_type(args: &[Value]) -> Result<Type, FunctionError> {
    if args.len() < 2 {
        return Err(FunctionError::new("give at least two collections"));
    }
    let mut elements = Vec::with_capacity(args.len());
    let mut as_set = false;
    for (index, value) in args.iter().enumerate() {
        if !is_sequence(value.ty()) {
            return Err(FunctionError::argument(
                index,
                format!("it is {}, but a list or set is needed", what(value)),
            ));
        }
        as_set |= matches!(value.ty(), Type::Set(_));
        let element = element_of(value.ty());
        elements.push(element.ok_or_else(|| FunctionError::argument(index, "its elements have no type in common"))?);
    }
    let tuple = Type::tuple(elements);
    Ok(if as_set { Type::set(tuple) } else { Type::list(tuple) })
}

pub(super) fn product(args: &[Value], ty: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let tuple = ty.element().cloned().unwrap_or(Type::Dynamic);
    let types = tuple.tuple_elements().unwrap_or_default();
    let marks = args.iter().fold(Marks::NONE, |marks, value| marks.and(value.marks()));
    let total = args.iter().try_fold(1_u64, |total, value| total.checked_mul(value.length().unwrap_or(0) as u64));
    context.charge(total.and_then(|total| total.checked_mul(args.len() as u64 + 1)).unwrap_or(u64::MAX))?;
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for (value, ty) in args.iter().zip(types) {
        let items: Vec<Value> = value.items().unwrap_or_default().iter().map(|item| converted(item, ty)).collect();
        rows = rows
            .iter()
            .flat_map(|row| {
                items.iter().map(|item| {
                    let mut row = row.clone();
                    row.push(item.clone());
                    row
                })
            })
            .collect();
    }
    let rows: Vec<Value> = rows.into_iter().map(Value::tuple).collect();
    let product = if matches!(ty, Type::Set(_)) { Value::set(tuple, rows) } else { Value::list(tuple, rows) };
    Ok(product.with_marks(marks))
}
