//! Ephemeral values in bodies that are stored (validate.md, section 7).

use foldhash::HashMap;

use super::codes;
use super::read::{Place, Reader};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_model::body::content::ContentAttribute;
use overfold_model::schema::{AttributeSchema, BodySchema, Nesting, Shape};
use overfold_value::{Kind, Value, with_stack};

/// Reports each ephemeral part of a body's value that is not in a write-only attribute: at the value of the argument that
/// it belongs to, or at the body if that is a nested block.
pub(super) fn check<'b>(reader: &Reader<'b, '_>, schema: &'b BodySchema, value: &Value, out: &mut Diagnostics) {
    if !value.deep_marks().is_ephemeral() {
        return;
    }
    // In JSON syntax a block is a property as well, and so it is found as an argument.
    let content = reader.read(Place::Whole, None, false, &mut Diagnostics::new());
    account::work(content.attributes.len() as u64);
    // Of several, the first one counts.
    let arguments: HashMap<&str, &ContentAttribute<'_>> =
        content.attributes.iter().rev().map(|attribute| (attribute.name, attribute)).collect();
    for (name, part) in value.entries().unwrap_or_default() {
        account::work(2);
        if !part.deep_marks().is_ephemeral() {
            continue;
        }
        let (count, what) = match (schema.attributes.get(name), schema.blocks.get(name)) {
            (Some(attribute), _) => (in_attribute(attribute, part), format!("the argument {name:?}")),
            (None, Some(block)) => (in_blocks(&block.body, block.nesting, part), format!("a {name:?} block")),
            (None, None) => continue,
        };
        let written = arguments.get(&**name).map(|attribute| reader.forest.expr_span(attribute.expr));
        let at = written.unwrap_or_else(|| reader.missing_item());
        for _ in 0..count {
            let detail = format!(
                "The value of {what} is ephemeral, but it would be stored. Only write-only arguments accept ephemeral values."
            );
            out.push(Diagnostic::tool(&codes::EPHEMERAL_VALUE, at, detail));
        }
    }
}

/// Returns the number of ephemeral parts of an attribute's value that are not in a write-only attribute.
fn in_attribute(schema: &AttributeSchema, value: &Value) -> usize {
    account::work(1);
    if schema.write_only || !value.deep_marks().is_ephemeral() {
        return 0;
    }
    let own = usize::from(value.marks().is_ephemeral());
    let inside = with_stack(|| match &schema.shape {
        Shape::Type(_) => parts(value).map(marked).sum::<usize>(),
        Shape::Nested(object) => {
            let in_object = |value: &Value| -> usize {
                let parts = value.entries().unwrap_or_default();
                account::work(parts.len() as u64);
                parts
                    .iter()
                    .map(|(name, part)| {
                        object.attributes.get(name).map_or_else(|| marked(part), |schema| in_attribute(schema, part))
                    })
                    .sum()
            };
            match object.nesting {
                Nesting::Single | Nesting::Group => in_object(value),
                Nesting::List | Nesting::Set | Nesting::Map => {
                    parts(value).map(|part| usize::from(part.marks().is_ephemeral()) + in_object(part)).sum()
                }
            }
        }
    });
    own + inside
}

/// Returns the number of ephemeral parts of the value of all blocks of a type.
fn in_blocks(schema: &BodySchema, nesting: Nesting, value: &Value) -> usize {
    let own = usize::from(value.marks().is_ephemeral());
    match nesting {
        Nesting::Single | Nesting::Group => own + in_body(schema, value),
        Nesting::List | Nesting::Set | Nesting::Map => {
            let inside = |part: &Value| usize::from(part.marks().is_ephemeral()) + in_body(schema, part);
            own + parts(value).map(inside).sum::<usize>()
        }
    }
}

fn in_body(schema: &BodySchema, value: &Value) -> usize {
    if !value.deep_marks().is_ephemeral() {
        return 0;
    }
    let entries = value.entries().unwrap_or_default();
    account::work(entries.len() as u64);
    with_stack(|| {
        entries
            .iter()
            .map(|(name, part)| match (schema.attributes.get(name), schema.blocks.get(name)) {
                (Some(attribute), _) => in_attribute(attribute, part),
                (None, Some(block)) => in_blocks(&block.body, block.nesting, part),
                (None, None) => 0,
            })
            .sum()
    })
}

/// Returns the number of parts of a value that are marked as ephemeral themselves.
fn marked(value: &Value) -> usize {
    account::work(1);
    if !value.deep_marks().is_ephemeral() {
        return 0;
    }
    let own = usize::from(value.marks().is_ephemeral());
    own + with_stack(|| parts(value).map(marked).sum::<usize>())
}

/// Returns the parts of a structure.
fn parts(value: &Value) -> impl Iterator<Item = &Value> {
    let entries = match value.kind() {
        Kind::Map(_) | Kind::Object(_) => value.entries().unwrap_or_default(),
        _ => &[],
    };
    value.items().unwrap_or_default().iter().chain(entries.iter().map(|(_, part)| part))
}
