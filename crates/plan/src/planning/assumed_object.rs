//! What the caller knows of an object whose schema is known (the option `assume` of a plan).

use std::sync::Arc;

use overfold_base::account;
use overfold_model::schema::{AttributeSchema, BodySchema, NestedBlock, Nesting, Shape};
use overfold_value::{Kind, Marks, Type, Value, convert, with_stack};

/// Returns what is given of an object, in the types of its schema. Attributes and blocks that are not given are left out;
/// inside of those that are, they are not known here.
pub(super) fn typed(schema: &BodySchema, given: &Value) -> Value {
    let entries = given.entries();
    account::work(entries.len() as u64 * 4);
    let entries = entries.iter().filter_map(|(name, value)| {
        let value = match (schema.attributes.get(name), schema.blocks.get(name)) {
            (Some(attribute), _) => typed_attribute(attribute, value),
            (None, Some(block)) => typed_blocks(block, value),
            (None, None) => return None,
        };
        Some((Arc::clone(name), value))
    });
    Value::object(entries.collect())
}

fn not_given(ty: Type) -> Value {
    Value::unknown(ty).with_marks(Marks::INEXACT)
}

fn typed_attribute(schema: &AttributeSchema, value: &Value) -> Value {
    let ty = schema.implied_type();
    if value.is_null() {
        return Value::null(ty);
    }
    match &schema.shape {
        Shape::Type(_) => convert(value, &ty).unwrap_or_else(|_| not_given(ty)),
        Shape::Nested(nested) => collected(nested.nesting, &ty, value, &|object| {
            account::work(nested.attributes.len() as u64 * 2);
            let parts = nested.attributes.iter().map(|(name, inner)| {
                let part = object.get(name).map(|part| typed_attribute(inner, part));
                (Arc::clone(name), part.unwrap_or_else(|| not_given(inner.implied_type())))
            });
            Value::object(parts.collect())
        }),
    }
}

fn typed_blocks(schema: &NestedBlock, value: &Value) -> Value {
    let ty = schema.implied_type();
    if value.is_null() {
        return if schema.nesting == Nesting::Single { Value::null(ty) } else { not_given(ty) };
    }
    collected(schema.nesting, &ty, value, &|object| whole_body(&schema.body, object))
}

fn whole_body(schema: &BodySchema, object: &Value) -> Value {
    let given = typed(schema, object);
    account::work((schema.attributes.len() + schema.blocks.len()) as u64 * 2);
    let part =
        |name: &Arc<str>, ty: Type| (Arc::clone(name), given.get(name).cloned().unwrap_or_else(|| not_given(ty)));
    let attributes = schema.attributes.iter().map(|(name, attribute)| part(name, attribute.implied_type()));
    let blocks = schema.blocks.iter().map(|(name, block)| part(name, block.implied_type()));
    Value::object(attributes.chain(blocks).collect())
}

/// Returns objects in the collection that a schema has for them. `ty` is its type, `made` makes an object.
fn collected(nesting: Nesting, ty: &Type, value: &Value, made: &dyn Fn(&Value) -> Value) -> Value {
    let element = || ty.element().cloned().unwrap_or(Type::Dynamic);
    let object = |value: &Value| match value.kind() {
        Kind::Object(_) | Kind::Map(_) => made(value),
        _ => not_given(element()),
    };
    with_stack(|| match (nesting, value.as_items(), value.as_entries()) {
        (Nesting::Single | Nesting::Group, _, Some(_)) => made(value),
        (Nesting::List | Nesting::Set, Some(items), _) => {
            account::work(items.len() as u64);
            let items = items.iter().map(object).collect();
            match ty {
                Type::List(_) => Value::list(element(), items),
                Type::Set(_) => Value::set(element(), items),
                _ => Value::tuple(items),
            }
        }
        (Nesting::Map, _, Some(entries)) => {
            account::work(entries.len() as u64);
            let entries = entries.iter().map(|(key, value)| (Arc::clone(key), object(value))).collect();
            if let Type::Map(_) = ty { Value::map(element(), entries) } else { Value::object(entries) }
        }
        _ => not_given(ty.clone()),
    })
}

/// What the caller knows of an object, in the types of its schema.
pub(super) struct AssumedObject<'g> {
    pub(super) object: &'g Value,
    /// Whether the provider has been asked, so that what the configuration does not know is known, too.
    pub(super) is_read: bool,
}

