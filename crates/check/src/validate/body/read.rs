//! The content of a body by its schema: arguments, blocks and dynamic blocks.
//!
//! A body that an override was merged into is not read from the text but from the model. The tool then ignores names that
//! the schema does not have, and requires that the base sets what is required (validate.md, section 7). A body with an
//! escape block `_ {}` is read from both texts, one after the other.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::ptr;
use std::rc::Rc;

use foldhash::HashMap;

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
    source: Source,
    /// What was made of a schema, by its address.
    names: RefCell<HashMap<usize, Rc<Names<'b>>>>,
}

/// Where the content of the whole body comes from.
enum Source {
    /// From a text, and then from that of an escape block, each without the names that the language reserves there.
    Texts(Vec<(BodyAt, ConsumedNames<'static>)>),
    Model {
        /// Whether the base has an escape block.
        has_escape: bool,
    },
}

/// The names in a schema, as the reader of bodies needs them.
struct Names<'b> {
    arguments: Vec<ArgumentSchema<'b>>,
    blocks: Vec<BlockSchema<'b>>,
    /// The attributes that may be written as blocks.
    ambiguous: Vec<&'b str>,
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
        match (place, &self.source) {
            (BodyLevel::Inner(at), _) => self.text(at, &ConsumedNames::NONE, schema, as_blocks, out),
            (BodyLevel::Whole, Source::Texts(texts)) => match texts.as_slice() {
                [(at, hidden)] => self.text(*at, hidden, schema, as_blocks, out),
                texts => self.joined(texts, schema, as_blocks, out),
            },
            (BodyLevel::Whole, Source::Model { has_escape }) => self.merged(*has_escape, schema, as_blocks, out),
        }
    }

    fn text(
        &self,
        at: BodyAt,
        hidden: &ConsumedNames<'static>,
        schema: Option<&'b BodySchema>,
        as_blocks: bool,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let Some(schema) = schema else { return content::open(self.forest, at, hidden, &|_| None) };
        let names = self.names(schema);
        account::work((names.arguments.len() + names.blocks.len()) as u64 / 8);
        if !as_blocks || names.ambiguous.is_empty() {
            return self.strict(at, hidden, (&names.arguments, &names.blocks), out);
        }
        let (arguments, blocks) = names.as_written(&self.written(at, hidden, &names));
        self.strict(at, hidden, (&arguments, &blocks), out)
    }

    fn strict(
        &self,
        at: BodyAt,
        hidden: &ConsumedNames<'static>,
        (arguments, blocks): (&[ArgumentSchema<'_>], &[BlockSchema<'_>]),
        out: &mut Diagnostics,
    ) -> Content<'f> {
        content::strict(self.forest, at, &hidden.for_schema(), Schema { arguments, blocks }, out)
    }

    /// Returns the attributes that may be written as blocks but are not.
    fn written(&self, at: BodyAt, hidden: &ConsumedNames<'static>, names: &Names<'b>) -> Vec<&'f str> {
        let probe: Vec<_> = names.ambiguous.iter().map(|name| ArgumentSchema::optional(name)).collect();
        let schema = Schema { arguments: &probe, blocks: &[] };
        let found = content::partial(self.forest, at, &mut hidden.for_schema(), schema, &mut Diagnostics::new());
        found.attributes.iter().map(|attribute| attribute.name).collect()
    }

    /// Reads several texts as one body. The tool reports no place for what is missing.
    fn joined(
        &self,
        texts: &[(BodyAt, ConsumedNames<'static>)],
        schema: Option<&'b BodySchema>,
        as_blocks: bool,
        out: &mut Diagnostics,
    ) -> Content<'f> {
        let missing_item = self.missing_item();
        let mut joined = Content { attributes: Attributes::new(), blocks: ContentBlocks::new(), missing_item };
        let names = schema.map(|schema| {
            let names = self.names(schema);
            if !as_blocks {
                return (names.arguments.clone(), names.blocks.clone());
            }
            let written = texts.iter().flat_map(|(at, hidden)| self.written(*at, hidden, &names));
            names.as_written(&written.collect::<Vec<_>>())
        });
        let optional = names.as_ref().map(|(arguments, _)| {
            arguments.iter().map(|argument| ArgumentSchema { required: false, ..*argument }).collect::<Vec<_>>()
        });
        let mut places: HashMap<&str, Span> = HashMap::default();
        for (at, hidden) in texts {
            let content = match (&names, &optional) {
                (Some((_, blocks)), Some(optional)) => self.strict(*at, hidden, (optional, blocks), out),
                _ => content::open(self.forest, *at, hidden, &|_| None),
            };
            for attribute in content.attributes.charged(2) {
                match places.entry(attribute.name) {
                    // Without a schema, a name in JSON syntax may be that of blocks.
                    Entry::Occupied(_) if names.is_none() => joined.attributes.push(attribute),
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
        for argument in
            names.iter().flat_map(|(arguments, _)| arguments).filter(|argument| argument.required).charged(1)
        {
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
        if let Source::Texts(texts) = &self.source
            && let Some((at, _)) = texts.first()
        {
            return at.missing_item(self.forest);
        }
        let block = self.body.base.unwrap_or(self.body.block);
        let start = Span { start: block.header.end, ..block.header };
        BodyAt::of_block(self.forest, block.range).map_or(start, |at| at.missing_item(self.forest))
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

/// Finds out where the content of a body comes from.
fn source(body: &Body<'_, '_>) -> Source {
    let whole = BodyAt::of_block(body.forest, body.base.unwrap_or(body.block).range);
    let escape = whole.filter(|_| body.block.must_escape(ESCAPE)).and_then(|at| {
        let schema = Schema { arguments: &[], blocks: &[BlockSchema::new(ESCAPE, &[])] };
        let content =
            content::partial(body.forest, at, &mut ConsumedNames::default(), schema, &mut Diagnostics::new());
        content.blocks.first().map(|escape| escape.body)
    });
    let Some(at) = whole.filter(|_| body.base.is_none() && !body.block.is_overridden()) else {
        return Source::Model { has_escape: escape.is_some() };
    };
    let escape = escape.map(|at| (at, ConsumedNames::NONE));
    Source::Texts([(at, reserved(body.block, at))].into_iter().chain(escape).collect())
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
    fn as_written(&self, written: &[&str]) -> (Vec<ArgumentSchema<'b>>, Vec<BlockSchema<'b>>) {
        account::work((self.arguments.len() * (self.ambiguous.len() + 1)) as u64 / 4);
        let is_block = |name: &str| self.ambiguous.contains(&name) && !written.contains(&name);
        let arguments = self.arguments.iter().filter(|argument| !is_block(argument.name)).copied();
        let extra = self.ambiguous.iter().filter(|name| is_block(name)).map(|name| BlockSchema::new(name, &[]));
        (arguments.collect(), self.blocks.iter().copied().chain(extra).collect())
    }
}

/// Whether an expression is one in JSON syntax.
pub(super) const fn is_json(expr: ExprAt) -> bool {
    matches!(expr, ExprAt::Json(..))
}
