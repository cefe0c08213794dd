//! The arguments and blocks of bodies (plan.md, section 16).
//!
//! With a schema, its nesting decides what blocks of a type are: one, a list, or a map by label. Without one, blocks with a
//! label are a map, and others a list. `dynamic` blocks are left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::expression::ExpressionReader;
use super::references;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
pub(crate) use overfold_check::validate::body::{Body, BodyLevel, Reader};
use overfold_dialect::words::DYNAMIC;
use overfold_load::plan::configuration::{BodyPart, Expression, Expressions};
use overfold_model::body::content::ContentBlock;
use overfold_model::config::Block;
use overfold_model::schema::{AttributeSchema, BodySchema, Nesting, Shape};
use overfold_value::{Marks, Value, convert, with_stack};

/// The bodies of one block.
struct Bodies<'r, 'b, 'f> {
    reading: ExpressionReader<'f>,
    reader: &'r Reader<'b, 'f>,
    /// Whether attributes may be written as blocks.
    as_blocks: bool,
}

impl<'f> ExpressionReader<'f> {
    /// Describes the body of a block that has this schema, if it is known.
    pub(super) fn body(&self, block: &Block<'f>, schema: Option<&BodySchema>) -> Expressions {
        let body = Body::new(self.forest, block, schema);
        let as_blocks = schema.is_some_and(BodySchema::takes_attributes_as_blocks);
        Bodies { reading: *self, reader: &Reader::new(&body), as_blocks }.at(BodyLevel::Whole, schema)
    }
}

impl<'b, 'f> Bodies<'_, 'b, 'f> {
    fn at(&self, place: BodyLevel, schema: Option<&'b BodySchema>) -> Expressions {
        let content = self.reader.read(place, schema, self.as_blocks, &mut Diagnostics::new());
        let mut parts: BTreeMap<&str, BodyPart> = BTreeMap::new();
        for attribute in content.attributes.iter().charged_at_once(1) {
            if schema.is_none() && attribute.name == DYNAMIC {
                continue;
            }
            let schema = schema.and_then(|schema| schema.attributes.get(attribute.name));
            let marks = schema.map_or(Marks::NONE, marks);
            let expression = self.reading.expression(attribute.expr, marks);
            parts.insert(attribute.name, BodyPart::Argument(expression));
        }
        let mut blocks: BTreeMap<&str, Vec<&ContentBlock<'f>>> = BTreeMap::new();
        for block in content.blocks.iter().charged_at_once(1).filter(|block| block.keyword != DYNAMIC) {
            blocks.entry(block.keyword).or_default().push(block);
        }
        for (keyword, blocks) in blocks {
            if let Some(part) = with_stack(|| self.of_type(keyword, &blocks, schema)) {
                parts.insert(keyword, part);
            }
        }
        let parts: Vec<_> = parts.into_iter().map(|(name, part)| (Box::from(name), part)).collect();
        account::grow((parts.len() * size_of::<(Box<str>, BodyPart)>()) as u64);
        parts.into()
    }

    /// Describes the blocks of a type; `None` if the schema does not have it.
    fn of_type(
        &self,
        keyword: &str,
        blocks: &[&ContentBlock<'f>],
        schema: Option<&'b BodySchema>,
    ) -> Option<BodyPart> {
        let (nesting, inner) = match schema {
            Some(schema) => match schema.blocks.get(keyword) {
                Some(nested) => (nested.nesting, Some(&nested.body)),
                None => {
                    let attribute = schema.attributes.get(keyword)?;
                    return Some(BodyPart::Argument(self.as_argument(attribute, blocks)?));
                }
            },
            None if blocks.iter().all(|block| block.labels.len() == 1) => (Nesting::Map, None),
            None => (Nesting::List, None),
        };
        let body = |block: &&ContentBlock<'f>| self.at(BodyLevel::Inner(block.body), inner);
        Some(match nesting {
            Nesting::Single | Nesting::Group => BodyPart::Block(blocks.last().map(body)?),
            Nesting::List | Nesting::Set => BodyPart::Blocks(blocks.iter().map(body).collect()),
            Nesting::Map => {
                let mut by_label: BTreeMap<&str, Expressions> = BTreeMap::new();
                for block in blocks {
                    let label = block.labels.first().map_or("", |label| label.text);
                    by_label.insert(label, body(block));
                }
                BodyPart::ByLabel(by_label.into_iter().map(|(label, body)| (label.into(), body)).collect())
            }
        })
    }

    /// Describes blocks as which an attribute is written: they are one expression. Its value is the list of them in source
    /// order, whatever the type of the attribute is; only the references of their own arguments are shown.
    fn as_argument(&self, schema: &'b AttributeSchema, blocks: &[&ContentBlock<'f>]) -> Option<Expression> {
        let element = schema.element_body()?;
        let mut found: Vec<Box<str>> = Vec::new();
        for block in blocks {
            let place = BodyLevel::Inner(block.body);
            let content = self.reader.read(place, Some(element), true, &mut Diagnostics::new());
            for attribute in &content.attributes {
                let shown = references::shown(&self.reading, attribute.expr);
                found.extend(shown.iter().cloned());
            }
        }
        let constant = self.constant_blocks(element, blocks).map(|value| value.with_marks(marks(schema)));
        Some(Expression { constant, references: found.into() })
    }

    /// Returns the list of such blocks as objects of every part of their type; `None` unless all parts are constant. What
    /// `dynamic` blocks inside of them make is not in it.
    fn constant_blocks(&self, element: &'b BodySchema, blocks: &[&ContentBlock<'f>]) -> Option<Value> {
        let objects = blocks.iter().map(|block| {
            let place = BodyLevel::Inner(block.body);
            let content = self.reader.read(place, Some(element), true, &mut Diagnostics::new());
            let mut inner: BTreeMap<&str, Vec<&ContentBlock<'f>>> = BTreeMap::new();
            for block in content.blocks.iter().charged_at_once(1).filter(|block| block.keyword != DYNAMIC) {
                inner.entry(block.keyword).or_default().push(block);
            }
            let entries = element.attributes.iter().charged_at_once(1).map(|(name, attribute)| {
                let value = match (content.attribute(name), inner.get(&**name)) {
                    (Some(written), _) => self.reading.constant(written.expr)?,
                    (None, Some(blocks)) => with_stack(|| self.constant_blocks(attribute.element_body()?, blocks))?,
                    (None, None) => Value::untyped_null(),
                };
                Some((Arc::clone(name), convert(&value, &attribute.implied_type()).ok()?))
            });
            entries.collect::<Option<Vec<_>>>().map(Value::object)
        });
        objects.collect::<Option<Vec<_>>>().map(Value::tuple)
    }
}

/// Returns the marks of what is given to an attribute. An attribute with sensitive parts is wholly sensitive here.
fn marks(schema: &AttributeSchema) -> Marks {
    let inside = match &schema.shape {
        Shape::Nested(object) => {
            with_stack(|| object.attributes.values().charged_at_once(1).map(marks).fold(Marks::NONE, Marks::and))
        }
        Shape::Type(_) => Marks::NONE,
    };
    if schema.sensitive || schema.write_only { inside.and(Marks::SENSITIVE) } else { inside }
}
