//! JSON: `jsonencode`, `jsondecode` (expressions.md, section 8).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, param};
use overfold_base::account::{self, ChargedIterator, ChargedText, List};
use overfold_value::convert::with_article;
use overfold_value::json::{nesting, push_escape};
use overfold_value::{AttributeType, JsonError, Number, Type, Value, convert, normalized, with_stack};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::new(
            "jsonencode",
            [param("val", Type::Dynamic).null().unknown().dynamic()],
            Returns::Fixed(Type::String),
            encode,
        ),
        Function::new("jsondecode", [param("str", Type::String)], Returns::Rule(decoded_type), decode).may_be_null(),
        Function::new("jsondecode", [param("str", Type::String)], Returns::Rule(strictly_decoded_type), decode)
            .may_be_null()
            .with(Variation::JsonRejectsMixedDuplicates),
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
pub fn write_text(text: &str, out: &mut String) {
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
    decoded_type_of(args, false)
}

/// Like [`decoded_type`], where properties of one name must have one type.
fn strictly_decoded_type(args: &[Value]) -> Result<Type, FunctionError> {
    decoded_type_of(args, true)
}

fn decoded_type_of(args: &[Value], is_strict: bool) -> Result<Type, FunctionError> {
    match args.first().and_then(Value::as_text) {
        Some(text) => Ok(parse_as(text, is_strict)?.ty().clone()),
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
    parse(argument(args, 0))
}

/// Returns the value of a JSON text, as the function `jsondecode` does; numbers keep all their digits.
///
/// # Errors
/// A message for people if the text is not valid JSON.
pub fn json_value(text: &str) -> Result<Value, String> {
    parse(text).map_err(|error| error.message)
}

pub(super) fn parse(text: &str) -> Outcome {
    parse_as(text, false)
}

/// Reads a JSON text; with `is_strict`, properties of one name in one object must have one type.
fn parse_as(text: &str, is_strict: bool) -> Outcome {
    account::work(text.len() as u64 / 8);
    // When the parser fails, it searches for the line of the error again on every level.
    account::work(u64::from(nesting(text)).saturating_mul(text.len() as u64) / 700);
    let text = without_lone_surrogates(text);
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    let read = |error: serde_json::Error| FunctionError::new(format!("the string is not valid JSON: {error}"));
    let decoded =
        DecodedJson::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value)).map_err(read)?;
    if is_strict && decoded.differs {
        return Err(FunctionError::new("the string has an object with properties of one name and different types"));
    }
    if !decoded.repeats {
        return Ok(decoded.value);
    }
    // Each of several properties with one name counts, so the text is read again with all of them.
    let mut reader = serde_json::Deserializer::from_str(text.scanned(8));
    reader.disable_recursion_limit();
    let written = JsonValue::deserialize(&mut reader).map_err(read)?;
    written.value(&written.ty())
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
                (_, rest) = escape.split_at(6);
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

/// A JSON value as it is written.
enum JsonValue {
    /// Null, a truth value, a number or a text.
    Single(Value),
    List(Vec<JsonValue>),
    /// The properties in order; a name may occur several times.
    Object(Vec<(Arc<str>, JsonValue)>),
}

impl Drop for JsonValue {
    fn drop(&mut self) {
        with_stack(|| match self {
            Self::Single(_) => {}
            Self::List(items) => items.clear(),
            Self::Object(properties) => properties.clear(),
        });
    }
}

impl JsonValue {
    /// Returns the type: of several properties with one name, the last one counts.
    fn ty(&self) -> Type {
        with_stack(|| match self {
            Self::Single(value) => value.ty().clone(),
            Self::List(items) => Type::tuple(items.iter().map(Self::ty).collect()),
            Self::Object(properties) => {
                let last: HashMap<&Arc<str>, &Self> =
                    properties.iter().charged_at_once(2).map(|(name, part)| (name, part)).collect();
                Type::object(last.iter().map(|(name, part)| AttributeType::new((*name).clone(), part.ty())).collect())
            }
        })
    }