impl AssumedObject<'_> {
    /// Returns a planned object with what is given in place of what the configuration does not set.
    pub(super) fn filled(&self, schema: &BodySchema, configured: &Value, planned: &Value) -> Value {
        self.body(schema, [configured, planned, self.object])
    }

    fn body(&self, schema: &BodySchema, [configured, planned, given]: [&Value; 3]) -> Value {
        let (Some(entries), Some(_)) = (planned.as_entries(), given.as_entries()) else { return planned.clone() };
        account::work(entries.len() as u64 * 4);
        let entries = entries.iter().map(|(name, planned)| {
            let (Some(configured), Some(given)) = (configured.get(name), given.get(name)) else {
                return (Arc::clone(name), planned.clone());
            };
            let parts = [configured, planned, given];
            let value = match (schema.attributes.get(name), schema.blocks.get(name)) {
                (Some(attribute), _) => self.attribute(attribute, parts),
                (None, Some(block)) => self.blocks(block, parts),
                (None, None) => planned.clone(),
            };
            (Arc::clone(name), value)
        });
        with_stack(|| Value::object(entries.collect()).with_marks(planned.marks()))
    }

    fn attribute(&self, schema: &AttributeSchema, [configured, planned, given]: [&Value; 3]) -> Value {
        if schema.write_only {
            return planned.clone();
        }
        if configured.is_null() || self.is_read && !configured.is_known() {
            return given.clone().with_marks(planned.marks());
        }
        let Shape::Nested(nested) = &schema.shape else {
            let is_partly_read = self.is_read && !configured.is_wholly_known();
            return if is_partly_read { given.clone().with_marks(planned.deep_marks()) } else { planned.clone() };
        };
        parts_of(nested.nesting, [configured, planned, given], &|[configured, planned, given]| {
            let (Some(entries), Some(_)) = (planned.as_entries(), given.as_entries()) else { return planned.clone() };
            account::work(entries.len() as u64 * 4);
            let entries = entries.iter().map(|(name, planned)| {
                let parts = (nested.attributes.get(name), configured.get(name), given.get(name));
                let value = match parts {
                    (Some(inner), Some(configured), Some(given)) => {
                        self.attribute(inner, [configured, planned, given])
                    }
                    _ => planned.clone(),
                };
                (Arc::clone(name), value)
            });
            Value::object(entries.collect()).with_marks(planned.marks())
        })
    }

    fn blocks(&self, schema: &NestedBlock, [configured, planned, given]: [&Value; 3]) -> Value {
        let is_unset = planned.is_null() || schema.nesting != Nesting::Group && planned.length() == Some(0);
        if is_unset || self.is_read && !planned.is_known() {
            return given.clone().with_marks(planned.marks());
        }
        let parts = [configured, planned, given];
        parts_of(schema.nesting, parts, &|parts| self.body(&schema.body, parts))
    }
}

/// Fills each object of a collection with the one that is given in its place.
fn parts_of(
    nesting: Nesting,
    [configured, planned, given]: [&Value; 3],
    fill: &dyn Fn([&Value; 3]) -> Value,
) -> Value {
    let own = planned.marks();
    let element = || planned.ty().element().cloned().unwrap_or(Type::Dynamic);
    with_stack(|| match (planned.kind(), given.kind()) {
        // Which one is which is not known. Elements may be equal once what is computed is known.
        (Kind::Set(planned_set), Kind::Set(given_set)) => {
            let is_open = !planned.is_wholly_known() && given_set.items().len() <= planned_set.items().len();
            if is_open { given.clone().with_marks(own) } else { planned.clone() }
        }
        (Kind::List(list) | Kind::Tuple(list), Kind::List(others) | Kind::Tuple(others))
            if list.items().len() == others.items().len() =>
        {
            let configured = configured.items();
            account::work(configured.len() as u64);
            let filled = configured.iter().zip(list.items()).zip(others.items());
            let filled = filled.map(|((configured, planned), given)| fill([configured, planned, given])).collect();
            let whole = match planned.kind() {
                Kind::List(_) => Value::list(element(), filled),
                _ => Value::tuple(filled),
            };
            whole.with_marks(own)
        }
        (Kind::Map(_), Kind::Map(_)) => by_key(&element(), [configured, planned, given], fill),
        (Kind::Object(_), Kind::Object(_)) if nesting != Nesting::Map => fill([configured, planned, given]),
        (Kind::Object(_), Kind::Object(_)) => by_key(&Type::Dynamic, [configured, planned, given], fill),
        _ => planned.clone(),
    })
}

fn by_key(element: &Type, [configured, planned, given]: [&Value; 3], fill: &dyn Fn([&Value; 3]) -> Value) -> Value {
    let entries = planned.entries();
    account::work(entries.len() as u64 * 4);
    let entries = entries.iter().map(|(key, planned)| {
        let value = match (configured.get(key), given.get(key)) {
            (Some(configured), Some(given)) => fill([configured, planned, given]),
            _ => planned.clone(),
        };
        (Arc::clone(key), value)
    });
    let entries = entries.collect();
    let whole = match planned.kind() {
        Kind::Map(_) => Value::map(element.clone(), entries),
        _ => Value::object(entries),
    };
    whole.with_marks(planned.marks())
}
