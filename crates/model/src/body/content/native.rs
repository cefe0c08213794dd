//! Bodies in native syntax.

use smallvec::SmallVec;

use crate::body::content::{
    Attributes, BlockSchema, BodyAt, ConsumedNames, Content, ContentAttribute, ContentBlock, ContentBlocks,
    ContentLabel, Schema, codes, has_labels,
};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span, TextRange};
use overfold_base::nearest::{did_you_mean, nearest};
use overfold_syntax::tree::{Attribute, Block, BlockLabel, Body, Id, Tree};
use overfold_syntax::{ExprAt, Forest};

pub(crate) fn missing_item(tree: &Tree, id: Id<Body>) -> Span {
    let start = tree.body(id).range.start;
    Span { source: tree.source, start, end: start }
}

pub(crate) fn partial<'f, 'n>(
    forest: &'f Forest,
    tree: &'f Tree,
    id: Id<Body>,
    hidden: &mut ConsumedNames<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    let body = tree.body(id);
    let attributes = Attributes::with_capacity(body.attributes.len().min(schema.arguments.len()));
    let mut content = Content { attributes, blocks: ContentBlocks::new(), missing_item: missing_item(tree, id) };
    // The indexes in the schema of the arguments that were found.
    let mut found = NumberSet::default();
    let arguments = schema.argument_finder(body.attributes.len());
    for attribute in tree.attributes(body.attributes) {
        let name = tree.slice(attribute.name_range);
        if hidden.has_name(name) {
            continue;
        }
        if let Some(at) = arguments.find(name)
            && found.insert(at)
        {
            content.attributes.push(read_attribute(tree, attribute, name));
        }
    }
    for (at, argument) in schema.arguments.iter().enumerate() {
        if found.has(at) {
            hidden.hide_name(argument.name);
        } else if argument.required {
            out.push(missing_argument(argument.name, content.missing_item));
        }
    }
    let block_types = schema.block_finder(body.blocks.len());
    for block in tree.blocks(body.blocks) {
        let keyword = tree.slice(block.type_range);
        if hidden.has_block(keyword) {
            continue;
        }
        let Some(wanted) = block_types.find(keyword).and_then(|at| schema.blocks.get(at)) else { continue };
        let block = read_block(forest, tree, block, keyword);
        if has_labels(&block, wanted, out) {
            account::push_few(&mut content.blocks, block);
        }
    }
    // Only now, because there may be any number of blocks of one type.
    hidden.hide_blocks(schema.blocks);
    content
}

/// Returns what is wrong with the labels of a block of this type, if anything is.
pub(crate) fn label_problem(
    keyword: &str,
    labels: &[ContentLabel<'_>],
    open_brace: Span,
    wanted: &BlockSchema<'_>,
) -> Option<Diagnostic> {
    if let Some(extra) = labels.get(wanted.labels.len()) {
        let detail = match wanted.labels.len() {
            0 => format!("Blocks of type {keyword:?} have no labels. Remove the label."),
            1 => format!(
                "Blocks of type {keyword:?} have only one label: {}. Remove the others.",
                wanted.labels.join(", ")
            ),
            n => format!(
                "Blocks of type {keyword:?} have only {n} labels: {}. Remove the others.",
                wanted.labels.join(", ")
            ),
        };
        let found = Diagnostic::tool(&codes::EXTRANEOUS_LABEL, extra.span, detail);
        return Some(found.titled(format!("Extraneous label for {keyword}")));
    }
    let missing = wanted.labels.get(labels.len())?;
    let detail = format!(
        "A block of type {keyword:?} needs {} before its opening brace: {}.",
        if wanted.labels.len() == 1 { "a label" } else { "labels" },
        wanted.labels.join(", ")
    );
    let found = Diagnostic::tool(&codes::MISSING_LABEL, open_brace, detail);
    Some(found.titled(format!("Missing {missing} for {keyword}")))
}

/// Returns the body of the block with this range. Bodies are in the order in which they end.
pub(crate) fn body_of_block(tree: &Tree, block: TextRange) -> Option<Id<Body>> {
    let ends_by = tree.bodies.partition_point(|body| body.range.end <= block.end);
    // A file that ends with the block ends there, too.
    let inside =
        (0..ends_by).rev().take(2).find(|&at| tree.bodies.get(at).is_some_and(|body| body.range.start > block.start));
    inside.and_then(|at| u32::try_from(at).ok()).map(Id::new)
}

/// A set of small numbers: those below 64 are bits of one word, others are bits of further words.
#[derive(Default)]
struct NumberSet {
    few: u64,
    more: Vec<u64>,
}

impl NumberSet {
    /// Adds a number and returns whether it is new.
    fn insert(&mut self, at: usize) -> bool {
        let (word, bit) = place(at);
        let held = match word.checked_sub(1) {
            None => &mut self.few,
            Some(word) => {
                if self.more.len() <= word {
                    self.more.resize(word + 1, 0);
                }
                let Some(held) = self.more.get_mut(word) else { return false };
                held
            }
        };
        let is_new = *held & bit == 0;
        *held |= bit;
        is_new
    }

    fn has(&self, at: usize) -> bool {
        let (word, bit) = place(at);
        let held = word.checked_sub(1).map_or(self.few, |word| self.more.get(word).copied().unwrap_or(0));
        held & bit != 0
    }
}

/// The word and the bit for a number.
const fn place(at: usize) -> (usize, u64) {
    (at / 64, 1 << (at % 64))
}

/// Reports everything that is not hidden after a partial read.
pub(crate) fn report_leftovers(
    tree: &Tree,
    id: Id<Body>,
    hidden: &ConsumedNames<'_>,
    schema: Schema<'_>,
    out: &mut Diagnostics,
) {
    let body = tree.body(id);
    let block_types = schema.block_finder(body.attributes.len());
    for attribute in tree.attributes(body.attributes) {
        let name = tree.slice(attribute.name_range);
        if hidden.has_name(name) {
            continue;
        }
        let mut like = None;
        let hint = if block_types.find(name).is_some() {
            " It is a block type: write it without the equals sign.".to_owned()
        } else {
            like = nearest(name, schema.arguments.iter().map(|argument| argument.name));
            did_you_mean(like)
        };
        let span = tree.span(attribute.name_range);
        let detail = format!("There is no argument named {name:?} in this block.{hint}");
        let finding = Diagnostic::tool(&codes::UNSUPPORTED_ARGUMENT, span, detail);
        out.push(match like.filter(|like| !sets(tree, id, like)) {
            Some(like) => finding.fixed_by(span, like.to_owned()),
            None => finding,
        });
    }
    let arguments = schema.argument_finder(body.blocks.len());
    for block in tree.blocks(body.blocks) {
        let keyword = tree.slice(block.type_range);
        if hidden.has_block(keyword) {
            continue;
        }
        let mut like = None;
        let hint = if arguments.find(keyword).is_some() {
            " It is an argument: write it with an equals sign.".to_owned()
        } else {
            like = nearest(keyword, schema.blocks.iter().map(|block| block.keyword));
            did_you_mean(like)
        };
        let span = tree.span(block.type_range);
        let detail = format!("Blocks of type {keyword:?} are not allowed here.{hint}");
        let finding = Diagnostic::tool(&codes::UNSUPPORTED_BLOCK_TYPE, span, detail);
        out.push(match like {
            Some(like) => finding.fixed_by(span, like.to_owned()),
            None => finding,
        });
    }
}

/// Whether a body sets an argument.
fn sets(tree: &Tree, id: Id<Body>, name: &str) -> bool {
    let attributes = tree.attributes(tree.body(id).attributes);
    attributes.iter().charged_at_once(1).any(|attribute| tree.slice(attribute.name_range) == name)
}

pub(crate) fn attributes_only<'f>(
    tree: &'f Tree,
    id: Id<Body>,
    hidden: &ConsumedNames<'_>,
    out: &mut Diagnostics,
) -> Attributes<'f> {
    let body = tree.body(id);
    if let Some(first) = tree.blocks(body.blocks).first() {
        let keyword = tree.slice(first.type_range);
        out.push(
            Diagnostic::tool(
                &codes::UNEXPECTED_BLOCK,
                tree.span(first.type_range),
                "Only arguments are allowed here, not blocks. Remove the block, or write it as an argument with an equals sign.",
            )
            .titled(format!("Unexpected {keyword:?} block")),
        );
    }
    attributes(tree, body, hidden)
}

