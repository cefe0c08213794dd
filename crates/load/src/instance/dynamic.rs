//! `dynamic` blocks: `dynamic "T"` generates one block of type T for each element of a collection.

use std::sync::Arc;

use overfold_base::diag::{Diagnostics, Reporting, Span};
use overfold_dialect::words::{CONTENT, FOR_EACH, ITERATOR, LABELS};
use overfold_model::body::content::{
    self, ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Content, ContentBlock, Schema,
};
use overfold_syntax::{ExprAt, Forest, statics};

/// The body of a `dynamic` block. The parts are read in turn, because the tools report the mistakes of one only if
/// those before it have none.
pub struct DynamicBlock<'f> {
    forest: &'f Forest,
    /// The type of the generated blocks.
    keyword: &'f str,
    content: Content<'f>,
    /// The number of labels that the generated blocks must have, if known.
    label_count: Option<usize>,
}

/// From what each block is generated.
#[derive(Debug)]
pub struct Template {
    /// The name by which expressions refer to the element.
    pub iterator: Arc<str>,
    /// The expressions of the labels.
    pub labels: Vec<ExprAt>,
    /// The body.
    pub body: BodyAt,
}

/// What is wrong with the template of a `dynamic` block.
#[derive(Clone, Copy, Debug)]
pub enum DynamicFault {
    /// The iterator is more than a name; here is all of it.
    Iterator(Span),
    /// There are more labels than blocks of the type have.
    ExtraLabels {
        /// The number of labels that there should be.
        wanted: usize,
        /// The number of labels that there are.
        set: usize,
        /// The first label that is too many.
        at: Span,
    },
    /// There are fewer labels than blocks of the type have.
    FewLabels {
        /// The number of labels that there should be.
        wanted: usize,
        /// The number of labels that there are.
        set: usize,
        /// The list of labels.
        at: Span,
    },
    /// There is no `content` block; here it is missing.
    NoContent(Span),
    /// There is more than one `content` block; here is the header of the second.
    SeveralContents(Span),
}

impl<'f> DynamicBlock<'f> {
    /// Reads the body of a block that generates blocks of type `keyword`; `label_count` is the number of labels that
    /// these must have, if known. `None` if the body has mistakes, which have been reported.
    pub fn open(
        forest: &'f Forest,
        block: &ContentBlock<'f>,
        keyword: &'f str,
        label_count: Option<usize>,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let mut arguments = vec![
            ArgumentSchema { required: true, ..ArgumentSchema::optional(FOR_EACH) },
            ArgumentSchema::optional(ITERATOR),
        ];
        if label_count != Some(0) {
            arguments.push(ArgumentSchema { required: label_count.is_some(), ..ArgumentSchema::optional(LABELS) });
        }
        let schema = Schema { arguments: &arguments, blocks: &[BlockSchema::new(CONTENT, &[])] };
        let (content, verdict) =
            out.watch(|out| content::strict(forest, block.body, &ConsumedNames::NONE, schema, out));
        (!verdict.failed()).then_some(Self { forest, keyword, content, label_count })
    }

    /// Returns the expression of the collection.
    pub fn for_each(&self) -> Option<ExprAt> {
        Some(self.content.attribute(FOR_EACH)?.expr)
    }

    /// Returns the name by which expressions refer to the element. `None` if it is no reference, which has been reported.
    ///
    /// # Errors
    /// [`DynamicFault::Iterator`].
    pub fn iterator(&self, out: &mut Diagnostics) -> Result<Option<Arc<str>>, DynamicFault> {
        let Some(attribute) = self.content.attribute(ITERATOR) else { return Ok(Some(Arc::from(self.keyword))) };
        match statics::absolute_traversal(self.forest, attribute.expr, out) {
            Some(name) if name.steps.is_empty() => Ok(Some(Arc::from(&*name.root))),
            Some(name) => Err(DynamicFault::Iterator(name.span)),
            None => Ok(None),
        }
    }

    /// Reads what remains. `None` if an expression is not of the form that is required, which has been reported.
    ///
    /// # Errors
    /// [`DynamicFault`], the first mistake.
    pub fn template(&self, out: &mut Diagnostics) -> Result<Option<Template>, DynamicFault> {
        let Some(iterator) = self.iterator(out)? else { return Ok(None) };
        let mut labels = Vec::new();
        if let Some(attribute) = self.content.attribute(LABELS) {
            let (list, verdict) = out.watch(|out| statics::static_list(self.forest, attribute.expr, out));
            if verdict.failed() {
                return Ok(None);
            }
            labels = list;
            let (set, wanted) = (labels.len(), self.label_count.unwrap_or(labels.len()));
            if let Some(&extra) = labels.get(wanted) {
                return Err(DynamicFault::ExtraLabels { wanted, set, at: self.forest.expr_span(extra) });
            }
            if set < wanted {
                return Err(DynamicFault::FewLabels { wanted, set, at: self.forest.expr_span(attribute.expr) });
            }
        }
        match self.content.blocks.as_slice() {
            [only] => Ok(Some(Template { iterator, labels, body: only.body })),
            [] => Err(DynamicFault::NoContent(self.content.missing_item)),
            [_, second, ..] => Err(DynamicFault::SeveralContents(second.header)),
        }
    }
}
