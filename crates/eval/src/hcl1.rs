//! Decodes HCL 1 items to plain values (variables.md, sections B1 and B4): the content of a definitions file or of a
//! variable's body.
//!
//! The tool decodes item by item into the existing value. So a repeated name must match what it was before: a text
//! accepts whole numbers as written, lists grow, objects in braces accumulate, and most other combinations are errors.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId, Span};
use overfold_syntax::Forest;
use overfold_syntax::hcl1::{Number, number};
use overfold_syntax::tree::{Body, Expr, ExprKind, Id, Root, Tree};
use overfold_value::{Hcl1Map, Hcl1Value, with_stack};

/// A name in a text and its value. An object in braces is [`Hcl1Value::Bodies`].
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub name: Arc<str>,
    /// The value.
    pub value: Hcl1Value,
    /// The span of the value as written; the last one if the name is repeated.
    pub at: Span,
}

/// The error for items that the tool cannot decode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The value that does not fit.
    pub at: Span,
    /// The reason, in a few words.
    pub why: String,
    /// Whether the value itself could not be read, which the parser has already reported.
    pub reported: bool,
}

/// Decodes the items of a whole text, in order of first appearance. This service's own notes go to `notes`.
///
/// # Errors
/// Returns a [`DecodeError`] for the first item that does not match the existing value.
pub fn decode_file(forest: &Forest, source: SourceId, notes: &mut Diagnostics) -> Result<Vec<Entry>, DecodeError> {
    let Some(tree) = forest.native(source) else { return Ok(Vec::new()) };
    let Root::Body(root) = tree.root else { return Ok(Vec::new()) };
    let mut decoder = Decoder { tree, notes };
    let mut order: Vec<Entry> = Vec::new();
    let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let items = decoder.items(root);
    for item in &items {
        let Some(name) = item.keys.first() else { continue };
        let at = decoder.span(item.node);
        match places.get(name) {
            Some(&place) => {
                if let Some(entry) = order.get_mut(place) {
                    entry.at = at;
                }
            }
            None => {
                places.insert(Arc::clone(name), order.len());
                order.push(Entry { name: Arc::clone(name), value: Hcl1Value::Bool(false), at });
            }
        }
    }
    let mut decoded = decoder.map(&items)?;
    order.retain_mut(|entry| match decoded.remove(&entry.name) {
        Some(value) => {
            entry.value = value;
            true
        }
        None => false,
    });
    Ok(order)
}

/// Decodes the items called `name` of a body into one field of any kind, as a variable's default is decoded: in an
/// object in braces every item is decoded separately, and a later one replaces an earlier one with the same key
/// (variables.md, section B1). Returns the value and its span, the last one if there are several, or `None` if there is
/// no such item.
///
/// # Errors
/// The same as for [`decode_file`].
pub fn decode_field(
    forest: &Forest,
    body: (SourceId, Id<Body>),
    name: &str,
    notes: &mut Diagnostics,
) -> Result<Option<(Hcl1Value, Span)>, DecodeError> {
    let Some(tree) = forest.native(body.0) else { return Ok(None) };
    let mut decoder = Decoder { tree, notes };
    let (labelled, bare): (Vec<Item>, Vec<Item>) =
        decoder.items_of(body.1, name).into_iter().partition(|item| !item.keys.is_empty());
    let mut at = None;
    let mut value = None;
    if let Some(last) = labelled.last() {
        at = Some(decoder.span(last.node));
        value = Some(decoder.decode_new(Node::Labelled(labelled), false)?);
    }
    for item in bare {
        at = Some(decoder.span(item.node));
        let node = match decoder.body_of(item.node) {
            Some(body) => Node::Labelled(decoder.items(body)),
            None => item.node.into(),
        };
        value = Some(match value {
            None => decoder.decode_new(node, false)?,
            Some(old) => decoder.merge_value(old, node, item.node)?,
        });
    }
    let value = value.map(|value| match value {
        Hcl1Value::Bodies(bodies) => Hcl1Value::Map(bodies.into_iter().flatten().collect()),
        value => value,
    });
    Ok(value.zip(at))
}

/// Decodes the items called `name` of a body into a text field: whole numbers are taken as written, and the last item
/// wins. Returns the text and its span.
///
/// # Errors
/// The same as for [`decode_file`].
pub fn decode_text_field(
    forest: &Forest,
    body: (SourceId, Id<Body>),
    name: &str,
    notes: &mut Diagnostics,
) -> Result<Option<(Arc<str>, Span)>, DecodeError> {
    let Some(tree) = forest.native(body.0) else { return Ok(None) };
    let mut decoder = Decoder { tree, notes };
    let mut last = None;
    for item in decoder.items_of(body.1, name) {
        let old = Hcl1Value::Text("".into());
        let Hcl1Value::Text(text) = decoder.merge_value(old, item.node.into(), item.node)? else { continue };
        last = Some((text, decoder.span(item.node)));
    }
    Ok(last)
}

