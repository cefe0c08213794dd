//! The tree of a native-syntax text: bodies, attributes, blocks and expressions, each with its source range.
//!
//! There is one arena per source text: plain vectors, `u32` ids, children as contiguous id ranges. Nothing is boxed and
//! no text is copied; decoded text (escapes, trimmed heredoc lines) is stored only where it differs from the source.
//! After errors this is the recovered tree.

mod ids;

use std::fmt;

use bytes::Bytes;
use bytestring::ByteString;
use elsa::FrozenMap;

pub use self::ids::{Id, Ids};
use overfold_base::account::List;
use overfold_base::diag::{SourceId, Span, TextRange};

/// The text of a node: a slice of the source as written, or decoded text where the two differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// The bytes of the source at this range.
    Source(TextRange),
    /// Bytes `start..end` of [`Tree::decoded`].
    Decoded(u32, u32),
}

/// A body: the attributes and blocks between two braces, or of a whole file.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The attributes in source order.
    pub attributes: Ids<Attribute>,
    /// The blocks in source order.
    pub blocks: Ids<Block>,
    /// From the opening brace to the end of the closing one; for a file, the whole text.
    pub range: TextRange,
    /// The empty range after the body's last byte, where a missing item is reported.
    pub end_range: TextRange,
}

/// An attribute, `name = expression`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// From the name to the end of the expression (or of what recovery skipped).
    pub range: TextRange,
    /// The name.
    pub name_range: TextRange,
    /// The `=`.
    pub equals_range: TextRange,
    /// The value.
    pub expr: Id<Expr>,
}

/// A block, `type "label" { … }`.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The block type.
    pub type_range: TextRange,
    /// The labels in source order.
    pub labels: Ids<BlockLabel>,
    /// The header: from the type to the last label.
    pub def_range: TextRange,
    /// From the type to the closing brace.
    pub range: TextRange,
    /// The opening brace.
    pub open_brace: TextRange,
    /// The closing brace.
    pub close_brace: TextRange,
    /// The body.
    pub body: Id<Body>,
}

/// A label of a block header.
#[derive(Clone, Copy, Debug)]
pub struct BlockLabel {
    /// The decoded text, without quotes. Not normalised.
    pub text: Text,
    /// The range of the label, with its quotes.
    pub range: TextRange,
}

/// An expression node. Nodes are numerous, so kinds with more parts than fit keep them in a separate list.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// The range of the whole expression.
    pub range: TextRange,
}

/// The kinds of expressions.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// A number as written; its text is the node's range.
    Number,
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// The literal text of a template part (or of a whole template, see [`ExprKind::Template`]).
    Text(Text),
    /// An HCL 1 text with interpolations, which stay as written and are never parsed.
    Interpolated(Text),
    /// A quoted string, heredoc or bare template that consists of parts.
    Template {
        /// How the template is written.
        form: TemplateForm,
        /// The parts in order; literal ones are `Text`.
        parts: Ids<ExprRef>,
    },
    /// A template that is exactly one interpolation; it keeps the value and type of the expression inside.
    TemplateWrap(Id<Expr>),
    /// `%{ if }` inside a template.
    TemplateIf {
        /// The condition.
        cond: Id<Expr>,
        /// A template of form `Inner`.
        then: Id<Expr>,
        /// A template of form `Inner`, if there is an `%{ else }`.
        or_else: Option<Id<Expr>>,
    },
    /// `%{ for }` inside a template: a `For` whose value is a template of form `Inner`; the results are concatenated.
    TemplateFor(Id<Expr>),
    /// A root name and the steps after it.
    Traversal(Ids<Step>),
    /// Steps on the result of an expression.
    RelativeTraversal {
        /// The expression the steps are applied to.
        on: Id<Expr>,
        /// At least one step, none of them a root.
        steps: Ids<Step>,
    },
    /// A function call; its parts are in [`Tree::calls`].
    Call(Id<Call>),
    /// `cond ? then : or_else`.
    Conditional {
        /// The condition.
        cond: Id<Expr>,
        /// The result if the condition is true.
        then: Id<Expr>,
        /// The result if the condition is false.
        or_else: Id<Expr>,
    },
    /// A for-expression; its parts are in [`Tree::fors`].
    For(Id<For>),
    /// `source[*]…` or `source.*…`; its parts are in [`Tree::splats`].
    Splat(Id<Splat>),
    /// The element of the enclosing splat.
    SplatItem,
    /// `collection[key]` where the key is not a plain literal; its parts are in [`Tree::indexes`].
    Index(Id<Index>),
    /// `{ key = value, … }`.
    Object {
        /// The items in source order, including duplicates.
        items: Ids<ObjectItem>,
        /// The `{`.
        open: TextRange,
    },
    /// `[ … ]`.
    Tuple {
        /// The elements in order.
        items: Ids<ExprRef>,
        /// The `[`.
        open: TextRange,
    },
    /// `-x` or `!x`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Id<Expr>,
        /// The range of the operator.
        op_range: TextRange,
    },
    /// `a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        lhs: Id<Expr>,
        /// The right operand.
        rhs: Id<Expr>,
        /// The range of the operator.
        op_range: TextRange,
    },
    /// `( x )`.
    Parens(Id<Expr>),
    /// Takes the place of a missing expression; its value is unknown.
    Placeholder,
    /// Takes the place of an expression that could not be read; the steps and arguments read up to there are dropped.
    SyntaxError,
    /// A number that cannot be represented.
    BadNumber,
}

