//! Conversion of values to type constraints (variables.md, section A5).

use std::fmt;
use std::sync::Arc;

use super::unify::unify_in;
use super::{AttributeType, Kind, LengthRange, Marks, Number, NumberError, Type, Value, with_stack};
use overfold_base::account::{self, ChargedIterator};

/// A step into a part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// An attribute of an object.
    Attribute(Arc<str>),
    /// An entry of a map.
    Key(Arc<str>),
    /// An element of a list, tuple or set, 0-based (for a set, the position in the value it was made from).
    Index(usize),
}

/// The reason why a value cannot be converted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvertError {
    /// The path to the offending part of the value, from the outside in.
    pub path: Vec<PathStep>,
    /// What is wrong there, as a phrase without a full stop.
    pub reason: String,
}

impl ConvertError {
    fn new(reason: impl Into<String>) -> Self {
        Self { path: Vec::new(), reason: reason.into() }
    }

    fn mismatch(got: &Type, want: &Type) -> Self {
        Self::new(mismatch(got, want))
    }

    fn within(mut self, step: PathStep) -> Self {
        // Steps are collected from the inside out; `convert` reverses them.
        self.path.push(step);
        self
    }

    /// Returns the path in expression syntax, `.tags["a"][0]`; empty for the value itself.
    pub fn path_text(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            match step {
                PathStep::Attribute(name) => {
                    out.push('.');
                    out.push_str(name);
                }
                PathStep::Key(key) => {
                    out.push('[');
                    super::json::write_text(key, &mut out);
                    out.push(']');
                }
                PathStep::Index(index) => {
                    out.push('[');
                    out.push_str(&index.to_string());
                    out.push(']');
                }
            }
        }
        out
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "at {}: {}", self.path_text(), self.reason)
        }
    }
}

impl std::error::Error for ConvertError {}

/// Whether to allow every conversion, such as from text to a number or from a list to a set, or only those that cannot
/// fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// All conversions, including those that fail for some values.
    Any,
    /// Only conversions that cannot lose anything.
    Safe,
}

/// Converts a value to a type constraint. Marks are kept. Dynamic parts of the constraint accept any type; a dynamic
/// element type is computed from the elements.
///
/// # Errors
/// Returns a [`ConvertError`] with the place in the value and the reason.
pub fn convert(value: &Value, want: &Type) -> Result<Value, ConvertError> {
    if *value.ty() == *want && !want.has_optional() {
        return Ok(value.clone());
    }
    if *value.ty() == want.without_optional() {
        return Ok(value.clone());
    }
    if !possible(value.ty(), want, Mode::Any) {
        return Err(explain(value, want, 0));
    }
    apply(value, want, Mode::Any).map_err(|mut error| {
        error.path.reverse();
        error
    })
}

/// Returns the type that values of type `have` are converted to, if some of them can be converted to `want` at all. For
/// an unknown value this is all that is known about the result.
pub fn conversion_type(have: &Type, want: &Type) -> Option<Type> {
    (have == want || possible(have, want, Mode::Any)).then(|| want.without_optional())
}

