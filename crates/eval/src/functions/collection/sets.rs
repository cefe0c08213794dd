//! Functions on sets (expressions.md, sections 5 and 7).

use std::collections::HashSet;

use super::super::{CallContext, FunctionError, Outcome};
use super::{converted, describe_type, element_of, is_sequence};
use overfold_base::account::{self, ChargedText};
use overfold_value::{LengthRange, Marks, Type, Value, unify};

type SetOperation = fn(&[&[Value]]) -> Option<Vec<Value>>;

/// Whether an operation has a result although elements are not known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    Known,
    MayBeUnknown,
}

/// The members of a set, for repeated membership tests.
enum Members<'v> {
    Texts(HashSet<&'v str>),
    Any(&'v [Value]),
}

impl<'v> Members<'v> {
    /// Creates the members from unmarked elements.
    fn new(items: &'v [Value]) -> Self {
        let texts = items.iter().map(|item| {
            let text = item.as_text()?;
            account::touch(text.len() * 2);
            Some(text)
        });
        match texts.collect() {
            Some(texts) => Self::Texts(texts),
            None => Self::Any(items),
        }
    }

    fn contains(&self, item: &Value) -> bool {
        account::work(1);
        match self {
            Self::Texts(texts) => item.as_text().is_some_and(|text| texts.contains(text.touched())),
            Self::Any(items) => items.iter().any(|other| other.same(item)),
        }
    }
}

pub(super) fn intersection(sets: &[&[Value]]) -> Option<Vec<Value>> {
    let (first, rest) = sets.split_first()?;
    let rest: Vec<Members<'_>> = rest.iter().map(|set| Members::new(set)).collect();
    let inside = |item: &&Value| rest.iter().all(|set| set.contains(item));
    Some(first.iter().filter(inside).cloned().collect())
}

pub(super) fn union(sets: &[&[Value]]) -> Option<Vec<Value>> {
    Some(sets.iter().flat_map(|set| set.iter().cloned()).collect())
}

pub(super) fn difference(sets: &[&[Value]]) -> Option<Vec<Value>> {
    let (first, rest) = sets.split_first()?;
    let rest: Vec<Members<'_>> = rest.iter().map(|set| Members::new(set)).collect();
    let outside = |item: &&Value| !rest.iter().any(|set| set.contains(item));
    Some(first.iter().filter(outside).cloned().collect())
}

pub(super) fn sets_type(args: &[Value]) -> Result<Type, FunctionError> {
    // An empty set without a type is of any type; one that holds a null is not.
    let counts = |set: &&Value| set.ty().element().is_some_and(|ty| !ty.is_dynamic()) || set.length() != Some(0);
    let elements: Vec<Type> = args.iter().filter(counts).filter_map(|set| set.ty().element().cloned()).collect();
    if elements.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    unify(&elements).map(Type::set).ok_or_else(|| FunctionError::new("the sets have no common element type"))
}

pub(super) fn set_operation(
    args: &[Value],
    ty: &Type,
    _: &CallContext<'_, '_>,
    (operation, elements): (SetOperation, Elements),
) -> Outcome {
    if elements == Elements::Known && !args.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(ty.clone()));
    }
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let sets: Vec<Value> = args.iter().map(|set| converted(set, ty)).collect();
    // Nulls without a type have one type with texts, numbers and truth values, but not with structures.
    if sets.iter().any(|set| set.ty() != sets.first().unwrap_or(set).ty()) {
        return Err(FunctionError::new("the sets have no common element type"));
    }
    let sets: Vec<&[Value]> = sets.iter().map(Value::items).collect();
    let all = sets.iter().map(|set| set.len() as u64).sum::<u64>();
    account::work(all * 2);
    Ok(Value::set(element, operation(&sets).unwrap_or_default()))
}

// setproduct

pub(super) fn product_type(args: &[Value]) -> Result<Type, FunctionError> {
    if args.len() < 2 {
        return Err(FunctionError::new("at least two collections are required"));
    }
    let mut elements = Vec::with_capacity(args.len());
    let mut as_set = false;
    for (index, value) in args.iter().enumerate() {
        if !is_sequence(value.ty()) {
            return Err(FunctionError::argument(
                index,
                format!("it must be a list or set, not {}", describe_type(value)),
            ));
        }
        as_set |= matches!(value.ty(), Type::Set(_));
        let element = element_of(value.ty());
        elements.push(element.ok_or_else(|| FunctionError::argument(index, "its elements have no common type"))?);
    }
    let tuple = Type::tuple(elements);
    Ok(if as_set { Type::set(tuple) } else { Type::list(tuple) })
}

/// Returns every combination of one element from each argument, with the last argument changing fastest. Each element
/// is first converted to the type of its argument. No argument is empty.
fn combinations(args: &[Value], types: &[Type]) -> Vec<Value> {
    let columns: Vec<Vec<Value>> = args
        .iter()
        .zip(types)
        .map(|(value, ty)| value.items().iter().map(|item| converted(item, ty)).collect())
        .collect();
    let total = columns.iter().map(Vec::len).product();
    let row = |index: usize| {
        let mut rest = index;
        let mut row: Vec<Value> = Vec::with_capacity(columns.len());
        for column in columns.iter().rev() {
            row.extend(column.get(rest % column.len()).cloned());
            rest /= column.len();
        }
        row.reverse();
        Value::tuple(row)
    };
    (0..total).map(row).collect()
}

/// Returns the number of elements of an argument, if it is known; the type of an unknown tuple does not suffice.
fn count(value: &Value) -> Option<usize> {
    let range = value.count_range();
    if matches!(value.ty(), Type::Tuple(_)) || range.min == range.max { value.length() } else { None }
}

/// Returns a product that is not known yet, with the length that its arguments allow (plan.md, section 3).
fn unknown_product(args: &[Value], ty: &Type) -> Value {
    /// The greatest lengths of an argument and of the product that the tool considers.
    const LONGEST: (usize, usize) = (1024, 2048);
    let mut longest = 1;
    for value in args {
        let max = value.ty().as_tuple().map_or_else(|| value.length_range().max, <[Type]>::len);
        longest = if max > LONGEST.0 { usize::MAX } else { max * longest };
        if longest > LONGEST.1 {
            return Value::unknown(ty.clone());
        }
    }
    Value::unknown(ty.clone()).refined_lengths(LengthRange { min: longest.min(1), max: longest })
}

pub(super) fn product(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let tuple = ty.element().cloned().unwrap_or(Type::Dynamic);
    let types = tuple.tuple_elements();
    let marks = args.iter().fold(Marks::NONE, |marks, value| marks.and(value.marks()));
    if args.iter().any(|value| count(value).is_none()) {
        return Ok(unknown_product(args, ty).with_marks(marks));
    }
    let total = args.iter().try_fold(1_u64, |total, value| total.checked_mul(value.length().unwrap_or(0) as u64));
    let parts = |total: u64| total.saturating_mul(args.len() as u64 + 1);
    let total = if args.iter().any(|value| value.length() == Some(0)) { Some(0) } else { total };
    account::build(
        total.map_or(u64::MAX, parts),
        total.map_or(u64::MAX, |total| parts(total).saturating_mul(size_of::<Value>() as u64)),
    );
    let rows = if total == Some(0) { Vec::new() } else { combinations(args, types) };
    if let Some(first) = rows.first()
        && rows.iter().any(|row| row.ty() != first.ty())
    {
        return Err(FunctionError::new("the elements of an argument have no common type"));
    }
    let product = if matches!(ty, Type::Set(_)) { Value::set(tuple, rows) } else { Value::list(tuple, rows) };
    Ok(product.with_marks(marks))
}
