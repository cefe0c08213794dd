//! Plain values: the texts, lists and maps that variables contain in versions before the expression language
//! (variables.md, section B).
//!
//! Numbers and booleans exist only until they are used, when they become texts. Texts are the bytes as written, never
//! normalised.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use super::{Type, Value, with_stack};

/// The entries of a map, by key.
pub type Hcl1Map = BTreeMap<Arc<str>, Hcl1Value>;

/// A value as the old syntax produces it.
#[derive(Clone, PartialEq, Debug)]
pub enum Hcl1Value {
    /// A text.
    Text(Arc<str>),
    /// A number without a fraction or an exponent.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A list.
    List(Vec<Hcl1Value>),
    /// A map: the whole value, or an element of a list.
    Map(Hcl1Map),
    /// An object in braces anywhere else: one map for each time it is written.
    Bodies(Vec<Hcl1Map>),
}

/// The types of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hcl1Type {
    /// A text.
    String,
    /// A list.
    List,
    /// A map with text keys.
    Map,
}

impl Hcl1Type {
    /// All types.
    pub const ALL: [Self; 3] = [Self::String, Self::List, Self::Map];

    /// Returns the type with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Returns the name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::List => "list",
            Self::Map => "map",
        }
    }

    /// Returns the type of a variable with this default and no declared type (variables.md, section B1).
    pub const fn inferred(default: Option<&Hcl1Value>) -> Self {
        match default {
            Some(Hcl1Value::List(_)) => Self::List,
            Some(Hcl1Value::Map(_) | Hcl1Value::Bodies(_)) => Self::Map,
            _ => Self::String,
        }
    }

    /// Returns whether a final value is of this type (variables.md, section B5).
    pub const fn accepts(self, value: &Hcl1Value) -> bool {
        match (self, value) {
            (Self::String, Hcl1Value::Text(_))
            | (Self::List, Hcl1Value::List(_))
            | (Self::Map, Hcl1Value::Map(_)) => true,
            (Self::Map, Hcl1Value::Bodies(bodies)) => bodies.len() == 1,
            _ => false,
        }
    }
}

impl fmt::Display for Hcl1Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Hcl1Value {
    /// Returns the tool's name for a value of this kind in messages.
    pub const fn kind_name(&self) -> &'static str {
        match self {
            Self::Text(_) => "string",
            Self::Integer(_) | Self::Float(_) => "number",
            Self::Bool(_) => "boolean",
            Self::List(_) | Self::Bodies(_) => "list",
            Self::Map(_) => "map",
        }
    }

    /// Returns a scalar as the text it is used as: booleans are "1" and "0", numbers the shortest decimals without an
    /// exponent (variables.md, section B1). `None` for lists and maps.
    pub fn as_text(&self) -> Option<Arc<str>> {
        Some(match self {
            Self::Text(text) => Arc::clone(text),
            Self::Integer(number) => number.to_string().into(),
            Self::Float(number) => number.to_string().into(),
            Self::Bool(value) => if *value { "1" } else { "0" }.into(),
            Self::List(_) | Self::Map(_) | Self::Bodies(_) => return None,
        })
    }

    /// Returns a scalar as text for a default that was not checked against its type: booleans are words, fractions have
    /// six digits (the tool's `terraform/variables.go`). `None` for lists and maps.
    pub fn as_unchecked_text(&self) -> Option<Arc<str>> {
        Some(match self {
            Self::Bool(value) => value.to_string().into(),
            Self::Float(number) => format!("{number:.6}").into(),
            other => return other.as_text(),
        })
    }

    /// Turns a single body into a map; returns anything else unchanged.
    #[must_use]
    pub fn flattened(self) -> Self {
        match self {
            Self::Bodies(mut bodies) if bodies.len() == 1 => bodies.pop().map_or(Self::Bodies(bodies), Self::Map),
            other => other,
        }
    }

    /// Returns the value as it is used: scalars are texts, and repeated bodies are one map in which the later key wins.
    /// If all parts of a list or map have the same type, it becomes a list or map of that type, otherwise a tuple or
    /// object.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Text(_) | Self::Integer(_) | Self::Float(_) | Self::Bool(_) => {
                Value::text_as_written(self.as_text().unwrap_or_default())
            }
            Self::List(items) => sequence(items.iter().map(|item| with_stack(|| item.to_value())).collect()),
            Self::Map(map) => mapping(map.iter()),
            Self::Bodies(bodies) => mapping(bodies.iter().flatten()),
        }
    }
}

