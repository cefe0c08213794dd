//! The intermediate form of both HCL 1 syntaxes, before the shared tree is built: objects are lists of items, each with
//! one or more keys and a value. Flat, so that deep nesting costs nothing when it is built or dropped.

use overfold_base::account::{self, List};
use overfold_base::diag::TextRange;

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(pub(super) u32);

/// A half-open range of indexes into one of the lists of [`Ast`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Run {
    pub(super) const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    pub(super) const fn indexes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns what the list that the run is for has at its indexes.
    fn of<T>(self, list: &[T]) -> &[T] {
        list.get(self.indexes()).unwrap_or_default()
    }
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum NodeKind {
    /// A string; the text between the quotes is decoded when the tree is built.
    Text,
    Heredoc,
    /// JSON's null, which is treated as an empty text.
    Empty,
    Bool(bool),
    Number,
    /// A value that could not be read.
    Bad,
    Object {
        items: Run,
        open: TextRange,
        close: TextRange,
    },
    List {
        elements: Run,
        open: TextRange,
    },
}

/// A key: a bare word or a quoted one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// The range of the key, with its quotes.
    pub(super) range: TextRange,
    pub(super) quoted: bool,
}

/// `keys = value` or `keys { … }`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) keys: Run,
    /// The range of the `=` or `:`, if there is one.
    pub(super) assign: Option<TextRange>,
    pub(super) value: NodeId,
}

/// The values of a text.
#[derive(Debug, Default)]
pub(super) struct Ast {
    pub(super) nodes: List<Node>,
    pub(super) items: List<Item>,
    pub(super) elements: Vec<NodeId>,
    pub(super) keys: Vec<Key>,
}

impl Ast {
    pub(super) fn add(&mut self, kind: NodeKind, range: TextRange) -> NodeId {
        account::work(1);
        self.nodes.push(Node { kind, range });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes.get(id.0 as usize).copied().unwrap_or(Node { kind: NodeKind::Bad, range: TextRange::default() })
    }

    pub(super) fn items(&self, run: Run) -> &[Item] {
        run.of(&self.items)
    }

    pub(super) fn elements(&self, run: Run) -> &[NodeId] {
        run.of(&self.elements)
    }

    pub(super) fn keys(&self, run: Run) -> &[Key] {
        run.of(&self.keys)
    }

    /// Appends items, which are now complete, to the list.
    pub(super) fn close_items(&mut self, items: impl IntoIterator<Item = Item>) -> Run {
        let start = self.items.len() as u32;
        self.items.extend(items);
        Run { start, end: self.items.len() as u32 }
    }

    pub(super) fn close_elements(&mut self, elements: impl IntoIterator<Item = NodeId>) -> Run {
        let start = self.elements.len() as u32;
        self.elements.extend(elements);
        Run { start, end: self.elements.len() as u32 }
    }

    pub(super) fn close_keys(&mut self, keys: impl IntoIterator<Item = Key>) -> Run {
        let start = self.keys.len() as u32;
        self.keys.extend(keys);
        Run { start, end: self.keys.len() as u32 }
    }
}