/// An element of a child list. Lists hold ids because the children of one list are not adjacent in the arena.
pub type ExprRef = Id<Expr>;

/// How a template is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateForm {
    /// `"…"`.
    Quoted,
    /// `<<EOT`.
    Heredoc,
    /// `<<-EOT`.
    FlushHeredoc,
    /// The branch of a directive, or a text that is one template.
    Inner,
}

/// One step of a traversal.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What the step selects.
    pub kind: StepKind,
    /// The range of the step, with its dot or brackets.
    pub range: TextRange,
}

/// The kinds of steps.
#[derive(Clone, Copy, Debug)]
pub enum StepKind {
    /// The root name: the first step of an absolute traversal. Its text is the step's range.
    Root,
    /// `.name`.
    Attr(TextRange),
    /// `["text"]`.
    IndexText(Text),
    /// `[1]` or `.1`: the range of the digits.
    IndexNumber(TextRange),
    /// `[true]`, `[null]`, or an index that could not be read: a leaf of kind `Bool`, `Null`, `Placeholder` or
    /// `BadNumber`.
    IndexOther(Id<Expr>),
}

/// A function call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The name with its namespaces (`a::b`), without blanks.
    pub name: Text,
    /// The range of the name.
    pub name_range: TextRange,
    /// The arguments in order.
    pub args: Ids<ExprRef>,
    /// Whether the last argument is followed by `...`.
    pub expand_final: bool,
    /// The `(`.
    pub open: TextRange,
    /// The `)`; an empty range at the start of the text if there is none because an argument is cut off.
    pub close: TextRange,
}

impl Call {
    /// Returns the range from the name to the closing parenthesis; empty, at the name, if that is missing because an argument
    /// is cut off.
    pub fn range(&self) -> TextRange {
        self.closed_from(self.name_range)
    }

    /// Returns the range of the parentheses; empty, at the opening one, if the other one is missing because an argument is cut
    /// off.
    pub fn args_range(&self) -> TextRange {
        self.closed_from(self.open)
    }

    fn closed_from(&self, first: TextRange) -> TextRange {
        let is_cut_off = self.close == TextRange::default();
        if is_cut_off { TextRange::new(first.start, first.start) } else { first.to(self.close) }
    }
}

/// A splat expression.
#[derive(Clone, Copy, Debug)]
pub struct Splat {
    /// The expression that is iterated over.
    pub source: Id<Expr>,
    /// The expression evaluated for each element; [`ExprKind::SplatItem`] stands for the element.
    pub each: Id<Expr>,
    /// The `SplatItem` node that `each` refers to.
    pub item: Id<Expr>,
    /// Whether this is the `.*` form.
    pub attr_only: bool,
    /// The `[*]` or `.*`.
    pub marker: TextRange,
}

/// An index expression.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// The expression that is indexed.
    pub collection: Id<Expr>,
    /// The key.
    pub key: Id<Expr>,
    /// The `[`.
    pub open: TextRange,
    /// The `]`.
    pub close: TextRange,
}

impl Index {
    /// Returns the range from one bracket to the other.
    pub fn brackets(&self) -> TextRange {
        self.open.to(self.close)
    }
}

/// A for-expression.
#[derive(Clone, Copy, Debug)]
pub struct For {
    /// The name of the key variable, if there are two variables.
    pub key_var: Option<TextRange>,
    /// The name of the value variable.
    pub value_var: TextRange,
    /// The expression that is iterated over.
    pub collection: Id<Expr>,
    /// The key expression. If present, the result is an object, otherwise a tuple.
    pub key: Option<Id<Expr>>,
    /// The value expression.
    pub value: Id<Expr>,
    /// The condition of the `if` clause.
    pub cond: Option<Id<Expr>>,
    /// Whether `...` follows the value, so that values with equal keys are grouped.
    pub group: bool,
    /// The opening bracket (in a directive: from `%{` to its `}`).
    pub open: TextRange,
    /// The closing bracket (in a directive: the `endfor`).
    pub close: TextRange,
}

