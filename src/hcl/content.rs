//! The one schema-driven reader: what a body says, for a schema, in native and JSON syntax alike.
//!
//! Three ways to read a body, as in the tools' configuration library: [`strict`] (everything that the schema does
//! not name is an error), [`partial`] (the rest is left for later reads of the same body) and [`just_attributes`]
//! (arguments only). [`open`] reads a body whose schema nobody knows. A read changes nothing: reading a body twice
//! repeats its messages, so whoever wants silence passes a sink and drops it.
//!
//! Sources of the rules: syntax.md, section 6 (JSON bodies); terraform.md, sections 4, 5 and 9.

pub mod codes;
mod hcl1;
mod json;
mod native;
#[cfg(test)]
mod tests;

use smallvec::SmallVec;

use crate::account;
use crate::diag::{Diagnostics, SourceId, Span};
use crate::dialect::ExtraLabels;
use crate::syntax::json::{JsonKind, JsonNode};
use crate::syntax::tree::{Id, Root};
use crate::syntax::{ExprAt, Forest, Parsed, tree};

/// A body of either syntax, somewhere in the request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BodyAt {
    /// A body of a native tree.
    Native(SourceId, Id<tree::Body>),
    /// A JSON value that is read as a body: an object, or an array of objects whose properties count as one body.
    /// Any other value is found out, and reported, when the body is read.
    Json(SourceId, Id<JsonNode>),
}

impl BodyAt {
    /// The body of a whole file. `None` where the source is no file (a single expression or template).
    pub fn of_file(forest: &Forest, source: SourceId) -> Option<Self> {
        match forest.parsed(source)? {
            Parsed::Native(tree) => match tree.root {
                Root::Body(body) => Some(Self::Native(source, body)),
                Root::Expr(_) => None,
            },
            Parsed::Json(tree) => Some(Self::Json(source, tree.body)),
        }
    }

    /// The source that holds it.
    pub const fn source(self) -> SourceId {
        match self {
            Self::Native(source, _) | Self::Json(source, _) => source,
        }
    }

    /// Whether it is written in JSON syntax.
    pub const fn is_json(self) -> bool {
        matches!(self, Self::Json(..))
    }

    /// Where the tool points when something is missing from the body. Native: the empty range at the body's
    /// beginning (its `{`); JSON: the closing `}`, for an array the `[`, for anything else the value.
    pub fn missing_item(self, forest: &Forest) -> Span {
        let nowhere = Span { source: self.source(), start: 0, end: 0 };
        match self {
            Self::Native(source, id) => forest.native(source).map_or(nowhere, |tree| native::missing_item(tree, id)),
            Self::Json(source, id) => forest.json(source).map_or(nowhere, |tree| json::missing_item(tree, id)),
        }
    }
}

/// What a body may hold. Tables of a dialect are short, so names are looked up by walking them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schema<'n> {
    /// Arguments.
    pub arguments: &'n [ArgumentSchema<'n>],
    /// Block types.
    pub blocks: &'n [BlockSchema<'n>],
}

/// An argument of a schema.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentSchema<'n> {
    /// Its name.
    pub name: &'n str,
    /// Whether a body without it is reported `Missing required argument`.
    pub required: bool,
    /// Of several the last one counts. HCL 1 only.
    pub last_counts: bool,
}

impl<'n> ArgumentSchema<'n> {
    /// One that may be missing.
    pub const fn optional(name: &'n str) -> Self {
        Self { name, required: false, last_counts: false }
    }
}

/// A block type of a schema.
#[derive(Clone, Copy, Debug)]
pub struct BlockSchema<'n> {
    /// The block type.
    pub keyword: &'n str,
    /// What each label is called in messages (`type`, `name`); their number is the number of labels.
    pub labels: &'n [&'n str],
    /// What further labels mean. HCL 1 only.
    pub surplus: ExtraLabels,
    /// One without labels is passed over. HCL 1 only.
    pub nameless_is_nothing: bool,
}

