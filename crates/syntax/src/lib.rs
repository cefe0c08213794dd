//! Parses one text into a tree with a span on every node. Parsing never fails, and it knows nothing about block types.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
pub mod hcl1;
pub mod json;
mod names;
pub mod native;
pub mod stack;
pub mod statics;
pub mod tree;

use std::any::Any;
use std::cell::Cell;

use bumpalo::Bump;
use bytes::Bytes;
use elsa::{FrozenMap, FrozenVec};

use names::LeftOut;

use json::{JsonKind, JsonNode, JsonText, JsonTree};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reach, Reporting as _, Severity, SourceId, Span};
use overfold_base::files::{Source, SourceKind, Sources};
use tree::{Expr, Id, Tree};

/// Limits on the size and nesting depth of a text. A text over a limit gets a diagnostic and is read up to the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxLimits {
    /// Maximum nesting depth; blocks, brackets, templates and operators all count.
    pub depth: u32,
    /// Maximum number of tokens in one text.
    pub tokens: u32,
    /// Maximum number of bytes in the name of an argument, the type of a block or a label. What has a longer one is left
    /// out.
    pub name_bytes: u32,
}

impl Default for SyntaxLimits {
    fn default() -> Self {
        Self { depth: 4_000, tokens: 10_000_000, name_bytes: 16 << 10 }
    }
}

/// Differences in the native grammar between releases of the tools (terraform.md, sections 10.1 (1.8) and 10.2 (1.1)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grammar {
    /// Whether function names may have namespaces, `provider::name::fn()`. Otherwise `::` is two separate colons.
    pub namespaced_calls: bool,
    /// Whether a file that ends inside a block is reported at the open brace, and one that ends where an expression
    /// must begin is reported as a missing expression. Otherwise both are reported at the end of the file, worded as
    /// for any unexpected token.
    pub reports_open_construct_at_end: bool,
}

impl Default for Grammar {
    /// Returns the newest grammar.
    fn default() -> Self {
        Self { namespaced_calls: true, reports_open_construct_at_end: true }
    }
}

/// The parsed form of a source.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a file, and each is in a box of its own")]
pub enum Parsed {
    /// Native syntax.
    Native(Tree),
    /// JSON syntax.
    Json(JsonTree),
}

/// Charges for scanning a text; the nodes built from it are charged one by one.
fn charge(text: &Bytes) {
    account::work(16);
    account::touch(text.len() * 4);
}

/// A parser for native syntax. Returns the tree and the column breaks of the text.
type Parse = fn(SourceId, Bytes, SyntaxLimits, Grammar, &mut Diagnostics) -> (Tree, Vec<u32>);

/// The location of an expression in the request, in either syntax.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprAt {
    /// A node of a native tree.
    Native(SourceId, Id<Expr>),
    /// A value of a JSON tree, read as an expression.
    Json(SourceId, Id<JsonNode>),
}

impl ExprAt {
    /// Returns the source that contains the expression.
    pub const fn source(self) -> SourceId {
        match self {
            Self::Native(source, _) | Self::Json(source, _) => source,
        }
    }
}

/// A list that is being built in the memory of a forest; [`bumpalo::collections::Vec::into_bump_slice`] ends it. What it
/// holds must not need a destructor, as nothing in a forest's memory is dropped.
pub type KeptList<'f, T> = bumpalo::collections::Vec<'f, T>;

/// All sources of a request and their trees. Append-only through a shared reference: the text of a JSON string is
/// parsed, and becomes a separate source, when a later stage asks for it.
pub struct Forest {
    /// The texts.
    pub sources: Sources,
    /// The limits that apply to every parse.
    pub limits: SyntaxLimits,
    /// The native grammar.
    grammar: Cell<Grammar>,
    trees: FrozenVec<Box<Parsed>>,
    /// Data derived from the trees that must live as long as they do: labels, and strings that appear in no source
    /// (addresses, names with escapes).
    kept: Bump,
    /// The values with destructors that the trees do not own but that are kept as long.
    owned: FrozenVec<Box<dyn Any + Send>>,
    /// The parsed strings of the JSON trees, by source, node and number of bytes skipped at the quote.
    embedded: FrozenMap<(SourceId, usize, u32), Box<Embedded>>,
    /// The names in JSON files that are too long: only a reader knows which properties stand for names.
    left_out: LeftOut,
}

