//! `count`, `for_each` and `dynamic` evaluated, file by file, before anything is overridden (tflint.md, section 5).
//!
//! 1. A block of a type that is multiplied becomes as many blocks as `count` says, or one for each element of `for_each`;
//!    all have the one header. Of both arguments `count` counts. Where the number is not known there is no block at all.
//! 2. `dynamic "T"` becomes a block of type T for each element; it stands where the dynamic block stands.
//! 3. Inside such blocks every argument has the value that its step gives it, unless that is sensitive or ephemeral.
//! 4. Blocks of other types are not multiplied, whatever they say.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::account;
use crate::block_list::codes;
use crate::block_list::inferred_schema::{CONTENT, DYNAMIC, Place};
use crate::block_list::names::{Bound, Evaluation, ResolvedValues};
use crate::block_list::read::{Reader, bare, note_stray, with_header};
use crate::config::{Argument, Block};
use crate::diag::{Code, Diagnostic, Diagnostics, Quotes, Reporting, SourceId, Span};
use crate::dialect::{AttrSpec, View};
use crate::eval::Roots;
use crate::hcl::content;
use crate::hcl::content::{ArgumentSchema, BlockSchema, BodyAt, Content, ContentBlock, ContentLabel, Hidden, Schema};
use crate::scope::{Definitions, Language};
use crate::syntax::{ExprAt, Forest, statics};
use crate::value::{Marks, Number, Type, Value, convert, with_stack};

/// How much room the copies of all blocks of a module may take in an answer, in bytes, counted roughly: the limit that
/// keeps `count = 1000000000` from being written out.
pub const EXPANSION_BYTES: u64 = 32 << 20;

/// What a block, an argument or a copy costs beside its text: its places, in JSON.
const PART_BYTES: u64 = 256;

/// Expands the files of one module.
pub struct Expansion<'f, 'a> {
    forest: &'f Forest,
    multiplied: &'static [&'static str],
    evaluation: Evaluation<'a>,
    /// What is left of [`EXPANSION_BYTES`].
    left: u64,
    /// More was asked for than there is.
    over: bool,
}

/// What surrounds a body.
#[derive(Clone, Copy)]
struct Around<'s> {
    place: Place<'s>,
    /// Names that repetitions give values to; `None` outside of any.
    bound: Option<&'s Bound>,
    /// The body belongs to elements that may not be shown.
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

/// The names of an inner step.
fn bound(outer: Option<&Bound>, name: &Arc<str>, value: Value) -> Bound {
    let mut roots = outer.map_or_else(Roots::new, |outer| (**outer).clone());
    roots.insert(Arc::clone(name), value);
    account::work(roots.len() as u64);
    Rc::new(roots)
}

impl<'f, 'a> Expansion<'f, 'a> {
    /// Expands a module that declares these definitions. `resolved` are the values of variables that have been resolved;
    /// others have their defaults, and what has neither is not known.
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

