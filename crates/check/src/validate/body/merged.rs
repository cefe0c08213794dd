//! The content of a body that an override was merged into (validate.md, section 7).
//!
//! With a schema, the texts of the original block and of its overrides are read by it, and what they contain is merged, as
//! the tool does: only the schema says whether a JSON property is an argument or blocks, and a property that is no block
//! replaces none. Without a schema, the content is that of the model, whose merge had to go by what the texts look like.

use foldhash::{HashMap, HashSet};

use super::Body;
use super::read::{AttributeBlocks, Expected, Layer, Reader, missing};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words::DYNAMIC;
use overfold_model::body::content::codes::MISSING_REQUIRED_ARGUMENT;
use overfold_model::body::content::{
    Attributes, BodyAt, Content, ContentAttribute, ContentBlock, ContentBlocks, ContentLabel,
};
use overfold_model::config::{Argument, Block};
use overfold_model::schema::BodySchema;

impl<'b, 'f> Reader<'b, 'f> {
    /// Reads the texts of the original block and of its overrides by a schema, and merges what they contain.
    pub(super) fn merged(
        &self,
        (original, overrides): (&Layer, &[Layer]),
        schema: &'b BodySchema,
        as_blocks: AttributeBlocks,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let texts = || overrides.iter().chain([original]).flatten();
        let expected = self.expected(schema, texts(), as_blocks);
        let optional = expected.optional();
        let mut contents = vec![self.layer(original, &optional, out)];
        contents.extend(overrides.iter().map(|layer| self.layer(layer, &optional, out)));
        let in_original: HashSet<&str> =
            contents.iter().take(1).flat_map(|content| &content.attributes).map(|argument| argument.name).collect();
        let merged = merge(contents, self.missing_item());
        requirements(&expected, &in_original, (&merged, original.len() > 1), out);
        merged
    }

    /// Returns what the model knows of the whole body.
    pub(super) fn model_content(&self) -> Content<'f> {
        let mut content = Content {
            attributes: Attributes::new(),
            blocks: ContentBlocks::new(),
            missing_item: self.missing_item(),
        };
        let Body { base, block, .. } = self.body;
        let over = base.is_some().then_some(block);
        let base = base.unwrap_or(block);
        let replaced: HashSet<&str> = over
            .into_iter()
            .flat_map(|over| {
                let arguments = own_arguments(over).map(|argument| argument.name);
                arguments.chain(own_blocks(over).map(|block| made_by(block.keyword, block.labels.first())))
            })
            .collect();
        account::work((base.arguments.len() + base.blocks.len() + replaced.len()) as u64 * 2);
        let arguments = own_arguments(base).filter(|argument| !replaced.contains(argument.name));
        for argument in arguments.chain(over.into_iter().flat_map(own_arguments)) {
            let Argument { name, name_span, range, expr, .. } = *argument;
            content.attributes.push(ContentAttribute { name, name_span, range, expr });
        }
        let blocks =
            own_blocks(base).filter(|block| !replaced.contains(made_by(block.keyword, block.labels.first())));
        for block in blocks.chain(over.into_iter().flat_map(own_blocks)).charged(4) {
            content.blocks.extend(self.block_of(block));
        }
        content
    }

    /// Returns a block of the model as the reader of bodies sees it.
    fn block_of(&self, block: &Block<'f>) -> Option<ContentBlock<'f>> {
        let body = BodyAt::of_block(self.forest, block.range)?;
        let (type_span, open_brace) = if body.is_json() {
            (block.header, block.header)
        } else {
            let end = block.header.start + u32::try_from(block.keyword.len()).unwrap_or_default();
            (Span { end, ..block.header }, body.missing_item(self.forest))
        };
        let (keyword, labels, header, range) = (block.keyword, block.labels, block.header, block.range);
        Some(ContentBlock { keyword, type_span, labels, header, open_brace, range, body })
    }
}

/// Reports the required arguments that the original block does not set. If that has an escape block, the tool reports
/// no place.
fn requirements(
    expected: &Expected<'_>,
    in_original: &HashSet<&str>,
    (merged, has_escape): (&Content<'_>, bool),
    out: &mut Diagnostics,
) {
    let place = Some(merged.missing_item).filter(|_| !has_escape);
    let set: HashSet<&str> = merged.attributes.iter().charged_at_once(1).map(|argument| argument.name).collect();
    let required = expected.arguments.iter().filter(|argument| argument.required).charged(1);
    for name in required.map(|argument| argument.name).filter(|name| !in_original.contains(name)) {
        if !set.contains(name) {
            out.push(missing(name, place));
            continue;
        }
        let detail = format!(
            "The argument {name:?} is required. It must be set in the block itself; an override that sets it is not enough."
        );
        out.push(Diagnostic::tool(&MISSING_REQUIRED_ARGUMENT, place, detail));
    }
}

/// Merges the contents of a block and its overrides, in order. Blocks of a type, written or generated, replace all earlier
/// ones of the type.
fn merge(contents: Vec<Content<'_>>, missing_item: Span) -> Content<'_> {
    let mut merged = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
    let mut places: HashMap<&str, usize> = HashMap::default();
    let mut blocks = Vec::with_capacity(contents.len());
    for content in contents {
        for argument in content.attributes.charged(2) {
            match places.get(argument.name).and_then(|&at| merged.attributes.get_mut(at)) {
                Some(place) => *place = argument,
                None => {
                    places.insert(argument.name, merged.attributes.len());
                    merged.attributes.push(argument);
                }
            }
        }
        blocks.push(content.blocks);
    }
    // The last layer first, so that each knows which types are replaced.
    let mut replaced: HashSet<&str> = HashSet::default();
    for layer in blocks.iter_mut().rev() {
        layer.retain(|block| !replaced.contains(made_by(block.keyword, block.labels.first())));
        replaced.extend(layer.iter().charged(4).map(|block| made_by(block.keyword, block.labels.first())));
    }
    merged.blocks.extend(blocks.into_iter().flatten());
    merged
}

/// Returns the type of a block, or of those that a dynamic block generates.
fn made_by<'f>(keyword: &'f str, label: Option<&ContentLabel<'f>>) -> &'f str {
    label.filter(|_| keyword == DYNAMIC).map_or(keyword, |label| label.text)
}

/// The arguments of a block that belong to its body.
fn own_arguments<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Argument<'f>> {
    block.arguments.iter().filter(|argument| argument.spec.is_none()).chain(block.escaped)
}

/// The nested blocks of a block that belong to its body.
fn own_blocks<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Block<'f>> {
    block.blocks.iter().filter(|inner| inner.spec.is_none())
}