impl<'n> BlockSchema<'n> {
    /// With exactly these labels.
    pub const fn new(keyword: &'n str, labels: &'n [&'n str]) -> Self {
        Self { keyword, labels, surplus: ExtraLabels::Refused, nameless_is_nothing: false }
    }
}

/// The names of one body that earlier [`partial`] reads have used up: later reads do not see them.
#[derive(Clone, Debug, Default)]
pub struct Hidden<'n> {
    /// Arguments; in JSON syntax, where both are properties, block types too.
    names: SmallVec<[&'n str; 8]>,
    /// Block types of native bodies.
    blocks: SmallVec<[&'n str; 8]>,
}

impl<'n> Hidden<'n> {
    /// Nothing is hidden: the body as it stands.
    pub const NONE: Self = Self { names: SmallVec::new_const(), blocks: SmallVec::new_const() };

    fn has_name(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    fn has_block(&self, keyword: &str) -> bool {
        self.blocks.contains(&keyword)
    }

    fn hide_name(&mut self, name: &'n str) {
        if !self.has_name(name) {
            self.names.push(name);
        }
    }

    fn hide_blocks(&mut self, schema: &[BlockSchema<'n>]) {
        self.blocks.reserve(schema.len());
        for block in schema {
            if !self.has_block(block.keyword) {
                self.blocks.push(block.keyword);
            }
        }
    }
}

/// The arguments of one body; most have few.
pub type Attributes<'f> = SmallVec<[ContentAttribute<'f>; 6]>;

/// The blocks of one body; most have few.
pub type ContentBlocks<'f> = SmallVec<[ContentBlock<'f>; 2]>;

/// What was understood of a body.
#[derive(Clone, Debug)]
pub struct Content<'f> {
    /// Arguments in source order, no name twice (the first declaration is used).
    pub attributes: Attributes<'f>,
    /// Blocks in source order.
    pub blocks: ContentBlocks<'f>,
    /// See [`BodyAt::missing_item`].
    pub missing_item: Span,
}

impl<'f> Content<'f> {
    /// Whether nothing of a native body is left over.
    fn holds_all_of(&self, tree: Option<&tree::Tree>, body: Id<tree::Body>) -> bool {
        tree.filter(|tree| !tree.hcl1).is_some_and(|tree| {
            let body = tree.body(body);
            body.attributes.len() == self.attributes.len() && body.blocks.len() == self.blocks.len()
        })
    }

    /// The argument of this name.
    pub fn attribute(&self, name: &str) -> Option<&ContentAttribute<'f>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The blocks of this type, in source order.
    pub fn blocks_of<'s>(&'s self, keyword: &'s str) -> impl Iterator<Item = &'s ContentBlock<'f>> + 's {
        self.blocks.iter().filter(move |block| block.keyword == keyword)
    }
}

/// An argument as it stands in a body.
#[derive(Clone, Debug)]
pub struct ContentAttribute<'f> {
    /// The name.
    pub name: &'f str,
    /// Where the name stands; in JSON with its quotes.
    pub name_span: Span,
    /// From the name to the end of the value.
    pub range: Span,
    /// The value.
    pub expr: ExprAt,
}

/// A block as it stands in a body.
#[derive(Clone, Debug)]
pub struct ContentBlock<'f> {
    /// The block type.
    pub keyword: &'f str,
    /// Where the type stands; in JSON the quoted property name.
    pub type_span: Span,
    /// In order.
    pub labels: &'f [ContentLabel<'f>],
    /// Header range H (terraform.md): type to last label; in JSON the `{` that opens the body, or the `[` when the
    /// body stands in an array.
    pub header: Span,
    /// Native: the `{`. JSON: as `header`.
    pub open_brace: Span,
    /// Native: from the type to the `}`. JSON: the body's value.
    pub range: Span,
    /// The content.
    pub body: BodyAt,
}

/// A label of a block.
#[derive(Clone, Copy, Debug)]
pub struct ContentLabel<'f> {
    /// Decoded text.
    pub text: &'f str,
    /// With its quotes.
    pub span: Span,
}

