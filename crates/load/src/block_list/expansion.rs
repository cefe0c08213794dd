//! Expands `count`, `for_each` and `dynamic`, file by file, before overrides are merged (tflint.md, section 5).
//!
//! 1. A block of a multiplied type becomes as many blocks as `count` says, or one for each element of `for_each`, all
//!    with the same header. If both are given, `count` applies. If the number is unknown, there is no block at all.
//! 2. `dynamic "T"` becomes one block of type T for each element, at the position of the `dynamic` block.
//! 3. Inside such blocks every argument gets its value for the current step, unless that value is sensitive or
//!    ephemeral.
//! 4. Blocks of other types are not multiplied, whatever arguments they have.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::block_list::codes;
use crate::block_list::inferred_schema::BodyKnowledge;
use crate::block_list::names::{Evaluation, IteratorNames, ResolvedValues};
use crate::block_list::read::{Reader, empty_block, note_stray};
use crate::instance::{
    CountFault, DynamicBlock, DynamicFault, ForEachFault, ForEachRules, Repetition, Template, TypeCheck,
};
use overfold_base::account;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Quotes, Reporting, SourceId, Span};
use overfold_dialect::words::{COUNT, DYNAMIC, EACH, FOR_EACH};
use overfold_dialect::{AttrSpec, View};
use overfold_model::body::content::{BodyAt, Content, ContentBlock, ContentLabel};
use overfold_model::config::{Argument, Block};
use overfold_model::scope::{Definitions, Language};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Marks, Type, convert, with_stack};

/// The approximate number of bytes that the copies of all blocks of a module may take up in an answer: the limit that
/// keeps `count = 1000000000` from being written out.
pub(crate) const EXPANSION_BYTES: u64 = 32 << 20;

/// The cost of a block, an argument or a copy in addition to its text: its positions, in JSON.
const PART_BYTES: u64 = 256;

/// Expands the files of one module.
pub struct Expansion<'f, 'a> {
    forest: &'f Forest,
    multiplied: &'static [&'static str],
    evaluation: Evaluation<'a>,
    /// The remainder of [`EXPANSION_BYTES`].
    left: u64,
    /// Whether more was requested than is left.
    over: bool,
}

#[derive(Clone, Copy)]
struct BodyContext<'s> {
    place: BodyKnowledge<'s>,
    /// The names bound by the surrounding repetitions; `None` outside of any.
    bound: Option<&'s IteratorNames>,
    /// Whether the body belongs to elements that may not be shown.
    marked: bool,
}

/// The steps of a repetition.
struct Steps<'s> {
    repetition: &'s Repetition,
    /// The name of the current element of a collection.
    iterator: &'s Arc<str>,
    /// Where an expansion over the limit is reported.
    at: Span,
}

/// A `dynamic` block that generates something.
struct Generator<'f> {
    keyword: &'f str,
    header: Span,
    repetition: Repetition,
    /// Whether the collection may not be shown.
    marked: bool,
    template: Template,
}

/// What the tool accepts as the `for_each` of a block.
const FOR_EACH_RULES: ForEachRules = ForEachRules {
    order: &[&[ForEachFault::NotIterable, ForEachFault::Marked], &[ForEachFault::Null]],
    sequences: true,
    types: TypeCheck::Always,
};

/// What the tool accepts as the `for_each` of a `dynamic` block, where only the value matters and not its marks.
const DYNAMIC_RULES: ForEachRules =
    ForEachRules { order: &[&[ForEachFault::NotIterable], &[ForEachFault::Null]], ..FOR_EACH_RULES };

impl<'f, 'a> Expansion<'f, 'a> {
    /// Prepares the expansion of a module with these definitions. `resolved` holds the values of resolved variables;
    /// other variables have their defaults, and one with neither is unknown.
    pub(crate) fn new(
        forest: &'f Forest,
        view: View,
        language: Language<'a>,
        definitions: &'a Definitions<'a>,
        resolved: ResolvedValues,
    ) -> Self {
        let multiplied = match view {
            View::BlockList { multiplied } => multiplied,
            View::ByAddress => &[],
        };
        let evaluation = Evaluation::new(language, definitions, resolved);
        Self { forest, multiplied, evaluation, left: EXPANSION_BYTES, over: false }
    }

