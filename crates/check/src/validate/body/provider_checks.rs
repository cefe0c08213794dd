//! What most providers refuse when they validate a body: a value for an attribute that only they set, and null for a
//! required one (plan.md, section 21). The tool itself does not know these rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::read::{BodyLevel, Reader};
use super::{Body, codes};
use foldhash::HashMap;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_model::body::content::{Content, ContentBlock};
use overfold_model::schema::{AttributeSchema, BodySchema, NestedBlock, Nesting, Shape};
use overfold_value::{Value, with_stack};

/// Reports what most providers refuse in the value of a body. To be called if [`super::check`] found the body sound.
pub fn check_with_provider(body: &Body<'_, '_>, value: &Value, out: &mut Diagnostics) {
    let Some(schema) = body.schema else { return };
    if !is_refused(schema, value) {
        return;
    }
    let reader = Reader::new(body);
    let as_blocks = schema.takes_attributes_as_blocks();
    let content = reader.read(BodyLevel::Whole, Some(schema), as_blocks, &mut Diagnostics::new());
    ProviderCheck { reader: &reader, as_blocks, out }.body(&Place::In(&content), schema, value);
}

/// Whether a finding is one that providers report, so that the tool does as well.
pub fn is_of_provider(finding: &Diagnostic) -> bool {
    finding.code == &codes::PROVIDER_UNCONFIGURABLE || finding.code == &codes::PROVIDER_REQUIRED
}

/// What is wrong with a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Required,
    Unconfigurable,
}

impl Refusal {
    fn about(schema: &AttributeSchema, value: &Value) -> Option<Self> {
        match value.is_null() {
            true if schema.required => Some(Self::Required),
            false if schema.computed && !schema.optional => Some(Self::Unconfigurable),
            _ => None,
        }
    }
}

/// Whether there is anything to report.
fn is_refused(schema: &BodySchema, value: &Value) -> bool {
    account::work((schema.attributes.len() + schema.blocks.len()) as u64 * 2);
    are_refused(&schema.attributes, value)
        || schema.blocks.iter().any(|(keyword, block)| {
            let value = value.get(keyword);
            value.is_some_and(|value| {
                objects(block.nesting, value).any(|object| with_stack(|| is_refused(&block.body, object)))
            })
        })
}

fn are_refused(schemas: &BTreeMap<Arc<str>, AttributeSchema>, object: &Value) -> bool {
    account::work(schemas.len() as u64 * 2);
    schemas.iter().any(|(name, schema)| {
        let Some(value) = object.get(name) else { return false };
        Refusal::about(schema, value).is_some()
            || nested(schema, value).any(|(schemas, object)| with_stack(|| are_refused(schemas, object)))
    })
}

/// Returns the objects in the value of an attribute that has nested ones, each with the schemas of its attributes.
fn nested<'s>(
    schema: &'s AttributeSchema,
    value: &'s Value,
) -> impl Iterator<Item = (&'s BTreeMap<Arc<str>, AttributeSchema>, &'s Value)> {
    let shape = match &schema.shape {
        Shape::Nested(nested) => Some(nested),
        Shape::Type(_) => None,
    };
    shape.into_iter().flat_map(|nested| objects(nested.nesting, value).map(|object| (&nested.attributes, object)))
}

/// Returns the known objects in a collection that a schema has for them.
fn objects(nesting: Nesting, value: &Value) -> impl Iterator<Item = &Value> {
    let is_single = matches!(nesting, Nesting::Single | Nesting::Group);
    let single = is_single.then_some(value);
    let (items, entries) = if is_single { (&[][..], &[][..]) } else { (value.items(), value.entries()) };
    account::work((items.len() + entries.len()) as u64);
    single.into_iter().chain(items).chain(entries.iter().map(|(_, value)| value))
}

/// Where something is reported.
enum Place<'c, 'f> {
    /// At the argument of its name in a body, or else at the body.
    In(&'c Content<'f>),
    At(Span),
}

