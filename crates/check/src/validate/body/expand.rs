//! Dynamic blocks: what they generate (plan-schema.md, section 6).

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;

use super::marked::Marked;
use super::read::{BodyLevel, Reader};
use super::{BoundNames, Evaluate};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Reporting};
use overfold_base::nearest::hint;
use overfold_dialect::words::DYNAMIC;
use overfold_eval::Roots;
use overfold_load::block_list::codes::{DYNAMIC_FOR_EACH, DYNAMIC_LABEL};
use overfold_load::block_list::template_fault;
use overfold_load::instance::{DynamicBlock, ForEachFault, ForEachRules, Repetition, TypeCheck};
use overfold_model::body::content::codes::UNSUPPORTED_BLOCK_TYPE;
use overfold_model::body::content::{Content, ContentBlock};
use overfold_model::schema::{BodySchema, Nesting};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Type, Value, convert};

/// The work charged for each block that a dynamic block generates, for each argument and block of its content, and at
/// least. It is taken from the share of expressions, so that an expansion without end stops before the request does.
const GENERATED_COST: u64 = 64;

/// What the tool accepts as the `for_each` of a dynamic block, whatever marks it has.
const FOR_EACH_RULES: ForEachRules = ForEachRules {
    order: &[&[ForEachFault::NotIterable], &[ForEachFault::Null]],
    sequences: true,
    types: TypeCheck::Always,
};

/// What the expressions of a body see, and what is known of the body.
#[derive(Clone)]
pub(super) struct Scope {
    /// The iterators of the dynamic blocks around the body.
    pub(super) iterators: Option<Rc<Roots>>,
    /// Their names.
    pub(super) bound: BoundNames,
    /// Whether the body stands for an unknown number of blocks, so that nothing of its content is known.
    pub(super) is_unknown: bool,
    /// Whether the body is only searched for references, because the tool does not evaluate what it is a part of.
    pub(super) is_only_searched: bool,
    /// The marks of the collection from which the body is generated.
    pub(super) marks: Marks,
}

impl Scope {
    /// The scope of a whole body.
    pub(super) fn outside() -> Self {
        Self { iterators: None, bound: Rc::from([]), is_unknown: false, is_only_searched: false, marks: Marks::NONE }
    }
}

/// A block in a body, or several that are generated.
pub(super) enum Source<'f> {
    Static(ContentBlock<'f>),
    Dynamic(Box<Dynamic<'f>>),
}

/// A dynamic block.
pub(super) struct Dynamic<'f> {
    /// A block that it generates, apart from the label.
    block: ContentBlock<'f>,
    iterator: Arc<str>,
    repetition: Repetition,
    /// The label of each block; `None` if there is no block because the label is wrong, which has been reported.
    labels: Option<Vec<Option<Arc<str>>>>,
    marks: Marks,
}

/// A block as the tool sees it once dynamic blocks are expanded.
pub(super) struct Occurrence<'o, 'f> {
    pub(super) block: &'o ContentBlock<'f>,
    /// The label, if it has one.
    pub(super) label: Option<Arc<str>>,
    /// What its body sees.
    pub(super) scope: Scope,
}

/// The blocks of a body in order, and where those of each type are.
pub(super) struct Sources<'f> {
    list: Vec<Source<'f>>,
    by_type: HashMap<&'f str, Vec<usize>>,
}

/// Expands the dynamic blocks of one body.
pub(super) struct Expander<'r, 'b, 'f> {
    pub(super) reader: &'r Reader<'b, 'f>,
    pub(super) evaluate: &'r mut dyn Evaluate,
    /// What is found of the marks that are followed; `None` if none are.
    pub(super) marked: Option<Marked<'b, 'r, 'f>>,
    is_over: bool,
}

impl<'r, 'b, 'f> Expander<'r, 'b, 'f> {
    pub(super) fn new(reader: &'r Reader<'b, 'f>, evaluate: &'r mut dyn Evaluate) -> Self {
        Self { reader, evaluate, marked: None, is_over: false }
    }

