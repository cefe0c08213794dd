//! The content of a body by its schema: arguments, blocks and dynamic blocks.
//!
//! Of a body that an override was merged into, each text is read, and the contents are merged. The tool then ignores names
//! that the schema does not have, and requires that the original block sets what is required (validate.md, section 7). A
//! body with an escape block `_ {}` is read from both texts, one after the other.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::ptr;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};

use super::Body;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::words::DYNAMIC;
use overfold_model::body::content::codes::{DUPLICATE_ARGUMENT, MISSING_REQUIRED_ARGUMENT};
use overfold_model::body::content::{
    self, ArgumentSchema, Attributes, BlockSchema, BodyAt, ConsumedNames, Content, ContentBlocks, Schema,
};
use overfold_model::config::{Block, ESCAPE};
use overfold_model::schema::{BodySchema, NestedBlock, Nesting};
use overfold_syntax::{ExprAt, Forest};

/// The header of a dynamic block.
pub(super) const DYNAMIC_SCHEMA: BlockSchema<'static> = BlockSchema::new(DYNAMIC, &["type"]);

/// Reads the parts of one body.
pub struct Reader<'b, 'f> {
    pub(super) forest: &'f Forest,
    pub(super) body: Body<'b, 'f>,
    /// The texts that the whole body comes from.
    source: Source,
    /// What was made of a schema, by its address.
    names: RefCell<HashMap<usize, Rc<Names<'b>>>>,
}

/// One block of the whole body: its text, and then that of its escape block, each without the names that the language
/// reserves there.
pub(super) type Layer = Vec<(BodyAt, ConsumedNames<'static>)>;

/// Where the content of the whole body comes from.
struct Source {
    original: Layer,
    overrides: Vec<Layer>,
}

/// The names in a schema, as the reader of bodies needs them.
struct Names<'b> {
    arguments: Vec<ArgumentSchema<'b>>,
    blocks: Vec<BlockSchema<'b>>,
    /// The attributes that may be written as blocks.
    ambiguous: Vec<&'b str>,
}

/// Which attributes are read as blocks, of those that may be written so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeBlocks {
    /// None.
    Never,
    /// Those that no text sets: the reading of a body whose dynamic blocks are replaced by what they generate.
    Unset,
    /// Those, and those that a dynamic block names although a text sets them: the reading of a body as it is written. In
    /// an override in JSON syntax, what sets such an attribute is then blocks, which replace the dynamic ones.
    UnsetOrDynamic,
}

/// What a body may contain, once it is known which attributes are written as blocks.
pub(super) struct Expected<'b> {
    pub(super) arguments: Vec<ArgumentSchema<'b>>,
    pub(super) blocks: Vec<BlockSchema<'b>>,
}

impl Expected<'_> {
    /// The same, with no argument required.
    pub(super) fn optional(&self) -> Self {
        account::work((self.arguments.len() + self.blocks.len()) as u64 / 4);
        let arguments = self.arguments.iter().map(|argument| ArgumentSchema { required: false, ..*argument });
        Self { arguments: arguments.collect(), blocks: self.blocks.clone() }
    }

    fn schema(&self) -> Schema<'_> {
        Schema { arguments: &self.arguments, blocks: &self.blocks }
    }
}

/// A body, or a body inside of it.
#[derive(Clone, Copy)]
pub enum BodyLevel {
    /// The whole body.
    Whole,
    /// A body inside.
    Inner(BodyAt),
}

impl<'b, 'f> Reader<'b, 'f> {
    /// Creates a reader of a body.
    pub fn new(body: &Body<'b, 'f>) -> Self {
        let source = source(body);
        Self { forest: body.forest, body: *body, source, names: RefCell::default() }
    }

    /// Reads a body. Whatever the schema does not accept, and what it requires but is not there, is reported. With
    /// `as_blocks`, attributes may be written as blocks; those that are not written as attributes are then blocks named
    /// after the attribute.
    pub fn read(
        &self,
        place: BodyLevel,
        schema: Option<&'b BodySchema>,
        as_blocks: bool,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let blocks = if as_blocks { AttributeBlocks::Unset } else { AttributeBlocks::Never };
        self.read_with(place, schema, blocks, out)
    }

