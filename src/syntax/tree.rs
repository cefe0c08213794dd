//! The tree of a native-syntax text: bodies, attributes, blocks and expressions with a range on everything.
//!
//! One arena per source text: plain vectors, `u32` ids, children as contiguous id ranges. Nothing is boxed and
//! nothing is copied; decoded text (escapes, trimmed heredoc lines) is kept only where it differs from the source.
//! After errors the tree is the recovered one.

mod ids;

use std::fmt;

use bytes::Bytes;
use bytestring::ByteString;
use elsa::FrozenMap;

pub use self::ids::{Id, Ids};
use crate::diag::{SourceId, Span, TextRange};

/// Text of a node: a piece of the source as it stands, or decoded text where the two differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// The bytes of the source at this range.
    Source(TextRange),
    /// Bytes `start..end` of [`Tree::decoded`].
    Decoded(u32, u32),
}

/// A body: the attributes and blocks between two braces, or those of a whole file.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// In source order.
    pub attributes: Ids<Attribute>,
    /// In source order.
    pub blocks: Ids<Block>,
    /// From the opening brace to the end of the closing one; a file's whole text.
    pub range: TextRange,
    /// The empty range after the body's last byte: where a missing item would stand.
    pub end_range: TextRange,
}

/// An argument, `name = expression`.
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
    /// In source order.
    pub labels: Ids<BlockLabel>,
    /// Header: from the type to the last label.
    pub def_range: TextRange,
    /// From the type to the closing brace.
    pub range: TextRange,
    /// The opening brace.
    pub open_brace: TextRange,
    /// The closing brace.
    pub close_brace: TextRange,
    /// The content.
    pub body: Id<Body>,
}

/// A label of a block header.
#[derive(Clone, Copy, Debug)]
pub struct BlockLabel {
    /// Decoded text, without quotes. Not normalised.
    pub text: Text,
    /// With its quotes.
    pub range: TextRange,
}

/// An expression node. There are many: kinds with more parts than fit keep them in a list of their own.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole expression.
    pub range: TextRange,
}

/// Kinds of expressions.
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
    /// A text of HCL 1 that holds interpolations. They stay as written, and nothing reads them.
    Interpolated(Text),
    /// A quoted string, heredoc or bare template made of parts.
    Template {
        /// How it is written.
        form: TemplateForm,
        /// Parts in order; `Text` for the literal ones.
        parts: Ids<ExprRef>,
    },
    /// A template that is exactly one interpolation: keeps the value and type of what is inside.
    TemplateWrap(Id<Expr>),
    /// `%{ if }` inside a template.
    TemplateIf {
        /// Condition.
        cond: Id<Expr>,
        /// A template of form `Inner`.
        then: Id<Expr>,
        /// A template of form `Inner`, where there is an `%{ else }`.
        or_else: Option<Id<Expr>>,
    },
    /// `%{ for }` inside a template: a `For` whose value is a template of form `Inner`; its results are joined.
    TemplateFor(Id<Expr>),
    /// A root name and steps.
    Traversal(Ids<Step>),
    /// Steps on the result of an expression.
    RelativeTraversal {
        /// What the steps start from.
        on: Id<Expr>,
        /// At least one step, none of them a root.
        steps: Ids<Step>,
    },
    /// A function call; its parts are in [`Tree::calls`].
    Call(Id<Call>),
    /// `cond ? then : or_else`.
    Conditional {
        /// Condition.
        cond: Id<Expr>,
        /// Taken when true.
        then: Id<Expr>,
        /// Taken when false.
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
        /// In source order, duplicates kept.
        items: Ids<ObjectItem>,
        /// The `{`.
        open: TextRange,
    },
    /// `[ … ]`.
    Tuple {
        /// In order.
        items: Ids<ExprRef>,
        /// The `[`.
        open: TextRange,
    },
    /// `-x` or `!x`.
    Unary {
        /// Operator.
        op: UnaryOp,
        /// Operand.
        operand: Id<Expr>,
        /// The operator's place.
        op_range: TextRange,
    },
    /// `a op b`.
    Binary {
        /// Operator.
        op: BinaryOp,
        /// Left operand.
        lhs: Id<Expr>,
        /// Right operand.
        rhs: Id<Expr>,
        /// The operator's place.
        op_range: TextRange,
    },
    /// `( x )`.
    Parens(Id<Expr>),
    /// Stands where an expression is missing; unknown value.
    Placeholder,
    /// Stands for an expression that could not be read; the steps and arguments read so far are dropped.
    SyntaxError,
    /// A number that cannot be represented.
    BadNumber,
}

/// Child lists hold ids, because children of one list are not neighbours in the arena.
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
    /// The branch of a directive, or a text that is a template as a whole.
    Inner,
}

/// One step of a traversal.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it selects.
    pub kind: StepKind,
    /// With its dot or brackets.
    pub range: TextRange,
}

