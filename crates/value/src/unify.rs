//! Unification: finding one type for several (variables.md, section A5).

use std::collections::HashMap;
use std::sync::Arc;

use super::convert::{Mode, possible};
use super::{AttributeType, Type, with_stack};
use overfold_base::account::{self, ChargedIterator};

/// Returns the most specific type to which values of all `types` can be converted, including by parsing text as
/// numbers. Returns `None` if there is none, and any if `types` is empty.
pub fn unify(types: &[Type]) -> Option<Type> {
    if types.is_empty() {
        return Some(Type::Dynamic);
    }
    unify_in(types, Mode::Any)
}

/// The number of distinct types, not all of one kind, above which they are not compared pair by pair.
const PAIRS_LIMIT: usize = 512;

/// Like [`unify`], but restricted to conversions of this mode. Needs at least one type.
pub(super) fn unify_in(types: &[Type], mode: Mode) -> Option<Type> {
    let types = distinct(types);
    match types.as_slice() {
        [] => return None,
        [only] => return Some(only.clone()),
        _ => {}
    }
    with_stack(|| match by_kind(&types, mode) {
        Attempt::Result(result) => result,
        Attempt::General => general(&types, mode),
    })
}

/// Returns each type once, in order of first appearance.
fn distinct(types: &[Type]) -> Vec<Type> {
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut kept: Vec<Type> = Vec::new();
    for ty in types.charged_at_once(2) {
        let same_hash = seen.entry(ty.shape_hash()).or_default();
        if !same_hash.iter().any(|&index| kept.get(index) == Some(ty)) {
            same_hash.push(kept.len());
            kept.push(ty.clone());
        }
    }
    kept
}

enum Attempt {
    Result(Option<Type>),
    General,
}

#[derive(Default)]
struct Count {
    map: usize,
    list: usize,
    set: usize,
    object: usize,
    tuple: usize,
    dynamic: usize,
}

fn by_kind(types: &[Type], mode: Mode) -> Attempt {
    let mut count = Count::default();
    for ty in types {
        match ty {
            Type::Map(_) => count.map += 1,
            Type::List(_) => count.list += 1,
            Type::Set(_) => count.set += 1,
            Type::Object(_) => count.object += 1,
            Type::Tuple(_) => count.tuple += 1,
            Type::Dynamic => count.dynamic += 1,
            Type::String | Type::Number | Type::Bool => {}
        }
    }
    let all = types.len();
    let only = |kind: usize| kind > 0 && kind + count.dynamic == all;
    // If the type of one of the structures is not known yet, nothing can be said about the whole.
    let unless_dynamic = |result: &dyn Fn() -> Option<Type>| {
        Attempt::Result(if count.dynamic > 0 { Some(Type::Dynamic) } else { result() })
    };
    if only(count.map) {
        unless_dynamic(&|| elements(types, mode).map(Type::map))
    } else if count.map > 0 && count.map + count.object + count.dynamic == all {
        match objects_as_maps(types, mode) {
            Some(found) => Attempt::Result(Some(found)),
            None => Attempt::General,
        }
    } else if only(count.list) {
        unless_dynamic(&|| elements(types, mode).map(Type::list))
    } else if count.list > 0 && count.list + count.tuple + count.dynamic == all {
        match tuples_as_lists(types, mode) {
            Some(found) => Attempt::Result(Some(found)),
            None => Attempt::General,
        }
    } else if only(count.set) {
        unless_dynamic(&|| elements(types, mode).map(Type::set))
    } else if only(count.object) {
        unless_dynamic(&|| objects(types, mode))
    } else if only(count.tuple) {
        unless_dynamic(&|| tuples(types, mode))
    } else if count.object > 0 && count.tuple > 0 {
        Attempt::Result(None)
    } else {
        Attempt::General
    }
}

fn elements(types: &[Type], mode: Mode) -> Option<Type> {
    let inner: Vec<Type> = types.iter().filter_map(|ty| ty.element().cloned()).collect();
    unify_in(&inner, mode)
}

/// Returns `result` if every type can be converted to it.
fn reachable(types: &[Type], result: Type, mode: Mode) -> Option<Type> {
    types.iter().all(|ty| *ty == result || possible(ty, &result, mode)).then_some(result)
}

fn objects(types: &[Type], mode: Mode) -> Option<Type> {
    let [first, rest @ ..] = types else { return None };
    let names = first.as_object()?;
    let alike = rest
        .iter()
        .filter_map(Type::as_object)
        .all(|other| other.len() == names.len() && other.iter().zip(names).all(|(a, b)| a.name == b.name));
    if !alike {
        return objects_to_map(types, mode);
    }
    account::work(types.len() as u64 * names.len() as u64);
    let mut attributes = Vec::with_capacity(names.len());
    for (position, attribute) in names.iter().enumerate() {
        let across: Vec<Type> =
            types.iter().filter_map(|ty| ty.attributes().get(position).map(|a| a.ty.clone())).collect();
        attributes.push(AttributeType::new(Arc::clone(&attribute.name), unify_in(&across, mode)?));
    }
    reachable(types, Type::object(attributes), mode).or_else(|| objects_to_map(types, mode))
}

fn objects_to_map(types: &[Type], mode: Mode) -> Option<Type> {
    let inner: Vec<Type> =
        types.iter().filter_map(Type::as_object).flatten().map(|attribute| attribute.ty.clone()).collect();
    reachable(types, Type::map(unify_in(&inner, mode)?), mode)
}