fn sequence(items: Vec<Value>) -> Value {
    match one_type(items.iter()) {
        Some(ty) => Value::list(ty, items),
        None => Value::tuple(items),
    }
}

fn mapping<'a>(entries: impl Iterator<Item = (&'a Arc<str>, &'a Hcl1Value)>) -> Value {
    let entries: Vec<(Arc<str>, Value)> =
        entries.map(|(key, part)| (Arc::clone(key), with_stack(|| part.to_value()))).collect();
    match one_type(entries.iter().map(|(_, value)| value)) {
        Some(ty) => Value::map(ty, entries),
        None => Value::object(entries),
    }
}

/// Returns the type shared by all values, or string if there are none.
fn one_type<'a>(mut values: impl Iterator<Item = &'a Value>) -> Option<Type> {
    let Some(first) = values.next() else { return Some(Type::String) };
    values.all(|value| value.ty() == first.ty()).then(|| first.ty().clone())
}

/// Returns `text` in double quotes with escapes, as the tool's messages show texts of unknown content, truncated after
/// `SHOWN` characters.
pub fn quoted(text: &str) -> String {
    /// Keeps messages from containing a whole document.
    const SHOWN: usize = 120;
    let mut out = String::from('"');
    for (at, c) in text.chars().enumerate() {
        if at == SHOWN {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Hcl1Value {
        Hcl1Value::Text(text.into())
    }

    #[test]
    fn scalars_are_texts() {
        for (plain, checked, unchecked) in [
            (text("007"), "007", "007"),
            (Hcl1Value::Integer(-16), "-16", "-16"),
            (Hcl1Value::Integer(i64::MIN), "-9223372036854775808", "-9223372036854775808"),
            (Hcl1Value::Float(1.0), "1", "1.000000"),
            (Hcl1Value::Float(1.5), "1.5", "1.500000"),
            (Hcl1Value::Float(1e3), "1000", "1000.000000"),
            (Hcl1Value::Float(1e21), "1000000000000000000000", "1000000000000000000000.000000"),
            (Hcl1Value::Float(1e-7), "0.0000001", "0.000000"),
            (Hcl1Value::Float(0.1), "0.1", "0.100000"),
            (Hcl1Value::Float(-0.0), "-0", "-0.000000"),
            (Hcl1Value::Bool(true), "1", "true"),
            (Hcl1Value::Bool(false), "0", "false"),
        ] {
            assert_eq!(plain.as_text().as_deref(), Some(checked), "{plain:?}");
            assert_eq!(plain.as_unchecked_text().as_deref(), Some(unchecked), "{plain:?}");
        }
        assert_eq!(Hcl1Value::List(vec![]).as_text(), None);
    }

    #[test]
    fn uniform_parts_have_their_type_and_others_their_own() {
        let map = |key: &str, plain: Hcl1Value| Hcl1Map::from([(Arc::from(key), plain)]);
        for (plain, ty, json) in [
            (Hcl1Value::List(vec![]), r#"["list","string"]"#, "[]"),
            (Hcl1Value::Map(Hcl1Map::new()), r#"["map","string"]"#, "{}"),
            (Hcl1Value::List(vec![text("a"), Hcl1Value::Bool(true)]), r#"["list","string"]"#, r#"["a","1"]"#),
            (
                Hcl1Value::List(vec![text("a"), Hcl1Value::List(vec![])]),
                r#"["tuple",["string",["list","string"]]]"#,
                r#"["a",[]]"#,
            ),
            (
                Hcl1Value::Map(map(
                    "a",
                    Hcl1Value::Bodies(vec![map("x", Hcl1Value::Integer(1)), map("y", text("2"))]),
                )),
                r#"["map",["map","string"]]"#,
                r#"{"a":{"x":"1","y":"2"}}"#,
            ),
            (
                Hcl1Value::Map(Hcl1Map::from([("a".into(), text("1")), ("b".into(), Hcl1Value::List(vec![]))])),
                r#"["object",{"a":"string","b":["list","string"]}]"#,
                r#"{"a":"1","b":[]}"#,
            ),
            // Decomposed letters stay decomposed.
            (text("e\u{301}"), r#""string""#, "\"e\u{301}\""),
        ] {
            let value = plain.to_value();
            assert_eq!(value.type_json(), ty, "{plain:?}");
            assert_eq!(value.to_json().unwrap(), json, "{plain:?}");
        }
    }

    #[test]
    fn texts_in_messages_are_quoted_and_short() {
        assert_eq!(quoted("a\"b\\\n\u{1}"), r#""a\"b\\\n\u0001""#);
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), 123);
    }
}
