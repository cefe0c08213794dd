//! Values of bodies by their schema (plan-schema.md, sections 2 and 10).

use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::codes;
use super::expand::{Expander, Occurrence, Scope, Sources};
use super::marked::Arguments;
use super::read::BodyLevel;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Span};
use overfold_model::body::content::ContentAttribute;
use overfold_model::schema::{AttributeSchema, BodySchema, NestedBlock, Nesting};
use overfold_value::{ConvertError, Marks, Type, Value, convert, with_stack};

impl<'b, 'f> Expander<'_, 'b, 'f> {
    pub(super) fn whole_body(&mut self, schema: &'b BodySchema, out: &mut Diagnostics) -> Value {
        let as_blocks = schema.takes_attributes_as_blocks();
        self.body(BodyLevel::Whole, schema, as_blocks, &Scope::outside(), out)
    }

    /// Returns the value of a body: an object of all attributes and block types of the schema.
    fn body(
        &mut self,
        place: BodyLevel,
        schema: &'b BodySchema,
        as_blocks: bool,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Value {
        with_stack(|| {
            let mut content = self.read(place, Some(schema), as_blocks, out);
            let sources = self.sources(&mut content, Some(schema), as_blocks, scope, out);
            let written: HashMap<&str, &ContentAttribute<'f>> =
                content.attributes.iter().map(|attribute| (attribute.name, attribute)).collect();
            let parts = schema.attributes.len() + schema.blocks.len();
            account::work(parts as u64 * 2 + content.attributes.len() as u64);
            let mut entries = Vec::with_capacity(parts);
            for (name, attribute) in &schema.attributes {
                let value = match (written.get(&**name), attribute.element_body()) {
                    (Some(written), _) => self.attribute(attribute, written, scope, out),
                    (None, Some(element)) if as_blocks => {
                        self.attribute_of_blocks(name, attribute, element, &sources, scope, out)
                    }
                    (None, _) => Value::null(attribute.implied_type()),
                };
                if let Some(marked) = &mut self.marked {
                    let arguments = Arguments { written: &written, missing_item: content.missing_item };
                    marked.attribute((name, attribute), &value, &arguments);
                }
                entries.push((Arc::clone(name), value));
            }
            for (keyword, block) in &schema.blocks {
                let reached = self.marked.as_mut().map(|marked| marked.lead(block.nesting != Nesting::Set));
                let mut blocks =
                    OfType { expander: self, keyword, block, as_blocks, missing_item: content.missing_item };
                let value = match block.nesting {
                    Nesting::Single | Nesting::Group => blocks.single(&sources, scope, out),
                    Nesting::List | Nesting::Set => blocks.several(&sources, scope, out),
                    Nesting::Map => blocks.by_label(&sources, scope, out),
                };
                if let Some((marked, reached)) = self.marked.as_mut().zip(reached) {
                    marked.lead_back(reached);
                    if block.nesting == Nesting::Set {
                        marked.set(keyword, &value, (place, content.missing_item));
                    }
                }
                entries.push((Arc::clone(keyword), value));
            }
            Value::object(entries)
        })
    }

    /// Returns the value of an attribute that is written.
    fn attribute(
        &mut self,
        schema: &AttributeSchema,
        written: &ContentAttribute<'f>,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Value {
        let value = if scope.is_unknown {
            Value::dynamic()
        } else {
            self.evaluate.evaluate(written.expr, scope.iterators.as_ref(), out)
        };
        let ty = schema.constraint();
        let value = convert(&value, &ty).unwrap_or_else(|error| {
            let sensitive = if schema.sensitive { Secrecy::Sensitive } else { Secrecy::Open };
            let secrecy = value.deep_marks().secrecy().max(sensitive);
            out.push(self.misfit(written, &error, secrecy));
            Value::unknown(ty.without_optional())
        });
        value.with_marks(scope.marks)
    }

    fn misfit(&self, written: &ContentAttribute<'f>, error: &ConvertError, secrecy: Secrecy) -> Diagnostic {
        let place = error.path_text();
        let place = if place.is_empty() { String::new() } else { format!(" (at {place})") };
        let misfit = format!("The value does not have the type of the argument {:?}", written.name);
        let at = self.reader.forest.expr_span(written.expr);
        Diagnostic::tool(&codes::VALUE_TYPE, at, format!("{misfit}{place}: {}.", error.reason))
            .quoting(Quotes::Values(secrecy))
            .with_redacted_detail(format!("{misfit}. The value is sensitive, so the reason is not shown."))
    }

    /// Returns the value of an attribute that is written as blocks, or not at all (plan-schema.md, section 2 (rule 8)).
    fn attribute_of_blocks(
        &mut self,
        name: &str,
        schema: &AttributeSchema,
        element: &'b BodySchema,
        sources: &Sources<'f>,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Value {
        let as_blocks = element.takes_attributes_as_blocks();
        let mut values = Vec::new();
        let reached = self.marked.as_mut().map(|marked| marked.lead(false));
        self.occurrences(sources, name, scope, &mut |this, occurrence| {
            let place = BodyLevel::Inner(occurrence.block.body);
            account::push(&mut values, this.body(place, element, as_blocks, &occurrence.scope, out));
            ControlFlow::Continue(())
        });
        if let Some((marked, reached)) = self.marked.as_mut().zip(reached) {
            marked.lead_back(reached);
        }
        let ty = schema.implied_type();
        if values.is_empty() {
            return Value::null(ty);
        }
        let list = Value::list(element.implied_type(), values);
        convert(&list, &ty).unwrap_or_else(|_| Value::unknown(ty))
    }
}

