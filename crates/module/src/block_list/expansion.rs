//! Expands `count`, `for_each` and `dynamic`, file by file, before overrides are merged (tflint.md, section 5).
//!
//! 1. A block of a multiplied type becomes as many blocks as `count` says, or one for each element of `for_each`, all
//!    with the same header. If both are given, `count` applies. If the number is unknown, there is no block at all.
//! 2. `dynamic "T"` becomes one block of type T for each element, at the position of the `dynamic` block.
//! 3. Inside such blocks every argument gets its value for the current step, unless that value is sensitive or
//!    ephemeral.
//! 4. Blocks of other types are not multiplied, whatever arguments they have.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::block_list::codes;
use crate::block_list::inferred_schema::{CONTENT, DYNAMIC, Place};
use crate::block_list::names::{Bound, Evaluation, ResolvedValues};
use crate::block_list::read::{Reader, empty_block, note_stray, with_header};
use overfold_base::account;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Quotes, Reporting, SourceId, Span};
use overfold_dialect::{AttrSpec, View};
use overfold_eval::Roots;
use overfold_model::body::content;
use overfold_model::body::content::{
    ArgumentSchema, BlockSchema, BodyAt, Content, ContentBlock, ContentLabel, Hidden, Schema,
};
use overfold_model::config::{Argument, Block};
use overfold_model::scope::{Definitions, Language};
use overfold_syntax::{ExprAt, Forest, statics};
use overfold_value::{Marks, Number, Type, Value, convert, with_stack};

/// The approximate number of bytes that the copies of all blocks of a module may take up in an answer: the limit that
/// keeps `count = 1000000000` from being written out.
pub const EXPANSION_BYTES: u64 = 32 << 20;

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

/// The context of a body.
#[derive(Clone, Copy)]
struct BodyContext<'s> {
    place: Place<'s>,
    /// The names bound by the surrounding repetitions; `None` outside of any.
    bound: Option<&'s Bound>,
    /// Whether the body belongs to elements that may not be shown.
    marked: bool,
}

/// The steps of a repetition.
enum Steps {
    Count(u64),
    Each(Value),
}

/// The parts of a `dynamic` block.
struct Dynamic<'f> {
    keyword: &'f str,
    header: Span,
    each: Value,
    iterator: Arc<str>,
    labels: Vec<ExprAt>,
    body: BodyAt,
}

/// Returns the names bound in an inner step.
fn bound(outer: Option<&Bound>, name: &Arc<str>, value: Value) -> Bound {
    let mut roots = Roots::within(outer.cloned());
    roots.insert(Arc::clone(name), value);
    Rc::new(roots)
}

