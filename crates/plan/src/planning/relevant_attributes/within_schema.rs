//! The part of a path that a schema knows: it ends before the first step into a value without a fixed type, and before a
//! step that leads nowhere. Steps that are written in another way than the type asks for (`a["b"]` of an object, `a.0` of
//! a list) become what they mean.

use std::collections::BTreeMap;
use std::slice::Iter;
use std::sync::Arc;

use super::{attribute_step, step_name};
use overfold_base::account;
use overfold_load::plan::AttributeStep;
use overfold_model::schema::{AttributeSchema, BodySchema, Nesting, Shape};
use overfold_syntax::statics::{TraversalKey, TraversalStep};
use overfold_value::Type;

/// The steps that are left.
type Steps<'s, 'a> = Iter<'s, TraversalStep<'a>>;

/// Returns the known part of a path into an object whose body has this schema.
pub(super) fn known_part(schema: &BodySchema, steps: &[TraversalStep<'_>]) -> Vec<AttributeStep> {
    let mut known = Vec::new();
    // A step that cannot be taken ends the path.
    let _ = in_body(schema, &mut steps.iter(), &mut known);
    known
}

fn in_body(mut schema: &BodySchema, steps: &mut Steps<'_, '_>, known: &mut Vec<AttributeStep>) -> Option<()> {
    loop {
        let name = step_name(steps.next()?)?;
        account::work(4);
        if let Some(attribute) = schema.attributes.get(&*name) {
            known.push(AttributeStep::Name(name.into()));
            return in_attribute(attribute, steps, known);
        }
        let block = schema.blocks.get(&*name)?;
        known.push(AttributeStep::Name(name.into()));
        element(block.nesting, steps, known)?;
        schema = &block.body;
    }
}

fn in_attribute(
    mut attribute: &AttributeSchema,
    steps: &mut Steps<'_, '_>,
    known: &mut Vec<AttributeStep>,
) -> Option<()> {
    loop {
        account::work(4);
        let nested = match &attribute.shape {
            Shape::Type(ty) => return in_type(ty.clone(), steps, known),
            Shape::Nested(nested) => nested,
        };
        element(nested.nesting, steps, known)?;
        attribute = named(&nested.attributes, steps, known)?;
    }
}

fn named<'b>(
    attributes: &'b BTreeMap<Arc<str>, AttributeSchema>,
    steps: &mut Steps<'_, '_>,
    known: &mut Vec<AttributeStep>,
) -> Option<&'b AttributeSchema> {
    let name = step_name(steps.next()?)?;
    let attribute = attributes.get(&*name)?;
    known.push(AttributeStep::Name(name.into()));
    Some(attribute)
}

/// Takes the step to one of several objects, if there are several.
fn element(nesting: Nesting, steps: &mut Steps<'_, '_>, known: &mut Vec<AttributeStep>) -> Option<()> {
    let step = match nesting {
        Nesting::Single | Nesting::Group => return Some(()),
        Nesting::List => index(steps.next()?)?,
        Nesting::Map => AttributeStep::Name(step_name(steps.next()?)?.into()),
        Nesting::Set => return None,
    };
    known.push(step);
    Some(())
}

fn in_type(mut ty: Type, steps: &mut Steps<'_, '_>, known: &mut Vec<AttributeStep>) -> Option<()> {
    loop {
        account::work(2);
        let step = steps.next()?;
        let (step, inner) = match &ty {
            Type::List(_) => (index(step)?, ty.element()?.clone()),
            Type::Map(_) => (AttributeStep::Name(step_name(step)?.into()), ty.element()?.clone()),
            Type::Object(_) => {
                let name = step_name(step)?;
                let inner = ty.attribute(&name)?.ty.clone();
                (AttributeStep::Name(name.into()), inner)
            }
            Type::Tuple(_) => {
                let step = index(step)?;
                let AttributeStep::Index(at) = step else { return None };
                (step, ty.tuple_elements().get(usize::try_from(at).ok()?)?.clone())
            }
            _ => return None,
        };
        known.push(step);
        ty = inner;
    }
}

/// Returns a step as an index of a list.
fn index(step: &TraversalStep<'_>) -> Option<AttributeStep> {
    match &step.key {
        TraversalKey::IndexNumber(_) => attribute_step(step),
        TraversalKey::Attr(text) | TraversalKey::IndexText(text) => text.parse().ok().map(AttributeStep::Index),
        TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => None,
    }
}
