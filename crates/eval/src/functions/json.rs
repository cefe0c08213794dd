//! JSON: `jsonencode`, `jsondecode` (expressions.md, section 8).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use overfold_base::account;
use overfold_value::json::{nesting, push_escape};
use overfold_value::{JsonError, Kind, Number, Type, Value, convert, excerpt, normalized, with_stack};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::new(
            "jsonencode",
            [param("val", Type::Dynamic).null().unknown().dynamic()],
            Returns::Fixed(Type::String),
            encode,
        ),
        Function::new("jsondecode", [param("str", Type::String)], Returns::Rule(decoded_type), decode).may_be_null(),
    ]
}

fn encode(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let Some(value) = args.first() else { return Ok(Value::text("null")) };
    if !value.is_wholly_known() {
        return Ok(Value::unknown_not_null(Type::String).refined_exact_prefix(first_character(value)));
    }
    account::work(value.weight());
    let mut out = String::new();
    match value.write_json(&mut out, write_text) {
        Ok(()) => Ok(Value::text(out)),
        Err(JsonError::Unknown) => Ok(Value::unknown_not_null(Type::String)),
        Err(error) => Err(FunctionError::new(error.to_string())),
    }
}

/// Returns how the JSON of a value begins that is not wholly known; nothing if it may be null or of several forms
/// (plan.md, section 3).
fn first_character(value: &Value) -> &'static str {
    match value.ty() {
        _ if !value.is_definitely_not_null() => "",
        Type::String => "\"",
        Type::Object(_) | Type::Map(_) => "{",
        Type::Tuple(_) | Type::List(_) | Type::Set(_) => "[",
        Type::Bool | Type::Number | Type::Dynamic => "",
    }
}

/// Appends text as the language's JSON does: characters special in HTML are escaped, and so are the line and paragraph
/// separators.
pub(super) fn write_text(text: &str, out: &mut String) {
    account::touch(text.len() * 4);
    account::grow(text.len() as u64 + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => push_escape(c, out),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn decoded_type(args: &[Value]) -> Result<Type, FunctionError> {
    match args.first().and_then(Value::as_text) {
        Some(text) => Ok(parse(text)?.ty().clone()),
        None => type_by_beginning(args.first().map(Value::known_prefix).unwrap_or_default()),
    }
}

/// Returns the type of what a JSON text will be decoded to, as far as its known beginning tells it (plan.md, section
/// 3).
fn type_by_beginning(prefix: &str) -> Result<Type, FunctionError> {
    Ok(match prefix.trim().chars().next() {
        None | Some('{' | '[' | 'n') => Type::Dynamic,
        Some('"') => Type::String,
        Some('t' | 'f') => Type::Bool,
        Some('-' | '.' | '0'..='9') => Type::Number,
        Some(other) => return Err(FunctionError::argument(0, format!("JSON cannot begin with {other:?}"))),
    })
}

fn decode(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let text = args.first().and_then(Value::as_text).unwrap_or_default();
    parse(text)
}

/// Returns the value of a JSON text, as the function `jsondecode` does; numbers keep all their digits.
///
/// # Errors
/// A message for people if the text is not valid JSON.
pub fn json_value(text: &str) -> Result<Value, String> {
    parse(text).map_err(|error| error.message)
}

pub(super) fn parse(text: &str) -> Outcome {
    account::work(text.len() as u64 / 8);
    // When the parser fails, it searches for the line of the error again on every level.
    account::work(u64::from(nesting(text)).saturating_mul(text.len() as u64) / 700);
    let text = without_lone_surrogates(text);
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    let value = Decoded::deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| FunctionError::new(format!("the string is not valid JSON: {error}")))?;
    Ok(value.0)
}

/// Replaces each escape that is half of a surrogate pair by that of U+FFFD.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    /// Returns the code unit of the escape at the start of `text`.
    fn unit(text: &str) -> Option<u16> {
        u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
    }
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let length = match unit(escape) {
            Some(0xD800..=0xDBFF)
                if escape.get(6..).and_then(unit).is_some_and(|low| (0xDC00..=0xDFFF).contains(&low)) =>
            {
                12
            }
            Some(0xD800..=0xDFFF) => {
                out.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            Some(_) => 6,
            // The backslash and the character after it.
            None => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        out.push_str(escape);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns whether the value of an earlier property can be converted to the type of a later one with the same name, as
/// it must.
fn fits(earlier: &Value, later: &Type) -> bool {
    if earlier.is_null() {
        return true;
    }
    with_stack(|| match (earlier.kind(), later) {
        (Kind::Tuple(tuple), later) => later.tuple_elements().is_some_and(|types| {
            types.len() == tuple.items().len() && tuple.items().iter().zip(types).all(|(item, ty)| fits(item, ty))
        }),
        (Kind::Object(object), later) => later.attributes().is_some_and(|attributes| {
            attributes.len() == object.entries().len()
                && attributes.iter().all(|a| object.get(&a.name).is_some_and(|value| fits(value, &a.ty)))
        }),
        (_, later) => later.is_primitive() && convert(earlier, later).is_ok(),
    })
}

/// A JSON value decoded to a value of the language.
struct Decoded(Value);

impl<'de> Deserialize<'de> for Decoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        with_stack(|| deserializer.deserialize_any(DecodedVisitor)).map(Self)
    }
}

struct DecodedVisitor;

impl<'de> Visitor<'de> for DecodedVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::bool(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::untyped_null())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        parse_number(&number.to_string())
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Value, E> {
        parse_number(&number.to_string())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Decoded(item)) = seq.next_element()? {
            account::work(1);
            items.push(item);
        }
        Ok(Value::tuple(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        /// The name under which the parser passes on a number with all its digits.
        const NUMBER: &str = "$serde_json::private::Number";
        let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER && entries.is_empty() {
                let text: String = map.next_value()?;
                return parse_number(&text);
            }
            if normalized(&key) != key {
                return Err(A::Error::custom("a property name is not in Unicode normalization form C"));
            }
            account::work(4);
            let Decoded(value) = map.next_value()?;
            entries.push((Arc::from(key), value));
        }
        let mut last: HashMap<&str, &Type> = HashMap::new();
        for (key, value) in entries.iter().rev() {
            let ty = last.entry(key).or_insert_with(|| value.ty());
            if *ty != value.ty() && !fits(value, ty) {
                return Err(A::Error::custom(format!(
                    "two properties named {:?} have values of different types",
                    excerpt(key)
                )));
            }
        }
        Ok(Value::object(entries))
    }
}

fn parse_number<E: serde::de::Error>(text: &str) -> Result<Value, E> {
    Number::parse(text).map(Value::number).map_err(|_| E::custom("a number is out of range"))
}
