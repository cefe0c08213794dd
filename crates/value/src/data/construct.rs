//! Construction of values: text is normalised, entries are sorted, elements get one type, and each part is charged.

use std::borrow::Cow;
use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::super::{AttributeType, Marks, Number, Type, set_order};
use super::{Kind, Mapping, Sequence, StructureFacts, Value};
use overfold_base::account;

/// Charges for a structure with this number of parts.
fn charge_parts(parts: usize) {
    const BYTES: u64 = (size_of::<Value>() + size_of::<Arc<str>>()) as u64;
    account::build(parts as u64 + 2, (parts as u64 + 1) * BYTES);
}

fn deep_of<'a>(values: impl Iterator<Item = &'a Value>) -> StructureFacts {
    let mut deep = StructureFacts { weight: 1, ..StructureFacts::default() };
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

/// Returns text in Unicode normalisation form C (NFC), as in all string values and keys.
pub fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    account::touch(text.len() * 4);
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    // A run of combining characters is sorted as a whole.
    account::build(text.len() as u64 * 3 / 4, text.len() as u64 * 8);
    Cow::Owned(text.nfc().collect())
}

/// Constructors.
impl Value {
    pub(super) const fn from_kind(kind: Kind) -> Self {
        Self { kind, marks: Marks::NONE, not_null: false }
    }

    /// Creates the null of a type.
    pub const fn null(ty: Type) -> Self {
        Self::from_kind(Kind::Null(ty))
    }

    /// Creates the untyped null.
    pub const fn untyped_null() -> Self {
        Self::null(Type::Dynamic)
    }

    /// Creates an unknown value of a type; it may turn out to be null.
    pub const fn unknown(ty: Type) -> Self {
        Self::from_kind(Kind::Unknown { ty, limits: None })
    }

    /// Creates an unknown value of a type that is known not to be null. Of a value of unknown type, not even that is ever
    /// known.
    pub const fn unknown_not_null(ty: Type) -> Self {
        let not_null = !ty.is_dynamic();
        Self { kind: Kind::Unknown { ty, limits: None }, marks: Marks::NONE, not_null }
    }

    /// Creates a value about which nothing is known: the result of a failed evaluation.
    pub const fn dynamic() -> Self {
        Self::unknown(Type::Dynamic)
    }

    /// Creates `true` or `false`.
    pub const fn bool(value: bool) -> Self {
        Self::from_kind(Kind::Bool(value))
    }

    /// Creates a number.
    pub fn number(value: impl Into<Number>) -> Self {
        Self::from_kind(Kind::Number(value.into()))
    }

    /// Creates a string; the text is normalised.
    pub fn text(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        account::text(text.len());
        Self::from_kind(Kind::Text(Arc::from(&*normalized(text))))
    }

    /// Creates a string without normalising it, for languages that do not normalise.
    pub const fn text_as_written(text: Arc<str>) -> Self {
        Self::from_kind(Kind::Text(text))
    }

    /// Creates a list of elements of type `element`; null and unknown elements of unknown type get that type.
    pub fn list(element: Type, mut items: Vec<Self>) -> Self {
        charge_parts(items.len());
        for item in &mut items {
            item.narrow_type(&element);
        }
        let deep = deep_of(items.iter());
        Self::from_kind(Kind::List(Arc::new(Sequence { ty: Type::list(element), items, deep })))
    }

    /// Gives an untyped null or unknown, as a part of a list, set or map, the type of the other elements.
    fn narrow_type(&mut self, element: &Type) {
        match &mut self.kind {
            Kind::Null(ty) | Kind::Unknown { ty, .. } if ty.is_dynamic() => *ty = element.clone(),
            _ => {}
        }
    }

    /// Creates a list of elements of one type, taken from the first element whose type is known. Without any such
    /// element it is a list of any.
    pub fn list_of(items: Vec<Self>) -> Self {
        Self::list(common_type(&items), items)
    }

    /// Creates a set of elements of type `element`: sorted into set order, without duplicates, with the marks of parts
    /// moved to the whole (expressions.md, sections 1 and 5).
    pub fn set(element: Type, items: Vec<Self>) -> Self {
        charge_parts(items.len());
        let marks = deep_of(items.iter()).marks;
        let mut items = if marks.is_empty() { items } else { items.iter().map(Self::unmarked_deep).collect() };
        for item in &mut items {
            item.narrow_type(&element);
        }
        let items = set_order::normalize(&element, items);
        let deep = deep_of(items.iter());
        Self::from_kind(Kind::Set(Arc::new(Sequence { ty: Type::set(element), items, deep }))).with_marks(marks)
    }

    /// Creates a set of elements of one type, taken from the first element whose type is known. Without any such
    /// element it is a set of any.
    pub fn set_of(items: Vec<Self>) -> Self {
        Self::set(common_type(&items), items)
    }

    /// Creates a tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        charge_parts(items.len());
        let deep = deep_of(items.iter());
        let ty = Type::tuple(items.iter().map(|item| item.ty().clone()).collect());
        Self::from_kind(Kind::Tuple(Arc::new(Sequence { ty, items, deep })))
    }

    /// Creates a map with elements of type `element`. Keys may be in any order; of two equal keys the later one wins.
    /// Keys must already be normalised, as those of other values are.
    pub fn map(element: Type, entries: Vec<(Arc<str>, Self)>) -> Self {
        charge_parts(entries.len());
        let mut entries = sorted(entries);
        for (_, value) in &mut entries {
            value.narrow_type(&element);
        }
        let deep = deep_of(entries.iter().map(|(_, value)| value));
        Self::from_kind(Kind::Map(Arc::new(Mapping { ty: Type::map(element), entries, deep })))
    }

    /// Creates a map of elements of one type, taken from the first element whose type is known. Without any such
    /// element it is a map of any.
    pub fn map_of(entries: Vec<(Arc<str>, Self)>) -> Self {
        let known = entries.iter().map(|(_, value)| value.ty()).find(|ty| !ty.is_dynamic());
        Self::map(known.cloned().unwrap_or(Type::Dynamic), entries)
    }

    /// Creates an object. Keys may be in any order; of two equal keys the later one wins. Keys must already be
    /// normalised.
    pub fn object(entries: Vec<(Arc<str>, Self)>) -> Self {
        charge_parts(entries.len());
        let entries = sorted(entries);
        let deep = deep_of(entries.iter().map(|(_, value)| value));
        let ty = Type::object(
            entries.iter().map(|(key, value)| AttributeType::new(key.clone(), value.ty().clone())).collect(),
        );
        Self::from_kind(Kind::Object(Arc::new(Mapping { ty, entries, deep })))
    }
}

fn common_type(items: &[Value]) -> Type {
    items.iter().map(Value::ty).find(|ty| !ty.is_dynamic()).cloned().unwrap_or(Type::Dynamic)
}

/// Returns the work units that sorting this number of parts costs.
pub(crate) fn sorting(parts: usize) -> u64 {
    parts as u64 * u64::from(usize::BITS - parts.leading_zeros())
}

fn sorted(mut entries: Vec<(Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
        account::work(sorting(entries.len()));
        // A stable sort, then only the last of each run of equal keys is kept.
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