    /// Whether expressions have used up their share, so that something was not expanded.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the blocks out of the content of a body, and evaluates what the dynamic ones are generated from. What is
    /// wrong with these is reported. With `as_blocks`, attributes may be written as blocks.
    pub(super) fn sources(
        &mut self,
        content: &mut Content<'f>,
        schema: Option<&BodySchema>,
        as_blocks: bool,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Sources<'f> {
        let mut sources = Sources { list: Vec::new(), by_type: HashMap::default() };
        for block in std::mem::take(&mut content.blocks).charged(2) {
            let (keyword, source) = match block.labels {
                [made] if block.keyword == DYNAMIC => {
                    let labels = match schema {
                        None => None,
                        Some(schema) => match label_count(content, schema, as_blocks, made.text) {
                            Some(count) => Some(count),
                            None => {
                                let hint = hint(made.text, schema.blocks.keys().map(|name| &**name));
                                let detail = format!("Blocks of type {:?} are not allowed here.{hint}", made.text);
                                out.push(Diagnostic::tool(&UNSUPPORTED_BLOCK_TYPE, made.span, detail));
                                continue;
                            }
                        },
                    };
                    let Some(dynamic) = self.dynamic(&block, made.text, labels, scope, out) else { continue };
                    (made.text, Source::Dynamic(Box::new(dynamic)))
                }
                _ => (block.keyword, Source::Static(block)),
            };
            sources.by_type.entry(keyword).or_default().push(sources.list.len());
            sources.list.push(source);
        }
        sources
    }

    /// Evaluates what a dynamic block is generated from. `None` if that is wrong, which has been reported.
    fn dynamic(
        &mut self,
        block: &ContentBlock<'f>,
        made: &'f str,
        label_count: Option<usize>,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Option<Dynamic<'f>> {
        let forest = self.reader.forest;
        let opened = DynamicBlock::open(forest, block, made, label_count, out)?;
        let iterator = match opened.iterator(out) {
            Ok(iterator) => iterator?,
            Err(fault) => {
                out.push(template_fault(made, fault));
                return None;
            }
        };
        let each = opened.for_each()?;
        let (value, verdict) = out.watch(|out| self.evaluate.evaluate_expansion(each, scope.iterators.as_ref(), out));
        if verdict.failed() {
            return None;
        }
        let marks = value.marks();
        let is_secret = marks.is_sensitive() || marks.is_ephemeral();
        let is_refused = is_secret && self.evaluate.refuses_marked_dynamics();
        let repetition = match Repetition::of_for_each(&value.unmarked(), &FOR_EACH_RULES) {
            _ if is_refused => {
                let detail = "The value of `for_each` is sensitive, which must not decide how many blocks there are.";
                out.push(Diagnostic::tool(&DYNAMIC_FOR_EACH, forest.expr_span(each), detail));
                return None;
            }
            Ok(repetition) => repetition,
            Err(faults) => {
                let detail = if faults.contains(&ForEachFault::Null) {
                    "The value of `for_each` is null, but it must be a collection."
                } else {
                    "The value of `for_each` must be a collection, because one block is generated for each of its elements."
                };
                out.push(Diagnostic::tool(&DYNAMIC_FOR_EACH, forest.expr_span(each), detail));
                return None;
            }
        };
        let template = match opened.template(out) {
            Ok(template) => template?,
            Err(fault) => {
                out.push(template_fault(made, fault));
                return None;
            }
        };
        let block = ContentBlock { keyword: made, body: template.body, labels: &[], ..block.clone() };
        let mut dynamic = Dynamic { block, iterator, repetition, labels: None, marks };
        if let Some(&label) = template.labels.first() {
            dynamic.labels = Some(self.labels(&dynamic, label, scope, out));
        }
        Some(dynamic)
    }

    /// Evaluates the label of each block that a dynamic block generates.
    fn labels(
        &mut self,
        dynamic: &Dynamic<'f>,
        expr: ExprAt,
        scope: &Scope,
        out: &mut Diagnostics,
    ) -> Vec<Option<Arc<str>>> {
        let mut labels = Vec::new();
        let _ = self.each_scope(dynamic, scope, &mut |this, _, inside| {
            let label = this.label(expr, &inside, out);
            account::grow(size_of::<Arc<str>>() as u64);
            labels.push(label);
            ControlFlow::Continue(())
        });
        labels
    }

    fn label(&mut self, expr: ExprAt, scope: &Scope, out: &mut Diagnostics) -> Option<Arc<str>> {
        let (value, verdict) = out.watch(|out| self.evaluate.evaluate_expansion(expr, scope.iterators.as_ref(), out));
        if verdict.failed() {
            return None;
        }
        let detail = match convert(&value, &Type::String) {
            Err(_) => "The label of a generated block must be a string.",
            Ok(text) if text.is_null() => "The label of a generated block is null, but it must be a string.",
            Ok(text) if !text.is_known() => {
                "The label of a generated block must be known when the configuration is checked, so it cannot depend on variables, on `each` or on attributes of resources."
            }
            Ok(text) if !text.marks().is_empty() => {
                "The label of a generated block must not be sensitive or ephemeral."
            }
            Ok(text) => return text.as_shared_text().cloned(),
        };
        let finding = Diagnostic::tool(&DYNAMIC_LABEL, self.reader.forest.expr_span(expr), detail);
        out.push(finding.quoting(Quotes::Values(value.deep_marks().secrecy())));
        None
    }