/// Reads a body in which everything must be named by the schema; the rest is reported (`Unsupported argument`,
/// `Unsupported block type`; in JSON `Extraneous JSON object property`). Blocks with wrong labels are reported and left
/// out. As in the tool, a JSON body is walked twice: items of its array that are no objects are reported twice.
pub fn strict<'f, 'n>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &Hidden<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    let mut hidden = hidden.clone();
    let content = partial(forest, body, &mut hidden, schema, out);
    match body {
        BodyAt::Native(source, id) if content.holds_all_of(forest.native(source), id) => {}
        BodyAt::Native(source, id) => {
            if let Some(tree) = forest.native(source).filter(|tree| tree.hcl1) {
                hcl1::report_leftovers(tree, id, &hidden, schema, out);
            } else if let Some(tree) = forest.native(source) {
                native::report_leftovers(tree, id, &hidden, schema, out);
            }
        }
        BodyAt::Json(source, id) => {
            if let Some(tree) = forest.json(source) {
                json::report_leftovers(tree, id, &hidden, schema, out);
            }
        }
    }
    content
}

/// Reads what the schema names and leaves the rest; the names that were read are added to `hidden`, so that a later
/// read of the same body with the same `hidden` sees the remainder.
pub fn partial<'f, 'n>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &mut Hidden<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    charge(forest, body);
    match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            if tree.hcl1 {
                hcl1::partial(forest, tree, id, hidden, schema, out)
            } else {
                native::partial(forest, tree, id, hidden, schema, out)
            }
        }),
        BodyAt::Json(source, id) => {
            forest.json(source).map(|tree| json::partial(forest, tree, id, hidden, schema, out))
        }
    }
    .unwrap_or_else(|| nothing(forest, body))
}

/// Reads a body that may hold arguments only. A native body with blocks is reported about the first of them
/// (`Unexpected "x" block`), whether hidden or not; a JSON body must be one object.
pub fn just_attributes<'f>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &Hidden<'_>,
    out: &mut Diagnostics,
) -> Attributes<'f> {
    charge(forest, body);
    match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            if tree.hcl1 {
                hcl1::just_attributes(tree, id, out)
            } else {
                native::just_attributes(tree, id, hidden, out)
            }
        }),
        BodyAt::Json(source, id) => forest.json(source).map(|tree| json::just_attributes(tree, id, hidden, out)),
    }
    .unwrap_or_default()
}

/// Reads a body without a schema: every argument and every block that is not hidden, and not a word about anything.
/// In JSON a property is an argument, unless `labels_of` says that its name is a block type, of so many labels, and its
/// value can be blocks; `dynamic` is always blocks, with one label. Of two arguments with one name the first counts.
pub fn open<'f>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &Hidden<'_>,
    labels_of: &dyn Fn(&str) -> Option<usize>,
) -> Content<'f> {
    charge(forest, body);
    match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            if tree.hcl1 { hcl1::open(forest, tree, id, hidden) } else { native::open(forest, tree, id, hidden) }
        }),
        BodyAt::Json(source, id) => forest.json(source).map(|tree| json::open(forest, tree, id, hidden, labels_of)),
    }
    .unwrap_or_else(|| nothing(forest, body))
}

/// Charges for one read of a body.
fn charge(forest: &Forest, body: BodyAt) {
    let items = match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            let body = tree.body(id);
            body.attributes.len() + body.blocks.len()
        }),
        BodyAt::Json(source, id) => forest.json(source).map(|tree| match tree.node(id).kind {
            JsonKind::Object { properties, .. } => properties.len(),
            JsonKind::Array { items, .. } => items.len(),
            _ => 0,
        }),
    };
    account::work(ITEM_COST * (items.unwrap_or(0) as u64 + 1));
}

/// Units that looking at an item of a body costs: its name is looked for among those of the schema.
const ITEM_COST: u64 = 2;

fn nothing(forest: &Forest, body: BodyAt) -> Content<'_> {
    Content { attributes: SmallVec::new(), blocks: SmallVec::new(), missing_item: body.missing_item(forest) }
}
