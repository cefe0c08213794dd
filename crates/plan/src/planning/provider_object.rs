//! The object that a provider plans for the arguments of a resource, as far as its schema says (plan.md, section 21).

use std::sync::Arc;

use super::assumed_object::AssumedObject;
use super::provider_defaults::{self, OpenObject};
use super::schema_marks::{as_set, in_each};
use super::walk::Walk;
use overfold_base::account;
use overfold_dialect::Behaviour;
use overfold_load::plan::ProviderDefaults;
use overfold_model::schema::{AttributeSchema, BodySchema, Nesting, Shape};
use overfold_value::{Marks, Value, with_stack};

/// An object as its schema says that a provider plans it.
pub(super) struct ProviderObject {
    /// The object in the plan.
    pub(super) object: Value,
    /// What others see of it.
    pub(super) seen: Value,
    /// What is not set although the provider may fill it in, as JSON Pointers into the object.
    pub(super) unset: Vec<Box<str>>,
}

/// Which attributes become unknown of those that are computed and not set.
#[derive(Clone, Copy)]
enum Filling {
    /// All that are there, as providers do it.
    All,
    /// Those outside of sets, and of maps if these are left: a data source whose reading is deferred is planned by the tool,
    /// which has nothing to pair the elements of such collections with.
    Deferred { leaves_maps: bool },
    /// None.
    Nothing,
}

impl Filling {
    /// Returns which become unknown inside of a collection.
    const fn inside(self, nesting: Nesting) -> Self {
        match (self, nesting) {
            (Self::Deferred { .. }, Nesting::Set) | (Self::Deferred { leaves_maps: true }, Nesting::Map) => {
                Self::Nothing
            }
            _ => self,
        }
    }
}

impl Walk<'_, '_, '_> {
    /// Plans a new object, or one that is read, with these arguments, of which something may be known beside them.
    pub(super) fn provided(
        &self,
        schema: &BodySchema,
        arguments: &Value,
        given: Option<&AssumedObject<'_>>,
    ) -> ProviderObject {
        let planned = planned(schema, arguments, Filling::All);
        let object = match given {
            Some(given) => given.filled(schema, arguments, &planned),
            None => planned,
        };
        self.opened(schema, object, given)
    }

    /// Plans the object of a data source whose reading is deferred.
    pub(super) fn deferred(&self, schema: &BodySchema, arguments: &Value) -> ProviderObject {
        let leaves_maps = self.report.dialect.has(Behaviour::DeferredReadsLeaveMaps);
        self.opened(schema, planned(schema, arguments, Filling::Deferred { leaves_maps }), None)
    }

    fn opened(&self, schema: &BodySchema, object: Value, given: Option<&AssumedObject<'_>>) -> ProviderObject {
        let OpenObject { seen, unset } = match self.options.provider_defaults {
            ProviderDefaults::None => OpenObject { seen: object.clone(), unset: Vec::new() },
            ProviderDefaults::Unknown => provider_defaults::open(schema, &object, given.map(|given| given.object)),
        };
        ProviderObject { object, seen, unset }
    }
}

/// Returns what a provider plans for a new object with these arguments: what it computes and is not set is unknown, what
/// is only written is null, and what is sensitive has its mark. What is there of blocks and nested objects is treated
/// likewise; none is added.
fn planned(schema: &BodySchema, configured: &Value, filling: Filling) -> Value {
    let Some(entries) = configured.as_entries() else { return configured.clone() };
    account::work(entries.len() as u64 * 4);
    let entries = entries.iter().map(|(name, value)| {
        let value = if let Some(attribute) = schema.attributes.get(name) {
            of_attribute(attribute, value, filling)
        } else if let Some(block) = schema.blocks.get(name) {
            let filling = filling.inside(block.nesting);
            in_each(value, block.nesting, &|object| planned(&block.body, object, filling))
        } else {
            value.clone()
        };
        (Arc::clone(name), value)
    });
    with_stack(|| Value::object(entries.collect()).with_marks(configured.marks()))
}

fn of_attribute(schema: &AttributeSchema, value: &Value, filling: Filling) -> Value {
    let own = value.marks().without(Marks::EPHEMERAL);
    let planned = if schema.write_only {
        Value::null(schema.implied_type()).with_marks(own)
    } else if value.is_null() {
        let ty = schema.implied_type();
        let is_filled = schema.computed && !matches!(filling, Filling::Nothing);
        if is_filled { Value::unknown(ty).with_marks(own) } else { value.clone() }
    } else {
        match &schema.shape {
            Shape::Nested(nested) => in_each(value, nested.nesting, &|object| {
                let Some(entries) = object.as_entries() else { return object.clone() };
                account::work(entries.len() as u64 * 4);
                let filling = filling.inside(nested.nesting);
                let entries = entries.iter().map(|(name, value)| {
                    let inner = nested.attributes.get(name);
                    let planned = inner.map(|inner| of_attribute(inner, value, filling));
                    (Arc::clone(name), planned.unwrap_or_else(|| value.clone()))
                });
                Value::object(entries.collect()).with_marks(object.marks())
            }),
            Shape::Type(overfold_value::Type::Set(_)) => as_set(value.clone()),
            Shape::Type(_) => value.clone(),
        }
    };
    if schema.sensitive { planned.with_marks(Marks::SENSITIVE) } else { planned }
}
