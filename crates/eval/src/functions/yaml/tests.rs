//! YAML as the tool reads and writes it: the tables were recorded from its console (tests/data/yaml).

use super::{read, write};
use crate::functions::json;
use overfold_base::account;
use overfold_value::Value;

/// Returns the rows of a table: a text and its result, `None` if it is refused.
fn rows(table: &str) -> impl Iterator<Item = (String, Option<String>)> {
    table.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn decoded(text: &str) -> Option<String> {
    let value = read::document(text).ok()?;
    let mut out = String::new();
    value.write_json(&mut out, json::write_text).ok()?;
    Some(out)
}

fn encoded(json_text: &str) -> Option<String> {
    write::document(&json::parse(json_text).unwrap()).ok()
}

#[test]
fn written() {
    for (value, want) in rows(include_str!("../../../../../tests/data/yaml/written.jsonl")) {
        assert_eq!(encoded(&value), want, "{value}");
    }
}

#[test]
fn scalars() {
    for (text, want) in rows(include_str!("../../../../../tests/data/yaml/scalars.jsonl")) {
        assert_eq!(decoded(&text), want, "{text}");
    }
}

#[test]
fn structure() {
    for (text, want) in rows(include_str!("../../../../../tests/data/yaml/structure.jsonl")) {
        assert_eq!(decoded(&text), want, "{text}");
    }
}

/// Nine levels of nine aliases are half a billion parts: the work budget stops this, not the memory.
#[test]
fn aliases_are_charged() {
    let mut text = String::from("- &a0 [x]\n");
    for level in 1..40 {
        let alias = format!("*a{}", level - 1);
        let list = vec![alias; 9].join(", ");
        text.extend(["- &a", &level.to_string(), " [", &list, "]\n"]);
    }
    let limits = account::Limits { work: 1_000_000, memory: u64::MAX };
    let read = account::open(limits, &account::Cancel::new(), || read::document(&text).map(drop));
    assert_eq!(read.unwrap_err(), account::Stop::Work(1_000_000));
}

#[test]
fn infinities() {
    let value = read::document("[.inf, -.INF]").unwrap();
    assert_eq!(write::document(&value).unwrap(), "- +Inf\n- -Inf\n");
    assert_eq!(decoded("{.inf: 1}").as_deref(), Some("{\"+Inf\":1}"));
}

#[test]
fn deep_nesting_needs_no_stack() {
    let deep = read::document(&"- ".repeat(20_000)).unwrap();
    assert_eq!(deep.depth(), 20_000);
    let wide: Value = read::document(&"- a\n".repeat(20_000)).unwrap();
    assert_eq!(wide.items().map(<[Value]>::len), Some(20_000));
}