impl<'f, 'a> Expansion<'f, 'a> {
    /// Prepares the expansion of a module with these definitions. `resolved` holds the values of resolved variables;
    /// other variables have their defaults, and one with neither is unknown.
    pub fn new(
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
        top: Place<'_>,
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
                if let Some(dynamic) = self.dynamic(block, made.text, around, out) {
                    self.generate(reader, &dynamic, around, &mut blocks, out);
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
            for attribute in &content.attributes {
                if self.over {
                    break;
                }
                let mut argument = reader.argument(attribute, inside.place.row());
                if let Some(bound) = inside.bound {
                    self.bind(&mut argument, bound, inside.marked, out);
                }
                block.arguments.push(argument);
            }
            block.blocks = self.blocks(reader, &content, inside, out);
            block
        })
    }

    /// Gives an argument its value in the current step.
    fn bind(&mut self, argument: &mut Argument<'_>, bound: &Bound, marked: bool, out: &mut Diagnostics) {
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
        argument.value = Some(Box::new(found.value));
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

    /// Runs the steps of one repetition. A repetition that exceeds the limit is left out as a whole, and the outermost
    /// one restores what was left before it.
    fn repeat(
        &mut self,
        steps: usize,
        at: Span,
        around: BodyContext<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
        made: &mut dyn FnMut(&mut Self, &mut Diagnostics) -> Vec<Block<'f>>,
    ) {
        let before = self.left;
        // If not even the headers fit, nothing is begun.
        self.over |= steps as u64 > self.left / PART_BYTES;
        let blocks = if self.over { Vec::new() } else { made(self, out) };
        if !self.over {
            into.extend(blocks);
            return;
        }
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
        let (count, each) = (find("count"), find("for_each"));
        let Some(expr) = count.or(each) else {
            into.push(self.block(reader, block, around, out));
            return;
        };
        let (steps, verdict) = out.watch(|out| {
            let counted = count.and_then(|expr| self.count(expr, around, out));
            // Both are checked, but `count` decides.
            let collection = each.and_then(|expr| self.collection(expr, around, out));
            if count.is_some() { counted } else { collection.map(Steps::Each) }
        });
        if verdict.failed() {
            return;
        }
        let at = self.forest.expr_span(expr);
        let empty = match &steps {
            None | Some(Steps::Count(0)) => true,
            Some(Steps::Count(_)) => false,
            Some(Steps::Each(value)) => value.length() == Some(0),
        };
        let Some(steps) = steps.filter(|_| !empty) else {
            Self::note_nothing(at, out);
            return;
        };
        match steps {
            Steps::Count(count) => {
                let number = usize::try_from(count).unwrap_or(usize::MAX);
                self.repeat(number, at, around, into, out, &mut |this, out| {
                    let steps = (0..number).map(|index| {
                        ("count", Value::object(vec![(Arc::from("index"), Value::number(Number::from_usize(index)))]))
                    });
                    this.copies(reader, block, around, steps, out)
                });
            }
            Steps::Each(value) => {
                let number = value.length().unwrap_or(0);
                self.repeat(number, at, around, into, out, &mut |this, out| {
                    let steps = value.elements().map(|(key, value)| ("each", key_value_object(key, value)));
                    this.copies(reader, block, around, steps, out)
                });
            }
        }
    }

    fn copies(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: BodyContext<'_>,
        steps: impl Iterator<Item = (&'static str, Value)>,
        out: &mut Diagnostics,
    ) -> Vec<Block<'f>> {
        let mut copies = Vec::new();
        for (name, value) in steps {
            if self.over {
                break;
            }
            let bound = bound(around.bound, &Arc::from(name), value);
            copies.push(self.block(reader, block, BodyContext { bound: Some(&bound), ..around }, out));
        }
        copies
    }

    fn note_nothing(at: Span, out: &mut Diagnostics) {
        let detail = "The block is repeated zero times, or the number of repetitions is not known, so the tool silently leaves it out.";
        out.push(Diagnostic::ours(&codes::EXPANDED_TO_NOTHING, at, detail));
    }

    /// Evaluates the number of copies; `None` if it is unknown, or wrong, which is reported.
    fn count(&mut self, expr: ExprAt, around: BodyContext<'_>, out: &mut Diagnostics) -> Option<Steps> {
        let found = self.evaluation.value(expr, around.bound, out);
        let value = found.value.unmarked();
        if !value.is_known() {
            return None;
        }
        let (code, detail): (&'static Code, String) = if value.is_null() {
            (&codes::COUNT, "The value of `count` is null, but it must be a whole number.".to_owned())
        } else {
            match convert(&value, &Type::Number) {
                Err(error) => (&codes::COUNT_TYPE, format!("The value of `count` is not a number: {error}.")),
                Ok(number) => match number.as_number().and_then(Number::to_i64).map(u64::try_from) {
                    Some(Ok(count)) => return Some(Steps::Count(count)),
                    Some(Err(_)) => {
                        (&codes::COUNT, "The value of `count` is negative, but it must be zero or more.".to_owned())
                    }
                    None => (
                        &codes::COUNT,
                        "The value of `count` must be a whole number, and this one is a fraction or far too large."
                            .to_owned(),
                    ),
                },
            }
        };
        self.report(code, expr, found.value.deep_marks(), detail, out);
        None
    }

    /// Evaluates the elements to make copies for; `None` if they are unknown, or wrong, which is reported.
    fn collection(&mut self, expr: ExprAt, around: BodyContext<'_>, out: &mut Diagnostics) -> Option<Value> {
        let value = self.evaluation.value(expr, around.bound, out).value;
        let marked = value.marks() != Marks::NONE;
        if !matches!(value.ty(), Type::Dynamic) && (marked || !is_iterable(value.ty())) {
            let detail = "The value of `for_each` must be a list, set, map or object that is not sensitive.";
            self.report(&codes::FOR_EACH_TYPE, expr, value.deep_marks(), detail, out);
            return None;
        }
        if value.is_null() {
            self.report(
                &codes::FOR_EACH_NULL,
                expr,
                value.deep_marks(),
                "The value of `for_each` is null, but it must be a collection.",
                out,
            );
            return None;
        }
        value.is_known().then_some(value)
    }

    fn report(
        &self,
        code: &'static Code,
        expr: ExprAt,
        marks: Marks,
        detail: impl Into<std::borrow::Cow<'static, str>>,
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
    ) -> Option<Dynamic<'f>> {
        let labelled = around.place.labels_of(made);
        let mut arguments = vec![
            ArgumentSchema { required: true, ..ArgumentSchema::optional("for_each") },
            ArgumentSchema::optional("iterator"),
        ];
        if labelled != Some(0) {
            arguments.push(ArgumentSchema { required: labelled.is_some(), ..ArgumentSchema::optional("labels") });
        }
        let schema = Schema { arguments: &arguments, blocks: &[BlockSchema::new(CONTENT, &[])] };
        let (content, verdict) =
            out.watch(|out| content::strict(self.forest, block.body, &Hidden::NONE, schema, out));
        if verdict.failed() {
            return None;
        }
        let each = content.attribute("for_each")?.expr;
        let found = self.evaluation.value(each, around.bound, out);
        // Marks on the collection do not matter here, only its value.
        if !is_iterable(found.value.ty()) && !matches!(found.value.ty(), Type::Dynamic) {
            let detail = "The value of `for_each` must be a collection, because one block is generated for each of its elements.";
            self.report(&codes::DYNAMIC_FOR_EACH, each, found.value.deep_marks(), detail, out);
            return None;
        }
        if found.value.is_null() {
            let detail = "The value of `for_each` is null, but it must be a collection.";
            self.report(&codes::DYNAMIC_FOR_EACH, each, found.value.deep_marks(), detail, out);
            return None;
        }
        let mut iterator: Arc<str> = Arc::from(made);
        if let Some(attribute) = content.attribute("iterator") {
            let traversal = statics::absolute_traversal(self.forest, attribute.expr, out)?;
            if !traversal.steps.is_empty() {
                let detail = "The iterator of a `dynamic` block must be a single name, without anything after it.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_ITERATOR, traversal.span, detail));
                return None;
            }
            iterator = Arc::from(&*traversal.root);
        }
        let mut labels = Vec::new();
        if let Some(attribute) = content.attribute("labels") {
            labels = statics::static_list(self.forest, attribute.expr, out)?;
            let wanted = labelled.unwrap_or(labels.len());
            let plural = if wanted == 1 { "" } else { "s" };
            let detail = format!(
                "Blocks of type {made:?} have {wanted} label{plural}, but this `dynamic` block sets {}.",
                labels.len()
            );
            if let Some(&extra) = labels.get(wanted) {
                out.push(Diagnostic::tool(&codes::DYNAMIC_LABELS_EXTRA, self.forest.expr_span(extra), detail));
                return None;
            }
            if labels.len() < wanted {
                let at = self.forest.expr_span(attribute.expr);
                out.push(Diagnostic::tool(&codes::DYNAMIC_LABELS_FEW, at, detail));
                return None;
            }
        }
        let body = match content.blocks.as_slice() {
            [only] => only.body,
            [] => {
                let detail =
                    "A `dynamic` block must contain a `content` block with the body of the generated blocks.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_NO_CONTENT, content.missing_item, detail));
                return None;
            }
            [_, second, ..] => {
                let detail = "A `dynamic` block can contain only one `content` block. Remove the others.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_CONTENTS, second.header, detail));
                return None;
            }
        };
        if !found.value.is_known() || found.value.length() == Some(0) {
            if !found.wrong {
                Self::note_nothing(self.forest.expr_span(each), out);
            }
            return None;
        }
        Some(Dynamic { keyword: made, header: block.header, each: found.value, iterator, labels, body })
    }

    /// Generates the blocks of a `dynamic` block.
    fn generate(
        &mut self,
        reader: &Reader<'f, '_>,
        dynamic: &Dynamic<'f>,
        around: BodyContext<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
    ) {
        let place = around.place.inside_type(dynamic.keyword);
        let marked = dynamic.each.marks() != Marks::NONE;
        let number = dynamic.each.length().unwrap_or(0);
        self.repeat(number, dynamic.header, around, into, out, &mut |this, out| {
            let mut blocks = Vec::new();
            for (key, value) in dynamic.each.elements() {
                if this.over {
                    break;
                }
                let bound = bound(around.bound, &dynamic.iterator, key_value_object(key, value));
                let Some(labels) = this.labels(dynamic, &bound, out) else { continue };
                let block = with_header(dynamic.keyword, labels, dynamic.header, place.row());
                let inside = BodyContext { place, bound: Some(&bound), marked };
                blocks.push(this.fill(reader, block, dynamic.body, inside, out));
            }
            blocks
        });
    }

    /// Evaluates the labels of one generated block. `None` if there is no block; a mistake has been reported.
    fn labels(
        &mut self,
        dynamic: &Dynamic<'f>,
        bound: &Bound,
        out: &mut Diagnostics,
    ) -> Option<&'f [ContentLabel<'f>]> {
        let mut labels: SmallVec<[ContentLabel<'_>; 4]> = SmallVec::new();
        for &expr in &dynamic.labels {
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

fn key_value_object(key: Value, value: Value) -> Value {
    Value::object(vec![(Arc::from("key"), key), (Arc::from("value"), value)])
}

const fn is_iterable(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_))
}
