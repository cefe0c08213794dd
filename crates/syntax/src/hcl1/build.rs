//! Builds the shared tree from the values.
//!
//! In this grammar `x { … }` and `x = { … }` mean the same, and a block with labels is an object inside an object. So
//! every object is built twice: as an expression and as a body ([`Tree::object_bodies`]). Each label of a block opens a further
//! object, whose body contains a block with the remaining labels ([`Tree::body_after_labels`]).

use super::ast::{Ast, Key, NodeId, NodeKind, Run};
use super::codes;
use super::problem::{Problem, Problems};
use super::text;
use crate::names::exceeds;
use crate::stack;
use crate::tree::{
    Attribute, Block, BlockLabel, Body, Expr, ExprKind, ExprRef, Id, Ids, ObjectItem, Root, Text, Tree,
};
use overfold_base::account::{self, List};
use overfold_base::diag::TextRange;

/// The maximum number of keys into which nested JSON objects are unfolded. No block type has more labels.
const MAX_KEYS: usize = 8;

pub(super) struct Builder<'a> {
    ast: &'a Ast,
    tree: Tree,
    json: bool,
    problems: &'a mut Problems,
    /// The offsets of strings in which the scanner found an error: their escapes have been reported.
    reported: Vec<u32>,
    attributes: List<Attribute>,
    blocks: List<Block>,
    members: Vec<ObjectItem>,
    children: List<ExprRef>,
    depth: u32,
    /// The longest name that is accepted, in bytes.
    name_limit: u32,
    /// Where longer ones are.
    long_names: Vec<TextRange>,
}

/// An item after unfolding, in which nested JSON objects have become keys.
struct UnfoldedItem {
    keys: Vec<Key>,
    assign: Option<TextRange>,
    value: NodeId,
    /// Whether the value is an element of an array, so the item is one of possibly several.
    listed: bool,
}

/// Builds the tree of a text from the items of its top level.
/// Also returns the places of names that are longer than `name_limit` bytes; what they belong to is not in the tree.
pub(super) fn build(
    ast: &Ast,
    root: Run,
    tree: Tree,
    json: bool,
    name_limit: u32,
    problems: &mut Problems,
) -> (Tree, Vec<TextRange>) {
    let mut reported: Vec<u32> = problems.of_scanner.iter().map(|(_, problem)| problem.at.start).collect();
    reported.sort_unstable();
    let mut builder = Builder {
        ast,
        tree,
        json,
        problems,
        reported,
        attributes: List::new(),
        blocks: List::new(),
        members: Vec::new(),
        children: List::new(),
        depth: 0,
        name_limit,
        long_names: Vec::new(),
    };
    let whole = TextRange::new(0, builder.tree.text.len() as u32);
    let end = TextRange::new(whole.end, whole.end);
    let (body, _) = builder.object(root, whole, end);
    builder.tree.root = Root::Body(body);
    builder.tree.decoded_names.sort_by_key(|(at, _)| at.start);
    builder.tree.decoded_names.dedup_by_key(|(at, _)| at.start);
    builder.long_names.sort_unstable_by_key(|place| place.start);
    builder.long_names.dedup_by_key(|place| place.start);
    (builder.tree, builder.long_names)
}

