//! Writes values as text of the language: in native syntax with the formatter of hcl-rs, and in JSON syntax.
//!
//! hcl-rs has numbers of 64 bits, takes an escaped `${` after another `$` for what it is not, and recurses without asking
//! whether there is room. So numbers that are not small, strings with such a mark and deep parts are handed to it as text.

use std::sync::Arc;

use hcl::expr::{Expression, FuncCall, Object, ObjectKey, Variable};
use hcl::format::{Format as _, Formatter};

use super::super::config::{is_identifier, quoted_literal};
use overfold_base::account;
use overfold_module::replacement::KeptType;
use overfold_value::json::write_text;
use overfold_value::{Kind, Type, Value, with_stack};

/// Values that are nested more deeply are not written. It is far below the limit on the depth of a text.
pub(super) const MAX_DEPTH: u32 = 1_000;

/// The number of levels that hcl-rs formats at once.
const LEVELS: u32 = 16;

/// The number of entries up to which hcl-rs formats an object: it looks for each name among all others.
const ENTRIES: usize = 32;

/// Returns a known value as an expression in native syntax, on one line. `None` if a part cannot be written.
pub(super) fn native(value: &Value, kept: KeptType) -> Option<String> {
    if value.depth() > MAX_DEPTH {
        return None;
    }
    formatted(&expression(value, kept, 0)?)
}

/// Returns a known value in the JSON syntax, in which strings are templates. `None` if a part cannot be written.
pub(super) fn json(value: &Value, kept: KeptType) -> Option<String> {
    if value.depth() > MAX_DEPTH {
        return None;
    }
    let mut out = String::new();
    json_part(&mut out, value, kept)?;
    Some(out)
}

/// Returns the text that a known value is in a template. `None` for a value that is no text.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value.kind() {
        Kind::Text(text) => Some(text.to_string()),
        Kind::Bool(value) => Some(value.to_string()),
        Kind::Number(number) if !number.is_infinite() => number.to_text().ok(),
        _ => None,
    }
}

/// Returns literal text as it is written in a template that is not between quotes.
pub(super) fn in_template(text: &str) -> String {
    account::touch(text.len());
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push(letter);
        if matches!(letter, '$' | '%') && letters.peek() == Some(&'{') {
            out.push(letter);
        }
    }
    out
}

fn formatted(expression: &Expression) -> Option<String> {
    let mut formatter = Formatter::builder().compact(true).build_vec();
    let text = with_stack(|| expression.format_string(&mut formatter)).ok()?;
    account::touch(text.len());
    account::grow(text.len() as u64);
    Some(text)
}

/// Stands for text that is written as it is.
fn verbatim(text: String) -> Expression {
    Expression::Variable(Variable::unchecked(text))
}

fn call(function: &str, argument: Expression) -> Expression {
    FuncCall::builder(hcl::Identifier::unchecked(function)).arg(argument).build().into()
}

/// What keeps the type of a value that is written as a literal: the function that converts it.
fn conversion(value: &Value, kept: KeptType) -> Option<&'static str> {
    let is_set = matches!(value.kind(), Kind::Set(_));
    match kept {
        KeptType::Nothing => None,
        KeptType::Sets => is_set.then_some("toset"),
        KeptType::All => match value.kind() {
            Kind::Set(_) => Some("toset"),
            Kind::List(_) => Some("tolist"),
            Kind::Map(_) => Some("tomap"),
            Kind::Null(Type::String) => Some("tostring"),
            Kind::Null(Type::Number) => Some("tonumber"),
            Kind::Null(Type::Bool) => Some("tobool"),
            _ => None,
        },
    }
}

fn expression(value: &Value, kept: KeptType, level: u32) -> Option<Expression> {
    account::work(2);
    account::grow(size_of::<Expression>() as u64);
    let plain = match value.kind() {
        Kind::Unknown { .. } => return None,
        Kind::Null(_) => Expression::Null,
        Kind::Bool(value) => Expression::Bool(*value),
        Kind::Number(number) => match number.to_i64() {
            Some(small) => Expression::from(small),
            None if number.is_infinite() => return None,
            None => verbatim(number.to_text().ok()?),
        },
        Kind::Text(text) => string(text),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            let items = sequence.items().iter().map(|item| with_stack(|| expression(item, kept, level + 1)));
            Expression::Array(items.collect::<Option<_>>()?)
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            let entry = |(name, value): &(Arc<str>, Value)| {
                Some((key(name), with_stack(|| expression(value, kept, level + 1))?))
            };
            let entries = mapping.entries();
            if entries.len() <= ENTRIES {
                Expression::Object(entries.iter().map(entry).collect::<Option<Object<_, _>>>()?)
            } else {
                let mut pieces = Vec::with_capacity(entries.len().div_ceil(ENTRIES));
                for some in entries.chunks(ENTRIES) {
                    let object = some.iter().map(entry).collect::<Option<Object<_, _>>>()?;
                    let text = formatted(&Expression::Object(object))?;
                    let inner = text.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }"));
                    pieces.push(inner?.to_owned());
                }
                verbatim(format!("{{ {} }}", pieces.join(", ")))
            }
        }
    };
    let whole = match conversion(value, kept) {
        Some(function) => call(function, plain),
        None => plain,
    };
    // Of a deep value, hcl-rs never sees more than a few levels.
    if level > 0
        && level.is_multiple_of(LEVELS)
        && matches!(whole, Expression::Array(_) | Expression::Object(_) | Expression::FuncCall(_))
    {
        return Some(verbatim(formatted(&whole)?));
    }
    Some(whole)
}