/// Finds the deepest part that makes a conversion impossible, as far down as can be reported.
fn explain(value: &Value, want: &Type, level: u32) -> ConvertError {
    let fallback = || ConvertError::mismatch(value.ty(), want);
    if level > 50 {
        return fallback();
    }
    let inside = |value: &Value, want: &Type| {
        let stuck = *value.ty() != *want && !possible(value.ty(), want, Mode::Any);
        stuck.then(|| explain(value, want, level + 1))
    };
    let under = |error: ConvertError, step: PathStep| {
        let mut path = vec![step];
        path.extend(error.path);
        ConvertError { path, reason: error.reason }
    };
    match (value.kind(), want) {
        (Kind::Object(object), Type::Object(wanted)) => {
            for attribute in wanted.attributes() {
                match object.get(&attribute.name) {
                    None if attribute.optional => {}
                    None => return ConvertError::new(format!("attribute \"{}\" is required", attribute.name)),
                    Some(part) => {
                        if let Some(error) = inside(part, &attribute.ty) {
                            return under(error, PathStep::Attribute(Arc::clone(&attribute.name)));
                        }
                    }
                }
            }
            fallback()
        }
        (Kind::Object(object), Type::Map(_)) => {
            let element = want.element().unwrap_or(&Type::Dynamic);
            for (key, part) in object.entries() {
                if let Some(error) = inside(part, element) {
                    return under(error, PathStep::Key(Arc::clone(key)));
                }
            }
            fallback()
        }
        (Kind::Tuple(tuple), Type::List(_) | Type::Set(_)) => {
            let element = want.element().unwrap_or(&Type::Dynamic);
            for (index, part) in tuple.items().iter().enumerate() {
                if let Some(error) = inside(part, element) {
                    return under(error, PathStep::Index(index));
                }
            }
            fallback()
        }
        (Kind::Tuple(tuple), Type::Tuple(_)) => {
            let wanted = want.tuple_elements();
            if tuple.items().len() != wanted.len() {
                return ConvertError::new(format!(
                    "the number of elements must be {}, but it is {}",
                    wanted.len(),
                    tuple.items().len()
                ));
            }
            for (index, (part, wanted)) in tuple.items().iter().zip(wanted).enumerate() {
                if let Some(error) = inside(part, wanted) {
                    return under(error, PathStep::Index(index));
                }
            }
            fallback()
        }
        _ => fallback(),
    }
}

fn mismatch(got: &Type, want: &Type) -> String {
    let no_common = |what: &str| format!("the {what} have no common type");
    match (got, want) {
        (Type::Tuple(_), Type::List(_) | Type::Set(_)) if want.element().is_some_and(Type::is_dynamic) => {
            no_common("elements")
        }
        (Type::Object(_), Type::Map(_)) if want.element().is_some_and(Type::is_dynamic) => no_common("attributes"),
        (Type::Object(have), Type::Object(wanted)) => wanted
            .attributes()
            .iter()
            .find(|attribute| !attribute.optional && have.get(&attribute.name).is_none())
            .map_or_else(
                || "the attributes do not have the required types".to_owned(),
                |missing| format!("attribute \"{}\" is required", missing.name),
            ),
        _ => format!("this must be {}, but it is {}", with_article(want), with_article(got)),
    }
}

