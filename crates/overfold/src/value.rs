//! Values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

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

    /// Returns a boolean; `None` for any other value.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a number, with the digits that the document has; `None` for any other value.
    pub const fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the elements of a list; `None` for any other value.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the members of a map; `None` for any other value.
    pub const fn as_map(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::Map(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the value as JSON; `None` unless it [is whole](Self::is_whole).
    pub fn to_json(&self) -> Option<Json> {
        Some(match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(*value),
            Self::Number(number) => Json::Number(number.clone()),
            Self::String(text) => Json::String(text.clone()),
            Self::List(elements) => Json::Array(elements.iter().map(Self::to_json).collect::<Option<_>>()?),
            Self::Map(members) => {
                let member = |(name, value): (&String, &Self)| Some((name.clone(), value.to_json()?));
                Json::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
            Self::Unknown | Self::Hidden | Self::TooDeep => return None,
        })
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

/// As JSON without spaces, with `(unknown)`, `(hidden)` and `(too deep)` in the places of what is not known or shown.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |f: &mut fmt::Formatter<'_>, text: &str| write!(f, "{}", Json::String(text.to_owned()));
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::String(value) => text(f, value),
            Self::List(elements) => {
                f.write_str("[")?;
                for (at, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Self::Map(members) => {
                f.write_str("{")?;
                for (at, (name, value)) in members.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    text(f, name)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
            Self::Unknown => f.write_str("(unknown)"),
            Self::Hidden => f.write_str("(hidden)"),
            Self::TooDeep => f.write_str("(too deep)"),
        }
    }
}

impl From<Json> for Value {
    /// Takes a value that is wholly known.
    fn from(value: Json) -> Self {
        Self::read(Some(&value), &Json::Null, "", &|_| false)
    }
}
