//! One text to a tree with a span on everything. Never fails, never knows the name of a block.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
pub mod hcl1;
pub mod json;
pub mod native;
pub mod stack;
pub mod statics;
pub mod tree;

use std::cell::Cell;

use bumpalo::Bump;
use bytes::Bytes;
use elsa::{FrozenMap, FrozenVec};

use crate::account;
use crate::diag::{Diagnostic, Diagnostics, Reach, Reporting as _, Severity, SourceId, Span};
use crate::files::{Source, SourceKind, Sources};
use json::{JsonKind, JsonNode, JsonText, JsonTree};
use tree::{Expr, Id, Tree};

/// How large and deep a text may be. A text over a limit gets a diagnostic and is read as far as the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxLimits {
    /// Levels of nesting of blocks, brackets, templates and operators taken together.
    pub depth: u32,
    /// Tokens in one text.
    pub tokens: u32,
}

impl Default for SyntaxLimits {
    fn default() -> Self {
        Self { depth: 4_000, tokens: 10_000_000 }
    }
}

/// What differs in the native grammar between releases of the tools (terraform.md, sections 10.1 (1.8) and 10.2 (1.1)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grammar {
    /// Functions may have name spaces, `provider::name::fn()`. Otherwise two colons are two colons.
    pub namespaced_calls: bool,
    /// A file that ends inside a block is reported at the brace that is open, and one that ends where an expression has
    /// to begin as a missing expression. Otherwise both are reported at the end, in the words for any other token.
    pub end_is_named: bool,
}

impl Default for Grammar {
    /// The newest.
    fn default() -> Self {
        Self { namespaced_calls: true, end_is_named: true }
    }
}

/// What a tree of a source is.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a file, and each is in a box of its own")]
pub enum Parsed {
    /// Native syntax.
    Native(Tree),
    /// JSON syntax.
    Json(JsonTree),
}

/// Charges for scanning a text; the nodes that are made of it are charged one by one.
fn charge(text: &Bytes) {
    account::work(16);
    account::touch(text.len() * 4);
}

/// A reader of native syntax: gives the tree and the column breaks of the text.
type Parse = fn(SourceId, Bytes, SyntaxLimits, Grammar, &mut Diagnostics) -> (Tree, Vec<u32>);

/// An expression of either syntax, somewhere in the request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprAt {
    /// A node of a native tree.
    Native(SourceId, Id<Expr>),
    /// A value of a JSON tree, to be read as an expression.
    Json(SourceId, Id<JsonNode>),
}

impl ExprAt {
    /// The source that holds it.
    pub const fn source(self) -> SourceId {
        match self {
            Self::Native(source, _) | Self::Json(source, _) => source,
        }
    }
}

/// All sources of a request and their trees. Append-only through a shared reference: the text of a JSON string is
/// parsed (and becomes a source of its own) when a later stage asks for it.
pub struct Forest {
    /// The texts.
    pub sources: Sources,
    /// Limits for every parse.
    pub limits: SyntaxLimits,
    /// The native grammar.
    grammar: Cell<Grammar>,
    trees: FrozenVec<Box<Parsed>>,
    /// What is read from the trees and lives as long: strings that stand in no source (addresses, names with escapes),
    /// labels.
    kept: Bump,
    /// What the strings of JSON trees have been parsed as: by source, node and the bytes skipped at the quote.
    embedded: FrozenMap<(SourceId, usize, u32), Box<Embedded>>,
}

/// The text of a JSON string, parsed.
struct Embedded {
    expr: Option<ExprAt>,
    /// What the parse reports, every time it is asked for.
    problems: Vec<Diagnostic>,
}

impl Default for Forest {
    fn default() -> Self {
        Self::new(SyntaxLimits::default())
    }
}

impl Forest {
    /// An empty forest for the newest grammar.
    pub fn new(limits: SyntaxLimits) -> Self {
        Self::with_grammar(limits, Grammar::default())
    }

    /// An empty forest.
    pub fn with_grammar(limits: SyntaxLimits, grammar: Grammar) -> Self {
        Self {
            sources: Sources::new(),
            limits,
            grammar: Cell::new(grammar),
            trees: FrozenVec::new(),
            kept: Bump::new(),
            embedded: FrozenMap::new(),
        }
    }

    /// The native grammar.
    pub fn grammar(&self) -> Grammar {
        self.grammar.get()
    }