/// The parsed text of a JSON string.
struct Embedded {
    expr: Option<ExprAt>,
    /// The problems found by the parse, reported again on every request for the string.
    problems: Vec<Diagnostic>,
}

impl Default for Forest {
    fn default() -> Self {
        Self::new(SyntaxLimits::default())
    }
}

impl Forest {
    /// Creates an empty forest for the newest grammar.
    pub fn new(limits: SyntaxLimits) -> Self {
        Self::with_grammar(limits, Grammar::default())
    }

    /// Creates an empty forest for the given grammar.
    pub fn with_grammar(limits: SyntaxLimits, grammar: Grammar) -> Self {
        Self {
            sources: Sources::new(),
            limits,
            grammar: Cell::new(grammar),
            trees: FrozenVec::new(),
            kept: Bump::new(),
            owned: FrozenVec::new(),
            embedded: FrozenMap::new(),
            left_out: LeftOut::default(),
        }
    }

    /// Returns the native grammar in use.
    pub fn grammar(&self) -> Grammar {
        self.grammar.get()
    }

    /// Sets the grammar for all native syntax parsed from now on.
    pub fn set_grammar(&self, grammar: Grammar) {
        self.grammar.set(grammar);
    }

    /// Whether a name is longer than the limit, so that what it belongs to is left out.
    pub fn is_too_long(&self, name: &str) -> bool {
        names::exceeds(name.len(), self.limits.name_bytes)
    }

    /// Records that a reader has left something out because of a name at this place that is too long.
    pub fn leave_out(&self, name: Span) {
        self.left_out.add(name);
    }

    /// Returns the findings about what readers have left out since the last call, in order of place.
    pub fn take_left_out(&self) -> Vec<Diagnostic> {
        self.left_out.take(self.limits.name_bytes)
    }

    /// Copies a string that appears in no source, and keeps it as long as the forest lives.
    pub fn keep(&self, text: &str) -> &str {
        account::grow(text.len() as u64);
        self.kept.alloc_str(text)
    }

