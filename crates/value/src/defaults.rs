//! Defaults of optional attributes, filled into a value before it is converted (variables.md, section A5).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::convert::{Mode, apply};
use super::unify::unify_in;
use super::{Kind, Type, Value, with_stack};
use overfold_base::account::{self, ChargedIterator};

/// The defaults that a type constraint contains at any depth.
#[derive(Clone, Debug)]
pub struct Defaults {
    ty: Type,
    values: BTreeMap<Arc<str>, Value>,
    children: Children,
}

#[derive(Clone, Debug)]
enum Children {
    /// The defaults of the element type of a list, set or map.
    Element(Box<Defaults>),
    /// The defaults of attributes, by name.
    Attributes(BTreeMap<Arc<str>, Defaults>),
    /// The defaults of the positions of a tuple.
    Positions(BTreeMap<usize, Defaults>),
}

impl Defaults {
    /// Returns the defaults of a list, set or map, given those of its element type. `ty` is the collection type.
    pub fn collection(ty: Type, element: Option<Self>) -> Option<Self> {
        element.map(|element| Self { ty, values: BTreeMap::new(), children: Children::Element(Box::new(element)) })
    }

    /// Returns the defaults of an object type, given the converted defaults of its attributes and those inside
    /// attribute types.
    pub fn object(ty: Type, values: BTreeMap<Arc<str>, Value>, children: BTreeMap<Arc<str>, Self>) -> Option<Self> {
        if values.is_empty() && children.is_empty() {
            return None;
        }
        Some(Self { ty, values, children: Children::Attributes(children) })
    }

    /// Returns the defaults of a tuple type, given those of its positions (0-based).
    pub fn tuple(ty: Type, children: BTreeMap<usize, Self>) -> Option<Self> {
        if children.is_empty() {
            return None;
        }
        Some(Self { ty, values: BTreeMap::new(), children: Children::Positions(children) })
    }

    /// Returns whether both fill in the same values at the same places, regardless of the types around them.
    pub fn same(&self, other: &Self) -> bool {
        account::work(1 + self.values.len() as u64);
        let values = self.values.len() == other.values.len()
            && self.values.iter().all(|(name, value)| other.values.get(name).is_some_and(|found| value.same(found)));
        values
            && with_stack(|| match (&self.children, &other.children) {
                (Children::Element(ours), Children::Element(theirs)) => ours.same(theirs),
                (Children::Attributes(ours), Children::Attributes(theirs)) => all_same(ours, theirs),
                (Children::Positions(ours), Children::Positions(theirs)) => all_same(ours, theirs),
                _ => false,
            })
    }

    /// Fills in the defaults wherever an optional attribute is missing or null. Nulls and unknown values stay as they
    /// are. The result may differ from the value in type and must still be converted.
    #[must_use]
    pub fn apply(&self, value: &Value) -> Value {
        account::work(1);
        if value.is_null() || !value.is_known() {
            return value.clone();
        }
        let filled = with_stack(|| match value.kind() {
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
                self.apply_items(value, sequence.items())
            }
            Kind::Map(mapping) | Kind::Object(mapping) => self.apply_entries(value, mapping.entries()),
            _ => value.unmarked(),
        });
        filled.with_marks(value.marks())
    }

    fn apply_items(&self, value: &Value, items: &[Value]) -> Value {
        let items: Vec<Value> = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.item_child(index).map_or_else(|| item.clone(), |child| child.apply(item)))
            .collect();
        let element = || value.ty().element().cloned().unwrap_or(Type::Dynamic);
        match value.kind() {
            Kind::Set(_) if items.is_empty() => Value::set(element(), items),
            Kind::List(_) if items.is_empty() => Value::list(element(), items),
            Kind::Set(_) | Kind::List(_) => match unified(&items) {
                Some(items) if matches!(value.kind(), Kind::Set(_)) => Value::set_of(items),
                Some(items) => Value::list_of(items),
                None => Value::tuple(items),
            },
            _ => Value::tuple(items),
        }
    }

    fn apply_entries(&self, value: &Value, entries: &[(Arc<str>, Value)]) -> Value {
        // First a tree is built, and then a sorted list of it.
        account::work(4 * (entries.len() + self.values.len()) as u64);
        let mut filled: BTreeMap<Arc<str>, Value> = entries
            .iter()
            .map(|(key, part)| {
                let part = self.entry_child(key).map_or_else(|| part.clone(), |child| child.apply(part));
                (Arc::clone(key), part)
            })
            .collect();
        for (key, default) in &self.values {
            if filled.get(key).is_none_or(Value::is_null) {
                let child = match &self.children {
                    Children::Attributes(children) => children.get(key),
                    _ => None,
                };
                let default = child.map_or_else(|| default.clone(), |child| child.apply(default));
                filled.insert(Arc::clone(key), default);
            } else if default.is_definitely_not_null()
                && let Some(part) = filled.get_mut(key)
            {
                *part = part.clone().refined_not_null();
            }
        }
        if matches!(value.kind(), Kind::Map(_)) {
            if filled.is_empty() {
                return Value::map(value.ty().element().cloned().unwrap_or(Type::Dynamic), Vec::new());
            }
            let (keys, parts): (Vec<Arc<str>>, Vec<Value>) = filled.into_iter().unzip();
            return match unified(&parts) {
                Some(parts) => Value::map_of(keys.into_iter().zip(parts).collect()),
                None => Value::object(keys.into_iter().zip(parts).collect()),
            };
        }
        Value::object(filled.into_iter().collect())
    }

    /// Returns the defaults of an element. If constraint and value are of different kinds, there is nothing to fill in.
    fn item_child(&self, index: usize) -> Option<&Self> {
        match &self.children {
            Children::Positions(children) if matches!(self.ty, Type::Tuple(_)) => children.get(&index),
            Children::Element(child) => Some(child),
            _ => None,
        }
    }

    fn entry_child(&self, key: &str) -> Option<&Self> {
        match &self.children {
            Children::Attributes(children) if matches!(self.ty, Type::Object(_)) => children.get(key),
            Children::Element(child) => Some(child),
            _ => None,
        }
    }
}

fn all_same<K: Ord>(ours: &BTreeMap<K, Defaults>, theirs: &BTreeMap<K, Defaults>) -> bool {
    ours.len() == theirs.len()
        && ours.iter().all(|(key, found)| theirs.get(key).is_some_and(|other| found.same(other)))
}

/// Converts the values to their common type.
fn unified(values: &[Value]) -> Option<Vec<Value>> {
    let types: Vec<Type> = values.iter().charged_at_once(1).map(|value| value.ty().clone()).collect();
    let common = unify_in(&types, Mode::Any)?;
    values
        .iter()
        .map(|value| {
            if *value.ty() == common || value.ty().is_dynamic() {
                Some(value.clone())
            } else if common.is_dynamic() {
                Some(Value::dynamic())
            } else {
                apply(value, &common, Mode::Any).ok()
            }
        })
        .collect()
}