    /// Calls `visit` with the position and the scope of each block that a dynamic block generates, until that ends it.
    fn each_scope(
        &mut self,
        dynamic: &Dynamic<'f>,
        around: &Scope,
        visit: &mut dyn FnMut(&mut Self, usize, Scope) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Dynamic { iterator, repetition, marks, .. } = dynamic;
        let bound: BoundNames = around.bound.iter().chain([iterator]).map(Arc::clone).collect();
        account::work(bound.len() as u64);
        let inside = Scope { iterators: None, bound, marks: *marks, ..around.clone() };
        if let Repetition::Unknown = repetition {
            let element = [("key", Value::dynamic()), ("value", Value::dynamic())];
            let element = element.map(|(name, value)| (Arc::from(name), value)).to_vec();
            let mut roots = Roots::within(around.iterators.clone());
            roots.insert(Arc::clone(iterator), Value::object(element));
            return visit(self, 0, Scope { iterators: Some(Rc::new(roots)), is_unknown: true, ..inside });
        }
        for (at, instance) in repetition.instances().enumerate() {
            if !self.affords(GENERATED_COST) {
                return ControlFlow::Break(());
            }
            let iterators = Some(instance.scope(iterator, around.iterators.as_ref()));
            visit(self, at, Scope { iterators, ..inside.clone() })?;
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with each block of a type, in order, until that ends it.
    pub(super) fn occurrences(
        &mut self,
        sources: &Sources<'f>,
        keyword: &str,
        scope: &Scope,
        visit: &mut dyn FnMut(&mut Self, Occurrence<'_, 'f>) -> ControlFlow<()>,
    ) {
        for at in sources.by_type.get(keyword).into_iter().flatten().charged(1) {
            let Some(source) = sources.list.get(*at) else { continue };
            if self.occurrences_of(source, scope, visit).is_break() {
                return;
            }
        }
    }

    /// Calls `visit` with each block that a source stands for, until that ends it.
    pub(super) fn occurrences_of(
        &mut self,
        source: &Source<'f>,
        scope: &Scope,
        visit: &mut dyn FnMut(&mut Self, Occurrence<'_, 'f>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match source {
            Source::Static(block) => {
                let label = block.labels.first().map(|label| Arc::from(label.text));
                visit(self, Occurrence { block, label, scope: Scope { marks: Marks::NONE, ..scope.clone() } })
            }
            Source::Dynamic(dynamic) => self.each_scope(dynamic, scope, &mut |this, at, scope| {
                let label = match &dynamic.labels {
                    None => None,
                    Some(labels) => match labels.get(at) {
                        Some(Some(label)) => Some(Arc::clone(label)),
                        _ => return ControlFlow::Continue(()),
                    },
                };
                visit(this, Occurrence { block: &dynamic.block, label, scope })
            }),
        }
    }

    /// Charges work to the share of expressions, and returns whether that can afford it.
    pub(super) fn affords(&mut self, units: u64) -> bool {
        self.is_over |= account::evaluation(|| account::work(units)).is_err();
        !self.is_over
    }

    /// Reads a body; see [`Reader::read`].
    pub(super) fn read(
        &self,
        place: BodyLevel,
        schema: Option<&'b BodySchema>,
        as_blocks: bool,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        self.reader.read(place, schema, as_blocks, out)
    }
}

impl<'f> Sources<'f> {
    /// Returns all blocks, in order.
    pub(super) fn list(&self) -> &[Source<'f>] {
        &self.list
    }
}

impl<'f> Source<'f> {
    /// Returns the type of the blocks.
    pub(super) fn keyword(&self) -> &'f str {
        match self {
            Self::Static(block) => block.keyword,
            Self::Dynamic(dynamic) => dynamic.block.keyword,
        }
    }
}

/// Returns the number of labels of the blocks of a type; `None` if there may be no dynamic blocks of the type.
fn label_count(content: &Content<'_>, schema: &BodySchema, as_blocks: bool, made: &str) -> Option<usize> {
    if let Some(block) = schema.blocks.get(made) {
        return Some(usize::from(block.nesting == Nesting::Map));
    }
    account::work(content.attributes.len() as u64 / 4);
    let attribute = schema.attributes.get(made).filter(|attribute| as_blocks && attribute.element_body().is_some());
    attribute.filter(|_| content.attribute(made).is_none()).map(|_| 0)
}
