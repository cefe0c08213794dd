//! Bodies in HCL 1, both native and JSON: `x { … }` and `x = { … }` mean the same, so the schema determines what is an
//! argument and what is a block, and an item may be repeated.

use std::collections::HashMap;

use crate::body::content::native::{self, missing_argument};
use crate::body::content::{
    Attributes, BlockSchema, BodyAt, ConsumedNames, Content, ContentAttribute, ContentBlock, ContentBlocks, Repeated,
    Schema, codes,
};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Span, TextRange};
use overfold_base::nearest::hint;
use overfold_dialect::ExtraLabels;
use overfold_syntax::hcl1::is_json;
use overfold_syntax::tree::{Attribute, Block, Body, Id, Tree};
use overfold_syntax::{ExprAt, Forest};

#[derive(Clone, Copy)]
enum Item<'t> {
    Argument(&'t Attribute),
    Block(&'t Block),
}

impl<'t> Item<'t> {
    fn start(self) -> u32 {
        match self {
            Self::Argument(argument) => argument.range.start,
            Self::Block(block) => block.range.start,
        }
    }

    /// Returns the location of the name, without quotes.
    fn name_range(self) -> TextRange {
        match self {
            Self::Argument(argument) => argument.name_range,
            Self::Block(block) => block.type_range,
        }
    }

    fn name(self, tree: &'t Tree) -> &'t str {
        tree.name(self.name_range())
    }

    /// Returns the item as an argument: a block is an object, and each of its labels is an object around it.
    fn argument(self, tree: &'t Tree) -> Option<ContentAttribute<'t>> {
        let (range, expr) = match self {
            Self::Argument(argument) => (argument.range, argument.expr),
            Self::Block(block) => (block.range, tree.object_of(tree.body_after_labels(block, 0))?),
        };
        Some(ContentAttribute {
            name: self.name(tree),
            name_span: tree.span(self.name_range()),
            range: tree.span(range.to(self.name_range())),
            expr: ExprAt::Native(tree.source, expr),
        })
    }
}

/// Returns the items of a body in source order.
fn items<'t>(tree: &'t Tree, id: Id<Body>) -> Vec<Item<'t>> {
    let body = tree.body(id);
    let mut items: Vec<Item<'t>> = tree.attributes(body.attributes).iter().map(Item::Argument).collect();
    items.extend(tree.blocks(body.blocks).iter().map(Item::Block));
    items.sort_by_key(|item| item.start());
    items
}

pub(crate) fn partial<'f, 'n>(
    forest: &'f Forest,
    tree: &'f Tree,
    id: Id<Body>,
    hidden: &mut ConsumedNames<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    let missing_item = native::missing_item(tree, id);
    let mut content = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
    let mut found: HashMap<&str, usize> = HashMap::new();
    for item in items(tree, id) {
        let name = item.name(tree);
        if hidden.has_name(name) {
            continue;
        }
        if let Some(wanted) = schema.arguments.iter().find(|argument| argument.name == name) {
            let Some(argument) = item.argument(tree) else { continue };
            match found.get(wanted.name).and_then(|&at| content.attributes.get_mut(at)) {
                None => {
                    found.insert(wanted.name, content.attributes.len());
                    content.attributes.push(argument);
                }
                // The tool uses the first of those that it treats specially, and decodes all others one after the
                // other.
                Some(earlier) => {
                    if wanted.repeated == Repeated::ReportedElsewhere {
                        continue;
                    }
                    let last_applies = wanted.repeated == Repeated::LastApplies;
                    let objects = [earlier.expr, argument.expr].map(|at| is_object(tree, at)) == [true; 2];
                    if last_applies && objects {
                        // The combination of the two is reported where they are read as values.
                        *earlier = argument;
                        continue;
                    }
                    let detail = format!(
                        "{name:?} is set more than once in this block. The {} value is silently used; keep only one of them.",
                        if last_applies { "last" } else { "first" }
                    );
                    out.push(
                        Diagnostic::ours(&codes::GIVEN_AGAIN, argument.range, detail)
                            .and("previously set here", earlier.range),
                    );
                    if last_applies {
                        *earlier = argument;
                    }
                }
            }
        } else if let Some(wanted) = schema.blocks.iter().find(|wanted| wanted.keyword == name) {
            content.blocks.extend(block(forest, tree, item, wanted, out));
        }
    }
    for argument in schema.arguments {
        if found.contains_key(argument.name) {
            hidden.hide_name(argument.name);
        } else if argument.required {
            out.push(missing_argument(argument.name, content.missing_item));
        }
    }
    for block in schema.blocks {
        hidden.hide_name(block.keyword);
    }
    content
}

fn is_object(tree: &Tree, at: ExprAt) -> bool {
    matches!(at, ExprAt::Native(_, id) if tree.body_of(id).is_some())
}

/// Reads an item as a block of this schema.
fn block<'f>(
    forest: &'f Forest,
    tree: &'f Tree,
    item: Item<'f>,
    wanted: &BlockSchema<'_>,
    out: &mut Diagnostics,
) -> Option<ContentBlock<'f>> {
    let keyword = item.name(tree);
    let name = tree.span(item.name_range());
    let block = match item {
        Item::Block(block) => block,
        Item::Argument(argument) => {
            let Some(body) = tree.body_of(argument.expr) else {
                let detail = format!("{keyword:?} is a block type, not an argument. Write its content in braces.");
                let at = tree.span(tree.expr(argument.expr).range);
                out.push(
                    Diagnostic::tool(&codes::NOT_A_BLOCK, at, detail)
                        .titled(format!("{keyword} has to be a block"))
                        .within(tree.span(argument.range)),
                );
                return None;
            };
            let header = tree.span(argument.name_range.to(argument.equals_range));
            let object = tree.expr(argument.expr).range;
            let open = tree.span(TextRange::new(object.start, object.start.saturating_add(1).min(object.end)));
            return named(keyword, open, wanted, 0, out).then(|| ContentBlock {
                keyword,
                type_span: name,
                labels: &[],
                header,
                open_brace: open,
                range: tree.span(argument.range),
                body: BodyAt::Native(tree.source, body),
            });
        }
    };
    let labels = tree.labels(block.labels);
    if !named(keyword, tree.span(block.open_brace), wanted, labels.len(), out) {
        return None;
    }
    let mut taken = labels.len();
    if let Some(extra) = labels.get(wanted.labels.len()) {
        let json = is_json(&tree.text);
        match wanted.extra_labels {
            ExtraLabels::Inside => taken = wanted.labels.len(),
            ExtraLabels::InsideInJson if json => taken = wanted.labels.len(),
            ExtraLabels::Unread => {
                let detail = format!("Blocks of type {keyword:?} do not have this label, so it is ignored.");
                out.push(Diagnostic::ours(&codes::LABEL_NOT_READ, tree.span(extra.range), detail));
            }
            ExtraLabels::Refused | ExtraLabels::InsideInJson => {
                let detail =
                    format!("A block of type {keyword:?} can have only these labels: {}.", wanted.labels.join(", "));
                let first = labels.first().unwrap_or(extra);
                out.push(
                    Diagnostic::tool(&codes::EXTRANEOUS_LABEL, tree.span(extra.range), detail)
                        .titled(format!("Extraneous label for {keyword}"))
                        .within(tree.span(block.def_range.to(first.range))),
                );
                return None;
            }
        }
    }
    account::work(2);
    Some(ContentBlock {
        keyword,
        type_span: name,
        labels: native::labels(forest, tree, labels.get(..wanted.labels.len()).unwrap_or(labels)),
        header: tree.span(block.def_range),
        open_brace: tree.span(block.open_brace),
        range: tree.span(block.range),
        body: BodyAt::Native(tree.source, tree.body_after_labels(block, taken)),
    })
}

