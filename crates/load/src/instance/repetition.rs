//! How often something is repeated, and its instances.

use std::rc::Rc;
use std::sync::Arc;

use super::for_each::{ForEachFault, ForEachRules};
use overfold_dialect::words::COUNT;
use overfold_eval::Roots;
use overfold_model::language::references::InstanceKey;
use overfold_value::{ConvertError, Number, Type, Value, convert};

/// How often an object or a block is repeated.
#[derive(Clone, Debug)]
pub enum Repetition {
    /// `count`: instances with the keys 0, 1 and so on.
    Count(usize),
    /// `for_each` or a `dynamic` block: an instance for each element of this known collection.
    Keys(Value),
    /// The instances are not known.
    Unknown,
}

/// What is wrong with the value of a `count`.
#[derive(Debug)]
pub enum CountFault {
    /// It is null.
    Null,
    /// It cannot be converted to a number.
    NotANumber(ConvertError),
    /// It is less than zero.
    Negative,
    /// It has a fraction, or does not fit into 64 bits.
    NotWhole,
}

impl Repetition {
    /// Returns the repetition that the value of a `count` asks for, whatever marks it has.
    ///
    /// # Errors
    /// The fault, if the value is wrong. An unknown value is not.
    pub fn of_count(value: &Value) -> Result<Self, CountFault> {
        let value = value.unmarked();
        if !value.is_known() {
            return Ok(Self::Unknown);
        }
        if value.is_null() {
            return Err(CountFault::Null);
        }
        let number = convert(&value, &Type::Number).map_err(CountFault::NotANumber)?;
        let whole = number.as_number().and_then(Number::to_i64).ok_or(CountFault::NotWhole)?;
        usize::try_from(whole).map(Self::Count).map_err(|_| CountFault::Negative)
    }

    /// Returns the repetition that the value of a `for_each` asks for according to the rules of a tool.
    ///
    /// # Errors
    /// The faults that the tool reports, of which there is at least one.
    pub fn of_for_each(value: &Value, rules: &ForEachRules) -> Result<Self, Vec<ForEachFault>> {
        let faults = rules.faults(value);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(if value.is_known() { Self::Keys(value.clone()) } else { Self::Unknown })
    }

    /// Returns the number of instances; `None` if it is not known.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Count(count) => Some(*count),
            Self::Keys(collection) => Some(collection.length().unwrap_or(0)),
            Self::Unknown => None,
        }
    }

    /// Returns the instances, in the order of the collection; none if they are not known. The caller charges for what
    /// it does with each.
    pub fn instances(&self) -> impl Iterator<Item = Instance> + '_ {
        let (count, collection) = match self {
            Self::Count(count) => (*count, None),
            Self::Keys(collection) => (0, Some(collection)),
            Self::Unknown => (0, None),
        };
        let elements = collection.into_iter().flat_map(Value::elements);
        (0..count).map(Instance::Index).chain(elements.map(|(key, value)| Instance::Element { key, value }))
    }
}

/// One instance of a repetition.
#[derive(Clone, Debug)]
pub enum Instance {
    /// An instance by `count`, with its 0-based position.
    Index(usize),
    /// An instance for an element of a collection.
    Element {
        /// Its key in a map or object, its position in a list or tuple, or itself in a set.
        key: Value,
        /// Its value.
        value: Value,
    },
}

impl Instance {
    /// Returns its key in an address, written after the address of what is repeated; `None` if the element has none that
    /// an address can show.
    pub(crate) fn key(&self) -> Option<InstanceKey> {
        match self {
            Self::Index(index) => i64::try_from(*index).ok().map(InstanceKey::Number),
            Self::Element { key, .. } => match key.as_shared_text() {
                Some(text) => Some(InstanceKey::Text(Arc::clone(text))),
                None => key.as_number().and_then(Number::to_i64).map(InstanceKey::Number),
            },
        }
    }

    /// Returns the names that expressions in this instance see: those of `outer`, and `count`, or the `iterator` of a
    /// collection (`each`, unless a `dynamic` block names it).
    pub fn scope(self, iterator: &Arc<str>, outer: Option<&Rc<Roots>>) -> Rc<Roots> {
        let mut roots = Roots::within(outer.cloned());
        match self {
            Self::Index(index) => {
                let index = Value::number(Number::from_usize(index));
                roots.insert(Arc::from(COUNT), Value::object(vec![(Arc::from("index"), index)]));
            }
            Self::Element { key, value } => {
                let element = vec![(Arc::from("key"), key), (Arc::from("value"), value)];
                roots.insert(Arc::clone(iterator), Value::object(element));
            }
        }
        Rc::new(roots)
    }
}