impl Builder<'_> {
    /// Builds the items of an object: as a body and as members of an object expression.
    fn object(&mut self, items: Run, range: TextRange, end_range: TextRange) -> (Id<Body>, Ids<ObjectItem>) {
        let bases = (self.attributes.len(), self.blocks.len(), self.members.len());
        if self.json {
            let items = self.unfold(items);
            let repeated = repeated(&items, &self.tree);
            for (item, repeated) in items.iter().zip(repeated) {
                self.item(&item.keys, item.assign, item.value, repeated || item.listed);
            }
        } else {
            let ast = self.ast;
            for item in ast.items(items) {
                self.item(ast.keys(item.keys), item.assign, item.value, false);
            }
        }
        let start = self.tree.attributes.len() as u32;
        self.tree.attributes.extend(self.attributes.drain(bases.0..));
        let attributes = Ids::new(start, self.tree.attributes.len() as u32);
        let start = self.tree.blocks.len() as u32;
        self.tree.blocks.extend(self.blocks.drain(bases.1..));
        let blocks = Ids::new(start, self.tree.blocks.len() as u32);
        let start = self.tree.items.len() as u32;
        self.tree.items.extend(self.members.drain(bases.2..));
        let members = Ids::new(start, self.tree.items.len() as u32);
        (self.body(Body { attributes, blocks, range, end_range }), members)
    }

    fn body(&mut self, body: Body) -> Id<Body> {
        self.tree.bodies.push(body);
        Id::new(self.tree.bodies.len() as u32 - 1)
    }

    fn expr(&mut self, kind: ExprKind, range: TextRange) -> Id<Expr> {
        account::work(1);
        self.tree.exprs.push(Expr { kind, range });
        Id::new(self.tree.exprs.len() as u32 - 1)
    }

    /// Records that a body and an expression are the same object.
    fn object_bodies(&mut self, expr: Id<Expr>, body: Id<Body>) {
        self.tree.object_bodies.push((expr, body));
    }

    fn item(&mut self, keys: &[Key], assign: Option<TextRange>, value: NodeId, repeated: bool) {
        let Some((first, labels)) = keys.split_first() else { return };
        let too_long = keys.iter().find(|key| exceeds(key.range.len(), self.name_limit));
        if let Some(key) = too_long {
            self.long_names.push(key.range);
            return;
        }
        let node = self.ast.node(value);
        let expr = self.value(value);
        let name = self.key(*first);
        let object = match node.kind {
            NodeKind::Object { open, close, .. } => self.tree.body_of(expr).map(|body| (body, open, close)),
            _ => None,
        };
        let as_block = if self.json { repeated || !labels.is_empty() } else { assign.is_none() };
        if let (Some((body, open, close)), true) = (object, as_block) {
            let labels = self.labels(labels);
            let header = if self.json { open } else { first.range.to(keys.last().unwrap_or(first).range) };
            let block = Block {
                type_range: name.1,
                labels,
                def_range: header,
                range: if self.json { node.range } else { first.range.to(close) },
                open_brace: open,
                close_brace: close,
                body,
            };
            let outer = self.levels(block, keys, expr);
            self.blocks.push(block);
            self.member(first, name, outer);
            return;
        }
        if !labels.is_empty() {
            let detail =
                "These names are nested in each other, and nothing reads the result. The value has no effect.";
            self.problems.notes.push((first.range.to(keys.last().unwrap_or(first).range), detail));
        }
        self.attributes.push(Attribute {
            range: first.range.to(node.range),
            name_range: name.1,
            equals_range: assign.unwrap_or_else(|| TextRange::new(first.range.end, first.range.end)),
            expr,
        });
        self.member(first, name, expr);
    }

    fn member(&mut self, key: &Key, (text, inner): (Text, TextRange), value: Id<Expr>) {
        let expr = self.expr(ExprKind::Text(text), key.range);
        let literal_name = (!key.quoted).then_some(inner);
        self.members.push(ObjectItem { key: expr, key_range: key.range, literal_name, value });
    }

    /// Builds the objects opened by the labels of a block, from the innermost out, and returns the outermost as an
    /// expression. Their bodies follow the block's own.
    fn levels(&mut self, block: Block, keys: &[Key], innermost: Id<Expr>) -> Id<Expr> {
        let mut value = innermost;
        for (taken, key) in keys.iter().enumerate().skip(1).rev() {
            let name = self.key(*key);
            let range = TextRange::new(key.range.start, block.range.end.max(key.range.end));
            let run = block.labels.indexes();
            let labels = Ids::new((run.start + taken) as u32, run.end as u32);
            let inner = Block {
                type_range: name.1,
                labels,
                def_range: if self.json { block.def_range } else { key.range.to(block.def_range) },
                range,
                ..block
            };
            let start = self.tree.blocks.len() as u32;
            self.tree.blocks.push(inner);
            let blocks = Ids::new(start, start + 1);
            let body = self.body(Body {
                attributes: Ids::EMPTY,
                blocks,
                range,
                end_range: TextRange::new(range.end, range.end),
            });
            let key_expr = self.expr(ExprKind::Text(name.0), key.range);
            let start = self.tree.items.len() as u32;
            self.tree.items.push(ObjectItem {
                key: key_expr,
                key_range: key.range,
                literal_name: (!key.quoted).then_some(name.1),
                value,
            });
            let items = Ids::new(start, start + 1);
            value = self.expr(ExprKind::Object { items, open: block.open_brace }, range);
            self.object_bodies(value, body);
        }
        value
    }

    fn labels(&mut self, keys: &[Key]) -> Ids<BlockLabel> {
        let start = self.tree.labels.len() as u32;
        for key in keys {
            let (text, _) = self.key(*key);
            self.tree.labels.push(BlockLabel { text, range: key.range });
        }
        Ids::new(start, self.tree.labels.len() as u32)
    }

    /// Returns the text of a key, and its range without quotes.
    fn key(&mut self, key: Key) -> (Text, TextRange) {
        if !key.quoted {
            return (Text::Source(key.range), key.range);
        }
        let inner = self.inside(key.range);
        let text = self.string(key.range, inner);
        if let Text::Decoded(..) = text {
            self.tree.decoded_names.push((inner, text));
        }
        (text, inner)
    }

    /// Returns the range between the quotes. A string cut off by the end of its line has no closing quote.
    fn inside(&self, range: TextRange) -> TextRange {
        let bytes = self.tree.bytes(range);
        let closed = bytes.len() > 1 && bytes.last() == Some(&b'"');
        let start = (range.start + 1).min(range.end);
        TextRange::new(start, if closed { range.end - 1 } else { range.end }.max(start))
    }

    fn string(&mut self, whole: TextRange, inner: TextRange) -> Text {
        let shared = self.tree.text.clone();
        let raw = inner.bytes_of(&shared);
        match text::unquoted(raw, self.json) {
            Some(std::borrow::Cow::Borrowed(_)) => Text::Source(inner),
            Some(std::borrow::Cow::Owned(text)) => self.decoded(&text),
            None => {
                let first = self.reported.partition_point(|&at| at < whole.start);
                if self.reported.get(first).is_none_or(|&at| at >= whole.end) {
                    self.problems.of_parser.push((
                        usize::MAX,
                        Problem::new(
                            &codes::ILLEGAL_ESCAPE,
                            whole,
                            "illegal char escape",
                            "An escape sequence in this string does not stand for a valid character and causes a crash. Correct the escape sequence.",
                        ),
                    ));
                    self.reported.insert(first, whole.start);
                }
                Text::Source(inner)
            }
        }
    }

    fn decoded(&mut self, text: &str) -> Text {
        let start = self.tree.decoded.len() as u32;
        self.tree.decoded.push_str(text);
        Text::Decoded(start, self.tree.decoded.len() as u32)
    }

    fn text_expr(&mut self, text: Text, range: TextRange) -> Id<Expr> {
        let interpolated = text::is_interpolated(self.tree.str(text));
        let kind = if interpolated { ExprKind::Interpolated(text) } else { ExprKind::Text(text) };
        self.expr(kind, range)
    }

    fn value(&mut self, id: NodeId) -> Id<Expr> {
        self.depth += 1;
        let value =
            if self.depth.is_multiple_of(16) { stack::grow(|| self.value_here(id)) } else { self.value_here(id) };
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, id: NodeId) -> Id<Expr> {
        let node = self.ast.node(id);
        match node.kind {
            NodeKind::Text => {
                let inner = self.inside(node.range);
                let text = self.string(node.range, inner);
                self.text_expr(text, node.range)
            }
            NodeKind::Heredoc => {
                let shared = self.tree.text.clone();
                let raw = node.range.bytes_of(&shared);
                let text = text::heredoc(raw);
                let text = self.decoded(&text);
                self.text_expr(text, node.range)
            }
            NodeKind::Empty => self.expr(ExprKind::Text(Text::Decoded(0, 0)), node.range),
            NodeKind::Bool(value) => self.expr(ExprKind::Bool(value), node.range),
            NodeKind::Number => {
                let fine = text::number(self.tree.slice(node.range)).is_some();
                self.expr(if fine { ExprKind::Number } else { ExprKind::BadNumber }, node.range)
            }
            NodeKind::Bad => self.expr(ExprKind::SyntaxError, node.range),
            NodeKind::Object { items, open, close } => {
                let end = TextRange::new(close.end, close.end);
                let (body, items) = self.object(items, node.range, end);
                let expr = self.expr(ExprKind::Object { items, open }, node.range);
                self.object_bodies(expr, body);
                expr
            }
            NodeKind::List { elements, open } => {
                let base = self.children.len();
                let ast = self.ast;
                for &element in ast.elements(elements) {
                    let value = self.value(element);
                    self.children.push(value);
                }
                let start = self.tree.lists.len() as u32;
                self.tree.lists.extend(self.children.drain(base..));
                let items = Ids::new(start, self.tree.lists.len() as u32);
                self.expr(ExprKind::Tuple { items, open }, node.range)
            }
        }
    }

    /// Converts JSON items to what they would be in native form, as the tool does: if a value is an object that
    /// contains only objects, each of those becomes an item with one more key; if it is an array that contains only
    /// objects, each of them becomes an item.
    fn unfold(&self, items: Run) -> Vec<UnfoldedItem> {
        let mut todo: Vec<UnfoldedItem> = self
            .ast
            .items(items)
            .iter()
            .rev()
            .map(|item| UnfoldedItem {
                keys: self.ast.keys(item.keys).to_vec(),
                assign: item.assign,
                value: item.value,
                listed: false,
            })
            .collect();
        let mut done = Vec::with_capacity(todo.len());
        while let Some(item) = todo.pop() {
            match self.ast.node(item.value).kind {
                NodeKind::Object { items, .. }
                    if items.len() > 0
                        && item.keys.len() < MAX_KEYS
                        && self.ast.items(items).iter().all(|inner| self.is_object(inner.value)) =>
                {
                    todo.extend(self.ast.items(items).iter().rev().map(|inner| {
                        let mut keys = item.keys.clone();
                        keys.extend_from_slice(self.ast.keys(inner.keys));
                        UnfoldedItem { keys, assign: item.assign, value: inner.value, listed: item.listed }
                    }));
                }
                NodeKind::List { elements, .. }
                    if elements.len() > 0
                        && self.ast.elements(elements).iter().all(|&element| self.is_object(element)) =>
                {
                    todo.extend(self.ast.elements(elements).iter().rev().map(|&value| UnfoldedItem {
                        keys: item.keys.clone(),
                        assign: item.assign,
                        value,
                        listed: true,
                    }));
                }
                _ => done.push(item),
            }
        }
        done
    }

    fn is_object(&self, id: NodeId) -> bool {
        matches!(self.ast.node(id).kind, NodeKind::Object { .. })
    }
}

/// Returns, for each item, whether its first key is also the first key of another item.
fn repeated(items: &[UnfoldedItem], tree: &Tree) -> Vec<bool> {
    let mut count: std::collections::HashMap<&[u8], usize> = std::collections::HashMap::new();
    let name = |item: &UnfoldedItem| item.keys.first().map(|key| key.range).unwrap_or_default();
    for item in items {
        *count.entry(tree.bytes(name(item))).or_default() += 1;
    }
    items.iter().map(|item| count.get(tree.bytes(name(item))).is_some_and(|&count| count > 1)).collect()
}