struct Decoder<'t, 'n> {
    tree: &'t Tree,
    notes: &'n mut Diagnostics,
}

/// The keys and the value of an item.
struct Item {
    keys: Vec<Arc<str>>,
    node: LiteralValue,
}

/// A value as written.
#[derive(Clone, Copy)]
enum LiteralValue {
    Expr(Id<Expr>),
    Body(Id<Body>),
}

/// A value to decode.
enum Node {
    Expr(Id<Expr>),
    Body(Id<Body>),
    /// Items that share their first key, without that key.
    Labelled(Vec<Item>),
}

impl Item {
    fn without_first_key(&self) -> Self {
        Self { keys: self.keys.iter().skip(1).cloned().collect(), node: self.node }
    }
}

impl From<LiteralValue> for Node {
    fn from(written: LiteralValue) -> Self {
        match written {
            LiteralValue::Expr(id) => Self::Expr(id),
            LiteralValue::Body(id) => Self::Body(id),
        }
    }
}

impl Decoder<'_, '_> {
    /// Returns the items of a body in source order.
    fn items(&self, body: Id<Body>) -> Vec<Item> {
        let body = self.tree.body(body);
        let attributes = self.tree.attributes(body.attributes).iter().map(|attribute| {
            let name = self.tree.name(attribute.name_range);
            (attribute.name_range.start, Item { keys: vec![name.into()], node: LiteralValue::Expr(attribute.expr) })
        });
        let blocks = self.tree.blocks(body.blocks).iter().map(|block| {
            let labels = self.tree.labels(block.labels).iter().map(|label| Arc::from(self.tree.str(label.text)));
            let mut keys: Vec<Arc<str>> = vec![self.tree.name(block.type_range).into()];
            keys.extend(labels);
            (block.type_range.start, Item { keys, node: LiteralValue::Body(block.body) })
        });
        let mut items: Vec<(u32, Item)> = attributes.chain(blocks).collect();
        items.sort_by_key(|(start, _)| *start);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Returns the items of a body whose first key is `name`, without that key.
    fn items_of(&self, body: Id<Body>, name: &str) -> Vec<Item> {
        let found = self.items(body).into_iter().filter(|item| item.keys.first().is_some_and(|key| **key == *name));
        found.map(|item| item.without_first_key()).collect()
    }

    /// Returns the body of an object.
    fn body_of(&self, node: LiteralValue) -> Option<Id<Body>> {
        match node {
            LiteralValue::Body(body) => Some(body),
            LiteralValue::Expr(id) => self.tree.body_of(id),
        }
    }

    fn span(&self, node: LiteralValue) -> Span {
        let range = match node {
            LiteralValue::Expr(id) => self.tree.expr(id).range,
            LiteralValue::Body(id) => self.tree.body(id).range,
        };
        range.in_source(self.tree.source)
    }

    fn map(&mut self, items: &[Item]) -> Result<Hcl1Map, DecodeError> {
        let mut map = Hcl1Map::new();
        // Items with several keys are decoded at the first of them, together with all items that have the same first
        // key.
        let mut by_key: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
        if items.iter().any(|item| item.keys.len() > 1) {
            for (at, item) in items.iter().enumerate() {
                if let Some(key) = item.keys.first() {
                    by_key.entry(Arc::clone(key)).or_default().push(at);
                }
            }
        }
        let mut done: HashSet<Arc<str>> = HashSet::new();
        for item in items {
            let Some(key) = item.keys.first() else {
                let why = "the same name is used both with and without labels";
                return Err(self.error(item.node, why));
            };
            if done.contains(key) {
                continue;
            }
            let node = if item.keys.len() > 1 {
                done.insert(Arc::clone(key));
                let found = by_key.get(key).into_iter().flatten().filter_map(|&at| items.get(at));
                Node::Labelled(found.map(Item::without_first_key).collect())
            } else {
                item.node.into()
            };
            let value = match map.remove(key) {
                None => with_stack(|| self.decode_new(node, false))?,
                Some(old) => with_stack(|| self.merge_value(old, node, item.node))?,
            };
            map.insert(Arc::clone(key), value);
        }
        Ok(map)
    }

    /// Decodes a value for a new name. Directly inside a list an object in braces is a map.
    fn decode_new(&mut self, node: Node, in_list: bool) -> Result<Hcl1Value, DecodeError> {
        let id = match node {
            Node::Body(body) => {
                let map = self.map(&self.items(body))?;
                return Ok(if in_list { Hcl1Value::Map(map) } else { Hcl1Value::Bodies(vec![map]) });
            }
            Node::Labelled(items) => return Ok(Hcl1Value::Bodies(self.decode_each(items)?)),
            Node::Expr(id) => id,
        };
        match self.tree.expr(id).kind {
            ExprKind::Object { .. } => match self.tree.body_of(id) {
                Some(body) => with_stack(|| self.decode_new(Node::Body(body), in_list)),
                None => Err(self.unreadable(id)),
            },
            ExprKind::Tuple { items, .. } => {
                let elements = self.tree.list(items).to_vec();
                let read = |element| with_stack(|| self.decode_new(Node::Expr(element), true));
                Ok(Hcl1Value::List(elements.into_iter().map(read).collect::<Result<_, _>>()?))
            }
            _ => self.scalar(id),
        }
    }

    /// Decodes each item to a separate map.
    fn decode_each(&mut self, items: Vec<Item>) -> Result<Vec<Hcl1Map>, DecodeError> {
        items.into_iter().map(|item| with_stack(|| self.map(&[item]))).collect()
    }

    fn scalar(&mut self, id: Id<Expr>) -> Result<Hcl1Value, DecodeError> {
        let expr = self.tree.expr(id);
        match expr.kind {
            ExprKind::Text(text) | ExprKind::Interpolated(text) => {
                if self.tree.bytes(expr.range) == b"null" {
                    let detail = "Here null is read as an empty string.";
                    let at = self.span(LiteralValue::Expr(id));
                    self.notes.push(Diagnostic::ours(&codes::NULL_IS_EMPTY, at, detail));
                }
                Ok(Hcl1Value::Text((*self.tree.str(text)).into()))
            }
            ExprKind::Bool(value) => Ok(Hcl1Value::Bool(value)),
            ExprKind::Number => match number(self.tree.slice(expr.range)) {
                Some(Number::Whole(value)) => Ok(Hcl1Value::Integer(value)),
                Some(Number::Fraction(value)) => Ok(Hcl1Value::Float(value)),
                None => Err(self.unreadable(id)),
            },
            _ => Err(self.unreadable(id)),
        }
    }

    /// Decodes a value for a name that already has one: it is merged into the old value, whose kind decides how.
    fn merge_value(&mut self, old: Hcl1Value, node: Node, written: LiteralValue) -> Result<Hcl1Value, DecodeError> {
        let kind = old.kind_name();
        let new = match (&old, &node) {
            // A text accepts a whole number as written.
            (Hcl1Value::Text(_), Node::Expr(id)) if self.is_whole_number(*id) => {
                Hcl1Value::Text((*self.tree.slice(self.tree.expr(*id).range)).into())
            }
            // An object in braces is appended to a list. Elements of a list appended to bodies must be objects in
            // braces.
            (Hcl1Value::List(_), Node::Body(_)) => self.decode_new(node, true)?,
            (Hcl1Value::List(_), Node::Expr(id)) if self.is_object(*id) => self.decode_new(node, true)?,
            _ => self.decode_new(node, false)?,
        };
        let fitting = match (old, new) {
            (Hcl1Value::Text(_), new @ Hcl1Value::Text(_))
            | (Hcl1Value::Integer(_), new @ Hcl1Value::Integer(_))
            | (Hcl1Value::Float(_), new @ Hcl1Value::Float(_))
            | (Hcl1Value::Bool(_), new @ Hcl1Value::Bool(_)) => Some(new),
            // A whole number accepts a text that is one.
            (Hcl1Value::Integer(_), Hcl1Value::Text(text)) => match number(&text) {
                Some(Number::Whole(value)) => Some(Hcl1Value::Integer(value)),
                _ => None,
            },
            (Hcl1Value::List(mut list), Hcl1Value::List(more)) => {
                list.extend(more);
                Some(Hcl1Value::List(list))
            }
            (Hcl1Value::List(mut list), map @ Hcl1Value::Map(_)) => {
                list.push(map);
                Some(Hcl1Value::List(list))
            }
            (Hcl1Value::Bodies(mut bodies), Hcl1Value::Bodies(more)) => {
                bodies.extend(more);
                Some(Hcl1Value::Bodies(bodies))
            }
            (Hcl1Value::Bodies(mut bodies), Hcl1Value::List(more)) => {
                let maps: Option<Vec<Hcl1Map>> = more
                    .into_iter()
                    .map(|element| match element {
                        Hcl1Value::Map(map) => Some(map),
                        _ => None,
                    })
                    .collect();
                maps.map(|maps| {
                    bodies.extend(maps);
                    Hcl1Value::Bodies(bodies)
                })
            }
            _ => None,
        };
        let why = || format!("the name already has a value of kind {kind}, and the two cannot be combined");
        fitting.ok_or_else(|| self.error(written, why()))
    }

    fn is_whole_number(&self, id: Id<Expr>) -> bool {
        let expr = self.tree.expr(id);
        let whole = || matches!(number(self.tree.slice(expr.range)), Some(Number::Whole(_)));
        matches!(expr.kind, ExprKind::Number) && whole()
    }

    fn is_object(&self, id: Id<Expr>) -> bool {
        matches!(self.tree.expr(id).kind, ExprKind::Object { .. })
    }

    fn error(&self, node: LiteralValue, why: impl Into<String>) -> DecodeError {
        DecodeError { at: self.span(node), why: why.into(), reported: false }
    }

    fn unreadable(&self, id: Id<Expr>) -> DecodeError {
        DecodeError { reported: true, ..self.error(LiteralValue::Expr(id), "the value cannot be read") }
    }
}