struct ProviderCheck<'r, 'b, 'f, 'o> {
    reader: &'r Reader<'b, 'f>,
    as_blocks: bool,
    out: &'o mut Diagnostics,
}

impl<'b, 'f> ProviderCheck<'_, 'b, 'f, '_> {
    fn body(&mut self, place: &Place<'_, 'f>, schema: &'b BodySchema, value: &Value) {
        self.attributes(place, &schema.attributes, value);
        account::work(schema.blocks.len() as u64);
        for (keyword, block) in &schema.blocks {
            if let Some(value) = value.get(keyword) {
                self.blocks(place, keyword, block, value);
            }
        }
    }

    fn attributes(&mut self, place: &Place<'_, 'f>, schemas: &BTreeMap<Arc<str>, AttributeSchema>, object: &Value) {
        account::work(schemas.len() as u64 * 2);
        for (name, schema) in schemas {
            let Some(value) = object.get(name) else { continue };
            match Refusal::about(schema, value) {
                Some(complaint) => self.report(place, name, complaint),
                None => nested(schema, value)
                    .for_each(|(schemas, object)| with_stack(|| self.attributes(place, schemas, object))),
            }
        }
    }

    /// Checks the blocks of a type. Those that are generated have no body of their own.
    fn blocks(&mut self, place: &Place<'_, 'f>, keyword: &str, schema: &'b NestedBlock, value: &Value) {
        let (content, of_set) = match place {
            Place::At(_) => (None, None),
            Place::In(content) => {
                (Some(*content), (schema.nesting == Nesting::Set).then(|| self.span(content, keyword)))
            }
        };
        let written: Vec<&ContentBlock<'f>> =
            content.filter(|_| of_set.is_none()).into_iter().flat_map(|content| content.blocks_of(keyword)).collect();
        let entries = value.entries();
        let by_label: HashMap<&str, &&ContentBlock<'f>> = match schema.nesting {
            Nesting::Map => {
                let labelled = written.iter().charged(2);
                labelled.filter_map(|block| Some((block.labels.first()?.text, block))).collect()
            }
            _ => HashMap::default(),
        };
        for (at, object) in objects(schema.nesting, value).enumerate() {
            let block = match schema.nesting {
                Nesting::Single | Nesting::Group => written.first().filter(|_| written.len() == 1),
                Nesting::List | Nesting::Set => written.get(at),
                Nesting::Map => entries.get(at).and_then(|(key, _)| by_label.get(&**key).copied()),
            };
            with_stack(|| match (block, of_set) {
                (Some(block), _) => {
                    let level = BodyLevel::Inner(block.body);
                    let silence = &mut Diagnostics::new();
                    let content = self.reader.read(level, Some(&schema.body), self.as_blocks, silence);
                    self.body(&Place::In(&content), &schema.body, object);
                }
                (None, Some(at)) => self.body(&Place::At(at), &schema.body, object),
                (None, None) => self.body(place, &schema.body, object),
            });
        }
    }

    /// Returns where an argument is written in a body, or else the start of the body.
    fn span(&self, content: &Content<'f>, name: &str) -> Span {
        content.attribute(name).map_or(content.missing_item, |found| self.reader.forest.expr_span(found.expr))
    }

    fn report(&mut self, place: &Place<'_, 'f>, name: &str, complaint: Refusal) {
        let at = match place {
            Place::In(content) => self.span(content, name),
            Place::At(span) => *span,
        };
        account::work(8);
        self.out.push(match complaint {
            Refusal::Required => {
                let detail = format!("The argument {name:?} is required, but its value is null.");
                Diagnostic::ours(&codes::PROVIDER_REQUIRED, at, detail)
            }
            Refusal::Unconfigurable => {
                let detail = format!("The attribute {name:?} is set by the provider alone. Remove the argument.");
                Diagnostic::ours(&codes::PROVIDER_UNCONFIGURABLE, at, detail)
            }
        });
    }
}