/// `key = value` in an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectItem {
    /// The key expression. A bare word is a traversal with only a root step.
    pub key: Id<Expr>,
    /// The range of the key.
    pub key_range: TextRange,
    /// The range of the key if it is a bare word, which acts as a string.
    pub literal_name: Option<TextRange>,
    /// The value.
    pub value: Id<Expr>,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// What a text was parsed as.
#[derive(Clone, Copy, Debug)]
pub enum Root {
    /// A file: attributes and blocks.
    Body(Id<Body>),
    /// A text that consists of one expression or one template.
    Expr(Id<Expr>),
}

/// Pieces of a text that is not valid UTF-8, with invalid bytes replaced by U+FFFD.
#[derive(Default)]
pub(super) struct Repaired(FrozenMap<TextRange, String>);

impl fmt::Debug for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Repaired")
    }
}

/// The tree of one native-syntax text.
#[derive(Debug)]
pub struct Tree {
    /// The source it was read from.
    pub source: SourceId,
    /// The bytes of the source (shared, not copied).
    pub text: Bytes,
    /// The same text as a string, if it is valid UTF-8.
    pub(super) utf8: Option<ByteString>,
    /// The slices returned by [`Self::slice`] that had to be repaired, if the text is not valid UTF-8.
    pub(super) repaired: Repaired,
    /// The root: a body or an expression.
    pub root: Root,
    /// The decoded texts, concatenated.
    pub decoded: String,
    /// All bodies.
    pub bodies: Vec<Body>,
    /// All attributes; those of one body are adjacent.
    pub attributes: List<Attribute>,
    /// All blocks; those of one body are adjacent.
    pub blocks: List<Block>,
    /// All labels; those of one block are adjacent.
    pub labels: Vec<BlockLabel>,
    /// All expressions.
    pub exprs: List<Expr>,
    /// All child lists.
    pub lists: List<ExprRef>,
    /// All steps; those of one traversal are adjacent.
    pub steps: List<Step>,
    /// All object items; those of one object are adjacent.
    pub items: List<ObjectItem>,
    /// All for-expressions.
    pub fors: Vec<For>,
    /// All function calls.
    pub calls: List<Call>,
    /// All splats.
    pub splats: List<Splat>,
    /// All index expressions.
    pub indexes: List<Index>,
    /// Whether the text is HCL 1, where `x { … }` and `x = { … }` mean the same.
    pub hcl1: bool,
    /// HCL 1 only: every object, as an expression and as a body. Both ids are in ascending order.
    pub object_bodies: Vec<(Id<Expr>, Id<Body>)>,
    /// HCL 1 only: the decoded text of every name that is written differently, by the range of the name without its
    /// quotes, in ascending order.
    pub decoded_names: Vec<(TextRange, Text)>,
}

#[expect(clippy::indexing_slicing, reason = "ids are made by the parser of this very tree and never mixed")]
impl Tree {
    /// Creates a tree of the native grammar without nodes; the caller must still add its root, body 0.
    pub(super) fn empty(source: SourceId, text: Bytes) -> Self {
        Self {
            source,
            utf8: ByteString::try_from(text.clone()).ok(),
            repaired: Repaired::default(),
            text,
            root: Root::Body(Id::new(0)),
            decoded: String::new(),
            bodies: Vec::new(),
            attributes: List::new(),
            blocks: List::new(),
            labels: Vec::new(),
            exprs: List::new(),
            lists: List::new(),
            steps: List::new(),
            items: List::new(),
            fors: Vec::new(),
            calls: List::new(),
            splats: List::new(),
            indexes: List::new(),
            hcl1: false,
            object_bodies: Vec::new(),
            decoded_names: Vec::new(),
        }
    }

    /// Returns the body with this id.
    pub fn body(&self, id: Id<Body>) -> &Body {
        &self.bodies[id.index()]
    }

    /// Returns the expression with this id.
    #[inline]
    pub fn expr(&self, id: Id<Expr>) -> &Expr {
        &self.exprs[id.index()]
    }

    /// Returns the attributes of a body.
    #[inline]
    pub fn attributes(&self, ids: Ids<Attribute>) -> &[Attribute] {
        &self.attributes[ids.indexes()]
    }

