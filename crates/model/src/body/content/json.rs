//! Bodies in JSON syntax (syntax.md, section 6).

use std::borrow::Cow;
use std::collections::HashSet;

use smallvec::SmallVec;

use crate::body::content::native::missing_argument;
use crate::body::content::{
    Attributes, BodyAt, ConsumedNames, Content, ContentAttribute, ContentBlock, ContentBlocks, ContentLabel, Schema,
    codes,
};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span, TextRange};
use overfold_base::nearest::hint;
use overfold_dialect::words;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree, Property};
use overfold_syntax::tree::Id;
use overfold_syntax::{ExprAt, Forest};

/// The property name that marks a comment in every body.
const COMMENT: &str = "//";

pub(crate) fn missing_item(tree: &JsonTree, id: Id<JsonNode>) -> Span {
    let node = tree.node(id);
    match node.kind {
        JsonKind::Object { close, .. } => close,
        JsonKind::Array { open, .. } => open,
        _ => node.range,
    }
    .in_source(tree.source)
}

pub(crate) fn partial<'f, 'n>(
    forest: &'f Forest,
    tree: &'f JsonTree,
    id: Id<JsonNode>,
    hidden: &mut ConsumedNames<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    let mut content =
        Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item: missing_item(tree, id) };
    let mut found = vec![false; schema.arguments.len()];
    let mut used = vec![false; schema.blocks.len()];
    let objects = collect(tree, id, PropertyMeaning::Body, out);
    let count = objects.iter().map(|properties| properties.len()).sum();
    let (arguments, block_types) = (schema.argument_finder(count), schema.block_finder(count));
    for property in objects.into_iter().flatten() {
        let name = tree.str(property.name);
        if hidden.has_name(name) || is_left_out(forest, tree, property) {
            continue;
        }
        if let Some(at) = arguments.find(name) {
            let Some(seen) = found.get_mut(at) else { continue };
            if *seen {
                let span = property.name_range.in_source(tree.source);
                out.push(
                    Diagnostic::tool(
                        &codes::DUPLICATE_ARGUMENT,
                        span,
                        format!("The argument {name:?} is already set in this body, and the first value is used. Remove this one."),
                    )
                    .within(span),
                );
            } else {
                *seen = true;
                content.attributes.push(attribute(tree, property));
            }
        } else if let Some(at) = block_types.find(name)
            && let (Some(wanted), Some(used)) = (schema.blocks.get(at), used.get_mut(at))
        {
            let name = (name, property.name_range.in_source(tree.source));
            unpack(forest, tree, name, property.value, wanted.labels, &mut content.blocks, out);
            *used = true;
        }
    }
    for (argument, found) in schema.arguments.iter().zip(found) {
        if found {
            hidden.hide_name(argument.name);
        } else if argument.required {
            out.push(missing_argument(argument.name, content.missing_item));
        }
    }
    for (block, used) in schema.blocks.iter().zip(used) {
        if used {
            hidden.hide_name(block.keyword);
        }
    }
    content
}

/// Reports every property that is not hidden after a partial read.
pub(crate) fn report_leftovers(
    forest: &Forest,
    tree: &JsonTree,
    id: Id<JsonNode>,
    hidden: &ConsumedNames<'_>,
    schema: Schema<'_>,
    out: &mut Diagnostics,
) {
    for property in collect(tree, id, PropertyMeaning::Body, out).into_iter().flatten() {
        let name = tree.str(property.name);
        if name == COMMENT || hidden.has_name(name) || is_left_out(forest, tree, property) {
            continue;
        }
        let span = property.name_range.in_source(tree.source);
        let known = schema.arguments.iter().map(|argument| argument.name);
        let hint = hint(name, known.chain(schema.blocks.iter().map(|block| block.keyword)));
        out.push(
            Diagnostic::tool(
                &codes::EXTRANEOUS_PROPERTY,
                span,
                format!("There is no argument or block type named {name:?} here.{hint}"),
            )
            .within(span),
        );
    }
}

pub(crate) fn attributes_only<'f>(
    forest: &Forest,
    tree: &'f JsonTree,
    id: Id<JsonNode>,
    hidden: &ConsumedNames<'_>,
    out: &mut Diagnostics,
) -> Attributes<'f> {
    let JsonKind::Object { properties, .. } = tree.node(id).kind else {
        out.push(wrong_type(
            tree,
            id,
            "The content of this block must be an object whose properties are its arguments.",
        ));
        return Attributes::new();
    };
    let mut seen = HashSet::new();
    let mut attributes = Attributes::new();
    for property in tree.properties(properties) {
        let name = tree.str(property.name);
        if name == COMMENT || hidden.has_name(name) || is_left_out(forest, tree, property) {
            continue;
        }
        if seen.insert(name) {
            attributes.push(attribute(tree, property));
        } else {
            out.push(Diagnostic::tool(
                &codes::DUPLICATE_ATTRIBUTE,
                property.name_range.in_source(tree.source),
                format!("The argument {name:?} is already set in this object, and the first value is used. Remove this one."),
            ));
        }
    }
    attributes
}

