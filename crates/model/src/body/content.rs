//! The schema-driven reader: reads the content of a body by a schema, in native and JSON syntax alike.
//!
//! There are three ways to read a body, as in the tools' configuration library: [`strict`] (everything that the schema
//! does not name is an error), [`partial`] (the rest is left for later reads of the same body) and [`attributes_only`]
//! (arguments only). [`open`] reads a body whose schema is unknown. A read does not change the body: reading it twice
//! repeats its diagnostics, so a caller that wants none passes a sink and discards it.
//!
//! Sources of the rules: syntax.md, section 6 (JSON bodies); terraform.md, sections 4, 5 and 9.

pub mod codes;
mod hcl1;
mod json;
mod names;
mod native;
#[cfg(test)]
mod tests;

use names::{Finder, NameSet};
use smallvec::SmallVec;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, SourceId, Span};
use overfold_dialect::ExtraLabels;
use overfold_syntax::json::{JsonKind, JsonNode};
use overfold_syntax::tree::{Id, Root};
use overfold_syntax::{ExprAt, Forest, Parsed, tree};

/// A body in either syntax, anywhere in the request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BodyAt {
    /// A body of a native tree.
    Native(SourceId, Id<tree::Body>),
    /// A JSON value that is read as a body: an object, or an array of objects whose properties form one body. Any
    /// other value is detected and reported when the body is read.
    Json(SourceId, Id<JsonNode>),
}

impl BodyAt {
    /// Returns the body of a whole file. `None` if the source is not a file (a single expression or template).
    pub fn of_file(forest: &Forest, source: SourceId) -> Option<Self> {
        match forest.parsed(source)? {
            Parsed::Native(tree) => match tree.root {
                Root::Body(body) => Some(Self::Native(source, body)),
                Root::Expr(_) => None,
            },
            Parsed::Json(tree) => Some(Self::Json(source, tree.body)),
        }
    }

    /// Returns the body of the block whose whole range this is: from the block type to the closing brace; in JSON, the
    /// value that is the body. `None` if no block is there.
    pub fn of_block(forest: &Forest, block: Span) -> Option<Self> {
        account::work(16);
        match forest.parsed(block.source)? {
            Parsed::Native(tree) => {
                native::body_of_block(tree, block.range()).map(|id| Self::Native(block.source, id))
            }
            Parsed::Json(tree) => json::body_of_block(tree, block.range()).map(|id| Self::Json(block.source, id)),
        }
    }

    /// Returns the source that contains the body.
    pub const fn source(self) -> SourceId {
        match self {
            Self::Native(source, _) | Self::Json(source, _) => source,
        }
    }

    /// Whether the body is in JSON syntax.
    pub const fn is_json(self) -> bool {
        matches!(self, Self::Json(..))
    }

    /// Returns the location at which the tool reports that something is missing from the body. In native syntax, this
    /// is the empty range at the beginning of the body (its `{`); in JSON, the closing `}`, the `[` of an array, or
    /// any other value as a whole.
    pub fn missing_item(self, forest: &Forest) -> Span {
        let nowhere = Span { source: self.source(), start: 0, end: 0 };
        match self {
            Self::Native(source, id) => forest.native(source).map_or(nowhere, |tree| native::missing_item(tree, id)),
            Self::Json(source, id) => forest.json(source).map_or(nowhere, |tree| json::missing_item(tree, id)),
        }
    }
}

/// The permitted content of a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schema<'n> {
    /// The arguments.
    pub arguments: &'n [ArgumentSchema<'n>],
    /// The block types.
    pub blocks: &'n [BlockSchema<'n>],
}

impl<'n> Schema<'n> {
    /// Prepares for looking up this many names of arguments.
    fn argument_finder(&self, lookups: usize) -> Finder<'n, 'n, ArgumentSchema<'n>> {
        Finder::new(self.arguments, |argument| argument.name, lookups)
    }

    /// Prepares for looking up this many block types.
    fn block_finder(&self, lookups: usize) -> Finder<'n, 'n, BlockSchema<'n>> {
        Finder::new(self.blocks, |block| block.keyword, lookups)
    }
}

/// An argument of a schema.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentSchema<'n> {
    /// The name of the argument.
    pub name: &'n str,
    /// Whether it is an error if the body does not have the argument (`Missing required argument`).
    pub required: bool,
    /// Which value applies when a body sets the argument more than once. HCL 1 only: in the other syntaxes the parser
    /// reports it.
    pub repeated: Repeated,
}

/// Which value applies when a body sets an argument more than once, and who reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated {
    /// The first value applies, and each further one is reported.
    FirstApplies,
    /// The last value applies, and each earlier one is reported.
    LastApplies,
    /// Another read of the same body reports it.
    ReportedElsewhere,
}

impl<'n> ArgumentSchema<'n> {
    /// Creates an argument that may be missing.
    pub const fn optional(name: &'n str) -> Self {
        Self { name, required: false, repeated: Repeated::FirstApplies }
    }
}

