//! HCL JSON syntax: a value tree with a range on every value. It stays a value tree because a body in JSON can only be
//! interpreted with a schema (`hcl::content`).

pub mod codes;
mod parser;
mod scanner;
#[cfg(test)]
mod tests;
mod text;

use bytes::Bytes;

use super::tree::{Id, Ids};
use overfold_base::account::List;
use overfold_base::diag::{SourceId, TextRange};

pub use parser::parse;

/// A JSON value.
#[derive(Clone, Copy, Debug)]
pub struct JsonNode {
    /// The kind of value.
    pub kind: JsonKind,
    /// The range of the whole value, including brackets and quotes.
    pub range: TextRange,
}

/// The kinds of JSON values.
#[derive(Clone, Copy, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; its text is the node's range.
    Number,
    /// A string.
    Text(JsonText),
    /// An array: ids into [`JsonTree::lists`].
    Array {
        /// The elements in order.
        items: Ids<Id<JsonNode>>,
        /// The `[`.
        open: TextRange,
        /// The `]`.
        close: TextRange,
    },
    /// An object.
    Object {
        /// The properties in order, including duplicates.
        properties: Ids<Property>,
        /// The `{`.
        open: TextRange,
        /// The `}`.
        close: TextRange,
    },
    /// A value that could not be read.
    Invalid,
}

/// The text of a JSON string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonText {
    /// The bytes between the quotes as written: there are no escapes, and they are valid UTF-8.
    Source(TextRange),
    /// Bytes `start..end` of [`JsonTree::decoded`].
    Decoded(u32, u32),
}

/// `"name": value`.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// The decoded name.
    pub name: JsonText,
    /// The range of the name, with its quotes.
    pub name_range: TextRange,
    /// The name as a separate value (always a [`JsonKind::Text`]), for names that are read as expressions.
    pub name_node: Id<JsonNode>,
    /// The value.
    pub value: Id<JsonNode>,
}

/// The tree of one JSON text.
#[derive(Debug)]
pub struct JsonTree {
    /// The source it was read from.
    pub source: SourceId,
    /// The bytes of the source (shared, not copied).
    pub text: Bytes,
    /// The root value; `Invalid` if an error left no value.
    pub root: Id<JsonNode>,
    /// The value to read as the file's body: the root, or an empty object if the root is not an object or array.
    pub body: Id<JsonNode>,
    /// Values.
    pub nodes: List<JsonNode>,
    /// Elements of arrays.
    pub lists: List<Id<JsonNode>>,
    /// All properties; those of one object are adjacent.
    pub properties: Vec<Property>,
    /// The decoded texts, concatenated.
    pub decoded: String,
    /// Whether any property has a name that is longer than the limit on names.
    pub has_long_names: bool,
}

#[expect(clippy::indexing_slicing, reason = "ids are made by the parser of this very tree and never mixed")]
impl JsonTree {
    /// Returns the value with this id.
    pub fn node(&self, id: Id<JsonNode>) -> &JsonNode {
        &self.nodes[id.index()]
    }

    /// Returns the elements of an array.
    pub fn list(&self, ids: Ids<Id<JsonNode>>) -> &[Id<JsonNode>] {
        &self.lists[ids.indexes()]
    }

    /// Returns the properties of an object.
    pub fn properties(&self, ids: Ids<Property>) -> &[Property] {
        &self.properties[ids.indexes()]
    }
}

impl JsonTree {
    /// Returns where the tool points when a value is of the wrong kind: the opening bracket, or the whole of a scalar.
    pub fn start_range(&self, id: Id<JsonNode>) -> TextRange {
        let node = self.node(id);
        match node.kind {
            JsonKind::Array { open, .. } | JsonKind::Object { open, .. } => open,
            _ => node.range,
        }
    }

    /// Returns the decoded text of a string.
    pub fn str(&self, text: JsonText) -> &str {
        match text {
            JsonText::Source(range) => std::str::from_utf8(range.bytes_of(&self.text)).unwrap_or_default(),
            JsonText::Decoded(start, end) => TextRange::new(start, end).text_of(&self.decoded),
        }
    }
}
