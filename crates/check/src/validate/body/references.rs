//! The expressions of a body in which the tool searches for references (validate.md, section 3).

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;

use super::expand::{Expander, Scope};
use super::open::each_leaf;
use super::read::{BodyLevel, Reader, is_json};
use super::{Body, BoundNames, Evaluate};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_dialect::words::{CONTENT, DYNAMIC, FOR_EACH, ITERATOR, LABELS};
use overfold_model::body::content::{
    self, ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Content, ContentBlock, Schema,
};
use overfold_model::schema::BodySchema;
use overfold_syntax::{ExprAt, statics};
use overfold_value::with_stack;

/// What an expression is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The value of an argument.
    Argument,
    /// The collection of a dynamic block.
    DynamicForEach,
    /// The labels of a dynamic block.
    DynamicLabels,
    /// The collection of a dynamic block inside of an attribute that is written as blocks. The tool searches it for what
    /// the object depends on, but not when it expands dynamic blocks: there the expression sees only the names to which
    /// other dynamic blocks of the body refer.
    HiddenForEach,
}

impl Role {
    /// Whether the tool searches the expression before it expands the dynamic blocks of the body.
    pub const fn is_searched_for_expansion(self) -> bool {
        matches!(self, Self::DynamicForEach | Self::DynamicLabels)
    }
}

/// An expression that the tool searches for references.
#[derive(Clone, Debug)]
pub struct BodyExpr {
    /// The expression.
    pub expr: ExprAt,
    /// The names that iterators of dynamic blocks bind there, which are no references to the module.
    pub bound: BoundNames,
    /// What it is for.
    pub role: Role,
    /// Whether it is in the content of a dynamic block.
    pub in_dynamic: bool,
    /// How often the tool searches it: once for each block that is generated.
    pub times: usize,
}

/// Returns the expressions of a body as it is written. What a schema does not know is left out; without a schema,
/// nothing is. The tool takes from these what the object depends on, and it checks the references in the `for_each` and
/// the labels of dynamic blocks before those of anything else.
pub fn expressions(body: &Body<'_, '_>) -> Vec<BodyExpr> {
    let reader = Reader::new(body);
    let mut found = Vec::new();
    let search = Search { reader: &reader };
    search.body(BodyLevel::Whole, body.schema, &ReferenceContext::outside(), &mut found);
    found
}

/// Like [`expressions`], for a body inside of the one that is read.
pub fn expressions_at<'b>(
    reader: &Reader<'b, '_>,
    place: BodyLevel,
    schema: Option<&'b BodySchema>,
) -> Vec<BodyExpr> {
    let mut found = Vec::new();
    Search { reader }.body(place, schema, &ReferenceContext::outside(), &mut found);
    found
}

/// Returns `for_each` and the labels of a dynamic block, and the body of its content.
pub fn dynamic_parts<'f>(reader: &Reader<'_, 'f>, block: &ContentBlock<'f>) -> (Vec<ExprAt>, Option<BodyAt>) {
    let content = Search { reader }.dynamic_content(block);
    let expressions = [FOR_EACH, LABELS].into_iter().filter_map(|name| content.attribute(name));
    (expressions.map(|found| found.expr).collect(), content.blocks.last().map(|content| content.body))
}

/// Returns the arguments of a body once dynamic blocks are replaced by what they generate: those whose references the
/// tool checks before it evaluates them. Content that is generated more than once is there once, with its number. Content
/// of which nothing is known is left out.
pub fn expanded_expressions(body: &Body<'_, '_>, evaluate: &mut dyn Evaluate) -> Vec<BodyExpr> {
    let reader = Reader::new(body);
    let mut search =
        ExpandedSearch { expander: Expander::new(&reader, evaluate), found: Vec::new(), places: HashMap::default() };
    search.body(BodyLevel::Whole, body.schema, &Scope::outside());
    search.found
}

/// The search of a body as it is written.
struct Search<'r, 'b, 'f> {
    reader: &'r Reader<'b, 'f>,
}

/// What is around a body.
#[derive(Clone)]
struct ReferenceContext {
    bound: BoundNames,
    in_dynamic: bool,
    /// Whether the body is inside of an attribute that is written as blocks.
    in_attribute: bool,
}