/// A block type of a schema.
#[derive(Clone, Copy, Debug)]
pub struct BlockSchema<'n> {
    /// The block type.
    pub keyword: &'n str,
    /// The names of the labels in messages (`type`, `name`); their number is the number of labels.
    pub labels: &'n [&'n str],
    /// The meaning of further labels. HCL 1 only.
    pub extra_labels: ExtraLabels,
    /// Whether a block without labels is ignored. HCL 1 only.
    pub ignore_unlabeled: bool,
}

impl<'n> BlockSchema<'n> {
    /// Creates a block type with exactly these labels.
    pub const fn new(keyword: &'n str, labels: &'n [&'n str]) -> Self {
        Self { keyword, labels, extra_labels: ExtraLabels::Refused, ignore_unlabeled: false }
    }
}

/// The names in one body that earlier [`partial`] reads have consumed: later reads do not see them.
#[derive(Clone, Debug, Default)]
pub struct ConsumedNames<'n> {
    /// The arguments; in JSON syntax, where both are properties, also the block types.
    names: NameSet<'n>,
    /// The block types of native bodies.
    blocks: NameSet<'n>,
}

impl<'n> ConsumedNames<'n> {
    /// Nothing is hidden: the complete body is read.
    pub const NONE: Self = Self { names: NameSet::EMPTY, blocks: NameSet::EMPTY };

    /// Returns these names, as if they had been read: those of arguments, in JSON also of blocks, and those of native
    /// blocks.
    pub fn new(names: impl Iterator<Item = &'n str>, blocks: impl Iterator<Item = &'n str>) -> Self {
        Self { names: NameSet::new(names), blocks: NameSet::new(blocks) }
    }

    /// Returns the same names for reads by a schema that does not live as long.
    pub fn for_schema<'m>(&self) -> ConsumedNames<'m>
    where
        'n: 'm,
    {
        account::work((self.names.len() + self.blocks.len()) as u64 / 8);
        ConsumedNames { names: self.names.shortened(), blocks: self.blocks.shortened() }
    }

    fn has_name(&self, name: &str) -> bool {
        self.names.has(name)
    }

    fn has_block(&self, keyword: &str) -> bool {
        self.blocks.has(keyword)
    }

    fn hide_name(&mut self, name: &'n str) {
        self.names.insert(name);
    }

    fn hide_blocks(&mut self, schema: &[BlockSchema<'n>]) {
        for block in schema {
            self.blocks.insert(block.keyword);
        }
    }
}

/// The arguments of one body; most bodies have few.
pub type Attributes<'f> = SmallVec<[ContentAttribute<'f>; 6]>;

/// The blocks of one body; most bodies have few.
pub type ContentBlocks<'f> = SmallVec<[ContentBlock<'f>; 2]>;

/// The content of a body, as far as it was understood.
#[derive(Clone, Debug)]
pub struct Content<'f> {
    /// The arguments in source order, each name once (the first declaration is used).
    pub attributes: Attributes<'f>,
    /// The blocks in source order.
    pub blocks: ContentBlocks<'f>,
    /// The location for missing content; see [`BodyAt::missing_item`].
    pub missing_item: Span,
}

impl<'f> Content<'f> {
    /// Whether the content includes everything in a native body.
    fn is_complete(&self, tree: Option<&tree::Tree>, body: Id<tree::Body>) -> bool {
        tree.filter(|tree| !tree.hcl1).is_some_and(|tree| {
            let body = tree.body(body);
            body.attributes.len() == self.attributes.len() && body.blocks.len() == self.blocks.len()
        })
    }

    /// Returns the argument of this name.
    pub fn attribute(&self, name: &str) -> Option<&ContentAttribute<'f>> {
        self.attributes.iter().skimmed(16).find(|attribute| attribute.name == name)
    }

    /// Returns the blocks of this type, in source order.
    pub fn blocks_of<'s>(&'s self, keyword: &'s str) -> impl Iterator<Item = &'s ContentBlock<'f>> + 's {
        self.blocks.iter().filter(move |block| block.keyword == keyword)
    }
}

/// An argument in a body.
#[derive(Clone, Debug)]
pub struct ContentAttribute<'f> {
    /// The name.
    pub name: &'f str,
    /// The location of the name; in JSON, including its quotes.
    pub name_span: Span,
    /// The range from the name to the end of the value.
    pub range: Span,
    /// The value.
    pub expr: ExprAt,
}

/// A block in a body.
#[derive(Clone, Debug)]
pub struct ContentBlock<'f> {
    /// The block type.
    pub keyword: &'f str,
    /// The location of the type; in JSON, the quoted property name.
    pub type_span: Span,
    /// The labels, in order.
    pub labels: &'f [ContentLabel<'f>],
    /// The header range H (terraform.md): from the type to the last label; in JSON, the `{` that opens the body, or
    /// the `[` if the body is in an array.
    pub header: Span,
    /// The location of the `{`; in JSON, the same as `header`.
    pub open_brace: Span,
    /// The range from the type to the `}`; in JSON, the value that is the body.
    pub range: Span,
    /// The content.
    pub body: BodyAt,
}

