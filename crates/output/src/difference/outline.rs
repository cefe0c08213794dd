//! An effective configuration as a tree of objects, arrays and members, down to arguments, with the origin of each part.

use super::super::config::{ArgumentOrigin, ArgumentValue, ConfigSink, JsonSink, walk};
use super::super::json::{Container, JsonWriter};
use super::super::redaction::Redaction;
use super::normal::{NormalWriter, Reading};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Span;
use overfold_model::config::Block;
use overfold_module::pipeline::Report;
use overfold_syntax::Forest;
use overfold_value::with_stack;

/// An effective configuration, or a value. The root is node 0.
pub(super) struct Outline<'r> {
    forest: &'r Forest,
    /// All nodes as JSON.
    text: Vec<u8>,
    nodes: List<Node<'r>>,
}

/// One JSON value.
#[derive(Debug)]
struct Node<'r> {
    parent: usize,
    key: Key,
    /// The range in the text, in bytes, half-open.
    start: usize,
    end: usize,
    origin: Option<Origin>,
    /// The value of an argument, a string, a number, a boolean or null; `None` for other objects and arrays.
    value: Option<ArgumentValue<'r>>,
    children: List<usize>,
    /// The index after the last node within this one: those within a node follow it.
    last: usize,
}

impl Node<'_> {
    const fn is_argument(&self) -> bool {
        matches!(self.origin, Some(Origin::Argument(_)))
    }
}

/// The key of a value within its parent.
#[derive(Debug)]
enum Key {
    /// The root has no key.
    Root,
    /// A member of an object.
    Name(String),
    /// An item of an array, 0-based.
    Index(usize),
}

/// What a node was made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// The body of a block.
    Block {
        /// As [`Block::header`].
        header: Span,
        /// As [`Block::range`].
        range: Span,
    },
    /// An argument.
    Argument(ArgumentOrigin),
}

impl<'r> Outline<'r> {
    /// Outlines the effective configuration of a report, secrets included.
    pub(super) fn of(report: &'r Report<'r>, redaction: &Redaction<'_>) -> Self {
        let mut builder = Builder::new(report.forest);
        walk(&mut builder, report, redaction);
        builder.finish()
    }

    /// Outlines a value of this configuration down to its scalars; nothing in it has an origin.
    pub(super) fn of_value(&self, id: usize) -> Self {
        let mut builder = Builder::new(self.forest);
        self.pass(id, &mut builder);
        builder.finish()
    }

    /// Returns the JSON text of a value.
    pub(super) fn text(&self, id: usize) -> &[u8] {
        self.nodes.get(id).and_then(|node| self.text.get(node.start..node.end)).unwrap_or_default()
    }

    /// Returns the normal form of a value.
    pub(super) fn normal(&self, id: usize, reading: Reading) -> Vec<u8> {
        let mut writer = NormalWriter::new(reading);
        self.pass(id, &mut writer);
        writer.into_bytes()
    }

    /// Passes a value on, without origins.
    fn pass<S: JsonSink>(&self, id: usize, sink: &mut S) {
        account::work(1);
        let Some(node) = self.nodes.get(id) else { return };
        match &node.value {
            Some(value) => value.write(self.forest, sink),
            None if self.is_array(id) => sink.array(|sink| self.pass_children(node, sink)),
            None => sink.object(|sink| self.pass_children(node, sink)),
        }
    }

    fn pass_children<S: JsonSink>(&self, node: &Node<'r>, sink: &mut S) {
        for &child in &node.children {
            if let Some(name) = self.name(child) {
                sink.key(name);
            }
            with_stack(|| self.pass(child, sink));
        }
    }

    /// Whether a value and one of another outline have the same text, and the same parts of it are arguments.
    pub(super) fn is_same(&self, id: usize, other: &Outline<'_>, other_id: usize) -> bool {
        let (text, other_text) = (self.text(id), other.text(other_id));
        account::touch(text.len().min(other_text.len()));
        if text != other_text {
            return false;
        }
        let (within, other_within) = (self.within(id), other.within(other_id));
        within.len() == other_within.len()
            && within.iter().skimmed(4).zip(other_within).all(|(a, b)| a.is_argument() == b.is_argument())
    }

    /// Returns a node and all nodes within it.
    fn within(&self, id: usize) -> &[Node<'r>] {
        let last = self.nodes.get(id).map_or(id, |node| node.last);
        self.nodes.get(id..last).unwrap_or_default()
    }

    pub(super) fn is_array(&self, id: usize) -> bool {
        self.text(id).first() == Some(&b'[')
    }

    pub(super) fn is_object(&self, id: usize) -> bool {
        self.text(id).first() == Some(&b'{')
    }

