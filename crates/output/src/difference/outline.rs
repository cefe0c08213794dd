//! The written configuration as a tree of objects, arrays and members, down to arguments, whose values are not parsed.

use super::super::config::Origin;
use overfold_base::account;

/// A written configuration. The root is node 0.
pub(super) struct Outline {
    text: Vec<u8>,
    nodes: Vec<Node>,
}

/// One JSON value.
#[derive(Debug)]
struct Node {
    parent: usize,
    key: Key,
    /// The range in the text, in bytes, half-open.
    start: usize,
    end: usize,
    origin: Option<Origin>,
    children: Vec<usize>,
    /// The index after the last node within this one: those within a node follow it.
    last: usize,
}

impl Node {
    const fn is_argument(&self) -> bool {
        matches!(self.origin, Some(Origin::Argument(_)))
    }
}

/// The key of a value within its parent.
#[derive(Debug, Clone)]
enum Key {
    /// The root has no key.
    Root,
    /// A member of an object.
    Name(String),
    /// An item of an array, 0-based.
    Index(usize),
}

impl Outline {
    /// Reads a text written by `JsonWriter`, with the origins that it recorded, by offset.
    pub(super) fn read(text: Vec<u8>, origins: Vec<(usize, Origin)>) -> Self {
        let mut reader = Reader {
            text: &text,
            at: 0,
            origins: origins.into_iter().peekable(),
            nodes: Vec::new(),
            open: Vec::new(),
        };
        reader.read();
        let nodes = reader.nodes;
        Self { text, nodes }
    }

    /// Returns the JSON text of a value.
    pub(super) fn text(&self, id: usize) -> &[u8] {
        self.nodes.get(id).and_then(|node| self.text.get(node.start..node.end)).unwrap_or_default()
    }

    /// Whether a value and one of another outline have the same text, and the same parts of it are arguments.
    pub(super) fn is_same(&self, id: usize, other: &Self, other_id: usize) -> bool {
        let (text, other_text) = (self.text(id), other.text(other_id));
        account::touch(text.len().min(other_text.len()));
        if text != other_text {
            return false;
        }
        let (within, other_within) = (self.within(id), other.within(other_id));
        account::work(within.len().min(other_within.len()) as u64 / 4);
        within.len() == other_within.len()
            && within.iter().zip(other_within).all(|(a, b)| a.is_argument() == b.is_argument())
    }

    /// Returns a node and all nodes within it.
    fn within(&self, id: usize) -> &[Node] {
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
        account::grow(pointer.len() as u64);
        account::touch(pointer.len());
        pointer
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    origins: std::iter::Peekable<std::vec::IntoIter<(usize, Origin)>>,
    nodes: Vec<Node>,
    /// The objects and arrays that have not ended yet, outermost first, each with its number of items so far.
    open: Vec<(usize, usize)>,
}

impl Reader<'_> {
    fn read(&mut self) {
        account::touch(self.text.len());
        self.value(Key::Root);
        while let Some(&(container, count)) = self.open.last() {
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b'}' | b']') => {
                    self.at += 1;
                    self.close(container);
                    self.open.pop();
                }
                Some(b'"') if self.is_object(container) => {
                    let key = self.key();
                    self.value(Key::Name(key));
                }
                Some(_) => {
                    if let Some((_, count)) = self.open.last_mut() {
                        *count += 1;
                    }
                    self.value(Key::Index(count));
                }
                None => return,
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn is_object(&self, container: usize) -> bool {
        self.nodes.get(container).and_then(|node| self.text.get(node.start)) == Some(&b'{')
    }

    fn close(&mut self, id: usize) {
        let last = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(id) {
            node.end = self.at;
            node.last = last;
        }
    }

    /// Reads a member's name and the colon after it.
    fn key(&mut self) -> String {
        let start = self.at;
        self.string();
        let name = self.text.get(start..self.at).unwrap_or_default();
        self.at += 1;
        serde_json::from_slice(name).unwrap_or_default()
    }

    fn value(&mut self, key: Key) {
        let id = self.nodes.len();
        let parent = self.open.last().map_or(0, |(container, _)| *container);
        let mut origin = None;
        while let Some((_, noted)) = self.origins.next_if(|(at, _)| *at <= self.at) {
            origin = Some(noted);
        }
        let node = Node { parent, key, start: self.at, end: self.at, origin, children: Vec::new(), last: id + 1 };
        account::grow(48);
        account::push(&mut self.nodes, node);
        if id > 0
            && let Some(node) = self.nodes.get_mut(parent)
        {
            account::push(&mut node.children, id);
        }
        let is_argument = matches!(origin, Some(Origin::Argument(_)));
        if !is_argument && matches!(self.byte(), Some(b'{' | b'[')) {
            self.at += 1;
            account::push(&mut self.open, (id, 0));
            return;
        }
        self.skip();
        self.close(id);
        let end = self.at;
        while self.origins.next_if(|(at, _)| *at < end).is_some() {}
    }

    /// Skips a value.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.byte() {
            match byte {
                b'"' => self.string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return,
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            let next_ends = matches!(self.byte(), None | Some(b',' | b'}' | b']'));
            if depth == 0 && next_ends {
                return;
            }
        }
    }

    /// Skips a string.
    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.byte() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => return,
                _ => {}
            }
        }
    }
}
