//! Values: the results of expressions.

mod construct;
mod refine;

use std::sync::Arc;

pub use construct::normalized;
pub(super) use construct::sorting;
pub use refine::{Bound, LengthRange, Limits, NumberRange};

use super::{Marks, Number, Type};

/// A value: null, unknown or known, with a type, and marks at any depth. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Value {
    kind: Kind,
    marks: Marks,
    /// Whether an unknown value is certain not to be null. It is here, and not in its kind, because most unknown values
    /// have it and a value has room for it.
    not_null: bool,
}

/// The kind and content of a value, without its marks.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The null of a type; for [`Type::Dynamic`], the untyped null that `null` evaluates to.
    Null(Type),
    /// A value known later. For [`Type::Dynamic`], even its type is unknown.
    Unknown {
        /// The type that the value will have.
        ty: Type,
        /// What else is known about the value; see [`Value::is_definitely_not_null`], too.
        limits: Option<Arc<Limits>>,
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

/// Facts about a structure that are available without walking it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StructureFacts {
    /// The marks of all parts.
    marks: Marks,
    /// Whether a part is unknown.
    unknown: bool,
    /// Whether a part is unknown and its type is dynamic or has a dynamic part.
    untyped: bool,
    /// The number of nesting levels.
    depth: u32,
    /// The number of parts, where text counts by its length; see [`Value::weight`].
    weight: u64,
}

/// The elements of a list, set or tuple.
#[derive(Debug)]
pub struct Sequence {
    ty: Type,
    items: Vec<Value>,
    deep: StructureFacts,
}

/// The entries of a map or object, sorted by key (bytes).
#[derive(Debug)]
pub struct Mapping {
    ty: Type,
    entries: Vec<(Arc<str>, Value)>,
    deep: StructureFacts,
}

impl Sequence {
    /// Returns the elements in order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

impl Mapping {
    /// Returns the entries, sorted by key.
    pub fn entries(&self) -> &[(Arc<str>, Value)] {
        &self.entries
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }
}

/// Access to marks.
impl Value {
    /// Returns the marks of the value itself, without those of its parts.
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    /// Returns the marks of the value and all its parts.
    pub fn deep_marks(&self) -> Marks {
        self.deep().marks
    }

    /// Returns the value with these marks added.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = self.marks.and(marks);
        self
    }

    /// Returns the value without its own marks; its parts keep theirs.
    #[must_use]
    pub fn unmarked(&self) -> Self {
        Self { kind: self.kind.clone(), marks: Marks::NONE, not_null: self.not_null }
    }

    /// Returns the value without any marks at any depth. The removed marks are those of [`Self::deep_marks`].
    #[must_use]
    pub fn unmarked_deep(&self) -> Self {
        if self.deep_marks().is_empty() {
            return self.clone();
        }
        self.map_parts(&|value| value.unmarked_deep())
    }

    /// Returns the value without its own marks and with each part replaced; in lists, sets and maps the replacement
    /// must not change a part's type.
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

/// Queries.
impl Value {
    /// Returns the kind and content of the value, without its marks.
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Returns the type of the value.
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

    /// Returns whether the value is a null of any type.
    pub const fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null(_))
    }

    /// Returns whether the value is the untyped null, unmarked.
    pub const fn is_untyped_null(&self) -> bool {
        matches!(self.kind, Kind::Null(Type::Dynamic)) && self.marks.is_empty()
    }

    /// Returns whether the value itself is known; its parts need not be.
    pub const fn is_known(&self) -> bool {
        !matches!(self.kind, Kind::Unknown { .. })
    }

    /// Returns whether the value and all its parts are known.
    pub fn is_wholly_known(&self) -> bool {
        !self.deep().unknown
    }

    /// Returns whether the type of the whole is final, so that no unknown part can still change it. (An untyped null
    /// does not.)
    pub fn has_settled_type(&self) -> bool {
        !self.deep().untyped
    }

    /// Returns whether the value is certainly not null.
    pub const fn is_definitely_not_null(&self) -> bool {
        match self.kind {
            Kind::Null(_) => false,
            Kind::Unknown { .. } => self.not_null,
            _ => true,
        }
    }

    /// Returns the number of nesting levels: 0 for a scalar.
    pub fn depth(&self) -> u32 {
        self.deep().depth
    }

    /// Returns how much there is to write out or to walk: one for each part, and one more for each 32 bytes of text
    /// (including the text of numbers). Shared parts are counted as often as they appear, so this is the cost of a
    /// copy; it saturates.
    pub fn weight(&self) -> u64 {
        self.deep().weight
    }

    fn deep(&self) -> StructureFacts {
        let mut deep = match &self.kind {
            Kind::Unknown { ty, .. } => {
                StructureFacts { unknown: true, untyped: ty.has_dynamic(), weight: 1, ..StructureFacts::default() }
            }
            Kind::Text(text) => StructureFacts { weight: 1 + text.len() as u64 / 32, ..StructureFacts::default() },
            Kind::Number(number) => {
                StructureFacts { weight: 1 + number.text_length() / 32, ..StructureFacts::default() }
            }
            Kind::Null(_) | Kind::Bool(_) => StructureFacts { weight: 1, ..StructureFacts::default() },
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => sequence.deep,
            Kind::Map(mapping) | Kind::Object(mapping) => mapping.deep,
        };
        deep.marks = deep.marks.and(self.marks);
        deep
    }

    /// Returns the boolean, if the value is one.
    pub const fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the number, if the value is one.
    pub const fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the shared text, if the value is a text.
    pub const fn as_shared_text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements, if the value is a known list, set or tuple.
    pub fn as_items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => Some(&sequence.items),
            _ => None,
        }
    }

    /// Returns the elements of a known list, set or tuple. No other value has any.
    pub fn items(&self) -> &[Self] {
        self.as_items().unwrap_or_default()
    }

    /// Returns the entries, sorted by key, if the value is a known map or object.
    pub fn as_entries(&self) -> Option<&[(Arc<str>, Self)]> {
        match &self.kind {
            Kind::Map(mapping) | Kind::Object(mapping) => Some(&mapping.entries),
            _ => None,
        }
    }

    /// Returns the entries of a known map or object, sorted by key. No other value has any.
    pub fn entries(&self) -> &[(Arc<str>, Self)] {
        self.as_entries().unwrap_or_default()
    }

    /// Returns the value of a key of a known map or object, without the marks of the whole.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Map(mapping) | Kind::Object(mapping) => mapping.get(key),
            _ => None,
        }
    }

    /// Returns the number of elements or entries of a known structure.
    pub fn length(&self) -> Option<usize> {
        self.as_items().map(<[Self]>::len).or_else(|| self.as_entries().map(<[(Arc<str>, Self)]>::len))
    }

    /// Returns the key and value of each part, as a `for` expression sees them: positions are numbers, and a set's
    /// elements are their own keys. Empty for anything other than a known structure.
    pub fn elements(&self) -> impl Iterator<Item = (Self, Self)> + '_ {
        let set = matches!(self.kind, Kind::Set(_));
        let items = self.items().iter().enumerate().map(move |(index, item)| {
            (if set { item.clone() } else { Self::number(Number::from_usize(index)) }, item.clone())
        });
        let entries =
            self.entries().iter().map(|(key, value)| (Self::from_kind(Kind::Text(key.clone())), value.clone()));
        items.chain(entries)
    }
}

/// The depth beyond which values are dropped level by level, without recursion.
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