fn tuples(types: &[Type], mode: Mode) -> Option<Type> {
    let [first, rest @ ..] = types else { return None };
    let length = first.as_tuple()?.len();
    if !rest.iter().filter_map(Type::as_tuple).all(|other| other.len() == length) {
        return tuples_to_list(types, mode);
    }
    account::work(types.len() as u64 * length as u64);
    let mut elements = Vec::with_capacity(length);
    for position in 0..length {
        let across: Vec<Type> = types.iter().filter_map(|ty| ty.tuple_elements().get(position).cloned()).collect();
        elements.push(unify_in(&across, mode)?);
    }
    reachable(types, Type::tuple(elements), mode).or_else(|| tuples_to_list(types, mode))
}

fn tuples_to_list(types: &[Type], mode: Mode) -> Option<Type> {
    let inner: Vec<Type> = types.iter().filter_map(Type::as_tuple).flatten().cloned().collect();
    reachable(types, Type::list(unify_in(&inner, mode)?), mode)
}

fn objects_as_maps(types: &[Type], mode: Mode) -> Option<Type> {
    let of_kind: Vec<Type> = types.iter().filter(|ty| matches!(ty, Type::Object(_))).cloned().collect();
    let map = objects_to_map(&of_kind, mode)?;
    let replaced: Vec<Type> =
        types.iter().map(|ty| if matches!(ty, Type::Object(_)) { map.clone() } else { ty.clone() }).collect();
    unify_in(&replaced, mode).filter(|found| matches!(found, Type::Map(_)))
}

fn tuples_as_lists(types: &[Type], mode: Mode) -> Option<Type> {
    let of_kind: Vec<Type> = types.iter().filter(|ty| matches!(ty, Type::Tuple(_))).cloned().collect();
    let list = tuples_to_list(&of_kind, mode)?;
    let replaced: Vec<Type> =
        types.iter().map(|ty| if matches!(ty, Type::Tuple(_)) { list.clone() } else { ty.clone() }).collect();
    unify_in(&replaced, mode).filter(|found| matches!(found, Type::List(_)))
}

/// Returns the first of the types, in order of decreasing generality, to which all others can be converted.
fn general(types: &[Type], mode: Mode) -> Option<Type> {
    if types.len() > PAIRS_LIMIT {
        return None;
    }
    preference(types)
        .into_iter()
        .filter_map(|index| types.get(index))
        .find(|wanted| types.iter().all(|ty| ty == *wanted || possible(ty, wanted, mode)))
        .cloned()
}

/// Returns the indexes into `types` with more general types first, otherwise in their order.
fn preference(types: &[Type]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut above = vec![0usize; types.len()];
    for (i, a) in types.iter().enumerate() {
        for (j, b) in types.iter().enumerate().skip(i + 1) {
            let (over, under) = match generality(a, b) {
                order if order < 0 => (i, j),
                order if order > 0 => (j, i),
                _ => continue,
            };
            if let (Some(list), Some(count)) = (below.get_mut(over), above.get_mut(under)) {
                list.push(under);
                *count += 1;
            }
        }
    }
    let mut order: Vec<usize> =
        above.iter().enumerate().filter(|(_, count)| **count == 0).map(|(index, _)| index).collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for &under in below.get(index).into_iter().flatten() {
            if let Some(count) = above.get_mut(under) {
                *count -= 1;
                if *count == 0 {
                    order.push(under);
                }
            }
        }
    }
    order
}

/// Returns a negative number if `a` is the more general type, a positive one if `b` is, zero if neither is.
fn generality(a: &Type, b: &Type) -> i32 {
    account::work(1);
    match (a, b) {
        (Type::Dynamic, Type::Dynamic) => 0,
        (_, Type::Dynamic)
        | (Type::String, Type::Number | Type::Bool)
        | (Type::Tuple(_) | Type::List(_), Type::Set(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_)) => -1,
        (Type::Dynamic, _)
        | (Type::Number | Type::Bool, Type::String)
        | (Type::Set(_), Type::Tuple(_) | Type::List(_))
        | (Type::Tuple(_), Type::List(_))
        | (Type::Object(_), Type::Map(_)) => 1,
        (Type::List(_), Type::List(_)) | (Type::Set(_), Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            match (a.element(), b.element()) {
                (Some(a), Some(b)) => with_stack(|| generality(a, b)),
                _ => 0,
            }
        }
        (Type::Object(x), Type::Object(y)) => {
            let (x, y) = (x.attributes(), y.attributes());
            if x.len() != y.len() || x.iter().zip(y).any(|(x, y)| x.name != y.name) {
                return 0;
            }
            with_stack(|| agreed_order(x.iter().zip(y).map(|(x, y)| generality(&x.ty, &y.ty))))
        }
        (Type::Tuple(_), Type::Tuple(_)) => {
            let (x, y) = (a.tuple_elements(), b.tuple_elements());
            if x.len() != y.len() {
                return 0;
            }
            with_stack(|| agreed_order(x.iter().zip(y).map(|(x, y)| generality(x, y))))
        }
        _ => 0,
    }
}

fn agreed_order(orders: impl Iterator<Item = i32>) -> i32 {
    let (mut first, mut second) = (false, false);
    for order in orders {
        first |= order < 0;
        second |= order > 0;
    }
    i32::from(second && !first) - i32::from(first && !second)
}