/// The blocks of one type in a body.
struct OfType<'x, 'r, 'b, 'f> {
    expander: &'x mut Expander<'r, 'b, 'f>,
    keyword: &'b str,
    block: &'b NestedBlock,
    as_blocks: bool,
    /// Where a missing block is reported.
    missing_item: Span,
}

impl<'b, 'f> OfType<'_, '_, 'b, 'f> {
    fn value(
        expander: &mut Expander<'_, 'b, 'f>,
        block: &'b NestedBlock,
        as_blocks: bool,
        occurrence: &Occurrence<'_, 'f>,
        out: &mut Diagnostics,
    ) -> Value {
        expander.body(BodyLevel::Inner(occurrence.block.body), &block.body, as_blocks, &occurrence.scope, out)
    }

    /// Returns the value of the only block.
    fn single(&mut self, sources: &Sources<'f>, scope: &Scope, out: &mut Diagnostics) -> Value {
        let (keyword, block, as_blocks) = (self.keyword, self.block, self.as_blocks);
        let mut found: Option<(Value, Span)> = None;
        self.expander.occurrences(sources, keyword, scope, &mut |expander, occurrence| {
            if let Some((_, first)) = &found {
                let detail = format!(
                    "Only one {keyword:?} block is allowed here. Remove this one, or move its content into the first."
                );
                out.push(
                    titled(&codes::DUPLICATE_BLOCK, occurrence.block.header, detail, keyword)
                        .and("the first one", *first),
                );
                return ControlFlow::Break(());
            }
            let value = Self::value(expander, block, as_blocks, &occurrence, out);
            found = Some((value, occurrence.block.header));
            ControlFlow::Continue(())
        });
        if let Some((value, _)) = found {
            return value;
        }
        if block.min_items == 1 {
            let detail = format!("A {keyword:?} block is required here, but there is none.");
            out.push(titled(&codes::MISSING_BLOCK, self.missing_item, detail, keyword));
        }
        if block.nesting == Nesting::Group { nothing(&block.body) } else { Value::null(block.implied_type()) }
    }

