//! Values: what expressions give.

use std::borrow::Cow;
use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{AttributeType, Number, Type, set_order};
use crate::account;
use crate::diag::Secrecy;

/// Marks beside a value: sensitive, ephemeral.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks(u8);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// Not to be shown.
    pub const SENSITIVE: Self = Self(1);
    /// Not to be stored.
    pub const EPHEMERAL: Self = Self(2);

    /// Marks of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These marks without those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The marks of values that are this secret.
    pub const fn of(secrecy: Secrecy) -> Self {
        match secrecy {
            Secrecy::Open => Self::NONE,
            Secrecy::Sensitive => Self::SENSITIVE,
            Secrecy::Ephemeral => Self::EPHEMERAL,
        }
    }

    /// How secret a value with these marks is.
    pub const fn secrecy(self) -> Secrecy {
        if self.is_ephemeral() {
            Secrecy::Ephemeral
        } else if self.is_sensitive() {
            Secrecy::Sensitive
        } else {
            Secrecy::Open
        }
    }

    /// Whether the sensitive mark is there.
    pub const fn is_sensitive(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the ephemeral mark is there.
    pub const fn is_ephemeral(self) -> bool {
        self.0 & 2 != 0
    }
}

/// A value: null, unknown or known, with a type, and marks at any depth. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Value {
    kind: Kind,
    marks: Marks,
}

/// What a value is, without its marks.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The null of a type; of [`Type::Dynamic`]: the untyped null that `null` gives.
    Null(Type),
    /// Known later. Of [`Type::Dynamic`]: not even the type is known.
    Unknown {
        /// The type that the value will have.
        ty: Type,
        /// It is known not to be null.
        not_null: bool,
    },
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text in normalisation form C.
    Text(Arc<str>),
    /// A list.
    List(Arc<Sequence>),
    /// A set: elements in set order, no two equal.
    Set(Arc<Sequence>),
    /// A tuple.
    Tuple(Arc<Sequence>),
    /// A map.
    Map(Arc<Mapping>),
    /// An object.
    Object(Arc<Mapping>),
}

/// What is known about a structure without walking it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deep {
    /// Marks of all parts.
    marks: Marks,
    /// A part is unknown.
    unknown: bool,
    /// A part is unknown and so is its type, or a part of it.
    untyped: bool,
    /// Levels of nesting.
    depth: u32,
    /// Parts in all, text by length; see [`Value::weight`].
    weight: u64,
}

/// The elements of a list, set or tuple.
#[derive(Debug)]
pub struct Sequence {
    ty: Type,
    items: Vec<Value>,
    deep: Deep,
}

/// The entries of a map or object, sorted by key (bytes).
#[derive(Debug)]
pub struct Mapping {
    ty: Type,
    entries: Vec<(Arc<str>, Value)>,
    deep: Deep,
}

