//! The content of a body that an override was merged into, from the model (validate.md, section 7).

use foldhash::HashSet;

use super::Body;
use super::read::{DYNAMIC_SCHEMA, Reader, labels_of, missing};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words::DYNAMIC;
use overfold_model::body::content::codes::MISSING_REQUIRED_ARGUMENT;
use overfold_model::body::content::{
    self, Attributes, BlockSchema, BodyAt, Content, ContentAttribute, ContentBlock, ContentBlocks,
};
use overfold_model::config::{Argument, Block};
use overfold_model::schema::BodySchema;
use overfold_syntax::ExprAt;

impl<'b, 'f> Reader<'b, 'f> {
    /// Reads the whole body from the model. `has_escape` says whether the base has an escape block; then the tool reports
    /// no place for what is missing.
    pub(super) fn merged(
        &self,
        has_escape: bool,
        schema: Option<&'b BodySchema>,
        as_blocks: bool,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let layers = Layers::from_body(&self.body);
        let written = layers.arguments.iter().map(|(argument, _)| argument.name).collect();
        let merged = Merged { reader: self, schema, as_blocks, layers, written };
        let missing_item = self.missing_item();
        let mut content = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
        merged.arguments(&mut content, out);
        merged.blocks(&mut content, out);
        merged.labels_of_removed(out);
        merged.requirements(Some(missing_item).filter(|_| !has_escape), out);
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

/// A body in the model that is being read by a schema.
struct Merged<'r, 'b, 'f> {
    reader: &'r Reader<'b, 'f>,
    schema: Option<&'b BodySchema>,
    /// Whether attributes may be written as blocks.
    as_blocks: bool,
    layers: Layers<'b, 'f>,
    /// The names of the arguments.
    written: HashSet<&'f str>,
}

/// What a schema makes of a name.
enum BlockContent {
    Argument,
    /// Blocks with these labels.
    Blocks(&'static [&'static str]),
    Nothing,
}

impl<'f> Merged<'_, '_, 'f> {
    fn takes(&self, name: &str) -> BlockContent {
        let Some(schema) = self.schema else { return BlockContent::Argument };
        match (schema.attributes.get(name), schema.blocks.get(name)) {
            (Some(attribute), _) => {
                let may_be_blocks = self.as_blocks && attribute.element_body().is_some();
                if may_be_blocks && !self.written.contains(name) {
                    BlockContent::Blocks(&[])
                } else {
                    BlockContent::Argument
                }
            }
            (None, Some(block)) => BlockContent::Blocks(labels_of(block)),
            (None, None) => BlockContent::Nothing,
        }
    }

    fn arguments(&self, content: &mut Content<'f>, out: &mut Diagnostics) {
        for (argument, _) in self.layers.arguments.iter().charged(2) {
            let Argument { name, name_span, range, expr, .. } = **argument;
            let attribute = ContentAttribute { name, name_span, range, expr };
            match self.takes(name) {
                BlockContent::Argument => content.attributes.push(attribute),
                BlockContent::Blocks(labels) => {
                    let blocks = content::property_blocks(self.reader.forest, &attribute, labels, out);
                    content.blocks.extend(blocks);
                }
                BlockContent::Nothing => {}
            }
        }
    }

    fn blocks(&self, content: &mut Content<'f>, out: &mut Diagnostics) {
        for block in self.layers.blocks.iter().charged(4) {
            let Some(block) = self.reader.block_of(block) else { continue };
            let labels = match self.takes(block.keyword) {
                _ if block.keyword == DYNAMIC => DYNAMIC_SCHEMA.labels,
                BlockContent::Blocks(labels) => labels,
                BlockContent::Argument if self.schema.is_none() => {
                    content.blocks.push(block);
                    continue;
                }
                BlockContent::Argument | BlockContent::Nothing => continue,
            };
            match block.body {
                // The merge, which knows no schema, took the labels for arguments.
                BodyAt::Json(source, node) if block.labels.is_empty() && !labels.is_empty() => {
                    let (name, name_span, range) = (block.keyword, block.type_span, block.range);
                    let property = ContentAttribute { name, name_span, range, expr: ExprAt::Json(source, node) };
                    content.blocks.extend(content::property_blocks(self.reader.forest, &property, labels, out));
                }
                _ if content::has_labels(&block, &BlockSchema::new(block.keyword, labels), out) => {
                    content.blocks.push(block);
                }
                _ => {}
            }
        }
    }