/// Returns the type's name with an article: `a string`, `an object`, `a list of number`.
pub fn with_article(ty: &Type) -> String {
    let name = ty.friendly_name();
    match ty {
        Type::Dynamic => name,
        Type::Object(_) => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// Returns whether some value of type `from` can be converted to `to`.
pub(super) fn possible(from: &Type, to: &Type, mode: Mode) -> bool {
    account::work(1);
    let any = mode == Mode::Any;
    match (from, to) {
        (_, Type::Dynamic)
        | (Type::String | Type::Number | Type::Bool, Type::String)
        | (Type::Number, Type::Number)
        | (Type::Bool, Type::Bool) => true,
        (Type::Dynamic, _) | (Type::String, Type::Number | Type::Bool) => any,
        (Type::Object(have), Type::Object(want)) => with_stack(|| {
            want.attributes().iter().all(|wanted| {
                have.get(&wanted.name).map_or(wanted.optional, |given| possible_or_equal(&given.ty, &wanted.ty, mode))
            })
        }),
        (Type::Tuple(_), Type::Tuple(_)) => {
            let (have, want) = (from.tuple_elements(), to.tuple_elements());
            have.len() == want.len()
                && with_stack(|| have.iter().zip(want).all(|(have, want)| possible_or_equal(have, want, mode)))
        }
        (Type::List(_), Type::Set(_)) if !any => false,
        (Type::List(_) | Type::Set(_), Type::List(_) | Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            match (from.element(), to.element()) {
                (Some(from), Some(to)) => with_stack(|| possible_or_equal(from, to, mode)),
                _ => false,
            }
        }
        (Type::Tuple(_), Type::List(_) | Type::Set(_)) => {
            let elements = from.tuple_elements();
            with_stack(|| {
                element_target(elements, to, mode).is_some_and(|target| {
                    elements.iter().skimmed(4).all(|element| possible_or_equal(element, &target, mode))
                })
            })
        }
        (Type::Object(have), Type::Map(_)) => with_stack(|| {
            let types: Vec<Type> =
                have.attributes().iter().skimmed(2).map(|attribute| attribute.ty.clone()).collect();
            element_target(&types, to, mode)
                .is_some_and(|target| types.iter().all(|ty| possible_or_equal(ty, &target, mode)))
        }),
        (Type::Map(_), Type::Object(want)) if any => {
            let element = from.element().unwrap_or(&Type::Dynamic);
            with_stack(|| {
                want.attributes().iter().all(|wanted| wanted.optional || possible_or_equal(element, &wanted.ty, mode))
            })
        }
        _ => false,
    }
}

fn possible_or_equal(from: &Type, to: &Type, mode: Mode) -> bool {
    from == to || possible(from, to, mode)
}

/// Returns the element type that parts of these types are converted to when they become elements of the collection
/// `to`: the collection's element type, or if that is dynamic, the parts' common type. Returns `None` if they have
/// none.
fn element_target(parts: &[Type], to: &Type, mode: Mode) -> Option<Type> {
    let wanted = to.element()?;
    if !wanted.is_dynamic() || parts.is_empty() {
        return Some(wanted.clone());
    }
    let found = unify_in(parts, mode)?;
    // A list or set with a dynamic common type is possible only if all parts are dynamic.
    let settled = matches!(to, Type::Map(_)) || !found.is_dynamic() || parts.iter().all(Type::is_dynamic);
    settled.then_some(found)
}

/// Converts a value if [`possible`] has established that its type can be converted.
pub(super) fn apply(value: &Value, to: &Type, mode: Mode) -> Result<Value, ConvertError> {
    account::work(1);
    if to.is_dynamic() || *value.ty() == *to && !to.has_optional() {
        return Ok(value.clone());
    }
    let marks = value.marks();
    let result = match value.kind() {
        Kind::Null(from) => Value::null(fill_dynamic(from, &to.without_optional())),
        Kind::Unknown { ty, .. } => unknown(value, fill_dynamic(ty, &to.without_optional())),
        Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => primitive(value, to)?,
        _ => with_stack(|| structure(value, to, mode))?,
    };
    Ok(result.with_marks(marks))
}

/// Returns an unknown value of type `to` that a value which is not known yet is converted to. Whether it may be null
/// and its length carry over; a prefix and an interval do not (plan.md, section 3).
fn unknown(from: &Value, to: Type) -> Value {
    let into_set = matches!(to, Type::Set(_));
    let length = match (from.ty(), &to) {
        (Type::Object(object), Type::Map(_)) => Some(object.attributes().len()),
        (Type::Tuple(_), Type::List(_) | Type::Set(_)) => from.ty().as_tuple().map(<[Type]>::len),
        _ => None,
    };
    let lengths = length.map_or_else(|| from.length_range(), LengthRange::only);
    let lengths = if into_set { lengths.merged() } else { lengths };
    let result = Value::unknown(to).refined_lengths(lengths);
    if from.is_definitely_not_null() { result.refined_not_null() } else { result }
}

fn primitive(value: &Value, to: &Type) -> Result<Value, ConvertError> {
    match (value.kind(), to) {
        (Kind::Bool(value), Type::String) => Ok(Value::text(if *value { "true" } else { "false" })),
        (Kind::Number(number), Type::String) => number
            .to_text()
            .map(Value::text)
            .map_err(|_| ConvertError::new("the number is too long to be converted to a string")),
        (Kind::Text(text), Type::Number) => Number::parse(text).map(Value::number).map_err(|error| {
            ConvertError::new(match error {
                NumberError::Form => "this must be a number",
                NumberError::Exponent => "this must be a number, but its exponent is out of range",
                NumberError::Infinite => "this must be a finite number",
            })
        }),
        (Kind::Text(text), Type::Bool) => match &**text {
            "true" | "1" => Ok(Value::bool(true)),
            "false" | "0" => Ok(Value::bool(false)),
            other if other.eq_ignore_ascii_case("true") || other.eq_ignore_ascii_case("false") => {
                Err(ConvertError::new("this must be a bool; write true or false in lower case"))
            }
            _ => Err(ConvertError::new("this must be a bool")),
        },
        _ => Err(ConvertError::mismatch(value.ty(), to)),
    }
}

fn structure(value: &Value, to: &Type, mode: Mode) -> Result<Value, ConvertError> {
    match (value.kind(), to) {
        (Kind::Object(object), Type::Object(want)) => {
            let mut entries = Vec::with_capacity(want.attributes().len());
            for wanted in want.attributes() {
                let converted = match object.get(&wanted.name) {
                    Some(part) => {
                        let step = || PathStep::Attribute(Arc::clone(&wanted.name));
                        apply(part, &wanted.ty, mode).map_err(|error| error.within(step()))?
                    }
                    None => Value::null(wanted.ty.without_optional()),
                };
                entries.push((Arc::clone(&wanted.name), as_part(converted)));
            }
            Ok(Value::object(entries))
        }
        (Kind::Map(map), Type::Object(want)) => {
            let mut entries = Vec::with_capacity(want.attributes().len());
            for wanted in want.attributes() {
                let converted = match map.get(&wanted.name) {
                    Some(part) => {
                        let step = || PathStep::Key(Arc::clone(&wanted.name));
                        if !possible_or_equal(part.ty(), &wanted.ty, mode) {
                            return Err(ConvertError::mismatch(part.ty(), &wanted.ty).within(step()));
                        }
                        apply(part, &wanted.ty, mode).map_err(|error| error.within(step()))?
                    }
                    None if wanted.optional => Value::null(wanted.ty.without_optional()),
                    None => return Err(ConvertError::new(format!("attribute \"{}\" is required", wanted.name))),
                };
                entries.push((Arc::clone(&wanted.name), as_part(converted)));
            }
            Ok(Value::object(entries))
        }
        (Kind::Tuple(tuple), Type::Tuple(_)) => {
            let wanted = to.tuple_elements();
            if wanted.len() != tuple.items().len() {
                return Err(ConvertError::mismatch(value.ty(), to));
            }
            let items = convert_items(tuple.items(), wanted.iter(), mode)?;
            Ok(Value::tuple(items))
        }
        (Kind::Tuple(tuple), Type::List(_) | Type::Set(_)) => {
            let types: Vec<Type> = tuple.items().iter().map(|item| item.ty().clone()).collect();
            let target = element_target(&types, to, mode).ok_or_else(|| ConvertError::mismatch(value.ty(), to))?;
            let mut items = convert_items(tuple.items(), std::iter::repeat(&target), mode)?;
            if matches!(to, Type::Set(_)) {
                items = items.into_iter().map(as_part).collect();
            }
            if matches!(to, Type::List(_)) && !items.is_empty() {
                items = unify_elements(items, mode, PathStep::Index)?;
            }
            collection(items, &target, to)
        }
        (Kind::List(list), Type::List(_) | Type::Set(_)) => {
            let target = to.element().unwrap_or(&Type::Dynamic);
            let items = convert_items(list.items(), std::iter::repeat(target), mode)?;
            collection_from(value, items.into_iter().map(as_part).collect(), target, to)
        }
        (Kind::Set(set), Type::List(_) | Type::Set(_)) => {
            let target = to.element().unwrap_or(&Type::Dynamic);
            if matches!(to, Type::List(_)) && set.items().len() > 1 && !value.is_wholly_known() {
                // Unknown elements may turn out to be equal, so the length is unknown.
                return Ok(Value::unknown(Type::list(value.ty().element().cloned().unwrap_or(Type::Dynamic))));
            }
            let items = convert_items(set.items(), std::iter::repeat(target), mode)?;
            collection_from(value, items.into_iter().map(as_part).collect(), target, to)
        }
        (Kind::Object(object), Type::Map(_)) => {
            let types: Vec<Type> = object.entries().iter().map(|(_, part)| part.ty().clone()).collect();
            let target = element_target(&types, to, mode).ok_or_else(|| ConvertError::mismatch(value.ty(), to))?;
            map(object.entries(), &target, mode, mode, &target)
        }
        (Kind::Map(entries), Type::Map(_)) => {
            let target = to.element().unwrap_or(&Type::Dynamic);
            let empty = if target.is_dynamic() { value.ty().element().unwrap_or(target) } else { target };
            map(entries.entries(), target, mode, Mode::Safe, empty)
        }
        _ => Err(ConvertError::mismatch(value.ty(), to)),
    }
}

/// Removes optional attributes from the type of a null.
fn without_optional(value: Value) -> Value {
    match value.kind() {
        Kind::Null(ty) if ty.has_optional() => Value::null(ty.without_optional()).with_marks(value.marks()),
        _ => value,
    }
}

/// Returns a part of an object, a list or a set that was converted: the tool makes a null anew there, so that it forgets the
/// marks of the one that it was. It keeps them in tuples and maps, and in lists that were tuples.
fn as_part(value: Value) -> Value {
    match value.kind() {
        Kind::Null(ty) => {
            let forgotten = Marks::SENSITIVE.and(Marks::EPHEMERAL).and(Marks::DEPRECATED);
            Value::null(ty.without_optional()).with_marks(value.marks().without(forgotten))
        }
        _ => value,
    }
}

fn convert_items<'a>(
    items: &[Value],
    wanted: impl Iterator<Item = &'a Type>,
    mode: Mode,
) -> Result<Vec<Value>, ConvertError> {
    items
        .iter()
        .zip(wanted)
        .enumerate()
        .map(|(index, (item, wanted))| {
            let at = |error: ConvertError| error.within(PathStep::Index(index));
            if !possible_or_equal_shallow(item.ty(), wanted) {
                return Err(at(ConvertError::mismatch(item.ty(), wanted)));
            }
            apply(item, wanted, mode).map(without_optional).map_err(at)
        })
        .collect()
}

/// A cheap check of the outermost kinds only; [`apply`] finds the rest.
fn possible_or_equal_shallow(from: &Type, to: &Type) -> bool {
    !(from.is_primitive() && (to.is_collection() || matches!(to, Type::Tuple(_) | Type::Object(_))))
}

/// Unifies the types of converted elements and converts them again, since they may still differ if the element type
/// contains `any`.
fn unify_elements(items: Vec<Value>, mode: Mode, step: fn(usize) -> PathStep) -> Result<Vec<Value>, ConvertError> {
    let Some(first) = items.first() else { return Ok(items) };
    if items.iter().all(|item| item.ty() == first.ty()) {
        return Ok(items);
    }
    let types: Vec<Type> = items.iter().map(|item| item.ty().clone()).collect();
    let common = unify_in(&types, mode).ok_or_else(|| ConvertError::new("the elements have no common type"))?;
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            if item.ty().is_dynamic() || *item.ty() == common {
                return Ok(item.clone());
            }
            // Structures next to an element of unknown type become unknown as a whole.
            if common.is_dynamic() {
                return Ok(Value::dynamic().with_marks(item.deep_marks()));
            }
            apply(item, &common, mode).map_err(|error| error.within(step(index)))
        })
        .collect()
}