/// Kinds of steps.
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
    /// Name with its name spaces (`a::b`), as it counts, without blanks.
    pub name: Text,
    /// Where the name stands.
    pub name_range: TextRange,
    /// Arguments in order.
    pub args: Ids<ExprRef>,
    /// Whether the last argument is followed by `...`.
    pub expand_final: bool,
    /// The `(`.
    pub open: TextRange,
    /// The `)`.
    pub close: TextRange,
}

/// A splat.
#[derive(Clone, Copy, Debug)]
pub struct Splat {
    /// What is iterated.
    pub source: Id<Expr>,
    /// Evaluated for each element; [`ExprKind::SplatItem`] stands for the element.
    pub each: Id<Expr>,
    /// The `SplatItem` node that `each` refers to.
    pub item: Id<Expr>,
    /// The `.*` form.
    pub attr_only: bool,
    /// The `[*]` or `.*`.
    pub marker: TextRange,
}

/// An index.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// What is indexed.
    pub collection: Id<Expr>,
    /// The key.
    pub key: Id<Expr>,
    /// The `[`.
    pub open: TextRange,
    /// The `]`.
    pub close: TextRange,
}

impl Index {
    /// From one bracket to the other.
    pub fn brackets(&self) -> TextRange {
        self.open.to(self.close)
    }
}

/// A for-expression.
#[derive(Clone, Copy, Debug)]
pub struct For {
    /// Name of the key variable, where there are two.
    pub key_var: Option<TextRange>,
    /// Name of the value variable.
    pub value_var: TextRange,
    /// What is iterated.
    pub collection: Id<Expr>,
    /// Key expression: an object results. `None`: a tuple.
    pub key: Option<Id<Expr>>,
    /// Value expression.
    pub value: Id<Expr>,
    /// The `if` clause.
    pub cond: Option<Id<Expr>>,
    /// `...` after the value: equal keys are grouped.
    pub group: bool,
    /// The opening bracket (for a directive: from `%{` to its `}`).
    pub open: TextRange,
    /// The closing bracket (for a directive: the `endfor`).
    pub close: TextRange,
}

/// `key = value` in an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectItem {
    /// The key expression. A bare word is a traversal of one root step.
    pub key: Id<Expr>,
    /// Where the key stands.
    pub key_range: TextRange,
    /// The word, when a bare word acts as a string.
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

/// What a text was read as.
#[derive(Clone, Copy, Debug)]
pub enum Root {
    /// A file: attributes and blocks.
    Body(Id<Body>),
    /// A text that is one expression or one template.
    Expr(Id<Expr>),
}

/// Pieces of a text that is not UTF-8, with U+FFFD in the place of what is not.
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
    /// The source's bytes, shared.
    pub text: Bytes,
    /// The same text, where it is UTF-8.
    pub(super) utf8: Option<ByteString>,
    /// Pieces of a text that is not, as [`Self::slice`] gives them.
    pub(super) repaired: Repaired,
    /// Where it begins.
    pub root: Root,
    /// Decoded texts, one after another.
    pub decoded: String,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Attributes; those of one body are neighbours.
    pub attributes: Vec<Attribute>,
    /// Blocks; those of one body are neighbours.
    pub blocks: Vec<Block>,
    /// Labels; those of one block are neighbours.
    pub labels: Vec<BlockLabel>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Lists of children.
    pub lists: Vec<ExprRef>,
    /// Steps; those of one traversal are neighbours.
    pub steps: Vec<Step>,
    /// Object items; those of one object are neighbours.
    pub items: Vec<ObjectItem>,
    /// For-expressions.
    pub fors: Vec<For>,
    /// Function calls.
    pub calls: Vec<Call>,
    /// Splats.
    pub splats: Vec<Splat>,
    /// Indexes.
    pub indexes: Vec<Index>,
    /// The text is of HCL 1, where `x { … }` and `x = { … }` say the same.
    pub hcl1: bool,
    /// HCL 1 only: every object as an expression and as a body. Both ascending.
    pub twins: Vec<(Id<Expr>, Id<Body>)>,
    /// HCL 1 only: names that are not spelled as they count, by where they stand without their quotes,
    /// ascending.
    pub spelled: Vec<(TextRange, Text)>,
}

#[expect(clippy::indexing_slicing, reason = "ids are made by the parser of this very tree and never mixed")]
impl Tree {
    /// A tree of the native grammar without nodes; its root, body 0, is still to be added.
    pub(super) fn empty(source: SourceId, text: Bytes) -> Self {
        Self {
            source,
            utf8: ByteString::try_from(text.clone()).ok(),
            repaired: Repaired::default(),
            text,
            root: Root::Body(Id::new(0)),
            decoded: String::new(),
            bodies: Vec::new(),
            attributes: Vec::new(),
            blocks: Vec::new(),
            labels: Vec::new(),
            exprs: Vec::new(),
            lists: Vec::new(),
            steps: Vec::new(),
            items: Vec::new(),
            fors: Vec::new(),
            calls: Vec::new(),
            splats: Vec::new(),
            indexes: Vec::new(),
            hcl1: false,
            twins: Vec::new(),
            spelled: Vec::new(),
        }
    }