    /// Checks the labels of the blocks that an override replaces, which is all that the tool looks at in these.
    fn labels_of_removed(&self, out: &mut Diagnostics) {
        for block in
            self.reader.body.block.removed_blocks().newest_first().filter(|block| block.spec.is_none()).charged(4)
        {
            if let BlockContent::Blocks(labels) = self.takes(block.keyword)
                && let Some(block) = self.reader.block_of(block).filter(|block| !block.body.is_json())
            {
                content::has_labels(&block, &BlockSchema::new(block.keyword, labels), out);
            }
        }
    }

    /// Reports the required arguments that the base does not set.
    fn requirements(&self, place: Option<Span>, out: &mut Diagnostics) {
        let in_base = self.layers.arguments.iter().filter(|(_, in_base)| *in_base);
        let in_base: HashSet<&str> = in_base.map(|(argument, _)| argument.name).collect();
        let attributes = self.schema.into_iter().flat_map(|schema| &schema.attributes);
        for (name, _) in attributes.filter(|(_, schema)| schema.required).charged(1) {
            let name = &**name;
            let is_set = in_base.contains(name) || self.layers.shadowed.contains(name);
            if is_set || matches!(self.takes(name), BlockContent::Blocks(_)) {
                continue;
            }
            if !self.written.contains(name) {
                out.push(missing(name, place));
                continue;
            }
            let detail = format!(
                "The argument {name:?} is required. It must be set in the block itself; an override that sets it is not enough."
            );
            out.push(Diagnostic::tool(&MISSING_REQUIRED_ARGUMENT, place, detail));
        }
    }
}

/// The arguments and blocks of a body in the model.
struct Layers<'b, 'f> {
    /// The arguments, and whether the base sets each.
    arguments: Vec<(&'b Argument<'f>, bool)>,
    blocks: Vec<&'b Block<'f>>,
    /// The arguments of the base that others replace.
    shadowed: HashSet<&'f str>,
}

impl<'b, 'f> Layers<'b, 'f> {
    fn from_body(body: &Body<'b, 'f>) -> Self {
        let over = body.base.is_some().then_some(body.block);
        let base = body.base.unwrap_or(body.block);
        let mut layers = Self { arguments: Vec::new(), blocks: Vec::new(), shadowed: HashSet::default() };
        let replaced: HashSet<&str> = over
            .into_iter()
            .flat_map(|over| {
                let arguments = own_arguments(over).map(|argument| argument.name);
                arguments.chain(own_blocks(over).map(|block| type_of(block)))
            })
            .collect();
        account::work((base.arguments.len() + base.blocks.len() + replaced.len()) as u64);
        for argument in own_arguments(base) {
            let in_base = is_in_base(base, argument);
            if !replaced.contains(argument.name) {
                layers.arguments.push((argument, in_base));
            } else if in_base {
                layers.shadowed.insert(argument.name);
            }
        }
        layers.blocks.extend(own_blocks(base).filter(|block| !replaced.contains(type_of(block))));
        if let Some(over) = over {
            layers.arguments.extend(own_arguments(over).map(|argument| (argument, false)));
            layers.blocks.extend(own_blocks(over));
        }
        layers
    }
}

/// The arguments of a block that belong to its body.
fn own_arguments<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Argument<'f>> {
    block.arguments.iter().filter(|argument| argument.spec.is_none()).chain(block.escaped)
}

/// The nested blocks of a block that belong to its body.
fn own_blocks<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = &'b Block<'f>> {
    block.blocks.iter().filter(|inner| inner.spec.is_none())
}

/// The type of a block, or of those that a dynamic block generates.
fn type_of<'f>(block: &Block<'f>) -> &'f str {
    match block.labels.first() {
        Some(label) if block.keyword == DYNAMIC => label.text,
        _ => block.keyword,
    }
}

/// Whether an argument is set by the first block, replaced since or not.
fn is_in_base(block: &Block<'_>, argument: &Argument<'_>) -> bool {
    !block.is_overridden() || argument.original().range.source == block.header.source
}
