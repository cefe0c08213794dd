//! How values are made: text normalized, entries sorted, elements of one type, each part charged.

use std::borrow::Cow;
use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::super::{AttributeType, Marks, Number, Type, set_order};
use super::{Deep, Kind, Mapping, Sequence, Value};
use crate::account;

/// Charges for a structure of so many parts.
fn charge_parts(parts: usize) {
    const BYTES: u64 = (size_of::<Value>() + size_of::<Arc<str>>()) as u64;
    account::work(parts as u64 + 2);
    account::grow((parts as u64 + 1) * BYTES);
}

fn deep_of<'a>(values: impl Iterator<Item = &'a Value>) -> Deep {
    let mut deep = Deep { weight: 1, ..Deep::default() };
    for value in values {
        let inner = value.deep();
        deep.marks = deep.marks.and(inner.marks);
        deep.unknown |= inner.unknown;
        deep.untyped |= inner.untyped;
        deep.depth = deep.depth.max(inner.depth);
        deep.weight = deep.weight.saturating_add(inner.weight);
    }
    deep.depth = deep.depth.saturating_add(1);
    deep
}

/// Text in normalisation form C, as every string value and key is.
pub fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    account::touch(text.len() * 4);
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    // A run of combining characters is put in order as a whole.
    account::work(text.len() as u64 * 3 / 4);
    account::grow(text.len() as u64 * 8);
    Cow::Owned(text.nfc().collect())
}

/// Makes values.
impl Value {
    pub(super) const fn of(kind: Kind) -> Self {
        Self { kind, marks: Marks::NONE }
    }

    /// The null of a type.
    pub const fn null(ty: Type) -> Self {
        Self::of(Kind::Null(ty))
    }

    /// The untyped null.
    pub const fn untyped_null() -> Self {
        Self::null(Type::Dynamic)
    }

    /// An unknown value of a type; it may turn out to be null.
    pub const fn unknown(ty: Type) -> Self {
        Self::of(Kind::Unknown { ty, not_null: false })
    }

    /// An unknown value of a type, known not to be null.
    pub const fn unknown_not_null(ty: Type) -> Self {
        Self::of(Kind::Unknown { ty, not_null: true })
    }

    /// A value of which nothing is known: what a failed evaluation gives.
    pub const fn dynamic() -> Self {
        Self::unknown(Type::Dynamic)
    }

    /// `true` or `false`.
    pub const fn bool(value: bool) -> Self {
        Self::of(Kind::Bool(value))
    }

    /// A number.
    pub fn number(value: impl Into<Number>) -> Self {
        Self::of(Kind::Number(value.into()))
    }

    /// Text; it is normalised.
    pub fn text(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        account::touch(text.len());
        account::grow(text.len() as u64);
        Self::of(Kind::Text(Arc::from(&*normalized(text))))
    }

    /// Text that is not normalised: where the language has no normalisation.
    pub const fn text_as_written(text: Arc<str>) -> Self {
        Self::of(Kind::Text(text))
    }

    /// A list whose elements have (or will have, where null or unknown) the type `element`.
    pub fn list(element: Type, mut items: Vec<Self>) -> Self {
        charge_parts(items.len());
        for item in &mut items {
            item.narrow_type(&element);
        }
        let deep = deep_of(items.iter());
        Self::of(Kind::List(Arc::new(Sequence { ty: Type::list(element), items, deep })))
    }

    /// In a list, set or map an untyped null (or unknown) has the type of its neighbours.
    fn narrow_type(&mut self, element: &Type) {
        match &mut self.kind {
            Kind::Null(ty) | Kind::Unknown { ty, .. } if ty.is_dynamic() => *ty = element.clone(),
            _ => {}
        }
    }

    /// A list of elements of one type: that of the first whose type is known. No elements: a list of any.
    pub fn list_of(items: Vec<Self>) -> Self {
        Self::list(common_type(&items), items)
    }

    /// A set of elements of type `element`: sorted into set order, equal ones once, marks of parts moved to the
    /// whole (expressions.md, sections 1 and 5).
    pub fn set(element: Type, items: Vec<Self>) -> Self {
        charge_parts(items.len());
        let marks = deep_of(items.iter()).marks;
        let mut items = if marks.is_empty() { items } else { items.iter().map(Self::unmarked_deep).collect() };
        for item in &mut items {
            item.narrow_type(&element);
        }
        let items = set_order::normalize(&element, items);
        let deep = deep_of(items.iter());
        Self { kind: Kind::Set(Arc::new(Sequence { ty: Type::set(element), items, deep })), marks }
    }

    /// A set of elements of one type: that of the first whose type is known. No elements: a set of any.
    pub fn set_of(items: Vec<Self>) -> Self {
        Self::set(common_type(&items), items)
    }

    /// A tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        charge_parts(items.len());
        let deep = deep_of(items.iter());
        let ty = Type::tuple(items.iter().map(|item| item.ty().clone()).collect());
        Self::of(Kind::Tuple(Arc::new(Sequence { ty, items, deep })))
    }

    /// A map with elements of type `element`. Keys in any order; of two equal ones the later counts. Keys are
    /// normalised already (those of other values are).
    pub fn map(element: Type, entries: Vec<(Arc<str>, Self)>) -> Self {
        charge_parts(entries.len());
        let mut entries = sorted(entries);
        for (_, value) in &mut entries {
            value.narrow_type(&element);
        }
        let deep = deep_of(entries.iter().map(|(_, value)| value));
        Self::of(Kind::Map(Arc::new(Mapping { ty: Type::map(element), entries, deep })))
    }

    /// A map of elements of one type: that of the first whose type is known. No elements: a map of any.
    pub fn map_of(entries: Vec<(Arc<str>, Self)>) -> Self {
        let known = entries.iter().map(|(_, value)| value.ty()).find(|ty| !ty.is_dynamic());
        Self::map(known.cloned().unwrap_or(Type::Dynamic), entries)
    }

    /// An object. Keys in any order; of two equal ones the later counts. Keys are normalised already.
    pub fn object(entries: Vec<(Arc<str>, Self)>) -> Self {
        charge_parts(entries.len());
        let entries = sorted(entries);
        let deep = deep_of(entries.iter().map(|(_, value)| value));
        let ty = Type::object(
            entries.iter().map(|(key, value)| AttributeType::new(key.clone(), value.ty().clone())).collect(),
        );
        Self::of(Kind::Object(Arc::new(Mapping { ty, entries, deep })))
    }
}

fn common_type(items: &[Value]) -> Type {
    items.iter().map(Value::ty).find(|ty| !ty.is_dynamic()).cloned().unwrap_or(Type::Dynamic)
}

/// Units that sorting so many parts costs.
pub(in crate::value) fn sorting(parts: usize) -> u64 {
    parts as u64 * u64::from(usize::BITS - parts.leading_zeros())
}

fn sorted(mut entries: Vec<(Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
        account::work(sorting(entries.len()));
        // Stable sort, then the last of each run of equal keys.
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.reverse();
        entries.dedup_by(|(a, _), (b, _)| a == b);
        entries.reverse();
    }
    entries
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::bool(value)
    }
}

impl From<Number> for Value {
    fn from(value: Number) -> Self {
        Self::number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::text(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::text(value)
    }
}