fn key(name: &str) -> ObjectKey {
    account::touch(name.len());
    if is_identifier(name) {
        ObjectKey::Identifier(hcl::Identifier::unchecked(name))
    } else {
        ObjectKey::Expression(string(name))
    }
}

fn string(text: &str) -> Expression {
    account::touch(text.len());
    account::grow(text.len() as u64);
    if text.contains("${") || text.contains("%{") {
        return verbatim(quoted_literal(text));
    }
    Expression::String(text.to_owned())
}

fn json_part(out: &mut String, value: &Value, kept: KeptType) -> Option<()> {
    account::work(1);
    account::grow(8);
    // The name of a comment cannot be that of an attribute, and JSON has no functions.
    let is_comment = value.as_entries().is_some_and(|entries| entries.iter().any(|(name, _)| &**name == "//"));
    if is_comment || conversion(value, kept).is_some() {
        write_text(&format!("${{{}}}", formatted(&expression(value, kept, 0)?)?), out);
        return Some(());
    }
    match value.kind() {
        Kind::Unknown { .. } => return None,
        Kind::Null(_) => out.push_str("null"),
        Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Number(number) if number.is_infinite() => return None,
        Kind::Number(number) => out.push_str(&number.to_text().ok()?),
        Kind::Text(text) => write_text(&in_template(text), out),
        Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
            out.push('[');
            for (at, item) in sequence.items().iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                with_stack(|| json_part(out, item, kept))?;
            }
            out.push(']');
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            out.push('{');
            for (at, (name, value)) in mapping.entries().iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_text(&in_template(name), out);
                out.push_str(": ");
                with_stack(|| json_part(out, value, kept))?;
            }
            out.push('}');
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &Value) -> String {
        native(value, KeptType::All).unwrap()
    }

    #[test]
    fn strings_are_escaped_whatever_is_before_a_mark() {
        assert_eq!(text(&Value::text("a\"b\\\n\t\u{7}")), r#""a\"b\\\n\t\u0007""#);
        assert_eq!(text(&Value::text("${a} $${b} %{c} %%{d} $ {")), r#""$${a} $$${b} %%{c} %%%{d} $ {""#);
        assert_eq!(json(&Value::text("$${\""), KeptType::Nothing).unwrap(), r#""$$${\"""#);
    }

    #[test]
    fn numbers_keep_their_digits() {
        for digits in ["0", "-7", "12345678901234567890123", "0.1", "1.5", "123456789.000000000001"] {
            let number = overfold_value::Number::parse(digits).unwrap();
            assert_eq!(text(&Value::number(number.clone())), digits);
            assert_eq!(json(&Value::number(number), KeptType::Nothing).unwrap(), digits);
        }
    }

    #[test]
    fn types_are_kept_as_asked() {
        let one = |value: Value| vec![(Arc::from("for"), value)];
        let set = || Value::set(Type::String, vec![Value::text("b"), Value::text("a")]);
        let value = Value::object(one(Value::list(set().ty().clone(), vec![set()])));
        assert_eq!(native(&value, KeptType::Nothing).unwrap(), r#"{ "for" = [["a", "b"]] }"#);
        assert_eq!(native(&value, KeptType::Sets).unwrap(), r#"{ "for" = [toset(["a", "b"])] }"#);
        assert_eq!(text(&value), r#"{ "for" = tolist([toset(["a", "b"])]) }"#);
        assert_eq!(json(&value, KeptType::Sets).unwrap(), r#"{"for": ["${toset([\"a\", \"b\"])}"]}"#);
        assert_eq!(text(&Value::map(Type::Bool, Vec::new())), "tomap({})");
        assert_eq!(text(&Value::null(Type::String)), "tostring(null)");
        assert_eq!(
            json(&Value::object(vec![(Arc::from("//"), Value::bool(true))]), KeptType::Nothing).unwrap(),
            r#""${{ \"//\" = true }}""#
        );
    }

    #[test]
    fn large_objects_are_written_whole() {
        let entries = (0..100).map(|at| (Arc::from(format!("k{at:03}")), Value::object(Vec::new())));
        let text = text(&Value::object(entries.collect()));
        assert!(text.starts_with("{ k000 = {}, k001 = {}, "), "{text}");
        assert!(text.ends_with(", k098 = {}, k099 = {} }"), "{text}");
        assert_eq!(text.matches(" = {}").count(), 100);
    }

    #[test]
    fn deep_values_are_written_up_to_a_limit() {
        let nested = |levels: u32| (0..levels).fold(Value::bool(true), |inner, _| Value::tuple(vec![inner]));
        for levels in [15, 16, 17, 33, MAX_DEPTH] {
            let (open, close) = ("[".repeat(levels as usize), "]".repeat(levels as usize));
            assert_eq!(text(&nested(levels)), format!("{open}true{close}"));
        }
        assert_eq!(native(&nested(MAX_DEPTH + 1), KeptType::All), None);
        assert_eq!(json(&nested(MAX_DEPTH + 1), KeptType::All), None);
    }
}