impl<'b, 'f> Search<'_, 'b, 'f> {
    fn body(
        &self,
        place: BodyLevel,
        schema: Option<&'b BodySchema>,
        around: &ReferenceContext,
        found: &mut Vec<BodyExpr>,
    ) {
        let content = self.reader.read_unexpanded(place, schema);
        for attribute in &content.attributes {
            let item = |expr| around.expression(expr, Role::Argument);
            if schema.is_none() && is_json(attribute.expr) {
                let outer = (&around.bound, around.in_dynamic);
                each_leaf(self.reader.forest, attribute.expr, outer, &mut |leaf| account::push(found, leaf));
            } else {
                account::push(found, item(attribute.expr));
            }
        }
        for block in content.blocks.iter().charged(4) {
            match block.labels {
                [made] if block.keyword == DYNAMIC => self.dynamic(block, made.text, schema, around, found),
                _ => self.inner(block, block.keyword, schema, around, found),
            }
        }
    }

    /// Searches a nested block of a type, if the schema knows it.
    fn inner(
        &self,
        block: &ContentBlock<'f>,
        keyword: &str,
        schema: Option<&'b BodySchema>,
        around: &ReferenceContext,
        found: &mut Vec<BodyExpr>,
    ) {
        let inner = match schema {
            None => None,
            Some(schema) => match inner_schema(schema, keyword) {
                Some(inner) => Some(inner),
                None => return,
            },
        };
        let is_attribute = schema.is_some_and(|schema| !schema.blocks.contains_key(keyword));
        let inside = ReferenceContext { in_attribute: around.in_attribute || is_attribute, ..around.clone() };
        with_stack(|| self.body(BodyLevel::Inner(block.body), inner, &inside, found));
    }

    fn dynamic(
        &self,
        block: &ContentBlock<'f>,
        made: &'f str,
        schema: Option<&'b BodySchema>,
        around: &ReferenceContext,
        found: &mut Vec<BodyExpr>,
    ) {
        let content = self.dynamic_content(block);
        let iterator = match content.attribute(ITERATOR) {
            None => Arc::from(made),
            Some(iterator) => {
                let name = statics::absolute_traversal(self.reader.forest, iterator.expr, &mut Diagnostics::new());
                // The tool ignores such a block here.
                let Some(name) = name else { return };
                Arc::from(&*name.root)
            }
        };
        let inside = around.with(iterator);
        if let Some(each) = content.attribute(FOR_EACH) {
            let role = if around.in_attribute { Role::HiddenForEach } else { Role::DynamicForEach };
            account::push(found, around.expression(each.expr, role));
        }
        if let Some(labels) = content.attribute(LABELS) {
            let labels =
                BodyExpr { in_dynamic: around.in_dynamic, ..inside.expression(labels.expr, Role::DynamicLabels) };
            account::push(found, labels);
        }
        for content in &content.blocks {
            self.inner(content, made, schema, &inside, found);
        }
    }

    fn dynamic_content(&self, block: &ContentBlock<'f>) -> Content<'f> {
        let arguments = [FOR_EACH, ITERATOR, LABELS].map(ArgumentSchema::optional);
        let schema = Schema { arguments: &arguments, blocks: &[BlockSchema::new(CONTENT, &[])] };
        content::partial(
            self.reader.forest,
            block.body,
            &mut ConsumedNames::default(),
            schema,
            &mut Diagnostics::new(),
        )
    }
}

/// Returns the schema of the nested blocks of a type, which may be an attribute that is written as blocks.
fn inner_schema<'b>(schema: &'b BodySchema, keyword: &str) -> Option<&'b BodySchema> {
    match schema.blocks.get(keyword) {
        Some(block) => Some(&block.body),
        None => schema.attributes.get(keyword)?.element_body(),
    }
}

impl ReferenceContext {
    /// What is around a whole body.
    fn outside() -> Self {
        Self { bound: Rc::from([]), in_dynamic: false, in_attribute: false }
    }

    fn expression(&self, expr: ExprAt, role: Role) -> BodyExpr {
        BodyExpr { expr, bound: Rc::clone(&self.bound), role, in_dynamic: self.in_dynamic, times: 1 }
    }

    fn with(&self, iterator: Arc<str>) -> Self {
        let bound = self.bound.iter().charged_at_once(1).cloned().chain([iterator]).collect();
        Self { bound, in_dynamic: true, ..*self }
    }
}

/// The search of a body in which dynamic blocks are expanded.
struct ExpandedSearch<'r, 'b, 'f> {
    expander: Expander<'r, 'b, 'f>,
    found: Vec<BodyExpr>,
    /// Where each expression is in the list.
    places: HashMap<ExprAt, usize>,
}

impl<'b> ExpandedSearch<'_, 'b, '_> {
    fn body(&mut self, place: BodyLevel, schema: Option<&'b BodySchema>, scope: &Scope) {
        let silence = &mut Diagnostics::new();
        let mut content = self.expander.read(place, schema, true, silence);
        let in_dynamic = !scope.bound.is_empty();
        for attribute in &content.attributes {
            if schema.is_none() && is_json(attribute.expr) {
                let mut leaves = Vec::new();
                let forest = self.expander.reader.forest;
                each_leaf(forest, attribute.expr, (&scope.bound, in_dynamic), &mut |leaf| leaves.push(leaf));
                for leaf in leaves.into_iter().filter(|leaf| leaf.in_dynamic == in_dynamic) {
                    self.add(leaf);
                }
            } else {
                let (bound, role) = (Rc::clone(&scope.bound), Role::Argument);
                self.add(BodyExpr { expr: attribute.expr, bound, role, in_dynamic, times: 1 });
            }
        }
        let sources = self.expander.sources(&mut content, schema, true, scope, silence);
        for source in sources.list().charged(2) {
            let inner = match schema {
                None => None,
                Some(schema) => match inner_schema(schema, source.keyword()) {
                    Some(inner) => Some(inner),
                    None => continue,
                },
            };
            let mut occurrences = Vec::new();
            let _ = self.expander.occurrences_of(source, scope, &mut |_, occurrence| {
                if !occurrence.scope.is_unknown {
                    occurrences.push((occurrence.block.body, occurrence.scope));
                }
                ControlFlow::Continue(())
            });
            for (body, scope) in occurrences {
                with_stack(|| self.body(BodyLevel::Inner(body), inner, &scope));
            }
        }
    }

    /// Adds an expression, or counts it once more.
    fn add(&mut self, item: BodyExpr) {
        account::work(2);
        match self.places.get(&item.expr).and_then(|&at| self.found.get_mut(at)) {
            Some(known) => known.times += 1,
            None => {
                self.places.insert(item.expr, self.found.len());
                account::push(&mut self.found, item);
            }
        }
    }
}