    /// Concatenates these pieces, and keeps the result as long as the forest lives.
    pub fn keep_joined<'p>(&self, pieces: impl Iterator<Item = &'p str> + Clone) -> &str {
        let length = pieces.clone().map(str::len).sum();
        account::grow(length as u64);
        let mut text = bumpalo::collections::String::with_capacity_in(length, &self.kept);
        pieces.for_each(|piece| text.push_str(piece));
        text.into_bump_str()
    }

    /// Copies a list of plain data, and keeps it as long as the forest lives.
    pub fn keep_list<T: Copy>(&self, list: &[T]) -> &[T] {
        if list.is_empty() {
            return &[];
        }
        account::room(size_of_val(list));
        self.kept.alloc_slice_copy(list)
    }

    /// Begins a list of plain data that is kept as long as the forest lives. It is never moved as long as it has at most
    /// `capacity` items.
    pub fn list<T: Copy>(&self, capacity: usize) -> KeptList<'_, T> {
        account::room(capacity.saturating_mul(size_of::<T>()));
        KeptList::with_capacity_in(capacity, &self.kept)
    }

    /// Keeps plain data as long as the forest lives. Something nested may be kept while an item is made.
    pub fn keep_each<T: Copy>(&self, items: impl ExactSizeIterator<Item = T>) -> &[T] {
        if items.len() == 0 {
            return &[];
        }
        let mut list = self.list(items.len());
        list.extend(items);
        list.into_bump_slice()
    }

    /// Keeps plain data as long as the forest lives.
    pub fn keep_one<T: Copy>(&self, item: T) -> &T {
        self.kept.alloc(item)
    }

    /// Keeps something that needs its destructor as long as the forest lives. Always returns it.
    pub fn keep_owned<T: Any + Send>(&self, item: T) -> Option<&T> {
        self.owned.push_get(Box::new(item)).downcast_ref()
    }

    /// Parses a file in native syntax. Always produces a tree; problems go to `out`.
    pub fn parse_native(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Native), out, native::file)
    }

    /// Parses a file in JSON syntax. Always produces a tree; problems go to `out`.
    pub fn parse_json(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        charge(&text);
        let mut source = Source::new(name, text.clone(), SourceKind::Json);
        let id = SourceId::new(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let (tree, measured) = recording_errors(&mut source, id, out, |out| json::parse(id, text, self.limits, out));
        // Something may be missing that would say what is secret.
        source.damaged |= tree.has_long_names;
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Json(tree)));
        for range in measured {
            let kind = SourceKind::Embedded { parent: id, offset: range.start };
            let plain = Source::new("", vec![b' '; range.len()].into(), kind);
            self.add(plain, &mut Diagnostics::new(), native::template);
        }
        id
    }

    /// Parses a file in HCL 1 or in its JSON form, which is recognised by its content ([`hcl1::is_json`]). Always
    /// produces a tree whose root is a body; problems go to `out`. Both forms are stored as a native tree.
    pub fn parse_hcl1(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add_hcl1(Source::new(name, text, SourceKind::Native), out)
    }

    /// Parses HCL 1 text that is not in a file, such as the `x = TEXT` of an option. Positions count from its start.
    pub fn parse_detached_hcl1(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add_hcl1(Source::new(name, text, SourceKind::Detached), out)
    }

    fn add_hcl1(&self, mut source: Source, out: &mut Diagnostics) -> SourceId {
        charge(&source.text);
        let id = SourceId::new(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let (name, text) = (source.name.clone(), source.text.clone());
        let tree = recording_errors(&mut source, id, out, |out| hcl1::file(id, &name, text, self.limits, out));
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Native(tree)));
        id
    }

    /// Parses a text that is not in a file, such as the value of an option, as one native expression.
    pub fn parse_detached_expression(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Detached), out, native::expression)
    }

    /// Parses a text that is not in a file as one template: the text that a template function renders.
    pub fn parse_detached_template(&self, name: &str, text: Bytes, out: &mut Diagnostics) -> SourceId {
        self.add(Source::new(name, text, SourceKind::Detached), out, native::template)
    }

    /// Parses the name of a JSON property as a template, with positions inside the JSON file: property names in value
    /// objects are templates, too (syntax.md, section 6).
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
    /// Returns `None` if the value is not a string.
    pub fn parse_json_template(&self, at: SourceId, node: Id<JsonNode>, out: &mut Diagnostics) -> Option<ExprAt> {
        self.embed(at, node, 1, out, native::template)
    }

    /// Parses the text of a JSON string as a native expression; used for references and type constraints in strings.
    /// The tool places these *at* the quote, not after it (syntax.md, section 6). Returns `None` if the value is not a
    /// string.
    pub fn parse_json_expression(&self, at: SourceId, node: Id<JsonNode>, out: &mut Diagnostics) -> Option<ExprAt> {
        self.embed(at, node, 0, out, native::expression)
    }

    /// Turns a text inside another source, such as a reference inside a quoted string, into a separate source, so that
    /// positions can point into it. `offset` is the byte of `parent` to which the text's first byte is mapped.
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
            recording_errors(&mut source, id, out, |out| parse(id, text, self.limits, self.grammar.get(), out));
        source.breaks = breaks;
        self.sources.add(source);
        self.trees.push(Box::new(Parsed::Native(tree)));
        id
    }

    /// Returns the parsed form of a source.
    pub fn parsed(&self, id: SourceId) -> Option<&Parsed> {
        self.trees.get(id.index())
    }

    /// Returns the tree of a native source.
    pub fn native(&self, id: SourceId) -> Option<&Tree> {
        match self.parsed(id)? {
            Parsed::Native(tree) => Some(tree),
            Parsed::Json(_) => None,
        }
    }

    /// Returns the tree of a JSON source.
    pub fn json(&self, id: SourceId) -> Option<&JsonTree> {
        match self.parsed(id)? {
            Parsed::Json(tree) => Some(tree),
            Parsed::Native(_) => None,
        }
    }

    /// Returns the text of an expression that is a string in JSON syntax, before its template is read; `None` for others.
    pub fn json_text(&self, at: ExprAt) -> Option<&str> {
        let ExprAt::Json(source, id) = at else { return None };
        let tree = self.json(source)?;
        match tree.node(id).kind {
            json::JsonKind::Text(text) => Some(tree.str(text)),
            _ => None,
        }
    }

    /// Returns the span of a whole expression, in either syntax.
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

/// Parses, and records in `source`, which is about to get this id, what its errors put in doubt.
fn recording_errors<T>(
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
        out.push_existing(problem);
    }
    source.expression_errors.sort_unstable();
    parsed
}