    /// Returns the value as one of a type, which each of several properties with one name must fit: an object may have
    /// fewer attributes.
    fn value(&self, ty: &Type) -> Outcome {
        account::work(4);
        let unfit = || FunctionError::new(format!("properties with one name do not all fit {}", with_article(ty)));
        with_stack(|| match self {
            Self::Single(value) if value.is_null() => Ok(Value::null(ty.clone())),
            // A text is read as the truth value or number that it spells, and the reverse.
            Self::Single(value) if ty.is_primitive() => convert(value, ty).map_err(|_| unfit()),
            Self::Single(_) => Err(unfit()),
            Self::List(items) => {
                let types = ty.as_tuple().filter(|types| types.len() == items.len()).ok_or_else(unfit)?;
                let items: Result<Vec<Value>, _> = items.iter().zip(types).map(|(item, ty)| item.value(ty)).collect();
                Ok(Value::tuple(items?))
            }
            Self::Object(properties) => {
                let attributes = ty.as_object().ok_or_else(unfit)?;
                account::work((attributes.len() + properties.len()) as u64 * 4);
                let mut values: BTreeMap<Arc<str>, Value> =
                    attributes.iter().map(|a| (a.name.clone(), Value::null(a.ty.clone()))).collect();
                for (name, part) in properties {
                    let wanted = ty.attribute(name).ok_or_else(unfit)?;
                    values.insert(name.clone(), part.value(&wanted.ty)?);
                }
                Ok(Value::object(values.into_iter().collect()))
            }
        })
    }
}

/// A JSON value decoded to a value of the language.
struct DecodedJson {
    value: Value,
    /// Whether several properties of one object have the same name.
    repeats: bool,
    /// Whether such properties have values of different types.
    differs: bool,
}

/// What a JSON text is read into.
trait FromJson: Sized + for<'de> Deserialize<'de> {
    fn single(value: Value) -> Self;
    fn list(items: Vec<Self>) -> Self;
    fn object(properties: Vec<(Arc<str>, Self)>) -> Self;
}

impl FromJson for JsonValue {
    fn single(value: Value) -> Self {
        Self::Single(value)
    }

    fn list(items: Vec<Self>) -> Self {
        Self::List(items)
    }

    fn object(properties: Vec<(Arc<str>, Self)>) -> Self {
        Self::Object(properties)
    }
}

impl FromJson for DecodedJson {
    fn single(value: Value) -> Self {
        Self { value, repeats: false, differs: false }
    }

    fn list(items: Vec<Self>) -> Self {
        let repeats = items.iter().any(|item| item.repeats);
        let differs = items.iter().any(|item| item.differs);
        Self { value: Value::tuple(items.into_iter().map(|item| item.value).collect()), repeats, differs }
    }

    fn object(properties: Vec<(Arc<str>, Self)>) -> Self {
        let mut seen: HashMap<&Arc<str>, &Type> = HashMap::new();
        let (mut repeats, mut differs) = (false, false);
        for (name, part) in &properties {
            let before = seen.insert(name, part.value.ty());
            repeats |= part.repeats || before.is_some();
            differs |= part.differs || before.is_some_and(|before| before != part.value.ty());
        }
        Self {
            value: Value::object(properties.into_iter().map(|(name, part)| (name, part.value)).collect()),
            repeats,
            differs,
        }
    }
}

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        with_stack(|| deserializer.deserialize_any(JsonVisitor(PhantomData)))
    }
}

impl<'de> Deserialize<'de> for DecodedJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        with_stack(|| deserializer.deserialize_any(JsonVisitor(PhantomData)))
    }
}

struct JsonVisitor<T>(PhantomData<T>);

impl<'de, T: FromJson> Visitor<'de> for JsonVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(T::single(Value::bool(value)))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::single(Value::untyped_null()))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<T, E> {
        parse_number(&number.to_string()).map(T::single)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<T, E> {
        parse_number(&number.to_string()).map(T::single)
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::single(Value::text(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        let mut items = List::new();
        while let Some(item) = seq.next_element()? {
            account::work(1);
            items.push(item);
        }
        Ok(T::list(items.into_vec()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        /// The name under which the parser passes on a number with all its digits.
        const NUMBER: &str = "$serde_json::private::Number";
        let mut properties: List<(Arc<str>, T)> = List::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == NUMBER && properties.is_empty() {
                let text: String = map.next_value()?;
                return parse_number(&text).map(T::single);
            }
            if normalized(&name) != name {
                return Err(A::Error::custom("a property name is not in Unicode normalization form C"));
            }
            account::work(4);
            properties.push((Arc::from(name), map.next_value()?));
        }
        Ok(T::object(properties.into_vec()))
    }
}

fn parse_number<E: serde::de::Error>(text: &str) -> Result<Value, E> {
    Number::parse(text).map(Value::number).map_err(|_| E::custom("a number is out of range"))
}