/// Whether a block has all the labels that it needs. Reports what is missing.
fn named(keyword: &str, open: Span, wanted: &BlockSchema<'_>, given: usize, out: &mut Diagnostics) -> bool {
    let Some(missing) = wanted.labels.get(given) else { return true };
    if given == 0 && wanted.ignore_unlabeled {
        let detail = format!("A {keyword:?} block without a label is silently ignored. Add the label.");
        out.push(Diagnostic::ours(&codes::NAMELESS, open, detail));
        return false;
    }
    let detail = format!("A block of type {keyword:?} must have these labels: {}.", wanted.labels.join(", "));
    let found = if given == 0 {
        Diagnostic::tool(&codes::WITHOUT_NAME, open, detail).titled(format!("{keyword} has to have a name"))
    } else {
        Diagnostic::tool(&codes::MISSING_LABEL, open, detail).titled(format!("Missing {missing} for {keyword}"))
    };
    out.push(found);
    false
}

/// Reports everything that is not hidden after a partial read.
pub(crate) fn report_leftovers(
    tree: &Tree,
    id: Id<Body>,
    hidden: &ConsumedNames<'_>,
    schema: Schema<'_>,
    out: &mut Diagnostics,
) {
    for item in items(tree, id) {
        let name = item.name(tree);
        if hidden.has_name(name) {
            continue;
        }
        let at = tree.span(item.name_range());
        let known = schema.arguments.iter().map(|argument| argument.name);
        let hint = hint(name, known.chain(schema.blocks.iter().map(|block| block.keyword)));
        let detail = format!("There is no argument or block type named {name:?} here.{hint}");
        out.push(Diagnostic::tool(&codes::UNSUPPORTED_ARGUMENT, at, detail));
    }
}

