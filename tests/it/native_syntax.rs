//! The native parser on arbitrary input: it terminates, every position is within its text, and depth causes no crash.

use overfold_cli::diag::{Diagnostics, Origin, SourceId, TextRange};
use overfold_cli::syntax::tree::{ExprKind, Root};
use overfold_cli::syntax::{Forest, SyntaxLimits};
use proptest::prelude::*;

fn parse(text: &[u8]) -> (Forest, SourceId, Diagnostics) {
    let forest = Forest::new(SyntaxLimits::default());
    let mut found = Diagnostics::new();
    let id = forest.parse_native("x.tf", text.to_vec().into(), &mut found);
    (forest, id, found)
}

/// Checks that every position in the tree and in the diagnostics is within the text, and that the tree can be written.
fn sound(text: &[u8]) {
    let (forest, id, found) = parse(text);
    let tree = forest.native(id).unwrap();
    let inside = |range: TextRange| range.start <= range.end && range.end as usize <= text.len();
    assert!(tree.exprs.iter().all(|expr| inside(expr.range)));
    for body in &tree.bodies {
        assert!(inside(body.range) && inside(body.end_range));
    }
    for attribute in &tree.attributes {
        assert!(inside(attribute.range) && inside(attribute.name_range) && inside(attribute.equals_range));
    }
    for block in &tree.blocks {
        assert!(inside(block.range) && inside(block.def_range) && inside(block.open_brace));
    }
    assert!(tree.steps.iter().all(|step| inside(step.range)));
    for diagnostic in &found {
        let span = diagnostic.span.unwrap();
        assert!(inside(span.range()));
        let range = forest.sources.range(span);
        assert!(range.start.byte <= range.end.byte && range.start.line <= range.end.line);
    }
    crate::syntax_tree::native_tree(&forest, id).unwrap();
    forest.parse_detached_expression("x", text.to_vec().into(), &mut Diagnostics::new());
}

fn piece() -> impl Strategy<Value = &'static [u8]> {
    prop::sample::select(vec![
        b"\"".as_slice(),
        b"${",
        b"%{",
        b"}",
        b"{",
        b"[",
        b"]",
        b"(",
        b")",
        b"\n",
        b"\r",
        b" ",
        b"=",
        b"?",
        b":",
        b"::",
        b".",
        b"...",
        b",",
        b"*",
        b"[*]",
        b"/*",
        b"*/",
        b"#",
        b"-",
        b"!",
        b"&&",
        b"==",
        b"\\",
        b"\\u00e9",
        b"<<E\n",
        b"<<-E\n",
        b"\nE\n",
        b"for ",
        b" in ",
        b" if ",
        b"else",
        b"endif",
        b"endfor",
        b"x",
        b"a = ",
        b"b {",
        b"f(",
        b"1",
        b"1.2.3",
        b".0",
        b"true",
        b"=>",
        b"~}",
        b"${~",
        b"\xCC\x81",
        b"\xC3\xA9",
        b"\xFF",
        b"\xED",
        b"\xEF\xBB\xBF",
        b"'",
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
}

/// Nesting patterns: the text before, once for each level; the text in the middle; the text after, once for each level.
const NESTS: [(&str, &str, &str); 15] = [
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{ k = ", "1", "}"),
    ("f(", "1", ")"),
    ("\"${", "1", "}\""),
    ("-", "1", ""),
    ("!", "true", ""),
    ("true ? 1 : ", "1", ""),
    ("1 + ", "1", ""),
    ("x[y[0], ", "1", ""),
    ("x[y.", "z", "]"),
    ("[for v in x : ", "v", "]"),
    ("{ for v in x : v => ", "v", "}"),
    ("\"%{ if true }${", "1", "}%{ endif }\""),
    ("x", "", "[*].y"),
];

#[test]
fn a_thousand_levels_of_anything_are_read_on_a_small_stack() {
    let work = || {
        for (before, middle, after) in NESTS {
            let text = format!("a = {}{middle}{}\n", before.repeat(1000), after.repeat(1000));
            let (forest, id, found) = parse(text.as_bytes());
            assert!(found.iter().all(|one| one.origin == Origin::Tool), "{before}");
            crate::syntax_tree::native_tree(&forest, id).unwrap();
        }
        let blocks = format!("{}{}", "b {\n".repeat(1000), "}\n".repeat(1000));
        assert!(!parse(blocks.as_bytes()).2.has_errors());
        let directives = format!("a = \"{}{}\"\n", "%{ if true }".repeat(1000), "%{ endif }".repeat(1000));
        assert!(!parse(directives.as_bytes()).2.has_errors());
    };
    std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_million_levels_are_refused_without_a_crash() {
    for (before, middle, after) in NESTS {
        let text = format!("a = {}{middle}{}\n", before.repeat(200_000), after.repeat(200_000));
        let (forest, id, found) = parse(text.as_bytes());
        assert!(found.has_errors(), "{before}");
        crate::syntax_tree::native_tree(&forest, id).unwrap();
    }
    for text in ["b {\n".repeat(200_000), format!("a = 1{}\n", " + 1".repeat(200_000))] {
        let (_, _, found) = parse(text.as_bytes());
        assert!(found.iter().any(|one| one.code.id == "syntax/too-deep"));
    }
}

#[test]
fn a_text_of_too_many_tokens_is_read_as_far_as_the_limit() {
    let forest = Forest::new(SyntaxLimits { tokens: 1000, ..SyntaxLimits::default() });
    let mut found = Diagnostics::new();
    let id = forest.parse_native("x.tf", "a = [1, 2]\n".repeat(2000).into(), &mut found);
    let reported: Vec<&str> = found.iter().map(|one| one.code.id).collect();
    assert_eq!(reported, ["syntax/too-many-tokens"]);
    assert!(matches!(forest.native(id).unwrap().root, Root::Body(_)));
}

#[test]
fn steps_of_an_unwrapped_traversal_go_on() {
    let (forest, id, _) = parse(b"a = (x.y[]).z\n");
    let tree = forest.native(id).unwrap();
    let last = tree.expr(tree.attributes[0].expr);
    assert!(matches!(last.kind, ExprKind::Traversal(steps) if steps.len() == 4), "{last:?}");
}
