//! YAML as the tool reads and writes it: the tables were recorded from its console (tests/data/yaml).

use super::{YamlRules, read, write};
use crate::functions::json;
use overfold_base::account;
use overfold_value::Value;

/// Returns the rows of a table: a text and its result, `None` if it is refused.
fn rows(table: &str) -> impl Iterator<Item = (String, Option<String>)> {
    table.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn decoded(text: &str) -> Option<String> {
    let value = read::document(text, YamlRules::default()).ok()?;
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
    let read =
        account::open(limits, &account::Cancel::new(), || read::document(&text, YamlRules::default()).map(drop));
    assert_eq!(read.unwrap_err(), account::Stop::Work(1_000_000));
}

#[test]
fn infinities() {
    let value = read::document("[.inf, -.INF]", YamlRules::default()).unwrap();
    assert_eq!(write::document(&value).unwrap(), "- +Inf\n- -Inf\n");
    assert_eq!(decoded("{.inf: 1}").as_deref(), Some("{\"+Inf\":1}"));
}

#[test]
fn deep_nesting_needs_no_stack() {
    let deep = read::document(&"- ".repeat(20_000), YamlRules::default()).unwrap();
    assert_eq!(deep.depth(), 20_000);
    let wide: Value = read::document(&"- a\n".repeat(20_000), YamlRules::default()).unwrap();
    assert_eq!(wide.items().len(), 20_000);
}

/// Returns what a text means under some rules, as JSON; `None` if it is refused.
fn under(rules: YamlRules, text: &str) -> Option<String> {
    let mut out = String::new();
    read::document(text, rules).ok()?.write_json(&mut out, json::write_text).ok()?;
    Some(out)
}

#[test]
fn releases_differ() {
    let loose = YamlRules { loose_integers: true, ..YamlRules::default() };
    for (text, want_loose, want) in [
        ("1_000", Some("1000"), Some("\"1_000\"")),
        ("-0x1F", Some("-31"), Some("\"-0x1F\"")),
        ("+0o1_7", Some("15"), Some("\"+0o1_7\"")),
        ("0x_", None, Some("\"0x_\"")),
        ("+", None, Some("\"+\"")),
        ("0x", Some("\"0x\""), Some("\"0x\"")),
        ("!!int 1_000", Some("1000"), Some("1000")),
        ("1_0.5", Some("\"1_0.5\""), Some("\"1_0.5\"")),
    ] {
        assert_eq!(under(loose, text).as_deref(), want_loose, "{text}");
        assert_eq!(decoded(text).as_deref(), want, "{text}");
    }
    let merges = YamlRules { merges_lists: true, ..YamlRules::default() };
    for (text, want_merged) in [
        ("<<: [{a: 1, b: 2}, {a: 3}]", Some(r#"{"a":3,"b":2}"#)),
        ("<<: []", Some("{}")),
        ("!!merge x: {a: 1}", Some(r#"{"a":1}"#)),
        ("a: !!merge <<", None),
        ("<<: [1]", None),
        ("<<:", None),
    ] {
        assert_eq!(under(merges, text).as_deref(), want_merged, "{text}");
        assert_eq!(decoded(text), None, "{text}");
    }
    let unknown = YamlRules { null_is_unknown: true, ..YamlRules::default() };
    assert!(read::document("--- ~", unknown).is_ok_and(|value| !value.is_known()));
    assert!(read::document("|-\n null", unknown).is_ok_and(|value| value.is_null()));
}

/// A text of twice the length costs at most little more than twice as much, and no shape of it costs much per byte.
#[test]
fn charges_grow_with_the_text() {
    type Shape = (&'static str, fn(usize) -> String);
    let shapes: [Shape; 12] = [
        ("brackets", |n| "[".repeat(n)),
        ("closed brackets", |n| "[".repeat(n) + &"]".repeat(n)),
        ("dashes", |n| "- ".repeat(n)),
        ("question marks", |n| "? ".repeat(n)),
        ("keys on a line", |n| "a: ".repeat(n)),
        ("keys in brackets", |n| "[".to_owned() + &"a:,".repeat(n)),
        ("keys of keys", |n| ("[".repeat(200) + "a" + &"]:1".repeat(200) + "\n- ").repeat(n / 200)),
        ("lines in brackets", |n| "[".to_owned() + &"a\n".repeat(n)),
        ("a mapping without end", |n| "{a".to_owned() + &",a".repeat(n)),
        ("a block of lines", |n| "|\n".to_owned() + &" x\n".repeat(n)),
        ("empty lines in quotes", |n| "\"".to_owned() + &"\\n\n".repeat(n)),
        ("anchors", |n| (0..n).flat_map(|at| ["- &a".to_owned(), at.to_string(), " x\n".to_owned()]).collect()),
    ];
    for (name, shape) in shapes {
        let cost = |n| {
            let text = shape(n);
            let limits = account::Limits { work: u64::MAX / 4, memory: u64::MAX / 4 };
            let spent = account::open(limits, &account::Cancel::new(), || {
                drop(read::document(&text, YamlRules::default()));
                account::spent()
            });
            (text.len() as u64, spent.unwrap())
        };
        let ((bytes, once), (_, twice)) = (cost(4_000), cost(8_000));
        assert!(twice.work <= once.work * 21 / 10, "{name}: {once:?}, {twice:?}");
        assert!(twice.memory <= once.memory * 21 / 10 + 1_000, "{name}: {once:?}, {twice:?}");
        assert!(once.work <= bytes * 30, "{name}: {once:?} for {bytes} bytes");
    }
}