/// Returns every item as an argument, including several with the same name. An item with labels is reported and
/// dropped.
pub(crate) fn attributes_only<'f>(tree: &'f Tree, id: Id<Body>, out: &mut Diagnostics) -> Attributes<'f> {
    let mut attributes = Attributes::new();
    for item in items(tree, id) {
        match item {
            Item::Block(block) if !block.labels.is_empty() => {
                let detail = "Only arguments are allowed here, not blocks. Remove the block, or write it as an argument with an equals sign.";
                out.push(
                    Diagnostic::tool(&codes::UNEXPECTED_BLOCK, tree.span(block.open_brace), detail)
                        .titled("Unexpected block"),
                );
            }
            _ => attributes.extend(item.argument(tree)),
        }
    }
    attributes
}

/// Returns arguments and blocks as they are written. If several arguments have the same name, the last one is used.
pub(crate) fn open<'f>(forest: &'f Forest, tree: &'f Tree, id: Id<Body>, hidden: &ConsumedNames<'_>) -> Content<'f> {
    let missing_item = native::missing_item(tree, id);
    let mut content = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
    let mut places: HashMap<String, usize> = HashMap::new();
    for item in items(tree, id) {
        let keyword = item.name(tree);
        if hidden.has_name(keyword) {
            continue;
        }
        match item {
            Item::Argument(_) => {
                let Some(argument) = item.argument(tree) else { continue };
                match places.get(keyword).and_then(|&at| content.attributes.get_mut(at)) {
                    Some(earlier) => *earlier = argument,
                    None => {
                        places.insert(keyword.to_owned(), content.attributes.len());
                        content.attributes.push(argument);
                    }
                }
            }
            Item::Block(block) => content.blocks.push(ContentBlock {
                keyword,
                type_span: tree.span(block.type_range),
                labels: native::labels(forest, tree, tree.labels(block.labels)),
                header: tree.span(block.def_range),
                open_brace: tree.span(block.open_brace),
                range: tree.span(block.range),
                body: BodyAt::Native(tree.source, block.body),
            }),
        }
    }
    content
}
