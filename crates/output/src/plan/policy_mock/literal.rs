//! Values as literals of Sentinel.

use std::fmt::Write as _;

use super::tree::Json;
use overfold_base::account;
use overfold_base::echo::affects_display;
use overfold_value::with_stack;

/// A value to write.
#[derive(Clone, Debug)]
pub(super) enum Literal<'j, 't> {
    Json(&'j Json<'t>),
    /// A name or a constant of the language.
    Word(&'static str),
    /// A key of a document, as a value.
    Key(&'t str),
    /// A map with keys of a document.
    Map(Vec<(&'t str, Self)>),
    /// A map with keys of our own.
    Members(Vec<(&'static str, Self)>),
}

impl Literal<'_, '_> {
    /// Writes the value; its first line stands at `depth` tabs already.
    pub(super) fn write(&self, depth: usize, out: &mut String) {
        account::work(4);
        match self {
            Self::Json(json) => with_stack(|| write_json(json, depth, out)),
            Self::Word(word) => push(out, word),
            Self::Key(key) => push(out, &quoted(key)),
            Self::Map(entries) => {
                let mut entries: Vec<(String, &Self)> =
                    entries.iter().map(|(key, value)| (quoted(key), value)).collect();
                account::work(8 * entries.len() as u64);
                entries.sort_by(|(own, _), (other, _)| own.cmp(other));
                write_map(&entries, Literal::is_short, |value, out| value.write(depth + 1, out), depth, out);
            }
            Self::Members(members) => {
                let members: Vec<(String, &Self)> =
                    members.iter().map(|(key, value)| (format!("\"{key}\""), value)).collect();
                write_map(&members, Literal::is_short, |value, out| value.write(depth + 1, out), depth, out);
            }
        }
    }

    /// Whether the value stands on one line.
    const fn is_short(&self) -> bool {
        match self {
            Self::Json(json) => is_short(json),
            Self::Word(_) | Self::Key(_) => true,
            Self::Map(entries) => entries.is_empty(),
            Self::Members(members) => members.is_empty(),
        }
    }
}

const fn is_short(json: &Json<'_>) -> bool {
    match json {
        Json::Text(_) | Json::Word(_) => true,
        Json::List(items) => items.is_empty(),
        Json::Map(entries) => entries.is_empty(),
    }
}

fn write_json(json: &Json<'_>, depth: usize, out: &mut String) {
    match json {
        Json::Text(text) => push(out, &quoted(text)),
        Json::Word(word) => push(out, &number(word)),
        Json::List(items) if items.is_empty() => push(out, "[]"),
        Json::List(items) => {
            push(out, "[\n");
            for item in items {
                indent(depth + 1, out);
                Literal::Json(item).write(depth + 1, out);
                push(out, ",\n");
            }
            indent(depth, out);
            push(out, "]");
        }
        Json::Map(entries) => {
            let entries: Vec<(String, &Json<'_>)> = entries.iter().map(|(key, value)| (quoted(key), value)).collect();
            let value = |value: &Json<'_>, out: &mut String| Literal::Json(value).write(depth + 1, out);
            write_map(&entries, |value| is_short(value), value, depth, out);
        }
    }
}

/// Writes a map, with the values in a column where several of them stand on one line each.
fn write_map<V: Copy>(
    entries: &[(String, V)],
    is_short: impl Fn(V) -> bool,
    value: impl Fn(V, &mut String),
    depth: usize,
    out: &mut String,
) {
    if entries.is_empty() {
        push(out, "{}");
        return;
    }
    push(out, "{\n");
    let mut from = 0;
    while from < entries.len() {
        let rest = entries.get(from..).unwrap_or_default();
        let run = rest.iter().take_while(|(_, value)| is_short(*value)).count();
        let width = rest.iter().take(run).map(|(key, _)| key.chars().count()).max().unwrap_or_default();
        for (key, own) in rest.iter().take(run.max(1)) {
            indent(depth + 1, out);
            push(out, key);
            let blanks = if run > 0 { width + 1 - key.chars().count() } else { 1 };
            push(out, ":");
            account::text(blanks);
            out.extend(std::iter::repeat_n(' ', blanks));
            value(*own, out);
            push(out, ",\n");
        }
        from += run.max(1);
    }
    indent(depth, out);
    push(out, "}");
}

fn indent(depth: usize, out: &mut String) {
    account::text(depth);
    out.extend(std::iter::repeat_n('\t', depth));
}

fn push(out: &mut String, text: &str) {
    account::text(text.len());
    out.push_str(text);
}

/// Returns a number with a point if it is an integer that does not fit into 64 bits: Sentinel reads such literals as floats
/// only. Other words stay.
fn number(word: &str) -> String {
    let is_integer = word.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let fits = !is_integer || word.parse::<i64>().is_ok();
    if fits { word.to_owned() } else { format!("{word}.0") }
}

/// Returns a text of JSON as a literal of Sentinel. What would not be seen is spelled out.
fn quoted(json: &str) -> String {
    account::touch(2 * json.len());
    let text: String = serde_json::from_str(json).unwrap_or_default();
    let mut literal = String::with_capacity(json.len());
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            '\r' => literal.push_str("\\r"),
            _ if affects_display(character) => {
                let number = u32::from(character);
                // Writing to a string never fails.
                let _ = if number > 0xffff {
                    write!(literal, "\\U{number:08x}")
                } else {
                    write!(literal, "\\u{number:04x}")
                };
            }
            _ => literal.push(character),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::super::tree::Json;
    use super::{Literal, number, quoted};

    fn written(json: &str) -> String {
        let mut out = String::new();
        Literal::Json(&Json::read(json)).write(0, &mut out);
        out
    }

    #[test]
    fn texts_are_literals() {
        assert_eq!(quoted(r#""a\"b\\c\n\u003c\u202e${x}""#), r#""a\"b\\c\n<\u202e${x}""#);
        assert_eq!(quoted(r#""\ud83d\ude00 \u0000""#), "\"😀 \\u0000\"");
    }

    #[test]
    fn numbers_keep_their_digits() {
        for same in ["0", "-7", "9223372036854775807", "1.50", "1e21", "true", "null"] {
            assert_eq!(number(same), same);
        }
        assert_eq!(number("9223372036854775808"), "9223372036854775808.0");
    }

    #[test]
    fn maps_are_sorted_and_in_columns() {
        let found = written(r#"{"b": 1, "long": [], "a": {}, "z": ["x", {"y": null}], "c": "}]\","}"#);
        let expected = "{\n\t\"a\":    {},\n\t\"b\":    1,\n\t\"c\":    \"}]\\\",\",\n\t\"long\": [],\n\t\"z\": [\n\t\t\"x\",\n\t\t{\n\t\t\t\"y\": null,\n\t\t},\n\t],\n}";
        assert_eq!(found, expected);
        assert_eq!(written("[]"), "[]");
        let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
        assert_eq!(written(&deep).matches('[').count(), 500);
    }
}
