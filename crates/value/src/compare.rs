//! Equality: the language's `==`, and identity of representation.

use super::{Kind, Value, with_stack};
use overfold_base::account;

/// The result of `==`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equality {
    /// The types and values are the same.
    Equal,
    /// The types or values differ.
    Unequal,
    /// The result depends on something that is not known yet.
    Unknown,
}

impl From<bool> for Equality {
    fn from(equal: bool) -> Self {
        if equal { Self::Equal } else { Self::Unequal }
    }
}

impl Value {
    /// Evaluates the language's `==`: same type and value; nulls of any types are equal. Returns a boolean or an
    /// unknown boolean, with the marks of all parts of both operands (expressions.md, sections 1 and 5).
    #[must_use]
    pub fn equals(&self, other: &Self) -> Self {
        let marks = self.deep_marks().and(other.deep_marks());
        match self.equality(other) {
            Equality::Equal => Self::bool(true),
            Equality::Unequal => Self::bool(false),
            Equality::Unknown => Self::unknown_not_null(super::Type::Bool),
        }
        .with_marks(marks)
    }

    /// Like [`Self::equals`], but ignores marks.
    pub fn equality(&self, other: &Self) -> Equality {
        account::work(1);
        if self.is_null() && other.is_definitely_not_null() || other.is_null() && self.is_definitely_not_null() {
            return Equality::Unequal;
        }
        match (self.is_known(), other.is_known()) {
            (false, false) => return Equality::Unknown,
            (true, false) => return unknown_equality(other, self),
            (false, true) => return unknown_equality(self, other),
            (true, true) => {}
        }
        if self.is_null() || other.is_null() {
            return Equality::from(self.is_null() && other.is_null());
        }
        let (a, b) = (self.ty(), other.ty());
        if !self.has_settled_type() || !other.has_settled_type() {
            // The types may still turn out to be equal.
            return if !a.conforms_to(b) && !b.conforms_to(a) { Equality::Unequal } else { Equality::Unknown };
        }
        if a != b {
            return Equality::Unequal;
        }
        with_stack(|| self.parts_equal(other))
    }

    /// Compares two values that are known, not null, and of the same type.
    fn parts_equal(&self, other: &Self) -> Equality {
        match (self.kind(), other.kind()) {
            (Kind::Bool(a), Kind::Bool(b)) => Equality::from(a == b),
            (Kind::Number(a), Kind::Number(b)) => Equality::from(a.equals(b)),
            (Kind::Text(a), Kind::Text(b)) => {
                account::touch(if a.len() == b.len() { a.len() } else { 0 });
                Equality::from(a == b)
            }
            (Kind::List(a), Kind::List(b)) | (Kind::Tuple(a), Kind::Tuple(b)) => {
                if a.items().len() != b.items().len() {
                    return Equality::Unequal;
                }
                all_equal(a.items().iter().zip(b.items()))
            }
            (Kind::Set(a), Kind::Set(b)) => {
                if a.items().iter().chain(b.items()).any(|item| !item.is_known()) {
                    return Equality::Unknown;
                }
                // An element with an unknown part is not equal to any other, not even to itself.
                if !self.is_wholly_known() || !other.is_wholly_known() {
                    return Equality::Unequal;
                }
                // Both are in set order, without duplicates.
                if a.items().len() != b.items().len() {
                    return Equality::Unequal;
                }
                let equal = all_equal(a.items().iter().zip(b.items()));
                if equal == Equality::Equal {
                    equal
                } else {
                    super::set_order::same_elements(a.items(), b.items()).into()
                }
            }
            (Kind::Map(a), Kind::Map(b)) | (Kind::Object(a), Kind::Object(b)) => {
                if a.entries().len() != b.entries().len()
                    || a.entries().iter().zip(b.entries()).any(|((a, _), (b, _))| a != b)
                {
                    return Equality::Unequal;
                }
                all_equal(a.entries().iter().zip(b.entries()).map(|((_, a), (_, b))| (a, b)))
            }
            _ => Equality::Unequal,
        }
    }

    /// Returns whether both have the same type, value, marks and unknown parts; numbers are compared by value.
    pub fn same(&self, other: &Self) -> bool {
        account::work(1);
        if self.marks() != other.marks() {
            return false;
        }
        with_stack(|| match (self.kind(), other.kind()) {
            (Kind::Null(a), Kind::Null(b)) => a == b,
            (Kind::Unknown { ty: a, .. }, Kind::Unknown { ty: b, .. }) => a == b && self.same_refinements(other),
            (Kind::Bool(a), Kind::Bool(b)) => a == b,
            (Kind::Number(a), Kind::Number(b)) => a.equals(b),
            (Kind::Text(a), Kind::Text(b)) => {
                account::touch(if a.len() == b.len() { a.len() } else { 0 });
                a == b
            }
            (Kind::List(_), Kind::List(_)) | (Kind::Set(_), Kind::Set(_)) | (Kind::Tuple(_), Kind::Tuple(_)) => {
                let (a, b) = (self.items(), other.items());
                self.ty() == other.ty() && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Kind::Map(a), Kind::Map(b)) | (Kind::Object(a), Kind::Object(b)) => {
                self.ty() == other.ty()
                    && a.entries().len() == b.entries().len()
                    && a.entries().iter().zip(b.entries()).all(|((ka, a), (kb, b))| ka == kb && a.same(b))
            }
            _ => false,
        })
    }
}

fn unknown_equality(unknown: &Value, known: &Value) -> Equality {
    // A null is equal to nulls of all types.
    if known.is_null() || unknown.may_become(known) { Equality::Unknown } else { Equality::Unequal }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Equality {
    for (a, b) in pairs {
        match a.equality(b) {
            Equality::Equal => {}
            other => return other,
        }
    }
    Equality::Equal
}