    /// Expands the top-level blocks of a file.
    pub(super) fn file(
        &mut self,
        source: SourceId,
        broken: &[u32],
        top: BodyKnowledge<'_>,
        out: &mut Diagnostics,
    ) -> Vec<Block<'f>> {
        let Some(body) = BodyAt::of_file(self.forest, source) else { return Vec::new() };
        let reader = Reader { forest: self.forest, broken };
        let content = reader.open(body, top);
        for stray in &content.attributes {
            note_stray(stray, body, top, out);
        }
        self.blocks(&reader, &content, BodyContext { place: top, bound: None, marked: false }, out)
    }

    fn blocks(
        &mut self,
        reader: &Reader<'f, '_>,
        content: &Content<'f>,
        around: BodyContext<'_>,
        out: &mut Diagnostics,
    ) -> Vec<Block<'f>> {
        let mut blocks = Vec::with_capacity(content.blocks.len());
        for block in &content.blocks {
            if self.over {
                break;
            }
            if let (DYNAMIC, [made]) = (block.keyword, block.labels) {
                if let Some(generator) = self.dynamic(block, made.text, around, out) {
                    self.generate(reader, &generator, around, &mut blocks, out);
                }
            } else if self.multiplied.contains(&block.keyword) {
                self.multiply(reader, block, around, &mut blocks, out);
            } else {
                blocks.push(self.block(reader, block, around, out));
            }
        }
        blocks
    }

    /// Expands one block with everything inside.
    fn block(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: BodyContext<'_>,
        out: &mut Diagnostics,
    ) -> Block<'f> {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.text).collect();
        let place = around.place.inside(block.keyword, &labels);
        let bare = empty_block(block, place.row());
        // Marks of an element apply to the block generated from it, not to blocks inside that.
        self.fill(reader, bare, block.body, BodyContext { place, bound: around.bound, marked: false }, out)
    }

    fn fill(
        &mut self,
        reader: &Reader<'f, '_>,
        mut block: Block<'f>,
        body: BodyAt,
        inside: BodyContext<'_>,
        out: &mut Diagnostics,
    ) -> Block<'f> {
        with_stack(|| {
            if inside.bound.is_some() {
                let labels: usize = block.labels.iter().map(|label| label.text.len()).sum();
                self.charge(labels as u64);
            }
            let content = reader.open(body, inside.place);
            let mut arguments = self.forest.list(content.attributes.len());
            for attribute in &content.attributes {
                if self.over {
                    break;
                }
                let mut argument = reader.argument(attribute, inside.place.row());
                if let Some(bound) = inside.bound {
                    self.bind(&mut argument, bound, inside.marked, out);
                }
                arguments.push(argument);
            }
            block.arguments = arguments.into_bump_slice();
            block.blocks = self.forest.keep_list(&self.blocks(reader, &content, inside, out));
            block
        })
    }

    /// Gives an argument its value in the current step.
    fn bind(&mut self, argument: &mut Argument<'f>, bound: &IteratorNames, marked: bool, out: &mut Diagnostics) {
        self.charge(argument.range.range().len() as u64 * 2);
        // References and keywords are not expressions; they are bound like other arguments if they happen to have a
        // known value, such as an empty list, and nothing is reported about them.
        let bare = argument.spec.is_some_and(AttrSpec::bare_in_json);
        if argument.broken || (bare && matches!(argument.expr, ExprAt::Json(..))) || self.over {
            return;
        }
        let mut discarded = Diagnostics::new();
        let found = self.evaluation.value(argument.expr, Some(bound), if bare { &mut discarded } else { out });
        if bare && (discarded.has_errors() || !found.value.is_wholly_known()) {
            return;
        }
        // Neither a marked value nor one that could not be evaluated is bound.
        if found.wrong || marked || found.value.deep_marks() != Marks::NONE {
            return;
        }
        self.charge(found.value.weight() * 32);
        argument.value = self.forest.keep_owned(found.value);
    }

    /// Charges one part with this many bytes of text.
    fn charge(&mut self, bytes: u64) {
        match self.left.checked_sub(PART_BYTES.saturating_add(bytes)) {
            Some(left) => {
                account::work(PART_BYTES / account::BYTES_PER_UNIT);
                self.left = left;
            }
            _ => self.over = true,
        }
    }

    /// Makes a block for each step. A repetition that exceeds the limit is left out as a whole, and the outermost one
    /// restores what was left before it.
    fn repeat(
        &mut self,
        Steps { repetition, iterator, at }: Steps<'_>,
        around: BodyContext<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
        make: &mut dyn FnMut(&mut Self, &IteratorNames, &mut Diagnostics) -> Option<Block<'f>>,
    ) {
        let before = self.left;
        let kept = into.len();
        // If not even the headers fit, nothing is begun.
        self.over |= repetition.count().unwrap_or(0) as u64 > self.left / PART_BYTES;
        for instance in repetition.instances() {
            if self.over {
                break;
            }
            into.extend(make(self, &instance.scope(iterator, around.bound), out));
        }
        if !self.over {
            return;
        }
        into.truncate(kept);
        if around.bound.is_none() {
            self.over = false;
            self.left = before;
            let detail = format!(
                "The copies of all blocks in the module would exceed the limit expansion-bytes of {EXPANSION_BYTES} bytes, or need too much work. This block is left out."
            );
            out.push(Diagnostic::ours(&codes::EXPANSION_LIMIT, at, detail));
        }
    }

    /// Applies rule 1.
    fn multiply(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: BodyContext<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
    ) {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.text).collect();
        let content = reader.open(block.body, around.place.inside(block.keyword, &labels));
        let find = |name: &str| content.attribute(name).map(|attribute| attribute.expr);
        let (count, each) = (find(COUNT), find(FOR_EACH));
        let Some(expr) = count.or(each) else {
            into.push(self.block(reader, block, around, out));
            return;
        };
        let (repetition, verdict) = out.watch(|out| {
            let counted = count.map(|expr| self.count(expr, around, out));
            // Both are checked, but `count` decides.
            let collection = each.and_then(|expr| self.collection(expr, around, out));
            counted.unwrap_or(collection)
        });
        if verdict.failed() {
            return;
        }
        let at = self.forest.expr_span(expr);
        match repetition.filter(|repetition| repetition.count().is_some_and(|count| count > 0)) {
            None => Self::note_nothing(at, out),
            Some(repetition) => {
                let steps = Steps { repetition: &repetition, iterator: &Arc::from(EACH), at };
                self.repeat(steps, around, into, out, &mut |this, bound, out| {
                    Some(this.block(reader, block, BodyContext { bound: Some(bound), ..around }, out))
                });
            }
        }
    }

    fn note_nothing(at: Span, out: &mut Diagnostics) {
        let detail = "The block is repeated zero times, or the number of repetitions is not known, so it is silently left out.";
        out.push(Diagnostic::ours(&codes::EXPANDED_TO_NOTHING, at, detail));
    }

    /// Evaluates the number of copies; `None` if it is wrong, which is reported.
    fn count(&mut self, expr: ExprAt, around: BodyContext<'_>, out: &mut Diagnostics) -> Option<Repetition> {
        let value = self.evaluation.value(expr, around.bound, out).value;
        let fault = match Repetition::of_count(&value) {
            Ok(repetition) => return Some(repetition),
            Err(fault) => fault,
        };
        let (code, detail): (&'static Code, Cow<'static, str>) = match fault {
            CountFault::NotANumber(error) => {
                (&codes::COUNT_TYPE, format!("The value of `count` is not a number: {error}.").into())
            }
            CountFault::Null => {
                (&codes::COUNT, "The value of `count` is null, but it must be a whole number.".into())
            }
            CountFault::Negative => {
                (&codes::COUNT, "The value of `count` is negative, but it must be zero or more.".into())
            }
            CountFault::NotWhole => (
                &codes::COUNT,
                "The value of `count` must be a whole number, and this one is a fraction or far too large.".into(),
            ),
        };
        self.report(code, expr, value.deep_marks(), detail, out);
        None
    }

    /// Evaluates the elements to make copies for; `None` if they are wrong, which is reported.
    fn collection(&mut self, expr: ExprAt, around: BodyContext<'_>, out: &mut Diagnostics) -> Option<Repetition> {
        let value = self.evaluation.value(expr, around.bound, out).value;
        let (code, detail) = match Repetition::of_for_each(&value, &FOR_EACH_RULES) {
            Ok(repetition) => return Some(repetition),
            Err(faults) if faults.contains(&ForEachFault::Null) => {
                (&codes::FOR_EACH_NULL, "The value of `for_each` is null, but it must be a collection.")
            }
            Err(_) => (
                &codes::FOR_EACH_TYPE,
                "The value of `for_each` must be a list, set, map or object that is not sensitive.",
            ),
        };
        self.report(code, expr, value.deep_marks(), detail, out);
        None
    }

    fn report(
        &self,
        code: &'static Code,
        expr: ExprAt,
        marks: Marks,
        detail: impl Into<Cow<'static, str>>,
        out: &mut Diagnostics,
    ) {
        let found = Diagnostic::tool(code, self.forest.expr_span(expr), detail);
        out.push(found.quoting(Quotes::Values(marks.secrecy())));
    }

    /// Applies rule 2: reads a `dynamic` block. `None` if it generates nothing, for a reason that has been reported.
    fn dynamic(
        &mut self,
        block: &ContentBlock<'f>,
        made: &'f str,
        around: BodyContext<'_>,
        out: &mut Diagnostics,
    ) -> Option<Generator<'f>> {
        let dynamic = DynamicBlock::open(self.forest, block, made, around.place.labels_of(made), out)?;
        let each = dynamic.for_each()?;
        let found = self.evaluation.value(each, around.bound, out);
        let repetition = match Repetition::of_for_each(&found.value, &DYNAMIC_RULES) {
            Ok(repetition) => repetition,
            Err(faults) => {
                let detail = if faults.contains(&ForEachFault::Null) {
                    "The value of `for_each` is null, but it must be a collection."
                } else {
                    "The value of `for_each` must be a collection, because one block is generated for each of its elements."
                };
                self.report(&codes::DYNAMIC_FOR_EACH, each, found.value.deep_marks(), detail, out);
                return None;
            }
        };
        let template = match dynamic.template(out) {
            Ok(template) => template?,
            Err(fault) => {
                out.push(template_fault(made, fault));
                return None;
            }
        };
        if repetition.count().unwrap_or(0) == 0 {
            if !found.wrong {
                Self::note_nothing(self.forest.expr_span(each), out);
            }
            return None;
        }
        let marked = found.value.marks() != Marks::NONE;
        Some(Generator { keyword: made, header: block.header, repetition, marked, template })
    }

    /// Generates the blocks of a `dynamic` block.
    fn generate(
        &mut self,
        reader: &Reader<'f, '_>,
        generator: &Generator<'f>,
        around: BodyContext<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
    ) {
        let place = around.place.inside_type(generator.keyword);
        let Generator { keyword, header, repetition, marked, template } = generator;
        let steps = Steps { repetition, iterator: &template.iterator, at: *header };
        self.repeat(steps, around, into, out, &mut |this, bound, out| {
            let labels = this.labels(&template.labels, bound, out)?;
            let block = Block { spec: place.row(), ..Block::empty(keyword, labels, *header) };
            let inside = BodyContext { place, bound: Some(bound), marked: *marked };
            Some(this.fill(reader, block, template.body, inside, out))
        });
    }

    /// Evaluates the labels of one generated block. `None` if there is no block; a mistake has been reported.
    fn labels(
        &mut self,
        exprs: &[ExprAt],
        bound: &IteratorNames,
        out: &mut Diagnostics,
    ) -> Option<&'f [ContentLabel<'f>]> {
        let mut labels: SmallVec<[ContentLabel<'_>; 4]> = SmallVec::new();
        for &expr in exprs {
            let found = self.evaluation.value(expr, Some(bound), out);
            if found.wrong {
                return None;
            }
            let text = match convert(&found.value, &Type::String) {
                Ok(text) if !text.is_known() => return None,
                Ok(text) if !text.is_null() && text.deep_marks() == Marks::NONE => text,
                _ => {
                    let detail =
                        "The label of a generated block must be a string that is neither null nor sensitive.";
                    self.report(&codes::DYNAMIC_LABEL, expr, found.value.deep_marks(), detail, out);
                    return None;
                }
            };
            let text = self.forest.keep(text.as_shared_text()?);
            labels.push(ContentLabel { text, span: self.forest.expr_span(expr) });
        }
        Some(self.forest.keep_list(&labels))
    }
}

