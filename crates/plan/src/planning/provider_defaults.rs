//! What is not set in an object although a provider may fill it in, which no schema says (plan.md, section 21).

use std::fmt::Write as _;
use std::sync::Arc;

use overfold_base::account;
use overfold_model::schema::{AttributeSchema, BodySchema, NestedBlock, NestedObject, Nesting, Shape};
use overfold_value::{Kind, Marks, Value, with_stack};

/// An object, and what of it is not set.
pub(super) struct OpenObject {
    /// The object in which that is not known here.
    pub(super) seen: Value,
    /// Where that is, as JSON Pointers into the object.
    pub(super) unset: Vec<Box<str>>,
}

/// Finds the optional arguments and blocks that are not set in a planned object, in the blocks and nested objects that are
/// there as well. Those of which the caller knows what they are have been given.
pub(super) fn open(schema: &BodySchema, object: &Value, given: Option<&Value>) -> OpenObject {
    let mut search = Search { place: String::new(), unset: Vec::new(), given };
    let seen = search.body(schema, object);
    OpenObject { seen, unset: search.unset }
}

struct Search<'g> {
    given: Option<&'g Value>,
    /// Where the search is, as a JSON Pointer.
    place: String,
    unset: Vec<Box<str>>,
}

impl Search<'_> {
    fn body(&mut self, schema: &BodySchema, object: &Value) -> Value {
        let Some(entries) = object.as_entries() else { return object.clone() };
        account::work(entries.len() as u64 * 4);
        let entries: Vec<_> = entries
            .iter()
            .map(|(name, value)| {
                let is_given = self.place.is_empty() && self.given.is_some_and(|given| given.get(name).is_some());
                let value = if is_given {
                    value.clone()
                } else if let Some(attribute) = schema.attributes.get(name) {
                    self.within(name, |search| search.attribute(attribute, value))
                } else if let Some(block) = schema.blocks.get(name) {
                    self.within(name, |search| search.blocks(block, value))
                } else {
                    value.clone()
                };
                (Arc::clone(name), value)
            })
            .collect();
        with_stack(|| Value::object(entries).with_marks(object.marks()))
    }

    fn attribute(&mut self, schema: &AttributeSchema, value: &Value) -> Value {
        if value.is_null() {
            let may_be_filled = schema.optional && !schema.computed && !schema.write_only;
            return if may_be_filled { self.unset(value) } else { value.clone() };
        }
        match &schema.shape {
            Shape::Nested(nested) => self.nested(nested, value),
            Shape::Type(_) => value.clone(),
        }
    }

    fn nested(&mut self, schema: &NestedObject, value: &Value) -> Value {
        self.each(schema.nesting, value, &mut |search, object| {
            let Some(entries) = object.as_entries() else { return object.clone() };
            account::work(entries.len() as u64 * 4);
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| {
                    let value = match schema.attributes.get(name) {
                        Some(inner) => search.within(name, |search| search.attribute(inner, value)),
                        None => value.clone(),
                    };
                    (Arc::clone(name), value)
                })
                .collect();
            Value::object(entries).with_marks(object.marks())
        })
    }

    fn blocks(&mut self, schema: &NestedBlock, value: &Value) -> Value {
        let is_unset = value.is_null() || value.length() == Some(0) && !matches!(schema.nesting, Nesting::Group);
        if is_unset {
            return self.unset(value);
        }
        self.each(schema.nesting, value, &mut |search, object| search.body(&schema.body, object))
    }

    /// Replaces each object of a nested attribute or of the blocks of a type.
    fn each(
        &mut self,
        nesting: Nesting,
        value: &Value,
        replace: &mut dyn FnMut(&mut Self, &Value) -> Value,
    ) -> Value {
        let own = value.marks();
        let element = || value.ty().element().cloned().unwrap_or(overfold_value::Type::Dynamic);
        with_stack(|| {
            let mut items = |search: &mut Self| -> Vec<Value> {
                let items = value.items().iter().enumerate();
                items.map(|(at, item)| search.at(at, |search| replace(search, item))).collect()
            };
            match value.kind() {
                Kind::List(_) => Value::list(element(), items(self)).with_marks(own),
                Kind::Set(_) => Value::set(element(), items(self)).with_marks(own),
                Kind::Tuple(_) => Value::tuple(items(self)).with_marks(own),
                Kind::Map(_) | Kind::Object(_) if matches!(value.kind(), Kind::Map(_)) || nesting == Nesting::Map => {
                    let entries = value.entries().iter();
                    let entries: Vec<_> = entries
                        .map(|(key, item)| (Arc::clone(key), self.within(key, |search| replace(search, item))))
                        .collect();
                    let whole = match value.kind() {
                        Kind::Map(_) => Value::map(element(), entries),
                        _ => Value::object(entries),
                    };
                    whole.with_marks(own)
                }
                Kind::Object(_) => replace(self, value),
                _ => value.clone(),
            }
        })
    }

    /// Notes the place, and returns what may be there.
    fn unset(&mut self, value: &Value) -> Value {
        account::touch(self.place.len());
        account::grow(self.place.len() as u64);
        account::push(&mut self.unset, self.place.as_str().into());
        Value::unknown(value.ty().clone()).with_marks(value.marks().and(Marks::INEXACT))
    }

    fn within<T>(&mut self, name: &str, inside: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.place.len();
        account::touch(name.len());
        self.place.push('/');
        for character in name.chars() {
            match character {
                '~' => self.place.push_str("~0"),
                '/' => self.place.push_str("~1"),
                other => self.place.push(other),
            }
        }
        let found = inside(self);
        self.place.truncate(length);
        found
    }

    fn at<T>(&mut self, index: usize, inside: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.place.len();
        account::work(2);
        // Writing to a string never fails.
        let _ = write!(self.place, "/{index}");
        let found = inside(self);
        self.place.truncate(length);
        found
    }
}
