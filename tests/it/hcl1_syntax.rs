//! The parser of HCL 1 on arbitrary input, native and JSON: it terminates, every position is within its text, and depth
//! causes no crash.

use overfold_cli::diag::{Diagnostics, SourceId, TextRange};
use overfold_cli::syntax::tree::{Id, Root};
use overfold_cli::syntax::{Forest, SyntaxLimits};
use proptest::prelude::*;

fn parse(text: &[u8]) -> (Forest, SourceId, Diagnostics) {
    let forest = Forest::new(SyntaxLimits::default());
    let mut found = Diagnostics::new();
    let id = forest.parse_hcl1("x.tf", text.to_vec().into(), &mut found);
    (forest, id, found)
}

/// Checks that every position in the tree and in the diagnostics is within the text, and that related parts refer to
/// each other.
fn sound(text: &[u8]) {
    let (forest, id, found) = parse(text);
    let tree = forest.native(id).unwrap();
    let inside = |range: TextRange| range.start <= range.end && range.end as usize <= text.len();
    assert!(matches!(tree.root, Root::Body(_)));
    assert!(tree.exprs.iter().all(|expr| inside(expr.range)));
    for body in &tree.bodies {
        assert!(inside(body.range) && inside(body.end_range));
    }
    for attribute in &tree.attributes {
        assert!(inside(attribute.range) && inside(attribute.name_range) && inside(attribute.equals_range));
    }
    for block in &tree.blocks {
        assert!(inside(block.range) && inside(block.def_range) && inside(block.type_range));
        assert!(inside(block.open_brace) && inside(block.close_brace));
        for taken in 0..=block.labels.len() {
            let body = tree.body_after_labels(block, taken);
            assert!(tree.object_of(body).is_some_and(|object| tree.body_of(object) == Some(body)));
            if taken < block.labels.len() {
                assert_eq!(tree.body(body).blocks.len(), 1);
            }
        }
    }
    assert!(tree.labels.iter().all(|label| inside(label.range)));
    for index in 0..tree.exprs.len() {
        let object = Id::new(index as u32);
        if let Some(body) = tree.body_of(object) {
            assert_eq!(tree.object_of(body), Some(object));
        }
    }
    let of_tool = found.iter().filter(|one| one.origin == overfold_cli::diag::Origin::Tool).count();
    assert!(of_tool <= 1, "the tool reports one mistake");
    assert!(!found.has_errors() || of_tool == 1 || found.iter().any(|one| one.code.id.starts_with("syntax/too-")));
    for diagnostic in &found {
        let span = diagnostic.span.unwrap();
        assert!(inside(span.range()));
        let range = forest.sources.range(span);
        assert!(range.start.byte <= range.end.byte && range.start.line <= range.end.line);
    }
    crate::syntax_tree::native_tree(&forest, id).unwrap();
}

fn piece() -> impl Strategy<Value = &'static [u8]> {
    prop::sample::select(vec![
        b"\"".as_slice(),
        b"${",
        b"$${",
        b"}",
        b"{",
        b"[",
        b"]",
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"=",
        b":",
        b".",
        b",",
        b"/*",
        b"*/",
        b"#",
        b"//",
        b"/",
        b"-",
        b"+",
        b"\\",
        b"\\u00e9",
        b"\\777",
        b"\\x",
        b"<<E\n",
        b"<<-E\n",
        b"<<",
        b"\nE\n",
        b"\n E\n",
        b"x",
        b"a = ",
        b"b {",
        b"c \"d\" {",
        b"\"k\": ",
        b"\"v\"",
        b"null",
        b"1",
        b"0x1F",
        b"09",
        b"1.2.3",
        b".0",
        b"1e",
        b"-1e+5",
        b"true",
        b"\0",
        b"\xC3\xA9",
        b"\xFF",
        b"\xED",
        b"\xEF\xBB\xBF",
    ])
}

proptest! {
    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..400)) {
        sound(&text);
    }

    #[test]
    fn any_row_of_pieces(pieces in prop::collection::vec(piece(), 0..120)) {
        sound(&pieces.concat());
    }

    #[test]
    fn any_row_of_pieces_as_json(pieces in prop::collection::vec(piece(), 0..120)) {
        sound(&[b"{".as_slice(), &pieces.concat()].concat());
    }
}

/// Nesting patterns: the text before, once for each level; the text in the middle; the text after, once for each level.
const NESTS: [(&str, &str, &str, &str); 8] = [
    ("a = ", "[", "1", "]"),
    ("a = ", "{ k = ", "1", "}"),
    ("", "b {\n", "", "}\n"),
    ("", "b \"c\" \"d\" {\n", "", "}\n"),
    ("a = ", "[{ k = ", "1", "}]"),
    ("a = \"", "${", "1", "}"),
    ("", "{\"k\": ", "1", "}"),
    ("{\"a\": ", "[{\"k\": ", "1", "}]"),
];

#[test]
fn a_thousand_levels_of_anything_are_read_on_a_small_stack() {
    let work = || {
        for (first, before, middle, after) in NESTS {
            let mut text = format!("{first}{}{middle}{}", before.repeat(1000), after.repeat(1000));
            text.push_str(if first.ends_with('"') {
                "\"\n"
            } else if first.starts_with('{') {
                "}"
            } else {
                "\n"
            });
            let (forest, id, found) = parse(text.as_bytes());
            assert!(!found.has_errors(), "{before}: {:?}", found.iter().next());
            crate::syntax_tree::native_tree(&forest, id).unwrap();
        }
    };
    std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_million_levels_are_refused_without_a_crash() {
    for (first, before, middle, after) in NESTS {
        let text = format!("{first}{}{middle}{}\n", before.repeat(200_000), after.repeat(200_000));
        let (forest, id, found) = parse(text.as_bytes());
        assert!(found.has_errors(), "{before}");
        crate::syntax_tree::native_tree(&forest, id).unwrap();
    }
}

#[test]
fn the_cost_of_mistakes_is_proportional_to_their_number() {
    for text in [
        "x = \"${\n".repeat(100_000),
        "x = foo ".repeat(100_000),
        "{".repeat(3_000) + &"x = [".repeat(100_000),
        "a {\n".repeat(3_000) + &"x = foo\n".repeat(100_000),
        "{\"a\":".to_owned() + &"{\"a\":".repeat(3_000) + &"{\"a\":{}},".repeat(20_000),
        "\\".repeat(300_000),
    ] {
        parse(text.as_bytes());
    }
}