impl Sequence {
    /// The elements in order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl Mapping {
    /// The entries, sorted by key.
    pub fn entries(&self) -> &[(Arc<str>, Value)] {
        &self.entries
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }
}

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
    const fn of(kind: Kind) -> Self {
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
pub(super) fn sorting(parts: usize) -> u64 {
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

/// Marks.
impl Value {
    /// The marks of the value itself, not of its parts.
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    /// The marks of the value and all its parts.
    pub fn deep_marks(&self) -> Marks {
        self.deep().marks
    }

    /// With these marks added.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = self.marks.and(marks);
        self
    }

    /// Without the marks of the value itself; its parts keep theirs.
    #[must_use]
    pub fn unmarked(&self) -> Self {
        Self { kind: self.kind.clone(), marks: Marks::NONE }
    }

    /// Without any mark at any depth. The marks are those of [`Self::deep_marks`].
    #[must_use]
    pub fn unmarked_deep(&self) -> Self {
        if self.deep_marks().is_empty() {
            return self.clone();
        }
        self.map_parts(&|value| value.unmarked_deep())
    }

    /// The value without its own marks and with each part replaced; types of parts must not change for lists, sets
    /// and maps.
    #[must_use]
    pub fn map_parts(&self, part: &dyn Fn(&Self) -> Self) -> Self {
        super::with_stack(|| {
            let items = |sequence: &Sequence| sequence.items.iter().map(part).collect::<Vec<_>>();
            let entries = |mapping: &Mapping| {
                mapping.entries.iter().map(|(key, value)| (key.clone(), part(value))).collect::<Vec<_>>()
            };
            let element = |ty: &Type| ty.element().cloned().unwrap_or(Type::Dynamic);
            match &self.kind {
                Kind::List(list) => Self::list(element(&list.ty), items(list)),
                Kind::Set(set) => Self::set(element(&set.ty), items(set)),
                Kind::Tuple(tuple) => Self::tuple(items(tuple)),
                Kind::Map(map) => Self::map(element(&map.ty), entries(map)),
                Kind::Object(object) => Self::object(entries(object)),
                _ => self.unmarked(),
            }
        })
    }
}

/// Asks about values.
impl Value {
    /// What the value is, without its marks.
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        static BOOL: Type = Type::Bool;
        static NUMBER: Type = Type::Number;
        static STRING: Type = Type::String;
        match &self.kind {
            Kind::Null(ty) | Kind::Unknown { ty, .. } => ty,
            Kind::Bool(_) => &BOOL,
            Kind::Number(_) => &NUMBER,
            Kind::Text(_) => &STRING,
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => &sequence.ty,
            Kind::Map(mapping) | Kind::Object(mapping) => &mapping.ty,
        }
    }

    /// Whether it is a null of any type.
    pub const fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null(_))
    }

    /// Whether it is the untyped null, unmarked.
    pub const fn is_untyped_null(&self) -> bool {
        matches!(self.kind, Kind::Null(Type::Dynamic)) && self.marks.is_empty()
    }

    /// Whether the value itself is known; parts may not be.
    pub const fn is_known(&self) -> bool {
        !matches!(self.kind, Kind::Unknown { .. })
    }

    /// Whether the value and all its parts are known.
    pub fn is_wholly_known(&self) -> bool {
        !self.deep().unknown
    }

    /// Whether no unknown part may still change the type of the whole. (An untyped null does not.)
    pub fn has_settled_type(&self) -> bool {
        !self.deep().untyped
    }

    /// Whether it is certainly not null.
    pub const fn is_definitely_not_null(&self) -> bool {
        match self.kind {
            Kind::Null(_) => false,
            Kind::Unknown { not_null, .. } => not_null,
            _ => true,
        }
    }

    /// An unknown value is from now on known not to be null; other values stay. An unknown of unknown type stays, too.
    #[must_use]
    pub fn refined_not_null(mut self) -> Self {
        if let Kind::Unknown { ty, not_null } = &mut self.kind
            && !ty.is_dynamic()
        {
            *not_null = true;
        }
        self
    }

    /// Levels of nesting: 0 for a scalar.
    pub fn depth(&self) -> u32 {
        self.deep().depth
    }

    /// How much there is to write out or to walk: one for each part, one more for each 32 bytes of text (of numbers, too). Shared parts count as
    /// often as they appear, so this is what a copy would cost; it saturates.
    pub fn weight(&self) -> u64 {
        self.deep().weight
    }

    fn deep(&self) -> Deep {
        let mut deep = match &self.kind {
            Kind::Unknown { ty, .. } => {
                Deep { unknown: true, untyped: ty.has_dynamic(), weight: 1, ..Deep::default() }
            }
            Kind::Text(text) => Deep { weight: 1 + text.len() as u64 / 32, ..Deep::default() },
            Kind::Number(number) => Deep { weight: 1 + number.text_length() / 32, ..Deep::default() },
            Kind::Null(_) | Kind::Bool(_) => Deep { weight: 1, ..Deep::default() },
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => sequence.deep,
            Kind::Map(mapping) | Kind::Object(mapping) => mapping.deep,
        };
        deep.marks = deep.marks.and(self.marks);
        deep
    }

    /// The bool, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub const fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text as it is held, if it is one.
    pub const fn as_shared_text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => Some(&sequence.items),
            _ => None,
        }
    }

    /// The entries of a known map or object, sorted by key.
    pub fn entries(&self) -> Option<&[(Arc<str>, Self)]> {
        match &self.kind {
            Kind::Map(mapping) | Kind::Object(mapping) => Some(&mapping.entries),
            _ => None,
        }
    }

    /// The value of a key of a known map or object, without the marks of the whole.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Map(mapping) | Kind::Object(mapping) => mapping.get(key),
            _ => None,
        }
    }

    /// How many elements or entries a known structure has.
    pub fn length(&self) -> Option<usize> {
        self.items().map(<[Self]>::len).or_else(|| self.entries().map(<[(Arc<str>, Self)]>::len))
    }

    /// Key and value of each part, as a `for` expression sees them: positions are numbers, a set's elements are their
    /// own keys. Empty for anything else than a known structure.
    pub fn elements(&self) -> impl Iterator<Item = (Self, Self)> + '_ {
        let set = matches!(self.kind, Kind::Set(_));
        let items = self.items().unwrap_or_default().iter().enumerate().map(move |(index, item)| {
            (if set { item.clone() } else { Self::number(Number::from_usize(index)) }, item.clone())
        });
        let entries = self
            .entries()
            .unwrap_or_default()
            .iter()
            .map(|(key, value)| (Self::of(Kind::Text(key.clone())), value.clone()));
        items.chain(entries)
    }
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

/// Values deeper than this are taken apart level by level when they are dropped, not by recursion.
const DROP_DEPTH: u32 = 64;

fn dismantle(mut todo: Vec<Value>) {
    while let Some(value) = todo.pop() {
        match value.kind {
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
                if let Some(mut sequence) = Arc::into_inner(sequence) {
                    todo.append(&mut sequence.items);
                }
            }
            Kind::Map(mapping) | Kind::Object(mapping) => {
                if let Some(mut mapping) = Arc::into_inner(mapping) {
                    todo.extend(std::mem::take(&mut mapping.entries).into_iter().map(|(_, value)| value));
                }
            }
            _ => {}
        }
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        if self.deep.depth > DROP_DEPTH {
            dismantle(std::mem::take(&mut self.items));
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.deep.depth > DROP_DEPTH {
            dismantle(std::mem::take(&mut self.entries).into_iter().map(|(_, value)| value).collect());
        }
    }
}
