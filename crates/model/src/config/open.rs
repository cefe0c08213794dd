//! Blocks and arguments from the content of bodies whose schema nobody knows.

use std::ops::Range;

use super::{Argument, Block, DecodedArgument, History};
use crate::body::content::{self, BodyAt, ConsumedNames, ContentAttribute, ContentBlock, ContentBlocks};

use overfold_syntax::json::JsonKind;
use overfold_syntax::{ExprAt, Forest};

impl<'f> Argument<'f> {
    /// Returns an argument that is kept as an expression.
    pub const fn plain(attribute: &ContentAttribute<'f>) -> Self {
        Self {
            name: attribute.name,
            spec: None,
            name_span: attribute.name_span,
            range: attribute.range,
            expr: attribute.expr,
            broken: false,
            decoded: DecodedArgument::Expr,
            value: None,
            previous: History::NONE,
        }
    }
}

/// Converts a block of an unknown schema, with everything inside it.
pub fn open_block<'f>(forest: &'f Forest, block: &ContentBlock<'f>) -> Block<'f> {
    whole_block(forest, block, (), &mut |block, ()| {
        let content = content::open(forest, block.body, &ConsumedNames::NONE, &|_| None);
        let arguments = forest.keep_each(content.attributes.iter().map(Argument::plain));
        let bare = Block::empty(block.keyword, block.labels, block.header);
        (Block { range: block.range, arguments, ..bare }, content.blocks, ())
    })
}

/// Converts a block with everything inside it. `convert` returns a block without those inside it, these, and what it is
/// called with for them. Does not recurse, however deep they are nested.
pub fn whole_block<'f, P: Copy>(
    forest: &'f Forest,
    block: &ContentBlock<'f>,
    place: P,
    convert: &mut dyn FnMut(&ContentBlock<'f>, P) -> (Block<'f>, ContentBlocks<'f>, P),
) -> Block<'f> {
    let (mut outermost, inside, place) = convert(block, place);
    if inside.is_empty() {
        return outermost;
    }
    // Level by level: the blocks inside one block come after it and next to each other.
    let mut found: Vec<(Block<'f>, Range<usize>)> = Vec::new();
    let mut pending: Vec<(ContentBlock<'f>, P)> = inside.into_iter().map(|inner| (inner, place)).collect();
    let top = pending.len();
    while !pending.is_empty() {
        let mut next = found.len() + pending.len();
        for (block, place) in std::mem::take(&mut pending) {
            let (block, inside, place) = convert(&block, place);
            found.push((block, next..next + inside.len()));
            next += inside.len();
            pending.extend(inside.into_iter().map(|inner| (inner, place)));
        }
    }
    // The innermost first, so that a block is complete when the one around it is.
    for at in (0..found.len()).rev() {
        let inner = found.get(at).map(|(_, inside)| inside.clone()).and_then(|inside| found.get(inside));
        let inner = inner.unwrap_or_default();
        let inner = forest.keep_each(inner.iter().map(|(block, _)| *block));
        if let Some((block, _)) = found.get_mut(at) {
            block.blocks = inner;
        }
    }
    outermost.blocks = forest.keep_each(found.iter().take(top).map(|(block, _)| *block));
    outermost
}

/// Returns the blocks that a property of an open JSON body represents, when a merge shows that its name is a block
/// type (terraform.md, section 9): one for an object, or one for each element of an array. Returns none for an
/// argument in native syntax, or for a value that cannot be a block.
pub fn blocks_of_property<'f>(forest: &'f Forest, property: &Argument<'f>) -> Vec<Block<'f>> {
    let ExprAt::Json(source, node) = property.expr else { return Vec::new() };
    let Some(tree) = forest.json(source) else { return Vec::new() };
    let bodies = match tree.node(node).kind {
        JsonKind::Object { .. } => vec![node],
        JsonKind::Array { items, .. } => tree.list(items).to_vec(),
        _ => Vec::new(),
    };
    let header = tree.start_range(node).in_source(source);
    bodies
        .into_iter()
        .filter(|&body| matches!(tree.node(body).kind, JsonKind::Object { .. } | JsonKind::Array { .. }))
        .map(|body| ContentBlock {
            keyword: property.name,
            type_span: property.name_span,
            labels: &[],
            header,
            open_brace: header,
            range: tree.node(body).range.in_source(source),
            body: BodyAt::Json(source, body),
        })
        .map(|block| open_block(forest, &block))
        .collect()
}