/// Words a mistake in a block that generates blocks of type `made`.
pub fn template_fault(made: &str, fault: DynamicFault) -> Diagnostic {
    let labels = |code, wanted: usize, set: usize, at| {
        let plural = if wanted == 1 { "" } else { "s" };
        let detail =
            format!("Blocks of type {made:?} have {wanted} label{plural}, but this `dynamic` block sets {set}.");
        Diagnostic::tool(code, at, detail)
    };
    match fault {
        DynamicFault::Iterator(at) => {
            let detail = "The iterator of a `dynamic` block must be a single name, without anything after it.";
            Diagnostic::tool(&codes::DYNAMIC_ITERATOR, at, detail)
        }
        DynamicFault::ExtraLabels { wanted, set, at } => labels(&codes::DYNAMIC_LABELS_EXTRA, wanted, set, at),
        DynamicFault::FewLabels { wanted, set, at } => labels(&codes::DYNAMIC_LABELS_FEW, wanted, set, at),
        DynamicFault::NoContent(at) => {
            let detail = "A `dynamic` block must contain a `content` block with the body of the generated blocks.";
            Diagnostic::tool(&codes::DYNAMIC_NO_CONTENT, at, detail)
        }
        DynamicFault::SeveralContents(at) => {
            let detail = "A `dynamic` block can contain only one `content` block. Remove the others.";
            Diagnostic::tool(&codes::DYNAMIC_CONTENTS, at, detail)
        }
    }
}