pub(crate) fn open<'f>(
    forest: &'f Forest,
    tree: &'f JsonTree,
    id: Id<JsonNode>,
    hidden: &ConsumedNames<'_>,
    labels_of: &dyn Fn(&str) -> Option<usize>,
) -> Content<'f> {
    let mut silence = Diagnostics::new();
    let mut content =
        Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item: missing_item(tree, id) };
    let mut seen = HashSet::new();
    for property in collect(tree, id, PropertyMeaning::Body, &mut silence).into_iter().flatten() {
        let name = tree.str(property.name);
        if name == COMMENT || hidden.has_name(name) || is_left_out(forest, tree, property) {
            continue;
        }
        let named = (name, property.name_range.in_source(tree.source));
        if name == words::DYNAMIC {
            unpack(forest, tree, named, property.value, &["type"], &mut content.blocks, &mut silence);
        } else if let Some(labels) = labels_of(name)
            && matches!(
                tree.node(property.value).kind,
                JsonKind::Null | JsonKind::Object { .. } | JsonKind::Array { .. }
            )
        {
            unpack(forest, tree, named, property.value, &vec!["label"; labels], &mut content.blocks, &mut silence);
        } else if seen.insert(name) {
            content.attributes.push(attribute(tree, property));
        }
    }
    content
}

/// Whether a property that stands for a name is left out because that is too long, which is recorded.
fn is_left_out(forest: &Forest, tree: &JsonTree, property: &Property) -> bool {
    let too_long = tree.has_long_names && forest.is_too_long(tree.str(property.name));
    if too_long {
        forest.leave_out(property.name_range.in_source(tree.source));
    }
    too_long
}

fn attribute<'f>(tree: &'f JsonTree, property: &Property) -> ContentAttribute<'f> {
    let value = tree.node(property.value);
    account::work(1);
    ContentAttribute {
        name: tree.str(property.name),
        name_span: property.name_range.in_source(tree.source),
        range: property.name_range.to(value.range).in_source(tree.source),
        expr: ExprAt::Json(tree.source, property.value),
    }
}

/// The meaning of the properties of a value.
#[derive(Clone, Copy)]
enum PropertyMeaning<'a> {
    /// The properties are arguments and block types.
    Body,
    /// The property names are labels with this name.
    Label(&'a str),
}

/// Returns the properties of an object, or of all objects in an array, in order. Null has no properties, except inside
/// an array; everything else is reported.
fn collect<'f>(
    tree: &'f JsonTree,
    id: Id<JsonNode>,
    wanted: PropertyMeaning<'_>,
    out: &mut Diagnostics,
) -> Vec<&'f [Property]> {
    match tree.node(id).kind {
        JsonKind::Null => Vec::new(),
        JsonKind::Object { properties, .. } => vec![tree.properties(properties)],
        JsonKind::Array { items, .. } => {
            let mut found = Vec::new();
            for &item in tree.list(items) {
                match tree.node(item).kind {
                    JsonKind::Object { properties, .. } => found.push(tree.properties(properties)),
                    _ => out.push(wrong_type(tree, item, match wanted {
                        PropertyMeaning::Body => Cow::Borrowed(
                            "Every element of this array must be an object whose properties are arguments and nested blocks.",
                        ),
                        PropertyMeaning::Label(label) => Cow::Owned(format!(
                            "Every element of this array must be an object whose property names are the {label} labels of blocks.",
                        )),
                    })),
                }
            }
            found
        }
        _ => {
            out.push(wrong_type(
                tree,
                id,
                match wanted {
                    PropertyMeaning::Body => Cow::Borrowed(
                        "The content of a block must be an object, or an array of objects, whose properties are arguments and nested blocks.",
                    ),
                    PropertyMeaning::Label(label) => Cow::Owned(format!(
                        "Blocks with labels must be an object, or an array of objects, whose property names are the {label} labels.",
                    )),
                },
            ));
            Vec::new()
        }
    }
}

