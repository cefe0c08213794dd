//! Values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Number, Value as Json};

/// A value of a configuration, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Value {
    /// No value.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, with the digits that the document has.
    Number(Number),
    /// A string.
    String(String),
    /// A list, a set or a tuple.
    List(Vec<Value>),
    /// A map or an object, or a nested block.
    Map(BTreeMap<String, Value>),
    /// Something that will be known later.
    Unknown,
    /// Something that is not shown because it is sensitive.
    Hidden,
    /// Something with more than [`Value::MAX_DEPTH`] values around it, which only the JSON text of the answer has.
    TooDeep,
}

impl Value {
    /// How many values may be around one, so that no stack is too small to compare or free it.
    pub const MAX_DEPTH: usize = 256;

    /// Returns the member of a map with this name; `None` if there is none, or it is no map.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.get(name),
            _ => None,
        }
    }

    /// Returns the text of a string; `None` for any other value.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the value and everything in it is known and shown.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Unknown | Self::Hidden | Self::TooDeep => false,
            Self::List(elements) => elements.iter().all(Self::is_whole),
            Self::Map(members) => members.values().all(Self::is_whole),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) => true,
        }
    }

    /// Reads a value of a plan document: what is known, and what of it is unknown. `is_hidden` says whether the document
    /// hides what a pointer leads to.
    pub(crate) fn read(
        known: Option<&Json>,
        unknown: &Json,
        pointer: &str,
        is_hidden: &dyn Fn(&str) -> bool,
    ) -> Self {
        Self::read_at(known, unknown, (pointer, Self::MAX_DEPTH), is_hidden)
    }

    /// Like [`Value::read`], for a value inside of which there may be this many more levels.
    fn read_at(
        known: Option<&Json>,
        unknown: &Json,
        (pointer, levels): (&str, usize),
        is_hidden: &dyn Fn(&str) -> bool,
    ) -> Self {
        if is_hidden(pointer) {
            return Self::Hidden;
        }
        let part = |known: Option<&Json>, unknown: Option<&Json>, name: &str| {
            let Some(levels) = levels.checked_sub(1) else { return Self::TooDeep };
            let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
            Self::read_at(known, unknown.unwrap_or(&Json::Null), (&pointer, levels), is_hidden)
        };
        match (known, unknown) {
            (_, Json::Bool(true)) => Self::Unknown,
            (Some(Json::Bool(value)), _) => Self::Bool(*value),
            (Some(Json::Number(number)), _) => Self::Number(number.clone()),
            (Some(Json::String(text)), _) => Self::String(text.clone()),
            (Some(Json::Array(elements)), _) => {
                let elements = elements.iter().enumerate();
                Self::List(elements.map(|(at, value)| part(Some(value), unknown.get(at), &at.to_string())).collect())
            }
            (Some(Json::Object(_)), _) | (None, Json::Object(_)) => {
                let empty = Map::new();
                let members = known.and_then(Json::as_object).unwrap_or(&empty);
                let unknown_members = unknown.as_object().unwrap_or(&empty);
                let names: BTreeSet<&String> = members.keys().chain(unknown_members.keys()).collect();
                let member = |name: &String| (name.clone(), part(members.get(name), unknown_members.get(name), name));
                Self::Map(names.into_iter().map(member).collect())
            }
            (None | Some(Json::Null), _) => Self::Null,
        }
    }
}

impl From<Json> for Value {
    /// Takes a value that is wholly known.
    fn from(value: Json) -> Self {
        Self::read(Some(&value), &Json::Null, "", &|_| false)
    }
}
