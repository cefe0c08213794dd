//! What the schema of a provider says about secrets, and about what is deprecated (plan-schema.md): the values of sensitive attributes are sensitive
//! wherever they go, and those of write-only attributes are given to the provider, but not kept.

use std::sync::Arc;

use super::resource::DeclaredResource;
use super::walk::Walk;
use overfold_base::account::ChargedIterator;
pub(crate) use overfold_check::validate::deprecated::{SchemaMarks, plain};
use overfold_model::schema::{AttributeSchema, BodySchema, NestedObject, Nesting, Shape};
use overfold_value::{Kind, Marks, Type, Value, with_stack};

/// Returns the object of a body with the marks that its schema asks for, and with nulls for write-only attributes.
pub(super) fn marked(schema: &BodySchema, object: &Value) -> Value {
    let Some(entries) = object.as_entries() else { return object.clone() };
    let entries = entries.iter().charged_at_once(4).map(|(name, value)| {
        let value = if let Some(attribute) = schema.attributes.get(name) {
            of_attribute(attribute, value)
        } else if let Some(block) = schema.blocks.get(name) {
            in_each(value, block.nesting, &|object| marked(&block.body, object))
        } else {
            value.clone()
        };
        (Arc::clone(name), value)
    });
    with_stack(|| Value::object(entries.collect()).with_marks(object.marks()))
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns what others see of a resource, with the marks of what its schema says is deprecated.
    pub(super) fn with_deprecations(&self, declared: &DeclaredResource<'a>, value: Value) -> Value {
        if !self.warns_of_deprecated || declared.is_builtin {
            return value;
        }
        let marks = SchemaMarks::for_dialect(self.report.dialect);
        match declared.schema.as_ref().filter(|schema| marks.apply_to(schema)) {
            Some(schema) => deprecated(marks, schema, &value),
            None => value,
        }
    }
}

/// Returns what others see of an object with the marks of what its schema says is deprecated. Attributes that are not known
/// to have a value are added, so that they are marked, too.
fn deprecated(marks: SchemaMarks, schema: &BodySchema, object: &Value) -> Value {
    let whole = object.marks().and(marks.of_whole(schema));
    let Some(own) = object.as_entries() else { return object.clone().with_marks(whole) };
    let unknown = |name: &Arc<str>| {
        let mark = marks.of_unknown(schema, name);
        let is_missing = !mark.is_empty() && object.get(name).is_none();
        is_missing.then(|| (Arc::clone(name), Value::dynamic().with_marks(mark.and(Marks::INEXACT))))
    };
    let attributes = schema.attributes.keys().charged_at_once(4);
    let missing = attributes.chain(schema.blocks.keys().charged_at_once(4)).filter_map(unknown);
    let known = own
        .iter()
        .charged_at_once(4)
        .map(|(name, value)| (Arc::clone(name), deprecated_part(marks, schema, name, value)));
    let entries = known.chain(missing).collect();
    with_stack(|| Value::object(entries).with_marks(whole))
}

/// Returns an attribute, or all blocks of one type, with these marks.
fn deprecated_part(marks: SchemaMarks, schema: &BodySchema, name: &str, value: &Value) -> Value {
    let value = if let Some(attribute) = schema.attributes.get(name) {
        deprecated_attribute(attribute, value)
    } else if let Some(block) = schema.blocks.get(name) {
        in_each(value, block.nesting, &|object| {
            let entries = object.entries();
            let entries = entries
                .iter()
                .charged_at_once(4)
                .map(|(name, value)| (Arc::clone(name), deprecated_part(marks, &block.body, name, value)));
            // Only one tool marks each block, the other all of a type.
            let each = if marks == SchemaMarks::Attributes { marks.of_whole(&block.body) } else { Marks::NONE };
            match object.as_entries() {
                Some(_) => Value::object(entries.collect()).with_marks(object.marks().and(each)),
                None => object.clone(),
            }
        })
    } else {
        value.clone()
    };
    value.with_marks(marks.of_unknown(schema, name))
}

fn deprecated_attribute(attribute: &AttributeSchema, value: &Value) -> Value {
    let value = match &attribute.shape {
        Shape::Nested(nested) => in_attributes(value, nested, deprecated_attribute),
        Shape::Type(_) => value.clone(),
    };
    if attribute.deprecated { value.with_marks(Marks::DEPRECATED) } else { value }
}

/// Marks each attribute of each object of a nested attribute.
fn in_attributes(value: &Value, nested: &NestedObject, mark: fn(&AttributeSchema, &Value) -> Value) -> Value {
    in_each(value, nested.nesting, &|object| {
        let Some(entries) = object.as_entries() else { return object.clone() };
        let entries = entries.iter().charged_at_once(4).map(|(name, value)| {
            let inner = nested.attributes.get(name);
            (Arc::clone(name), inner.map_or_else(|| value.clone(), |inner| mark(inner, value)))
        });
        Value::object(entries.collect()).with_marks(object.marks())
    })
}

fn of_attribute(attribute: &AttributeSchema, value: &Value) -> Value {
    if attribute.write_only {
        return Value::null(Type::Dynamic).with_marks(value.marks());
    }
    if attribute.sensitive {
        return value.clone().with_marks(Marks::SENSITIVE);
    }
    match &attribute.shape {
        Shape::Nested(nested) => in_attributes(value, nested, of_attribute),
        Shape::Type(Type::Set(_)) => as_set(value.clone()),
        Shape::Type(_) => value.clone(),
    }
}

/// Moves the marks of the elements of a set to the whole set: elements have none of their own.
pub(super) fn as_set(value: Value) -> Value {
    let value = if value.deep_marks().is_deprecated() { plain(&value).with_marks(Marks::DEPRECATED) } else { value };
    if value.deep_marks().is_sensitive() { value.with_marks(Marks::SENSITIVE) } else { value }
}

/// Applies `mark` to each object of a nested attribute or block.
pub(super) fn in_each(value: &Value, nesting: Nesting, mark: &dyn Fn(&Value) -> Value) -> Value {
    with_stack(|| match value.kind() {
        Kind::Tuple(_) | Kind::List(_) | Kind::Set(_) => {
            let whole = value.map_parts(mark).with_marks(value.marks());
            if nesting == Nesting::Set { as_set(whole) } else { whole }
        }
        Kind::Map(_) => value.map_parts(mark).with_marks(value.marks()),
        Kind::Object(_) if nesting == Nesting::Map => value.map_parts(mark).with_marks(value.marks()),
        Kind::Object(_) => mark(value),
        _ => value.clone(),
    })
}