fn wrong_type(tree: &JsonTree, id: Id<JsonNode>, detail: impl Into<Cow<'static, str>>) -> Diagnostic {
    Diagnostic::tool(&codes::INCORRECT_VALUE_TYPE, tree.start_range(id).in_source(tree.source), detail)
}

/// Reads the value of a property with this name, written here, as blocks: one level of objects for each label, then an
/// object or an array of bodies.
pub(crate) fn unpack<'f>(
    forest: &'f Forest,
    tree: &'f JsonTree,
    (keyword, type_span): (&'f str, Span),
    value: Id<JsonNode>,
    labels: &[&str],
    blocks: &mut ContentBlocks<'f>,
    out: &mut Diagnostics,
) {
    let unpacking = BlockProperty { forest, tree, keyword, type_span };
    unpacking.level(value, labels, &mut SmallVec::new(), blocks, out);
}

/// Returns the value with this range. Values are in the order in which they end.
pub(crate) fn body_of_block(tree: &JsonTree, block: TextRange) -> Option<Id<JsonNode>> {
    let ends_by = tree.nodes.partition_point(|node| node.range.end <= block.end);
    let found = (0..ends_by).rev().take(2).find(|&at| tree.nodes.get(at).is_some_and(|node| node.range == block));
    found.and_then(|at| u32::try_from(at).ok()).map(Id::new)
}

/// A property whose value is being read as blocks.
struct BlockProperty<'f> {
    forest: &'f Forest,
    tree: &'f JsonTree,
    /// The block type.
    keyword: &'f str,
    /// The location of the type.
    type_span: Span,
}

impl<'f> BlockProperty<'f> {
    /// Reads one level of labels. The depth of the recursion is the number of labels in the schema.
    fn level(
        &self,
        value: Id<JsonNode>,
        left: &[&str],
        labels: &mut SmallVec<[ContentLabel<'f>; 4]>,
        blocks: &mut ContentBlocks<'f>,
        out: &mut Diagnostics,
    ) {
        let tree = self.tree;
        let Some((label, left)) = left.split_first() else {
            self.body(value, labels, blocks, out);
            return;
        };
        let found = collect(tree, value, PropertyMeaning::Label(label), out);
        if found.iter().all(|properties| properties.is_empty()) {
            out.push(Diagnostic::tool(
                &codes::MISSING_BLOCK_LABEL,
                tree.start_range(value).in_source(tree.source),
                format!("This object must have at least one property, whose name is the {label} label of the block."),
            ));
        }
        for property in found.into_iter().flatten() {
            if is_left_out(self.forest, tree, property) {
                continue;
            }
            labels.push(ContentLabel {
                text: tree.str(property.name),
                span: property.name_range.in_source(tree.source),
            });
            self.level(property.value, left, labels, blocks, out);
            labels.pop();
        }
    }

    /// Whether a body has a property whose name is too long, so that the block is left out; that is recorded.
    fn has_long_name(&self, body: Id<JsonNode>) -> bool {
        let JsonKind::Object { properties, .. } = self.tree.node(body).kind else { return false };
        if !self.tree.has_long_names {
            return false;
        }
        let properties = self.tree.properties(properties);
        let too_long =
            properties.iter().charged_at_once(1).filter(|property| is_left_out(self.forest, self.tree, property));
        too_long.count() > 0
    }

    fn body(
        &self,
        value: Id<JsonNode>,
        labels: &[ContentLabel<'f>],
        blocks: &mut ContentBlocks<'f>,
        out: &mut Diagnostics,
    ) {
        let tree = self.tree;
        let header = tree.start_range(value).in_source(tree.source);
        account::work(2);
        let labels = self.forest.keep_list(labels);
        let block = |body: Id<JsonNode>| ContentBlock {
            keyword: self.keyword,
            type_span: self.type_span,
            labels,
            header,
            open_brace: header,
            range: tree.node(body).range.in_source(tree.source),
            body: BodyAt::Json(tree.source, body),
        };
        match tree.node(value).kind {
            JsonKind::Null => {}
            JsonKind::Object { .. } if self.has_long_name(value) => {}
            JsonKind::Object { .. } => blocks.push(block(value)),
            // An element that is not an object is detected when its body is read.
            JsonKind::Array { items, .. } => {
                let items = tree.list(items).iter().filter(|&&item| !self.has_long_name(item));
                blocks.extend(items.map(|&item| block(item)));
            }
            _ => out.push(wrong_type(
                tree,
                value,
                format!("Expected an object, or an array of objects, with the content of {:?} blocks.", self.keyword),
            )),
        }
    }
}