    /// Returns the members of an object or the items of an array, in order.
    pub(super) fn children(&self, id: usize) -> &[usize] {
        self.nodes.get(id).map_or(&[], |node| &node.children)
    }

    /// Returns the member name of a value; `None` for an item of an array and for the root.
    pub(super) fn name(&self, id: usize) -> Option<&str> {
        match &self.nodes.get(id)?.key {
            Key::Name(name) => Some(name),
            Key::Root | Key::Index(_) => None,
        }
    }

    pub(super) fn origin(&self, id: usize) -> Option<Origin> {
        self.nodes.get(id)?.origin
    }

    /// Returns the JSON Pointer to a value (RFC 6901).
    pub(super) fn pointer(&self, mut id: usize) -> String {
        let mut keys = Vec::new();
        while let Some(node) = self.nodes.get(id) {
            match &node.key {
                Key::Root => break,
                Key::Name(name) => keys.push(name.replace('~', "~0").replace('/', "~1")),
                Key::Index(index) => keys.push(index.to_string()),
            }
            id = node.parent;
        }
        let mut pointer = String::new();
        for key in keys.iter().rev() {
            pointer.push('/');
            pointer.push_str(key);
        }
        account::text(pointer.len());
        pointer
    }
}

/// Builds an outline.
struct Builder<'r> {
    forest: &'r Forest,
    json: JsonWriter,
    nodes: List<Node<'r>>,
    /// The objects and arrays that have not ended yet, outermost first.
    open: List<usize>,
    /// The name of the member that comes next.
    name: Option<String>,
    /// The block whose body comes next.
    block: Option<Origin>,
}

impl<'r> Builder<'r> {
    fn new(forest: &'r Forest) -> Self {
        Self { forest, json: JsonWriter::default(), nodes: List::new(), open: List::new(), name: None, block: None }
    }

    fn finish(self) -> Outline<'r> {
        Outline { forest: self.forest, text: self.json.into_bytes(), nodes: self.nodes }
    }

    /// Begins the node of the next value.
    fn begin_node(&mut self, origin: Option<Origin>) -> usize {
        account::grow(48);
        let id = self.nodes.len();
        let start = self.json.next_value();
        let parent = self.open.last().copied();
        let siblings = parent.and_then(|parent| self.nodes.get_mut(parent)).map(|node| &mut node.children);
        let key = match (self.name.take(), &siblings) {
            (Some(name), _) => Key::Name(name),
            (None, Some(siblings)) => Key::Index(siblings.len()),
            (None, None) => Key::Root,
        };
        if let Some(siblings) = siblings {
            siblings.push(id);
        }
        let parent = parent.unwrap_or(id);
        let node = Node { parent, key, start, end: start, origin, value: None, children: List::new(), last: id + 1 };
        self.nodes.push(node);
        id
    }

    /// Ends a node whose text is written; `value` is as in [`Node`].
    fn end_node(&mut self, id: usize, value: Option<ArgumentValue<'r>>) {
        let (end, last) = (self.json.written(), self.nodes.len());
        if let Some(node) = self.nodes.get_mut(id) {
            (node.end, node.last, node.value) = (end, last, value);
        }
    }

    /// Adds a value that is not divided further.
    fn leaf(&mut self, origin: Option<Origin>, value: ArgumentValue<'r>) {
        let id = self.begin_node(origin);
        value.write(self.forest, &mut self.json);
        self.end_node(id, Some(value));
    }
}

impl JsonSink for Builder<'_> {
    fn begin(&mut self, container: Container) {
        let origin = self.block.take();
        let id = self.begin_node(origin);
        self.open.push(id);
        self.json.begin(container);
    }

    fn end(&mut self, container: Container) {
        self.json.end(container);
        if let Some(id) = self.open.pop() {
            self.end_node(id, None);
        }
    }

    fn key(&mut self, name: &str) {
        self.json.key(name);
        self.name = Some(name.to_owned());
    }

    fn str(&mut self, text: &str) {
        self.leaf(None, ArgumentValue::Text(text.into()));
    }

    fn scalar(&mut self, text: &str) {
        self.leaf(None, ArgumentValue::Scalar(text.into()));
    }
}

impl<'r> ConfigSink<'r> for Builder<'r> {
    const IS_COMPARED: bool = true;

    fn block(&mut self, block: &Block<'_>) {
        self.block = Some(Origin::Block { header: block.header, range: block.range });
    }

    fn argument(&mut self, _forest: &'r Forest, origin: impl FnOnce() -> ArgumentOrigin, value: ArgumentValue<'r>) {
        self.leaf(Some(Origin::Argument(origin())), value);
    }
}