    /// The top-level blocks of a file.
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
        self.blocks(&reader, &content, Around { place: top, bound: None, marked: false }, out)
    }

    fn blocks(
        &mut self,
        reader: &Reader<'f, '_>,
        content: &Content<'f>,
        around: Around<'_>,
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

    /// One block with everything inside.
    fn block(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: Around<'_>,
        out: &mut Diagnostics,
    ) -> Block<'f> {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.text).collect();
        let place = around.place.inside(block.keyword, &labels);
        let bare = bare(block, place.row());
        // What an element may not show goes for the block that is made of it, not for those inside.
        self.filled(reader, bare, block.body, Around { place, bound: around.bound, marked: false }, out)
    }

    fn filled(
        &mut self,
        reader: &Reader<'f, '_>,
        mut block: Block<'f>,
        body: BodyAt,
        inside: Around<'_>,
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

    /// Gives an argument the value of its step.
    fn bind(&mut self, argument: &mut Argument<'_>, bound: &Bound, marked: bool, out: &mut Diagnostics) {
        self.charge(argument.range.range().len() as u64 * 2);
        // References and words are no expressions; they are bound like others where they happen to have a known value,
        // such as an empty list, and nothing is reported about them.
        let bare = argument.spec.is_some_and(AttrSpec::bare_in_json);
        if argument.broken || (bare && matches!(argument.expr, ExprAt::Json(..))) || self.over {
            return;
        }
        let mut discarded = Diagnostics::new();
        let found = self.evaluation.value(argument.expr, Some(bound), if bare { &mut discarded } else { out });
        if bare && (discarded.has_errors() || !found.value.is_wholly_known()) {
            return;
        }
        // What may not be shown is not bound, nor what could not be evaluated.
        if found.wrong || marked || found.value.deep_marks() != Marks::NONE {
            return;
        }
        self.charge(found.value.weight() * 32);
        argument.value = Some(Box::new(found.value));
    }

    /// Takes room away for one part of so many bytes of text.
    fn charge(&mut self, bytes: u64) {
        match self.left.checked_sub(PART_BYTES.saturating_add(bytes)) {
            Some(left) => {
                account::work(PART_BYTES / account::BYTES_PER_UNIT);
                self.left = left;
            }
            _ => self.over = true,
        }
    }

    /// Runs the steps of one repetition. One that does not fit is left out as a whole: the outermost gives back the room
    /// that it took.
    fn repeat(
        &mut self,
        steps: usize,
        at: Span,
        around: Around<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
        made: &mut dyn FnMut(&mut Self, &mut Diagnostics) -> Vec<Block<'f>>,
    ) {
        let before = self.left;
        // Not even the headers fit: nothing is begun.
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
                "Over the limit expansion-bytes: all copies of a module together may take {EXPANSION_BYTES} bytes of an answer, and a certain amount of work. None of these is made."
            );
            out.push(Diagnostic::ours(&codes::EXPANSION_LIMIT, at, detail));
        }
    }

    /// Rule 1.
    fn multiply(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: Around<'_>,
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
            // Both are judged, but `count` decides.
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
            Self::nothing(at, out);
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
                    let steps = value.elements().map(|(key, value)| ("each", pair(key, value)));
                    this.copies(reader, block, around, steps, out)
                });
            }
        }
    }

    fn copies(
        &mut self,
        reader: &Reader<'f, '_>,
        block: &ContentBlock<'f>,
        around: Around<'_>,
        steps: impl Iterator<Item = (&'static str, Value)>,
        out: &mut Diagnostics,
    ) -> Vec<Block<'f>> {
        let mut copies = Vec::new();
        for (name, value) in steps {
            if self.over {
                break;
            }
            let bound = bound(around.bound, &Arc::from(name), value);
            copies.push(self.block(reader, block, Around { bound: Some(&bound), ..around }, out));
        }
        copies
    }

    fn nothing(at: Span, out: &mut Diagnostics) {
        let detail = "Repeated zero times, or nobody knows how often: the tool leaves the block out without a word.";
        out.push(Diagnostic::ours(&codes::EXPANDED_TO_NOTHING, at, detail));
    }

    /// The number of copies; `None` where it is not known, or wrong, which is reported.
    fn count(&mut self, expr: ExprAt, around: Around<'_>, out: &mut Diagnostics) -> Option<Steps> {
        let found = self.evaluation.value(expr, around.bound, out);
        let value = found.value.unmarked();
        if !value.is_known() {
            return None;
        }
        let (code, detail): (&'static Code, String) = if value.is_null() {
            (&codes::COUNT, "The number of copies is null.".to_owned())
        } else {
            match convert(&value, &Type::Number) {
                Err(error) => (&codes::COUNT_TYPE, format!("The value of count is not a number: {error}.")),
                Ok(number) => match number.as_number().and_then(Number::to_i64).map(u64::try_from) {
                    Some(Ok(count)) => return Some(Steps::Count(count)),
                    Some(Err(_)) => (&codes::COUNT, "The number of copies is negative.".to_owned()),
                    None => (&codes::COUNT, "The number of copies is not whole, or far too large.".to_owned()),
                },
            }
        };
        self.wrong(code, expr, found.value.deep_marks(), detail, out);
        None
    }

    /// The elements for copies; `None` where they are not known, or wrong, which is reported.
    fn collection(&mut self, expr: ExprAt, around: Around<'_>, out: &mut Diagnostics) -> Option<Value> {
        let value = self.evaluation.value(expr, around.bound, out).value;
        let marked = value.marks() != Marks::NONE;
        if !matches!(value.ty(), Type::Dynamic) && (marked || !is_iterable(value.ty())) {
            let detail = "Copies are made for the elements of a list, set, map or object that is not sensitive.";
            self.wrong(&codes::FOR_EACH_TYPE, expr, value.deep_marks(), detail, out);
            return None;
        }
        if value.is_null() {
            self.wrong(&codes::FOR_EACH_NULL, expr, value.deep_marks(), "The collection is null.", out);
            return None;
        }
        value.is_known().then_some(value)
    }

    fn wrong(
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

    /// Rule 2: reads a `dynamic` block. `None`: it makes nothing, and why has been reported.
    fn dynamic(
        &mut self,
        block: &ContentBlock<'f>,
        made: &'f str,
        around: Around<'_>,
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
        // Where an element comes from does not matter here, only its value.
        if !is_iterable(found.value.ty()) && !matches!(found.value.ty(), Type::Dynamic) {
            let detail = "A collection is needed here: one block is made for each of its elements.";
            self.wrong(&codes::DYNAMIC_FOR_EACH, each, found.value.deep_marks(), detail, out);
            return None;
        }
        if found.value.is_null() {
            let detail = "The collection is null, so it has no elements to make blocks of.";
            self.wrong(&codes::DYNAMIC_FOR_EACH, each, found.value.deep_marks(), detail, out);
            return None;
        }
        let mut iterator: Arc<str> = Arc::from(made);
        if let Some(attribute) = content.attribute("iterator") {
            let traversal = statics::absolute_traversal(self.forest, attribute.expr, out)?;
            if !traversal.steps.is_empty() {
                let detail = "The iterator is a single name, without anything after it.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_ITERATOR, traversal.span, detail));
                return None;
            }
            iterator = Arc::from(&*traversal.root);
        }
        let mut labels = Vec::new();
        if let Some(attribute) = content.attribute("labels") {
            labels = statics::static_list(self.forest, attribute.expr, out)?;
            let wanted = labelled.unwrap_or(labels.len());
            if let Some(&extra) = labels.get(wanted) {
                let detail = format!("Blocks of type {made:?} have {wanted} labels.");
                out.push(Diagnostic::tool(&codes::DYNAMIC_LABELS_EXTRA, self.forest.expr_span(extra), detail));
                return None;
            }
            if labels.len() < wanted {
                let detail = format!("Blocks of type {made:?} have {wanted} labels.");
                let at = self.forest.expr_span(attribute.expr);
                out.push(Diagnostic::tool(&codes::DYNAMIC_LABELS_FEW, at, detail));
                return None;
            }
        }
        let body = match content.blocks.as_slice() {
            [only] => only.body,
            [] => {
                let detail = "A dynamic block needs one `content` block.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_NO_CONTENT, content.missing_item, detail));
                return None;
            }
            [_, second, ..] => {
                let detail = "A dynamic block can contain only one `content` block.";
                out.push(Diagnostic::tool(&codes::DYNAMIC_CONTENTS, second.header, detail));
                return None;
            }
        };
        if !found.value.is_known() || found.value.length() == Some(0) {
            if !found.wrong {
                Self::nothing(self.forest.expr_span(each), out);
            }
            return None;
        }
        Some(Dynamic { keyword: made, header: block.header, each: found.value, iterator, labels, body })
    }

    /// The blocks of a `dynamic` block.
    fn generate(
        &mut self,
        reader: &Reader<'f, '_>,
        dynamic: &Dynamic<'f>,
        around: Around<'_>,
        into: &mut Vec<Block<'f>>,
        out: &mut Diagnostics,
    ) {
        let place = around.place.made(dynamic.keyword);
        let marked = dynamic.each.marks() != Marks::NONE;
        let number = dynamic.each.length().unwrap_or(0);
        self.repeat(number, dynamic.header, around, into, out, &mut |this, out| {
            let mut blocks = Vec::new();
            for (key, value) in dynamic.each.elements() {
                if this.over {
                    break;
                }
                let bound = bound(around.bound, &dynamic.iterator, pair(key, value));
                let Some(labels) = this.labels(dynamic, &bound, out) else { continue };
                let block = with_header(dynamic.keyword, labels, dynamic.header, place.row());
                let inside = Around { place, bound: Some(&bound), marked };
                blocks.push(this.filled(reader, block, dynamic.body, inside, out));
            }
            blocks
        });
    }

    /// The labels of one generated block. `None`: there is no block; where that is a mistake it has been reported.
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
                    let detail = "A label must be a string that is neither null nor sensitive.";
                    self.wrong(&codes::DYNAMIC_LABEL, expr, found.value.deep_marks(), detail, out);
                    return None;
                }
            };
            let text = self.forest.keep(text.as_shared_text()?);
            labels.push(ContentLabel { text, span: self.forest.expr_span(expr) });
        }
        Some(self.forest.keep_list(&labels))
    }
}

fn pair(key: Value, value: Value) -> Value {
    Value::object(vec![(Arc::from("key"), key), (Arc::from("value"), value)])
}

const fn is_iterable(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_))
}