/// A label of a block.
#[derive(Clone, Copy, Debug)]
pub struct ContentLabel<'f> {
    /// The decoded text.
    pub text: &'f str,
    /// The location of the label, including its quotes.
    pub span: Span,
}

/// Reads a body whose entire content must be named by the schema; the rest is reported (`Unsupported argument`,
/// `Unsupported block type`; in JSON `Extraneous JSON object property`). Blocks with wrong labels are reported and
/// left out. Like the tool, this reads a JSON body twice, so items of its array that are not objects are reported
/// twice.
pub fn strict<'f, 'n>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &ConsumedNames<'n>,
    schema: Schema<'n>,
    out: &mut Diagnostics,
) -> Content<'f> {
    let mut hidden = hidden.clone();
    let content = partial(forest, body, &mut hidden, schema, out);
    match body {
        BodyAt::Native(source, id) if content.is_complete(forest.native(source), id) => {}
        BodyAt::Native(source, id) => {
            if let Some(tree) = forest.native(source).filter(|tree| tree.hcl1) {
                hcl1::report_leftovers(tree, id, &hidden, schema, out);
            } else if let Some(tree) = forest.native(source) {
                native::report_leftovers(tree, id, &hidden, schema, out);
            }
        }
        BodyAt::Json(source, id) => {
            if let Some(tree) = forest.json(source) {
                json::report_leftovers(forest, tree, id, &hidden, schema, out);
            }
        }
    }
    content
}

/// Reads what the schema names and leaves the rest. The names that were read are added to `hidden`, so that a later
/// read of the same body with the same `hidden` sees only the remainder.
pub fn partial<'f, 'n>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &mut ConsumedNames<'n>,
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
    .unwrap_or_else(|| empty_content(forest, body))
}

/// Reads a body that may contain only arguments. For a native body with blocks, the first of them is reported
/// (`Unexpected "x" block`), whether hidden or not; a JSON body must be a single object.
pub fn attributes_only<'f>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &ConsumedNames<'_>,
    out: &mut Diagnostics,
) -> Attributes<'f> {
    charge(forest, body);
    match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            if tree.hcl1 {
                hcl1::attributes_only(tree, id, out)
            } else {
                native::attributes_only(tree, id, hidden, out)
            }
        }),
        BodyAt::Json(source, id) => {
            forest.json(source).map(|tree| json::attributes_only(forest, tree, id, hidden, out))
        }
    }
    .unwrap_or_default()
}

/// Reads a body without a schema: every argument and every block that is not hidden, without reporting anything. In
/// JSON, a property is an argument unless `labels_of` returns the number of labels of the block type with its name and
/// its value can be blocks; `dynamic` is always blocks, with one label. If two arguments have the same name, the first
/// one is used.
pub fn open<'f>(
    forest: &'f Forest,
    body: BodyAt,
    hidden: &ConsumedNames<'_>,
    labels_of: &dyn Fn(&str) -> Option<usize>,
) -> Content<'f> {
    charge(forest, body);
    match body {
        BodyAt::Native(source, id) => forest.native(source).map(|tree| {
            if tree.hcl1 { hcl1::open(forest, tree, id, hidden) } else { native::open(forest, tree, id, hidden) }
        }),
        BodyAt::Json(source, id) => forest.json(source).map(|tree| json::open(forest, tree, id, hidden, labels_of)),
    }
    .unwrap_or_else(|| empty_content(forest, body))
}

/// Reads a property of an open JSON body, which is kept as an argument, as the blocks of a type. Blocks with wrong labels
/// and values that cannot be blocks are reported. There are none in an argument in native syntax.
pub fn property_blocks<'f>(
    forest: &'f Forest,
    property: &ContentAttribute<'f>,
    labels: &[&str],
    out: &mut Diagnostics,
) -> ContentBlocks<'f> {
    let mut blocks = ContentBlocks::new();
    if let ExprAt::Json(source, value) = property.expr
        && let Some(tree) = forest.json(source)
    {
        json::unpack(forest, tree, (property.name, property.name_span), value, labels, &mut blocks, out);
    }
    blocks
}

/// Whether a native block has the labels that its type requires; if not, that is reported.
pub fn has_labels(block: &ContentBlock<'_>, wanted: &BlockSchema<'_>, out: &mut Diagnostics) -> bool {
    account::work(1);
    let problem = native::label_problem(block.keyword, block.labels, block.open_brace, wanted);
    let fits = problem.is_none();
    out.extend(problem.map(|problem| problem.within(Span { end: block.open_brace.end, ..block.type_span })));
    fits
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

/// The work units for examining an item of a body, whose name is searched for in the schema.
const ITEM_COST: u64 = 2;

fn empty_content(forest: &Forest, body: BodyAt) -> Content<'_> {
    Content { attributes: SmallVec::new(), blocks: SmallVec::new(), missing_item: body.missing_item(forest) }
}
