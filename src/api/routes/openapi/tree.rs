//! JSON that keeps the order of its members, which is the order in which people read a document.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// A value without members.
    Plain(Value),
    List(Vec<Node>),
    Object(IndexMap<String, Node>),
}

impl Node {
    /// Returns the members. A node that is not an object is replaced by an empty one.
    pub(super) fn members(&mut self) -> &mut IndexMap<String, Self> {
        if !matches!(self, Self::Object(_)) {
            *self = Self::Object(IndexMap::new());
        }
        match self {
            Self::Object(members) => members,
            // It was made an object above.
            Self::Plain(_) | Self::List(_) => unreachable!("the node has just been made an object"),
        }
    }

    /// Returns the node at a path of names; missing nodes are created.
    pub(super) fn at(&mut self, path: &[&str]) -> &mut Self {
        path.iter().fold(self, |node, name| {
            node.members().entry((*name).to_owned()).or_insert_with(|| Self::Object(IndexMap::new()))
        })
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: impl Into<Self>) {
        self.members().insert(name.to_owned(), value.into());
    }

    /// Adds a patch as in a JSON Merge Patch (RFC 7396): members are merged, anything else is replaced, and null removes a
    /// member. What does not exist yet is taken as it is, with the nulls in it.
    pub(super) fn merge(&mut self, patch: Self) {
        match (self, patch) {
            (Self::Object(members), Self::Object(patch)) => {
                for (name, patch) in patch {
                    match members.get_mut(&name) {
                        _ if patch == Self::default() => drop(members.shift_remove(&name)),
                        Some(member) => member.merge(patch),
                        None => drop(members.insert(name, patch)),
                    }
                }
            }
            (node, patch) => *node = patch,
        }
    }

    /// Sorts the media types of each request and answer, the most useful one first: tools show the first one.
    pub(super) fn sort_media_types(&mut self) {
        const FIRST: [&str; 9] = [
            "text/markdown",
            "text/plain",
            "application/json",
            "multipart/form-data",
            "application/x-tar",
            "application/gzip",
            "application/x-gzip",
            "application/x-tar+gzip",
            "application/zstd",
        ];
        let rank = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
        for (name, member) in self.members() {
            match name.as_str() {
                "content" => member.members().sort_by(|a, _, b, _| rank(a).cmp(&rank(b))),
                _ if matches!(member, Self::Object(_)) => member.sort_media_types(),
                _ => {}
            }
        }
    }

    /// Returns the items. A node that is not a list is replaced by an empty one.
    pub(super) fn items(&mut self) -> &mut Vec<Self> {
        if !matches!(self, Self::List(_)) {
            *self = Self::List(Vec::new());
        }
        match self {
            Self::List(items) => items,
            // It was made a list above.
            Self::Plain(_) | Self::Object(_) => unreachable!("the node has just been made a list"),
        }
    }
}

impl Default for Node {
    fn default() -> Self {
        Self::Plain(Value::Null)
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        match value {
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, Self::from(value))).collect())
            }
            plain => Self::Plain(plain),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(value) => value.serialize(serializer),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Plain(Value::Null))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Plain(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Plain(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Plain(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Plain(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Node, E> {
                Ok(Node::Plain(value.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Node::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut members = IndexMap::new();
                while let Some((name, value)) = map.next_entry::<String, Node>()? {
                    // This is how serde_json passes a number with all its digits.
                    if let ("$serde_json::private::Number", Node::Plain(Value::String(digits))) = (&*name, &value)
                        && let Ok(number) = digits.parse::<serde_json::Number>()
                    {
                        return Ok(Node::Plain(number.into()));
                    }
                    members.insert(name, value);
                }
                Ok(Node::Object(members))
            }
        }
        deserializer.deserialize_any(Any)
    }
}