    /// Returns the blocks of a body.
    #[inline]
    pub fn blocks(&self, ids: Ids<Block>) -> &[Block] {
        &self.blocks[ids.indexes()]
    }

    /// Returns the labels of a block.
    pub fn labels(&self, ids: Ids<BlockLabel>) -> &[BlockLabel] {
        &self.labels[ids.indexes()]
    }

    /// Returns the children in a list.
    #[inline]
    pub fn list(&self, ids: Ids<ExprRef>) -> &[ExprRef] {
        &self.lists[ids.indexes()]
    }

    /// Returns the steps of a traversal.
    #[inline]
    pub fn steps(&self, ids: Ids<Step>) -> &[Step] {
        &self.steps[ids.indexes()]
    }

    /// Returns the items of an object.
    #[inline]
    pub fn items(&self, ids: Ids<ObjectItem>) -> &[ObjectItem] {
        &self.items[ids.indexes()]
    }

    /// Returns the call with this id.
    #[inline]
    pub fn call(&self, id: Id<Call>) -> &Call {
        &self.calls[id.index()]
    }

    /// Returns the splat with this id.
    pub fn splat(&self, id: Id<Splat>) -> &Splat {
        &self.splats[id.index()]
    }

    /// Returns the index expression with this id.
    pub fn index_expr(&self, id: Id<Index>) -> &Index {
        &self.indexes[id.index()]
    }

    /// Returns the for-expression with this id.
    pub fn for_expr(&self, id: Id<For>) -> &For {
        &self.fors[id.index()]
    }
}

/// Access to HCL 1 trees.
impl Tree {
    /// Returns the body that represents the same object. `None` for other expressions, and in HCL 2.
    pub fn body_of(&self, object: Id<Expr>) -> Option<Id<Body>> {
        let at = self.object_bodies.binary_search_by_key(&object.index(), |(expr, _)| expr.index()).ok()?;
        self.object_bodies.get(at).map(|&(_, body)| body)
    }

    /// Returns the object expression that represents the same object. `None` for the body of a file, and in HCL 2.
    pub fn object_of(&self, body: Id<Body>) -> Option<Id<Expr>> {
        let at = self.object_bodies.binary_search_by_key(&body.index(), |(_, body)| body.index()).ok()?;
        self.object_bodies.get(at).map(|&(expr, _)| expr)
    }

    /// Returns the content of an HCL 1 block when only its first `taken` labels are taken as labels: the block's body
    /// if that is all of them, otherwise a body with one block whose type is the next label.
    pub fn body_after_labels(&self, block: &Block, taken: usize) -> Id<Body> {
        // The parser adds the bodies for the labels right after the block's own body, the last label's first.
        let left = block.labels.len().saturating_sub(taken);
        Id::new(block.body.index() as u32 + left as u32)
    }

    /// Returns the decoded text of an attribute name or block type.
    pub fn name(&self, range: TextRange) -> &str {
        let found = self.decoded_names.binary_search_by_key(&range.start, |(at, _)| at.start);
        match found.ok().and_then(|at| self.decoded_names.get(at)) {
            Some(&(_, text)) => self.str(text),
            None => self.slice(range),
        }
    }
}

impl Tree {
    /// Returns the bytes in a range; empty if the range is not inside the text.
    #[inline]
    pub fn bytes(&self, range: TextRange) -> &[u8] {
        range.bytes_of(&self.text)
    }

    /// Returns the text in a range, with U+FFFD for bytes that are not UTF-8. Names are always UTF-8.
    #[inline]
    pub fn slice(&self, range: TextRange) -> &str {
        self.utf8.as_ref().and_then(|text| text.get(range.indexes())).unwrap_or_else(|| self.repaired(range))
    }

    /// Returns the text in a range of a file that is not UTF-8.
    #[cold]
    fn repaired(&self, range: TextRange) -> &str {
        match std::str::from_utf8(self.bytes(range)) {
            Ok(text) => text,
            Err(_) => self.repaired.0.get(&range).unwrap_or_else(|| {
                self.repaired.0.insert(range, String::from_utf8_lossy(self.bytes(range)).into_owned())
            }),
        }
    }

    /// Returns the text of a node. Not normalised (values are normalised when they are created).
    #[inline]
    pub fn str(&self, text: Text) -> &str {
        match text {
            Text::Source(range) => self.slice(range),
            Text::Decoded(start, end) => TextRange::new(start, end).text_of(&self.decoded),
        }
    }

    /// Converts a range of this text into a span of the request.
    #[inline]
    pub fn span(&self, range: TextRange) -> Span {
        range.in_source(self.source)
    }
}
