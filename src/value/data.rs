//! Values: what expressions give.

mod construct;

use std::sync::Arc;

pub use construct::normalized;
pub(super) use construct::sorting;

use super::{Marks, Number, Type};

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