    /// Returns the list or set of the values of all blocks. Unknown if their number is not known: then the tool looks at
    /// no further blocks.
    fn several(&mut self, sources: &Sources<'f>, scope: &Scope, out: &mut Diagnostics) -> Value {
        let (keyword, block, as_blocks) = (self.keyword, self.block, self.as_blocks);
        let forest = self.expander.reader.forest;
        let (mut values, mut is_unknown, mut excess) = (Vec::new(), false, None);
        self.expander.occurrences(sources, keyword, scope, &mut |expander, occurrence| {
            let value = Self::value(expander, block, as_blocks, &occurrence, out);
            if occurrence.scope.is_unknown {
                is_unknown = true;
                return ControlFlow::Break(());
            }
            if block.max_items > 0 && values.len() as u64 == block.max_items {
                excess = Some(occurrence.block.body.missing_item(forest));
            }
            // Where attributes may be written as blocks, the mark of the collection stays with the arguments.
            let marks = if as_blocks { Marks::NONE } else { occurrence.scope.marks };
            account::push(&mut values, value.with_marks(marks));
            ControlFlow::Continue(())
        });
        let ty = block.implied_type();
        if is_unknown || self.expander.is_over() {
            return Value::unknown(ty);
        }
        if (values.len() as u64) < block.min_items {
            let detail = format!(
                "At least {} {keyword:?} blocks are required here, but there are {}.",
                block.min_items,
                values.len()
            );
            out.push(titled(&codes::FEW_BLOCKS, self.missing_item, detail, keyword));
        } else if let Some(excess) = excess {
            let detail = format!(
                "At most {} {keyword:?} blocks are allowed here, but there are {}.",
                block.max_items,
                values.len()
            );
            out.push(titled(&codes::MANY_BLOCKS, excess, detail, keyword));
        }
        match &ty {
            Type::List(_) => Value::list(block.body.implied_type(), values),
            Type::Set(_) => Value::set(block.body.implied_type(), values),
            _ => Value::tuple(values),
        }
    }

    /// Returns the map of the values of all blocks by their labels. Unknown if their number is not known: then the tool
    /// does not look at that block, nor at any further ones.
    fn by_label(&mut self, sources: &Sources<'f>, scope: &Scope, out: &mut Diagnostics) -> Value {
        let (keyword, block, as_blocks) = (self.keyword, self.block, self.as_blocks);
        let (mut entries, mut is_unknown) = (Vec::new(), false);
        let mut labels: HashSet<Arc<str>> = HashSet::default();
        self.expander.occurrences(sources, keyword, scope, &mut |expander, occurrence| {
            if occurrence.scope.is_unknown {
                is_unknown = true;
                return ControlFlow::Break(());
            }
            let marks = if as_blocks { Marks::NONE } else { occurrence.scope.marks };
            let value = Self::value(expander, block, as_blocks, &occurrence, out).with_marks(marks);
            let label = occurrence.label.unwrap_or_default();
            if labels.insert(Arc::clone(&label)) {
                account::push(&mut entries, (label, value));
            } else {
                let detail =
                    format!("There is another {keyword:?} block with the label {label:?}. Labels must be unique.");
                out.push(titled(&codes::DUPLICATE_BLOCK, occurrence.block.header, detail, keyword));
            }
            ControlFlow::Continue(())
        });
        let ty = block.implied_type();
        if is_unknown || self.expander.is_over() {
            return Value::unknown(ty);
        }
        match &ty {
            Type::Map(_) => Value::map(block.body.implied_type(), entries),
            _ => Value::object(entries),
        }
    }
}

/// Returns a finding whose title contains the block type.
pub(super) fn titled(
    code: &'static overfold_base::diag::Code,
    at: impl Into<Option<Span>>,
    detail: String,
    keyword: &str,
) -> Diagnostic {
    Diagnostic::tool(code, at, detail).titled(code.title.replace("BLOCK", keyword))
}

/// Returns the value of a body in which nothing is written.
fn nothing(schema: &BodySchema) -> Value {
    account::work((schema.attributes.len() + schema.blocks.len()) as u64);
    let attributes =
        schema.attributes.iter().map(|(name, attribute)| (Arc::clone(name), Value::null(attribute.implied_type())));
    let blocks = schema.blocks.iter().map(|(keyword, block)| {
        let ty = block.implied_type();
        let value = match (block.nesting, &ty) {
            (Nesting::Single, _) => Value::null(ty),
            (Nesting::Group, _) => with_stack(|| nothing(&block.body)),
            (_, Type::List(_)) => Value::list(block.body.implied_type(), Vec::new()),
            (_, Type::Set(_)) => Value::set(block.body.implied_type(), Vec::new()),
            (_, Type::Map(_)) => Value::map(block.body.implied_type(), Vec::new()),
            (Nesting::Map, _) => Value::object(Vec::new()),
            _ => Value::tuple(Vec::new()),
        };
        (Arc::clone(keyword), value)
    });
    Value::object(attributes.chain(blocks).collect())
}
