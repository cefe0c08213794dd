use std::time::{Duration, Instant};

use bytes::Bytes;
use proptest::prelude::*;

use super::{JsonKind, JsonTree, parse};
use crate::{Forest, SyntaxLimits};
use overfold_base::diag::{Diagnostics, SourceId, TextRange};

fn read(text: &[u8]) -> (JsonTree, Vec<TextRange>, Diagnostics) {
    let mut out = Diagnostics::new();
    let (tree, measured) = parse(SourceId::new(0), Bytes::copy_from_slice(text), SyntaxLimits::default(), &mut out);
    (tree, measured, out)
}

/// Returns what was reported, in order: titles with start and end positions, `line:column@byte`, as the tool counts
/// them.
fn report(text: &[u8]) -> Vec<String> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    forest.parse_json("x.json", Bytes::copy_from_slice(text), &mut out);
    let place = |diagnostic: &overfold_base::diag::Diagnostic| {
        let range = forest.sources.range(diagnostic.span.unwrap()).widened();
        let at = |at: overfold_base::files::Position| format!("{}:{}@{}", at.line, at.column, at.byte);
        format!("{} {}-{}", diagnostic.summary, at(range.start), at(range.end))
    };
    out.iter().map(place).collect()
}

/// Asserts that every range of a tree and of a diagnostic is inside the text, and that every id is inside its vector.
fn assert_sound(text: &[u8]) {
    let (tree, measured, out) = read(text);
    let end = text.len() as u32;
    let inside = |range: TextRange| assert!(range.start <= range.end && range.end <= end, "{range:?} in {end}");
    for node in &tree.nodes {
        inside(node.range);
        match node.kind {
            JsonKind::Array { items, open, close } => {
                inside(open);
                inside(close);
                assert!(tree.list(items).iter().all(|id| node.range.start <= tree.node(*id).range.start));
            }
            JsonKind::Object { properties, open, close } => {
                inside(open);
                inside(close);
                for property in tree.properties(properties) {
                    inside(property.name_range);
                    assert!(matches!(tree.node(property.name_node).kind, JsonKind::Text(_)));
                    assert!(tree.node(property.name_node).range == property.name_range);
                    assert!(property.name_range.end <= tree.node(property.value).range.start);
                }
            }
            JsonKind::Text(text) => {
                let _ = tree.str(text);
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number | JsonKind::Invalid => {}
        }
    }
    for &range in &measured {
        inside(range);
    }
    for diagnostic in &out {
        let span = diagnostic.span.unwrap();
        let length = match span.source.index().checked_sub(1) {
            None => text.len(),
            Some(at) => measured[at].len(),
        };
        // The position after a string that is cut off is one byte past its end, as in the tool.
        assert!(span.start <= span.end && span.end as usize <= length + 1);
    }
    assert!(
        out.has_errors() || matches!(tree.node(tree.root).kind, JsonKind::Object { .. } | JsonKind::Array { .. })
    );
}

/// Returns texts that look like JSON, most of them broken.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"{"[..],
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"=",
        b"\"a\"",
        b"\"\\u00e9\\ud83d\\ude00\"",
        b"\"\\ud800\"",
        b"\"\\x\"",
        b"\"",
        b"\\",
        b"1",
        b"-1.5e3",
        b"1.",
        b"true",
        b"nul",
        b" ",
        b"\n",
        b"\t",
        b"\r\n",
        b"\xFF",
        b"\xED",
        b"\xC3\xA9",
        b"\"\xD8\x80\"",
        b"\"\xCC\x81\"",
        b"//",
        b"\"${a}\"",
        b"\0",
        b"\xEF\xBB\xBF",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_give_a_sound_tree(text in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_sound(&text);
    }

    #[test]
    fn any_soup_gives_a_sound_tree_and_the_same_again(text in soup()) {
        assert_sound(&text);
        prop_assert_eq!(report(&text), report(&text));
    }

    /// Whatever another parser accepts is accepted, with the same strings and numbers. (Not every character is tried: a
    /// few break a string in the tool, and so they do here.)
    #[test]
    fn valid_json_is_read_verbatim(names in prop::collection::vec("[ -~à-ʯ\u{301}\u{200D}€-⿿一-龥😀-🙏\n\t]*", 1..6), number in any::<f64>()) {
        prop_assume!(number.is_finite());
        let value = serde_json::json!({"names": names, "number": number, "none": null});
        let (tree, _, out) = read(value.to_string().as_bytes());
        prop_assert!(!out.has_errors());
        let JsonKind::Object { properties, .. } = tree.node(tree.root).kind else { panic!("no object") };
        for property in tree.properties(properties) {
            match (tree.str(property.name), tree.node(property.value).kind) {
                ("names", JsonKind::Array { items, .. }) => {
                    let read: Vec<&str> = tree.list(items).iter().map(|&id| match tree.node(id).kind {
                        JsonKind::Text(text) => tree.str(text),
                        _ => "no text",
                    }).collect();
                    prop_assert_eq!(&read, &names);
                }
                ("number", JsonKind::Number) => {
                    let range = tree.node(property.value).range;
                    let text = std::str::from_utf8(&tree.text[range.start as usize..range.end as usize]).unwrap();
                    prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
                }
                ("none", JsonKind::Null) => {}
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may look at the clock")]
fn depth_costs_no_stack_and_size_no_more_than_its_share_of_time() {
    let start = Instant::now();
    for text in ["[".repeat(2_000_000), "{\"a\":".repeat(500_000), "[1 ".repeat(500_000), "\"\\x\",".repeat(300_000)]
    {
        assert_sound(text.as_bytes());
    }
    assert!(start.elapsed() < Duration::from_mins(1));
}

#[test]
fn a_limit_is_reported_once_and_what_lies_around_stays() {
    let limits = SyntaxLimits { depth: 3, tokens: 1000, ..SyntaxLimits::default() };
    let mut out = Diagnostics::new();
    let text = Bytes::from_static(br#"{"a": [[[[1]], 2]], "b": [[[{}]]], "c": 3}"#);
    let (tree, _) = parse(SourceId::new(0), text, limits, &mut out);
    assert_eq!(out.iter().map(|d| d.code.id).collect::<Vec<_>>(), ["syntax/json-too-deep"]);
    let JsonKind::Object { properties, .. } = tree.node(tree.root).kind else { panic!("no object") };
    assert_eq!(tree.properties(properties).len(), 3);

    let mut out = Diagnostics::new();
    let limits = SyntaxLimits { depth: 100, tokens: 7, ..SyntaxLimits::default() };
    let (tree, _) = parse(SourceId::new(0), Bytes::from_static(br#"{"a": 1, "b": 2, "c": 3}"#), limits, &mut out);
    assert_eq!(
        out.iter().map(|d| d.code.id).collect::<Vec<_>>(),
        ["syntax/json-too-many-tokens", "syntax/json-root-not-object"]
    );
    assert!(matches!(tree.node(tree.root).kind, JsonKind::Invalid));
}

/// Recorded from the tool (1.11.4): the title and the position of each diagnostic, in the tool's order.
#[test]
fn broken_texts_are_reported_as_the_tool_reports_them() {
    let cases: &[(&[u8], &[&str])] = &[
        (b"{\"k\":{\"a\":[1,]}}", &["Trailing comma in array 1:13@12-1:14@13", "Mismatched braces 1:15@14-1:16@15"]),
        (
            b"{\"k\":{\"a\":[1",
            &[
                "Unclosed object 1:11@10-1:12@11",
                "Unclosed object 1:6@5-1:7@6",
                "Unclosed object 1:1@0-1:2@1",
                "Root value must be object 1:1@0-1:2@1",
            ],
        ),
        (b"{\"k\":{\"a\":[1 2]}}", &["Missing attribute seperator comma 1:16@15-1:17@16"]),
        (
            b"{\"k\":{\"a\":_}}",
            &[
                "Invalid start of value 1:11@10-1:12@11",
                "Missing attribute seperator comma 1:12@11-1:13@12",
                "Unclosed object 1:1@0-1:2@1",
                "Root value must be object 1:1@0-1:2@1",
            ],
        ),
        (b"{\"k\":{\"a\"}}", &["Missing object value 1:10@9-1:11@10"]),
        (b"{\"k\":1e2147483646}", &[]),
        (b"{\"k\":1e2147483647}", &["Invalid JSON number 1:6@5-1:18@17"]),
        (b"{\"k\":1e-2147483649}", &[]),
        (b"{\"k\":0.00001e2147483651}", &[]),
        (b"{\"k\":0.00001e2147483652}", &["Invalid JSON number 1:6@5-1:24@23"]),
        (b"{\"k\":0e9999999999}", &[]),
        (b"{\"k\":0e99999999999999999999}", &["Invalid JSON number 1:6@5-1:28@27"]),
        // Inside a broken string columns count bytes, elsewhere grapheme clusters.
        (b"{\"k\":\"\xC3\xA9\\x\"}", &["Invalid JSON string 1:11@10-1:12@11"]),
        (b"{\"k\":\"abc\n}", &["Invalid JSON string 1:10@9-1:11@10"]),
        // A character of class Prepend absorbs the closing quote.
        (
            b"{\"k\":{\"\xD8\x80\":\"x\"}}",
            &[
                "Invalid JSON string 1:12@11-1:13@12",
                "Invalid object property name 1:7@6-1:11@12",
                "Missing attribute seperator comma 1:15@16-1:16@17",
                "Root value must be object 1:1@0-1:2@1",
            ],
        ),
        // A quote never joins a combining mark.
        (b"{\"k\":{\"a\":\"\xCC\x81x\" 1}}", &["Missing attribute seperator comma 1:18@18-1:19@19"]),
        (
            b"{\"t\xE2erraform\":{\"k\":\"xa},\"b\":\"x\"}",
            &[
                "Missing attribute seperator comma 1:33@32-1:34@33",
                "Unclosed object 1:1@0-1:2@1",
                "Root value must be object 1:1@0-1:2@1",
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(report(text), *expected, "{}", String::from_utf8_lossy(text));
    }
}
