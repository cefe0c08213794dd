//! Which values of `for_each` are accepted, and what is wrong with the others.

use overfold_value::{Marks, Type, Value};

/// What is wrong with the value of a `for_each`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForEachFault {
    /// It is not a collection of an accepted type.
    NotIterable,
    /// It is a set of something other than strings.
    NotStrings,
    /// It is a set that contains null.
    NullElement,
    /// It is null.
    Null,
    /// Its keys are not known.
    Unknown,
    /// It is sensitive.
    Sensitive,
    /// It is ephemeral.
    Ephemeral,
    /// It is of a known type and has any mark.
    Marked,
}

/// When a type is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeCheck {
    /// Always: also that of an unknown value or an empty set. A value without a type has no wrong one.
    Always,
    /// Only where there is something to iterate over: an unknown value may still become a collection, and the elements
    /// of an empty set have no type. Null without a type is not a collection.
    OfContent,
}

/// Which values of `for_each` a tool accepts.
#[derive(Debug)]
pub struct ForEachRules {
    /// The faults for which the tool looks. It reports all those of the first group in which there are any. Without
    /// [`ForEachFault::Unknown`], an unknown value is accepted.
    pub order: &'static [&'static [ForEachFault]],
    /// Whether lists and tuples are accepted like maps, objects and sets.
    pub sequences: bool,
    /// When types are judged.
    pub types: TypeCheck,
}

impl ForEachRules {
    /// Returns what is reported about a value.
    pub(super) fn faults(&self, value: &Value) -> Vec<ForEachFault> {
        let found = |group: &&[ForEachFault]| -> Vec<ForEachFault> {
            group.iter().copied().filter(|&fault| self.has(value, fault)).collect()
        };
        self.order.iter().map(found).find(|faults| !faults.is_empty()).unwrap_or_default()
    }

    fn has(&self, value: &Value, fault: ForEachFault) -> bool {
        let ty = value.ty();
        let always = self.types == TypeCheck::Always;
        let of_other_elements = match (ty, ty.element()) {
            (Type::Set(_), Some(Type::String)) => false,
            (Type::Set(_), Some(Type::Dynamic)) => !always,
            (Type::Set(_), _) => true,
            _ => false,
        };
        match fault {
            ForEachFault::NotIterable => match ty {
                Type::Map(_) | Type::Object(_) | Type::Set(_) => false,
                Type::List(_) | Type::Tuple(_) if self.sequences => false,
                Type::Dynamic if always => false,
                _ => always || value.is_known(),
            },
            ForEachFault::NotStrings => of_other_elements && (always || value.length() != Some(0)),
            ForEachFault::NullElement => {
                matches!(ty, Type::Set(_))
                    && !of_other_elements
                    && has_known_keys(value)
                    && value.items().iter().any(Value::is_null)
            }
            ForEachFault::Null => value.is_null(),
            ForEachFault::Unknown => !value.is_known() || !(has_known_keys(value) || always && of_other_elements),
            ForEachFault::Sensitive => value.marks().is_sensitive(),
            ForEachFault::Ephemeral => value.marks().is_ephemeral(),
            ForEachFault::Marked => value.marks() != Marks::NONE && !matches!(ty, Type::Dynamic),
        }
    }
}

/// Whether the keys of the instances are known. A set's elements are its keys.
pub fn has_known_keys(for_each: &Value) -> bool {
    match for_each.ty() {
        Type::Set(_) => for_each.is_wholly_known(),
        _ => for_each.is_known(),
    }
}