pub(crate) fn open<'f>(forest: &'f Forest, tree: &'f Tree, id: Id<Body>, hidden: &ConsumedNames<'_>) -> Content<'f> {
    let body = tree.body(id);
    let mut blocks = ContentBlocks::new();
    for block in tree.blocks(body.blocks) {
        let keyword = tree.slice(block.type_range);
        if !hidden.has_block(keyword) {
            account::push_few(&mut blocks, read_block(forest, tree, block, keyword));
        }
    }
    Content { attributes: attributes(tree, body, hidden), blocks, missing_item: missing_item(tree, id) }
}

fn attributes<'f>(tree: &'f Tree, body: &Body, hidden: &ConsumedNames<'_>) -> Attributes<'f> {
    let all = tree.attributes(body.attributes);
    let mut read = Attributes::with_capacity(all.len());
    for attribute in all {
        let name = tree.slice(attribute.name_range);
        if !hidden.has_name(name) {
            read.push(read_attribute(tree, attribute, name));
        }
    }
    read
}

pub(crate) fn missing_argument(name: &str, at: Span) -> Diagnostic {
    Diagnostic::tool(
        &codes::MISSING_REQUIRED_ARGUMENT,
        at,
        format!("The argument {name:?} is required, but this block does not set it."),
    )
}

pub(super) fn labels<'f>(forest: &'f Forest, tree: &'f Tree, labels: &[BlockLabel]) -> &'f [ContentLabel<'f>] {
    let labels: SmallVec<[ContentLabel<'_>; 4]> = labels
        .iter()
        .map(|label| ContentLabel { text: tree.str(label.text), span: tree.span(label.range) })
        .collect();
    forest.keep_list(&labels)
}

fn read_attribute<'f>(tree: &'f Tree, attribute: &Attribute, name: &'f str) -> ContentAttribute<'f> {
    account::work(1);
    ContentAttribute {
        name,
        name_span: tree.span(attribute.name_range),
        range: tree.span(attribute.range),
        expr: ExprAt::Native(tree.source, attribute.expr),
    }
}

fn read_block<'f>(forest: &'f Forest, tree: &'f Tree, block: &Block, keyword: &'f str) -> ContentBlock<'f> {
    account::work(2);
    ContentBlock {
        keyword,
        type_span: tree.span(block.type_range),
        labels: labels(forest, tree, tree.labels(block.labels)),
        header: tree.span(block.def_range),
        open_brace: tree.span(block.open_brace),
        range: tree.span(block.range),
        body: BodyAt::Native(tree.source, block.body),
    }
}
