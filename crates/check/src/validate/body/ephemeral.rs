//! Ephemeral values in bodies that are stored (validate.md, section 7).

use foldhash::HashMap;

use super::codes;
use super::marked::{marked, parts};
use super::read::{BodyLevel, Reader};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_model::body::content::ContentAttribute;
use overfold_model::schema::{AttributeSchema, BodySchema, Nesting, Shape};
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Kind, Value, with_stack};

/// Reports each ephemeral part of a body's value that is not in a write-only attribute: at the value of the argument that
/// it belongs to, or at the body if that is a nested block. With `parts_at_body`, only what the argument as a whole or its
/// elements are is reported there, and other parts at the body.
pub(super) fn check<'b>(
    reader: &Reader<'b, '_>,
    schema: &'b BodySchema,
    value: &Value,
    parts_at_body: bool,
    out: &mut Diagnostics,
) {
    if !value.deep_marks().is_ephemeral() {
        return;
    }
    // In JSON syntax a block is a property as well, and so it is found as an argument.
    let content = reader.read(BodyLevel::Whole, None, false, &mut Diagnostics::new());
    // Of several, the first one counts.
    let arguments: HashMap<&str, &ContentAttribute<'_>> =
        content.attributes.iter().charged_at_once(1).rev().map(|attribute| (attribute.name, attribute)).collect();
    for (name, part) in value.entries().charged(2) {
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
        let argument = arguments.get(&**name).filter(|_| parts_at_body && schema.attributes.contains_key(name));
        let places = argument.map(|argument| direct_places(reader.forest, argument.expr, part));
        for number in 0..count {
            let at = places
                .as_ref()
                .map_or(at, |places| places.get(number).copied().unwrap_or_else(|| reader.missing_item()));
            let detail = format!(
                "The value of {what} is ephemeral, but it would be stored. Only write-only arguments accept ephemeral values."
            );
            out.push(Diagnostic::tool(&codes::EPHEMERAL_VALUE, at, detail));
        }
    }
}

/// Returns the places of the ephemeral value of an argument itself, and of its ephemeral elements as far as they are written
/// out: not of the attributes of an object.
fn direct_places(forest: &Forest, expr: ExprAt, value: &Value) -> Vec<Span> {
    let whole = forest.expr_span(expr);
    let mut places = Vec::new();
    if value.marks().is_ephemeral() {
        places.push(whole);
    }
    if let Some(items) = value.as_items() {
        let written = statics::written_list(forest, expr).unwrap_or_default();
        account::work((items.len() + written.len()) as u64);
        let ephemeral = items.iter().enumerate().filter(|(_, item)| item.marks().is_ephemeral());
        places.extend(ephemeral.map(|(at, _)| written.get(at).map_or(whole, |&item| forest.expr_span(item))));
    } else if let Kind::Map(mapping) = value.kind() {
        places.extend(
            mapping
                .entries()
                .iter()
                .charged_at_once(1)
                .filter(|(_, part)| part.marks().is_ephemeral())
                .map(|_| whole),
        );
    }
    places
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
                let parts = value.entries();
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
    let entries = value.entries();
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