/// Returns the common type of the elements; `None` if there are several.
fn one_type(items: &[Value], declared: &Type) -> Option<Type> {
    let mut found: Option<&Type> = None;
    for ty in items.iter().charged_at_once(1).map(Value::ty).filter(|ty| !ty.is_dynamic()) {
        match found {
            None => found = Some(ty),
            Some(earlier) if earlier == ty => {}
            Some(_) => return None,
        }
    }
    Some(found.cloned().unwrap_or_else(|| declared.without_optional()))
}

fn collection(items: Vec<Value>, target: &Type, to: &Type) -> Result<Value, ConvertError> {
    let element =
        one_type(&items, target).ok_or_else(|| ConvertError::new("all elements must have the same type"))?;
    Ok(if matches!(to, Type::Set(_)) { Value::set(element, items) } else { Value::list(element, items) })
}

fn collection_from(from: &Value, items: Vec<Value>, target: &Type, to: &Type) -> Result<Value, ConvertError> {
    let element = from.ty().element().unwrap_or(&Type::Dynamic);
    // An empty collection keeps a known element type if any type is accepted.
    let declared = if target.is_dynamic() { element } else { target };
    collection(items, declared, to)
}

fn map(
    entries: &[(Arc<str>, Value)],
    target: &Type,
    mode: Mode,
    unify_mode: Mode,
    empty: &Type,
) -> Result<Value, ConvertError> {
    let mut values = Vec::with_capacity(entries.len());
    for (key, part) in entries {
        let at = |error: ConvertError| error.within(PathStep::Key(Arc::clone(key)));
        if !possible_or_equal_shallow(part.ty(), target) {
            return Err(at(ConvertError::mismatch(part.ty(), target)));
        }
        values.push(apply(part, target, mode).map(without_optional).map_err(at)?);
    }
    if target.is_collection() || matches!(target, Type::Object(_)) {
        values = unify_elements(values, unify_mode, PathStep::Index).map_err(|mut error| {
            // The position belongs to an entry, so the step is its key.
            if let Some(last) = error.path.last_mut()
                && let PathStep::Index(index) = last
                && let Some((key, _)) = entries.get(*index)
            {
                *last = PathStep::Key(Arc::clone(key));
            }
            error
        })?;
    }
    let element = if values.is_empty() {
        empty.without_optional()
    } else {
        one_type(&values, target).ok_or_else(|| ConvertError::new("all elements must have the same type"))?
    };
    Ok(Value::map(element, entries.iter().map(|(key, _)| Arc::clone(key)).zip(values).collect()))
}

