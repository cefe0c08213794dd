//! A schema inferred from what the files of a module mention, by which bodies in JSON syntax are read where no table
//! has a row for them. A rule of the tool names the arguments and block types that it wants; here every name that some
//! file mentions is wanted, and the native files determine which of them are blocks (tflint.md, section 2).

use std::collections::{HashMap, HashSet};

use overfold_base::diag::SourceId;
use overfold_dialect::words::{CONTENT, DYNAMIC};
use overfold_dialect::{BlockSpec, DialectSpec};
use overfold_syntax::Forest;
use overfold_syntax::tree::{Body, Id, Root, Tree};

/// The names that are mentioned, by block type and nesting. All blocks of one type share a schema, whatever their
/// labels.
#[derive(Debug)]
pub(super) struct InferredSchema {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    arguments: HashSet<String>,
    blocks: HashMap<String, Mention>,
}

/// A block type that some file mentions.
#[derive(Clone, Copy, Debug)]
struct Mention {
    /// The number of labels of the first block of this type that is written out; `None` if only `dynamic` mentions it.
    labels: Option<usize>,
    node: usize,
}

/// What is known about the content of a body.
#[derive(Clone, Copy)]
pub(super) struct BodyKnowledge<'q> {
    schema: &'q InferredSchema,
    row: Option<&'static BlockSpec>,
    node: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The top of a file.
    Top(&'static DialectSpec),
    /// The body of a block.
    Block,
    /// The body of a `dynamic` block; `row` and `node` describe the blocks that it generates.
    Dynamic,
}

impl InferredSchema {
    /// Creates a schema in which nothing is mentioned yet.
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// Adds the names that a native file mentions.
    pub(super) fn file(&mut self, forest: &Forest, source: SourceId) {
        let Some(tree) = forest.native(source) else { return };
        let Root::Body(root) = tree.root else { return };
        let mut todo: Vec<(Id<Body>, usize)> = vec![(root, 0)];
        while let Some((body, node)) = todo.pop() {
            self.body(tree, body, node, &mut todo);
        }
    }

    fn body(&mut self, tree: &Tree, body: Id<Body>, node: usize, todo: &mut Vec<(Id<Body>, usize)>) {
        let body = tree.body(body);
        if let Some(node) = self.nodes.get_mut(node) {
            for attribute in tree.attributes(body.attributes) {
                let name = tree.slice(attribute.name_range);
                if !node.arguments.contains(name) {
                    node.arguments.insert(name.to_owned());
                }
            }
        }
        for block in tree.blocks(body.blocks) {
            let keyword = tree.slice(block.type_range);
            let labels = tree.labels(block.labels);
            if let (DYNAMIC, [label]) = (keyword, labels) {
                let made = self.mention(node, tree.str(label.text), None);
                for inner in tree.blocks(tree.body(block.body).blocks) {
                    if tree.slice(inner.type_range) == CONTENT {
                        todo.push((inner.body, made));
                    }
                }
            } else {
                let inside = self.mention(node, keyword, Some(labels.len()));
                todo.push((block.body, inside));
            }
        }
    }

    /// Returns the node of a block type within a node, adding it if necessary.
    fn mention(&mut self, node: usize, keyword: &str, labels: Option<usize>) -> usize {
        let next = self.nodes.len();
        let Some(here) = self.nodes.get_mut(node) else { return node };
        if let Some(known) = here.blocks.get_mut(keyword) {
            known.labels = known.labels.or(labels);
            return known.node;
        }
        here.blocks.insert(keyword.to_owned(), Mention { labels, node: next });
        self.nodes.push(Node::default());
        next
    }

    /// The place at the top of a file.
    pub(super) fn top(&self, dialect: &'static DialectSpec) -> BodyKnowledge<'_> {
        BodyKnowledge { schema: self, row: None, node: Some(0), kind: Kind::Top(dialect) }
    }
}

impl BodyKnowledge<'_> {
    /// The table row of the block whose body this is.
    pub(super) fn row(&self) -> Option<&'static BlockSpec> {
        match self.kind {
            Kind::Block => self.row,
            Kind::Top(_) | Kind::Dynamic => None,
        }
    }

    fn row_of(&self, keyword: &str) -> Option<&'static BlockSpec> {
        match self.kind {
            Kind::Top(dialect) => dialect.block(keyword),
            _ => self.row.and_then(|row| row.block(keyword)),
        }
    }

    fn mentioned(&self, keyword: &str) -> Option<Mention> {
        self.node.and_then(|node| self.schema.nodes.get(node)).and_then(|node| node.blocks.get(keyword)).copied()
    }

    /// The number of labels that blocks of a type have, if known.
    pub(super) fn labels_of(&self, keyword: &str) -> Option<usize> {
        let row = self.row_of(keyword).map(|row| row.labels.len());
        row.or_else(|| self.mentioned(keyword).and_then(|mention| mention.labels))
    }

    /// For a JSON property: the number of labels if it stands for blocks, `None` if it is an argument.
    pub(super) fn blocks_of_property(&self, name: &str) -> Option<usize> {
        if matches!(self.kind, Kind::Dynamic) {
            return (name == CONTENT).then_some(0);
        }
        let node = self.node.and_then(|node| self.schema.nodes.get(node));
        if node.is_some_and(|node| node.arguments.contains(name)) {
            return None;
        }
        match (self.labels_of(name), self.kind) {
            (Some(labels), _) => Some(labels),
            // The top of a file holds only blocks; a type that only JSON files mention is taken to have no labels.
            (None, Kind::Top(_)) => Some(0),
            (None, _) => self.mentioned(name).map(|_| 0),
        }
    }

    /// The place inside a block with this type and these labels.
    pub(super) fn inside(&self, keyword: &str, labels: &[&str]) -> Self {
        match (self.kind, labels) {
            (Kind::Dynamic, _) => Self { kind: Kind::Block, ..*self },
            (_, [made]) if keyword == DYNAMIC => Self { kind: Kind::Dynamic, ..self.inside_type(made) },
            _ => self.inside_type(keyword),
        }
    }

    /// The place inside a block of this type, even if the type is called `dynamic`.
    pub(super) fn inside_type(&self, keyword: &str) -> Self {
        Self {
            schema: self.schema,
            row: self.row_of(keyword),
            node: self.mentioned(keyword).map(|mention| mention.node),
            kind: Kind::Block,
        }
    }
}