    /// From now on native syntax is read by this grammar.
    pub fn set_grammar(&self, grammar: Grammar) {
        self.grammar.set(grammar);
    }

    /// Keeps a string that stands in no source as long as the forest.
    pub fn keep(&self, text: &str) -> &str {
        account::grow(text.len() as u64);
        self.kept.alloc_str(text)
    }

    /// Keeps a string that is these pieces, one after the other.
    pub fn keep_joined<'p>(&self, pieces: impl Iterator<Item = &'p str> + Clone) -> &str {
        let length = pieces.clone().map(str::len).sum();
        account::grow(length as u64);
        let mut text = bumpalo::collections::String::with_capacity_in(length, &self.kept);
        pieces.for_each(|piece| text.push_str(piece));
        text.into_bump_str()
    }

    /// Keeps a list of plain data.
    pub fn keep_list<T: Copy>(&self, list: &[T]) -> &[T] {
        if list.is_empty() {
            return &[];
        }
        account::grow(size_of_val(list) as u64);
        self.kept.alloc_slice_copy(list)
    }

    /// Parses a file in native syntax. Always gives a tree; problems go to `out`.
    pub fn parse_native(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Native), out, native::file)
    }

    /// Parses a file in JSON syntax. Always gives a tree; problems go to `out`.
    pub fn parse_json(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        charge(&text);
        let mut source = Source::new(name, text.clone(), SourceKind::Json);
        let id = SourceId::new(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let (tree, measured) = noting_errors(&mut source, id, out, |out| json::parse(id, text, self.limits, out));
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Json(tree)));
        for range in measured {
            let kind = SourceKind::Embedded { parent: id, offset: range.start };
            let plain = Source::new("", vec![b' '; range.len()].into(), kind);
            self.add(plain, &mut Diagnostics::new(), native::template);
        }
        id
    }

    /// Parses a file in HCL 1, or in the JSON that goes with it, recognised by its content ([`hcl1::is_json`]).
    /// Always gives a tree whose root is a body; problems go to `out`. The tree is held as a native one, the JSON
    /// form too.
    pub fn parse_hcl1(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add_hcl1(Source::new(name, text, SourceKind::Native), out)
    }

    /// The same for a text that stands in no file, such as `x = TEXT` of an option; positions count from its start.
    pub fn parse_detached_hcl1(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add_hcl1(Source::new(name, text, SourceKind::Detached), out)
    }

    fn add_hcl1(&self, mut source: Source, out: &mut Diagnostics) -> SourceId {
        charge(&source.text);
        let id = SourceId::new(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let (name, text) = (source.name.clone(), source.text.clone());
        let tree = noting_errors(&mut source, id, out, |out| hcl1::file(id, &name, text, self.limits, out));
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Native(tree)));
        id
    }

    /// Parses a text that stands in no file as one native expression (the value of an option).
    pub fn parse_detached_expression(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Detached), out, native::expression)
    }

    /// Parses a text that stands in no file as one template: what a template function renders.
    pub fn parse_detached_template(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Detached), out, native::template)
    }

    /// Parses the name of a JSON property as a template, with positions inside the JSON file: names of properties in
    /// value objects are templates, too (syntax.md, section 6).
    pub fn parse_json_name(&self, at: SourceId, property: &json::Property, out: &mut Diagnostics) -> Option<ExprAt> {
        let Some(Parsed::Json(tree)) = self.trees.get(at.index()) else { return None };
        let text = Bytes::copy_from_slice(tree.str(property.name).as_bytes());
        let kind = SourceKind::Embedded { parent: at, offset: property.name_range.start + 1 };
        let id = self.add(Source::new("", text, kind), out, native::template);
        match self.native(id)?.root {
            tree::Root::Expr(expr) => Some(ExprAt::Native(id, expr)),
            tree::Root::Body(_) => None,
        }
    }

    /// Parses the text of a JSON string as a template, with positions inside the JSON file (syntax.md, section 6).
    /// `None` where the value is no string.
    pub fn parse_json_template(&self, at: SourceId, node: Id<JsonNode>, out: &mut Diagnostics) -> Option<ExprAt> {
        self.embed(at, node, 1, out, native::template)
    }

    /// Parses the text of a JSON string as a native expression: reference-like and type-like strings. The tool
    /// places these *at* the quote, not after it (syntax.md, section 6). `None` where the value is no string.
    pub fn parse_json_expression(&self, at: SourceId, node: Id<JsonNode>, out: &mut Diagnostics) -> Option<ExprAt> {
        self.embed(at, node, 0, out, native::expression)
    }

    /// Makes a text inside another source a source of its own, so that positions can point into it: a reference
    /// inside a quoted string. `offset` is the byte in `parent` where its first byte counts as standing.
    pub fn embed_text(&self, parent: SourceId, offset: u32, text: Bytes) -> SourceId {
        self.add(
            Source::new("", text, SourceKind::Embedded { parent, offset }),
            &mut Diagnostics::new(),
            native::expression,
        )
    }

    fn embed(
        &self,
        at: SourceId,
        node: Id<JsonNode>,
        after_quote: u32,
        out: &mut Diagnostics,
        parse: Parse,
    ) -> Option<ExprAt> {
        let key = (at, node.index(), after_quote);
        let done = match self.embedded.get(&key) {
            Some(done) => done,
            None => self.embedded.insert(key, Box::new(self.parse_string(at, node, after_quote, parse)?)),
        };
        for problem in &done.problems {
            out.push(problem.clone());
        }
        done.expr
    }

    fn parse_string(&self, at: SourceId, node: Id<JsonNode>, after_quote: u32, parse: Parse) -> Option<Embedded> {
        let Some(Parsed::Json(tree)) = self.trees.get(at.index()) else { return None };
        let value = tree.node(node);
        let JsonKind::Text(text) = value.kind else { return None };
        let bytes = match text {
            JsonText::Source(range) => tree.text.slice(range.start as usize..range.end as usize),
            JsonText::Decoded(..) => Bytes::copy_from_slice(tree.str(text).as_bytes()),
        };
        let kind = SourceKind::Embedded { parent: at, offset: value.range.start + after_quote };
        let mut problems = Diagnostics::new();
        let id = self.add(Source::new("", bytes, kind), &mut problems, parse);
        let expr = match self.native(id)?.root {
            tree::Root::Expr(expr) => Some(ExprAt::Native(id, expr)),
            tree::Root::Body(_) => None,
        };
        Some(Embedded { expr, problems: problems.into_vec() })
    }

    fn add(&self, mut source: Source, out: &mut Diagnostics, parse: Parse) -> SourceId {
        charge(&source.text);
        let id = SourceId::new(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let text = source.text.clone();
        let (tree, breaks) =
            noting_errors(&mut source, id, out, |out| parse(id, text, self.limits, self.grammar.get(), out));
        source.breaks = breaks;
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Native(tree)));
        id
    }

    /// The tree of a source.
    pub fn parsed(&self, id: SourceId) -> Option<&Parsed> {
        self.trees.get(id.index())
    }

    /// The tree of a native source.
    pub fn native(&self, id: SourceId) -> Option<&Tree> {
        match self.parsed(id)? {
            Parsed::Native(tree) => Some(tree),
            Parsed::Json(_) => None,
        }
    }

    /// The tree of a JSON source.
    pub fn json(&self, id: SourceId) -> Option<&JsonTree> {
        match self.parsed(id)? {
            Parsed::Json(tree) => Some(tree),
            Parsed::Native(_) => None,
        }
    }

    /// The whole of an expression, in either syntax.
    pub fn expr_span(&self, at: ExprAt) -> Span {
        match at {
            ExprAt::Native(source, id) => match self.native(source) {
                Some(tree) => tree.span(tree.expr(id).range),
                None => Span { source, start: 0, end: 0 },
            },
            ExprAt::Json(source, id) => match self.json(source) {
                Some(tree) => tree.node(id).range.in_source(source),
                None => Span { source, start: 0, end: 0 },
            },
        }
    }
}

/// Parses, and notes in `source`, which gets this id, what its errors put in doubt.
fn noting_errors<T>(
    source: &mut Source,
    id: SourceId,
    out: &mut Diagnostics,
    parse: impl FnOnce(&mut Diagnostics) -> T,
) -> T {
    let (parsed, found) = out.collect(parse);
    for problem in found {
        if problem.severity == Severity::Error {
            source.damaged = true;
            let start = problem.span.filter(|span| span.source == id).map(|span| span.start);
            source.expression_errors.extend(start.filter(|_| problem.code.reach != Reach::Structure));
        }
        out.put_back(problem);
    }
    source.expression_errors.sort_unstable();
    parsed
}