/// Returns `to` with its dynamic parts filled in from the type that is converted.
fn fill_dynamic(from: &Type, to: &Type) -> Type {
    account::work(1);
    if !to.has_dynamic() || from.is_dynamic() {
        return to.clone();
    }
    let common = |parts: &[Type], wanted: &Type| match unify_in(parts, Mode::Any) {
        Some(found) => fill_dynamic(&found, wanted),
        None => wanted.clone(),
    };
    with_stack(|| match (from, to) {
        (_, Type::Dynamic) => from.clone(),
        (Type::Map(_), Type::Map(_)) | (Type::List(_) | Type::Set(_), Type::List(_) | Type::Set(_)) => {
            let (Some(inner), Some(wanted)) = (from.element(), to.element()) else { return to.clone() };
            let element = fill_dynamic(inner, wanted);
            match to {
                Type::Map(_) => Type::map(element),
                Type::Set(_) => Type::set(element),
                _ => Type::list(element),
            }
        }
        (Type::Object(object), Type::Map(_)) => {
            let parts: Vec<Type> = object.attributes().iter().map(|attribute| attribute.ty.clone()).collect();
            Type::map(common(&parts, to.element().unwrap_or(&Type::Dynamic)))
        }
        (Type::Tuple(_), Type::List(_)) => {
            let parts = from.tuple_elements();
            Type::list(common(parts, to.element().unwrap_or(&Type::Dynamic)))
        }
        (Type::Tuple(_), Type::Set(_)) => {
            let parts = from.tuple_elements();
            Type::set(common(parts, to.element().unwrap_or(&Type::Dynamic)))
        }
        (Type::Map(_), Type::Object(wanted)) => {
            let inner = from.element().unwrap_or(&Type::Dynamic);
            Type::object(
                wanted
                    .attributes()
                    .iter()
                    .map(|a| AttributeType::new(Arc::clone(&a.name), fill_dynamic(inner, &a.ty)))
                    .collect(),
            )
        }
        (Type::Object(object), Type::Object(wanted)) => Type::object(
            wanted
                .attributes()
                .iter()
                .map(|a| {
                    let ty = object.get(&a.name).map_or_else(|| a.ty.clone(), |given| fill_dynamic(&given.ty, &a.ty));
                    AttributeType::new(Arc::clone(&a.name), ty)
                })
                .collect(),
        ),
        (Type::Tuple(_), Type::Tuple(_)) => {
            let given = from.tuple_elements();
            let wanted = to.tuple_elements();
            Type::tuple(
                wanted
                    .iter()
                    .enumerate()
                    .map(|(index, wanted)| {
                        given.get(index).map_or_else(|| wanted.clone(), |g| fill_dynamic(g, wanted))
                    })
                    .collect(),
            )
        }
        _ => to.clone(),
    })
}