    /// The body.
    pub fn body(&self, id: Id<Body>) -> &Body {
        &self.bodies[id.index()]
    }

    /// The expression.
    pub fn expr(&self, id: Id<Expr>) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The attributes of a body.
    pub fn attributes(&self, ids: Ids<Attribute>) -> &[Attribute] {
        &self.attributes[ids.indexes()]
    }

    /// The blocks of a body.
    pub fn blocks(&self, ids: Ids<Block>) -> &[Block] {
        &self.blocks[ids.indexes()]
    }

    /// The labels of a block.
    pub fn labels(&self, ids: Ids<BlockLabel>) -> &[BlockLabel] {
        &self.labels[ids.indexes()]
    }

    /// The children of a list.
    pub fn list(&self, ids: Ids<ExprRef>) -> &[ExprRef] {
        &self.lists[ids.indexes()]
    }

    /// The steps of a traversal.
    pub fn steps(&self, ids: Ids<Step>) -> &[Step] {
        &self.steps[ids.indexes()]
    }

    /// The items of an object.
    pub fn items(&self, ids: Ids<ObjectItem>) -> &[ObjectItem] {
        &self.items[ids.indexes()]
    }

    /// The call.
    pub fn call(&self, id: Id<Call>) -> &Call {
        &self.calls[id.index()]
    }

    /// The splat.
    pub fn splat(&self, id: Id<Splat>) -> &Splat {
        &self.splats[id.index()]
    }

    /// The index.
    pub fn index_expr(&self, id: Id<Index>) -> &Index {
        &self.indexes[id.index()]
    }

    /// The for-expression.
    pub fn for_expr(&self, id: Id<For>) -> &For {
        &self.fors[id.index()]
    }
}

/// HCL 1.
impl Tree {
    /// The body that an object is as well. `None` for other expressions, and in the later grammar.
    pub fn body_of(&self, object: Id<Expr>) -> Option<Id<Body>> {
        let at = self.twins.binary_search_by_key(&object.index(), |(expr, _)| expr.index()).ok()?;
        self.twins.get(at).map(|&(_, body)| body)
    }

    /// The object that a body is as well. `None` for the body of a file, and in the later grammar.
    pub fn object_of(&self, body: Id<Body>) -> Option<Id<Expr>> {
        let at = self.twins.binary_search_by_key(&body.index(), |(_, body)| body.index()).ok()?;
        self.twins.get(at).map(|&(expr, _)| expr)
    }

    /// What a block of HCL 1 holds when only the first `taken` of its labels count as labels: its body, or
    /// one with a block in it whose type is the next label.
    pub fn body_after(&self, block: &Block, taken: usize) -> Id<Body> {
        // The parser puts the bodies of the labels, the last label's first, after the block's own.
        let left = block.labels.len().saturating_sub(taken);
        Id::new(block.body.index() as u32 + left as u32)
    }

    /// The text of a name: of an argument, a block type.
    pub fn name(&self, range: TextRange) -> &str {
        let found = self.spelled.binary_search_by_key(&range.start, |(at, _)| at.start);
        match found.ok().and_then(|at| self.spelled.get(at)) {
            Some(&(_, text)) => self.str(text),
            None => self.slice(range),
        }
    }
}

impl Tree {
    /// The bytes at a range; empty where the range is not inside the text.
    pub fn bytes(&self, range: TextRange) -> &[u8] {
        self.text.get(range.indexes()).unwrap_or_default()
    }

    /// The text at a range, with U+FFFD for bytes that are not UTF-8. Names are always UTF-8.
    pub fn slice(&self, range: TextRange) -> &str {
        self.utf8.as_ref().and_then(|text| text.get(range.indexes())).unwrap_or_else(|| self.repaired(range))
    }

    /// The text at a range of a file that is not UTF-8.
    #[cold]
    fn repaired(&self, range: TextRange) -> &str {
        match std::str::from_utf8(self.bytes(range)) {
            Ok(text) => text,
            Err(_) => self.repaired.0.get(&range).unwrap_or_else(|| {
                self.repaired.0.insert(range, String::from_utf8_lossy(self.bytes(range)).into_owned())
            }),
        }
    }

    /// A node's text. Not normalised (values are normalised when they are made).
    pub fn str(&self, text: Text) -> &str {
        match text {
            Text::Source(range) => self.slice(range),
            Text::Decoded(start, end) => self.decoded.get(start as usize..end as usize).unwrap_or_default(),
        }
    }

    /// A range of this text as a span of the request.
    pub fn span(&self, range: TextRange) -> Span {
        range.in_source(self.source)
    }
}
