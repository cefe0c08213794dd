//! Values.

use std::collections::BTreeMap;

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
}

impl Value {
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
            Self::Unknown | Self::Hidden => false,
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
        if is_hidden(pointer) {
            return Self::Hidden;
        }
        match (known, unknown) {
            (_, Json::Bool(true)) => Self::Unknown,
            (Some(Json::Bool(value)), _) => Self::Bool(*value),
            (Some(Json::Number(number)), _) => Self::Number(number.clone()),
            (Some(Json::String(text)), _) => Self::String(text.clone()),
            (Some(Json::Array(elements)), _) => {
                let element = |(index, value): (usize, &Json)| {
                    let unknown = unknown.get(index).unwrap_or(&Json::Null);
                    Self::read(Some(value), unknown, &format!("{pointer}/{index}"), is_hidden)
                };
                Self::List(elements.iter().enumerate().map(element).collect())
            }
            (Some(Json::Object(_)), _) | (None, Json::Object(_)) => {
                let empty = Map::new();
                let members = known.and_then(Json::as_object).unwrap_or(&empty);
                let unknown_members = unknown.as_object().unwrap_or(&empty);
                let names = members.keys().chain(unknown_members.keys());
                let member = |name: &String| {
                    let escaped = name.replace('~', "~0").replace('/', "~1");
                    let unknown = unknown_members.get(name).unwrap_or(&Json::Null);
                    let value = Self::read(members.get(name), unknown, &format!("{pointer}/{escaped}"), is_hidden);
                    (name.clone(), value)
                };
                Self::Map(names.map(member).collect())
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