    /// Like [`Reader::read`] with `as_blocks`, before dynamic blocks are replaced by what they generate.
    pub fn read_unexpanded(&self, place: BodyLevel, schema: Option<&'b BodySchema>) -> Content<'f> {
        self.read_with(place, schema, AttributeBlocks::UnsetOrDynamic, &mut Diagnostics::new())
    }

    fn read_with(
        &self,
        place: BodyLevel,
        schema: Option<&'b BodySchema>,
        as_blocks: AttributeBlocks,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let Source { original, overrides } = &self.source;
        match (place, schema) {
            (BodyLevel::Inner(at), _) => self.text(at, &ConsumedNames::NONE, schema, as_blocks, out),
            (BodyLevel::Whole, Some(schema)) if !overrides.is_empty() => {
                self.merged((original, overrides), schema, as_blocks, out)
            }
            (BodyLevel::Whole, None) if !overrides.is_empty() => self.model_content(),
            (BodyLevel::Whole, _) => match original.as_slice() {
                [(at, hidden)] => self.text(*at, hidden, schema, as_blocks, out),
                texts => {
                    let expected = schema.map(|schema| self.expected(schema, texts.iter(), as_blocks));
                    self.joined(texts, expected.as_ref(), content::strict, out)
                }
            },
        }
    }

    /// Reads what one block of a merged body has of what is expected.
    pub(super) fn layer(&self, layer: &Layer, expected: &Expected<'b>, out: &mut Diagnostics) -> Content<'f> {
        account::work((expected.arguments.len() + expected.blocks.len()) as u64 / 8);
        match layer.as_slice() {
            [(at, hidden)] => partial(self.forest, *at, &hidden.for_schema(), expected.schema(), out),
            texts => self.joined(texts, Some(expected), partial, out),
        }
    }

    fn text(
        &self,
        at: BodyAt,
        hidden: &ConsumedNames<'static>,
        schema: Option<&'b BodySchema>,
        as_blocks: AttributeBlocks,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let Some(schema) = schema else { return content::open(self.forest, at, hidden, &|_| None) };
        let names = self.names(schema);
        account::work((names.arguments.len() + names.blocks.len()) as u64 / 8);
        if as_blocks == AttributeBlocks::Never || names.ambiguous.is_empty() {
            let schema = Schema { arguments: &names.arguments, blocks: &names.blocks };
            return content::strict(self.forest, at, &hidden.for_schema(), schema, out);
        }
        let expected = names.as_written(&self.set_attributes(&[(at, hidden)], &names, as_blocks));
        content::strict(self.forest, at, &hidden.for_schema(), expected.schema(), out)
    }

    /// Returns what a body of these texts may contain.
    pub(super) fn expected<'l>(
        &self,
        schema: &'b BodySchema,
        texts: impl Iterator<Item = &'l (BodyAt, ConsumedNames<'static>)>,
        as_blocks: AttributeBlocks,
    ) -> Expected<'b> {
        let names = self.names(schema);
        account::work((names.arguments.len() + names.blocks.len()) as u64 / 8);
        if as_blocks == AttributeBlocks::Never || names.ambiguous.is_empty() {
            return Expected { arguments: names.arguments.clone(), blocks: names.blocks.clone() };
        }
        let texts: Vec<_> = texts.map(|(at, hidden)| (*at, hidden)).collect();
        names.as_written(&self.set_attributes(&texts, &names, as_blocks))
    }

    /// Returns the attributes that may be written as blocks but are not, in any of these texts.
    fn set_attributes(
        &self,
        texts: &[(BodyAt, &ConsumedNames<'static>)],
        names: &Names<'b>,
        as_blocks: AttributeBlocks,
    ) -> HashSet<&'f str> {
        account::work((names.ambiguous.len() * texts.len()) as u64 / 8);
        let probe: Vec<_> = names.ambiguous.iter().map(|name| ArgumentSchema::optional(name)).collect();
        let blocks: &[_] = if as_blocks == AttributeBlocks::UnsetOrDynamic { &[DYNAMIC_SCHEMA] } else { &[] };
        let schema = Schema { arguments: &probe, blocks };
        let mut set = HashSet::default();
        let mut generated = HashSet::default();
        for (at, hidden) in texts {
            let found = content::partial(self.forest, *at, &mut hidden.for_schema(), schema, &mut Diagnostics::new());
            set.extend(found.attributes.iter().map(|attribute| attribute.name));
            generated.extend(
                found.blocks.iter().charged(2).filter_map(|block| block.labels.first()).map(|made| made.text),
            );
        }
        set.retain(|name| !generated.contains(name));
        set
    }

    /// Reads several texts as one body. The tool reports no place for what is missing.
    fn joined(
        &self,
        texts: &[(BodyAt, ConsumedNames<'static>)],
        expected: Option<&Expected<'b>>,
        read: ReadBySchema<'f>,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let missing_item = self.missing_item();
        let mut joined = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
        let optional = expected.map(Expected::optional);
        let mut places: HashMap<&str, Span> = HashMap::default();
        for (at, hidden) in texts {
            let content = match &optional {
                Some(optional) => read(self.forest, *at, &hidden.for_schema(), optional.schema(), out),
                None => content::open(self.forest, *at, hidden, &|_| None),
            };
            for attribute in content.attributes.charged(2) {
                match places.entry(attribute.name) {
                    // Without a schema, a name in JSON syntax may be that of blocks.
                    Entry::Occupied(_) if optional.is_none() => joined.attributes.push(attribute),
                    Entry::Occupied(first) => {
                        let detail = format!(
                            "The argument {:?} is set twice, outside and inside of the escape block `_`. Remove one.",
                            attribute.name
                        );
                        let finding = Diagnostic::tool(&DUPLICATE_ARGUMENT, attribute.name_span, detail);
                        out.push(finding.and("the other one", *first.get()));
                    }
                    Entry::Vacant(place) => {
                        place.insert(attribute.name_span);
                        joined.attributes.push(attribute);
                    }
                }
            }
            joined.blocks.extend(content.blocks);
        }
        let required = expected.into_iter().flat_map(|expected| &expected.arguments);
        for argument in required.filter(|argument| argument.required).charged(1) {
            if !places.contains_key(argument.name) {
                out.push(missing(argument.name, None));
            }
        }
        joined
    }

    fn names(&self, schema: &'b BodySchema) -> Rc<Names<'b>> {
        let key = ptr::from_ref(schema).addr();
        if let Some(names) = self.names.borrow().get(&key) {
            return Rc::clone(names);
        }
        account::work((schema.attributes.len() + schema.blocks.len()) as u64 * 2);
        let arguments = schema.attributes.iter().map(|(name, attribute)| ArgumentSchema {
            required: attribute.required,
            ..ArgumentSchema::optional(name)
        });
        let blocks = schema.blocks.iter().map(|(keyword, block)| BlockSchema::new(keyword, labels_of(block)));
        let ambiguous = schema.attributes.iter().filter(|(_, attribute)| attribute.element_body().is_some());
        let names = Rc::new(Names {
            arguments: arguments.collect(),
            blocks: blocks.chain([DYNAMIC_SCHEMA]).collect(),
            ambiguous: ambiguous.map(|(name, _)| &**name).collect(),
        });
        self.names.borrow_mut().insert(key, Rc::clone(&names));
        names
    }

    /// Returns the location at which the tool reports that something is missing from the whole body.
    pub(super) fn missing_item(&self) -> Span {
        if let Some((at, _)) = self.source.original.first() {
            return at.missing_item(self.forest);
        }
        let header = self.body.base.unwrap_or(self.body.block).header;
        Span { start: header.end, ..header }
    }
}

/// The labels of blocks of a type.
pub(super) fn labels_of(block: &NestedBlock) -> &'static [&'static str] {
    if block.nesting == Nesting::Map { &["key"] } else { &[] }
}

/// Returns the finding that an argument is not set.
pub(super) fn missing(name: &str, place: Option<Span>) -> Diagnostic {
    let detail = format!("The argument {name:?} is required, but this block does not set it.");
    Diagnostic::tool(&MISSING_REQUIRED_ARGUMENT, place, detail)
}

/// Reads a body by a schema.
type ReadBySchema<'f> =
    for<'h, 'n> fn(&'f Forest, BodyAt, &'h ConsumedNames<'n>, Schema<'n>, &mut Diagnostics) -> Content<'f>;

/// Reads what a schema names, and ignores the rest.
fn partial<'f, 'n>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &ConsumedNames<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    content::partial(forest, body, &mut hidden.clone(), schema, out)
}

/// Finds out where the content of a body comes from: the original block, and what was merged into it.
fn source(body: &Body<'_, '_>) -> Source {
    let over = body.base.is_some().then_some(body.block);
    let base = body.base.unwrap_or(body.block);
    let mut layers = blocks_of(base).chain(over.into_iter().flat_map(blocks_of));
    let original = layers.next().map(|(block, range)| layer(body.forest, block, range)).unwrap_or_default();
    Source { original, overrides: layers.map(|(block, range)| layer(body.forest, block, range)).collect() }
}

/// Returns the ranges of a block and of those that were merged into it.
fn blocks_of<'b, 'f>(block: &'b Block<'f>) -> impl Iterator<Item = (&'b Block<'f>, Span)> {
    let overrides = block.overridden_by().list().into_iter().charged(8).map(|over| over.range);
    std::iter::once(block.range).chain(overrides).map(move |range| (block, range))
}

/// Returns the texts of one block: its own, and that of its escape block.
fn layer(forest: &Forest, block: &Block<'_>, range: Span) -> Layer {
    let Some(at) = BodyAt::of_block(forest, range) else { return Layer::new() };
    let escape = block.must_escape(ESCAPE).then(|| {
        let schema = Schema { arguments: &[], blocks: &[BlockSchema::new(ESCAPE, &[])] };
        content::partial(forest, at, &mut ConsumedNames::default(), schema, &mut Diagnostics::new())
    });
    let escape = escape.and_then(|content| content.blocks.first().map(|escape| (escape.body, ConsumedNames::NONE)));
    [(at, reserved(block, at))].into_iter().chain(escape).collect()
}

/// Returns the names in the body of a block that the language reserves for itself.
fn reserved(block: &Block<'_>, at: BodyAt) -> ConsumedNames<'static> {
    let Some(spec) = block.spec else { return ConsumedNames::NONE };
    account::work((spec.attrs.len() + spec.blocks.len()) as u64);
    let escape = block.must_escape(ESCAPE).then_some(ESCAPE);
    let arguments = spec.attrs.iter().map(|row| row.name);
    let blocks = spec.blocks.iter().map(|row| row.keyword).chain(escape);
    if at.is_json() {
        ConsumedNames::new(arguments.chain(blocks), std::iter::empty())
    } else {
        ConsumedNames::new(arguments, blocks)
    }
}

impl<'b> Names<'b> {
    /// Returns the arguments and block types of a body in which these attributes are not written as blocks.
    fn as_written(&self, written: &HashSet<&str>) -> Expected<'b> {
        account::work((self.arguments.len() * (self.ambiguous.len() + 1)) as u64 / 4);
        let is_block = |name: &str| self.ambiguous.contains(&name) && !written.contains(name);
        let arguments = self.arguments.iter().filter(|argument| !is_block(argument.name)).copied();
        let extra = self.ambiguous.iter().filter(|name| is_block(name)).map(|name| BlockSchema::new(name, &[]));
        Expected { arguments: arguments.collect(), blocks: self.blocks.iter().copied().chain(extra).collect() }
    }
}

/// Whether an expression is one in JSON syntax.
pub(super) const fn is_json(expr: ExprAt) -> bool {
    matches!(expr, ExprAt::Json(..))
}
