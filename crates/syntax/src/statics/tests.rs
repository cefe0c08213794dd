//! The accepted forms and the positions of errors were recorded from the tool (1.11.4), with the expression used as a
//! `depends_on` or as one of its elements.

use super::{
    FunctionCall, Traversal, TraversalKey, absolute_traversal, calls, keyword, references, static_call, static_list,
    static_map, written_map,
};
use crate::json::JsonKind;
use crate::tree::Root;
use crate::{ExprAt, Forest, Parsed, SyntaxLimits};
use overfold_base::diag::{Diagnostics, Span};

fn native(forest: &Forest, text: &str) -> ExprAt {
    let mut out = Diagnostics::new();
    let source = forest.parse_native("x", format!("a={text}\n").into(), &mut out);
    assert!(!out.has_errors(), "{text}: {out:?}");
    let Some(Parsed::Native(tree)) = forest.parsed(source) else { panic!("no native tree") };
    let Root::Body(body) = tree.root else { panic!("no body") };
    ExprAt::Native(source, tree.attributes(tree.body(body).attributes)[0].expr)
}

fn json(forest: &Forest, text: &str) -> ExprAt {
    let mut out = Diagnostics::new();
    let source = forest.parse_json("x", format!("[{text}]").into(), &mut out);
    assert!(!out.has_errors(), "{text}: {out:?}");
    let Some(Parsed::Json(tree)) = forest.parsed(source) else { panic!("no JSON tree") };
    let JsonKind::Array { items, .. } = tree.node(tree.root).kind else { panic!("no array") };
    ExprAt::Json(source, tree.list(items)[0])
}

fn expr(forest: &Forest, text: &str) -> ExprAt {
    match text.strip_prefix("json ") {
        Some(text) => json(forest, text),
        None => native(forest, text),
    }
}

fn forest() -> Forest {
    Forest::new(SyntaxLimits::default())
}

/// Returns the byte range of a span, relative to the first byte of the expression's text.
fn place(forest: &Forest, span: Span, before: u32) -> (u32, u32) {
    let range = forest.sources.range(span);
    (range.start.byte - before, range.end.byte - before)
}

#[test]
fn values_other_than_lists_are_reported_at_their_start() {
    for (text, start, end) in [
        ("a", 0, 1),
        ("\"x\"", 1, 2),
        ("\"x${1}y\"", 1, 2),
        ("f(1)", 0, 2),
        ("{a=1}", 0, 1),
        ("1+2", 0, 1),
        ("-1", 0, 1),
        ("(a)", 1, 2),
        ("([a])", 1, 2),
        ("[for x in y: x]", 0, 1),
        ("{for x in y: x=>x}", 0, 1),
        ("a?b:c", 0, 1),
        ("a[b]", 1, 2),
        ("a.b[*].c", 3, 6),
        ("a.b.*.c", 3, 5),
        ("a[\"x\"].b", 0, 8),
        ("<<E\nabc\nE\n", 4, 8),
        ("f(1).x", 0, 6),
        ("!true", 0, 1),
        ("null", 0, 4),
        ("[1][0]", 0, 6),
        ("\"${a}\"", 0, 6),
        ("(1+2)+3", 1, 2),
        ("a.b == c", 0, 3),
    ] {
        let forest = forest();
        let mut out = Diagnostics::new();
        assert!(static_list(&forest, native(&forest, text), &mut out).is_empty(), "{text}");
        let reported = out.into_vec();
        assert_eq!(reported.len(), 1);
        assert_eq!(reported[0].summary, "Invalid expression");
        assert_eq!(place(&forest, reported[0].span.unwrap(), 2), (start, end), "{text}");
    }
    for (text, length) in [("1", 1), ("\"x\"", 3), ("{}", 1), ("null", 4), ("true", 4)] {
        let forest = forest();
        let mut out = Diagnostics::new();
        assert!(static_list(&forest, json(&forest, text), &mut out).is_empty(), "{text}");
        assert_eq!(place(&forest, out.into_vec()[0].span.unwrap(), 1), (0, length), "{text}");
    }
}

/// Returns a traversal as `root.attr["text"][1]`, without any blanks it was written with.
fn written(traversal: &Traversal<'_>) -> String {
    traversal.steps.iter().fold(traversal.root.to_string(), |text, step| match &step.key {
        TraversalKey::Attr(name) => format!("{text}.{name}"),
        TraversalKey::IndexText(key) => format!("{text}[{key:?}]"),
        TraversalKey::IndexNumber(digits) => format!("{text}[{digits}]"),
        TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => format!("{text}[?]"),
    })
}

#[test]
fn references_and_other_expressions() {
    for (text, expected) in [
        ("a.b", "a.b"),
        ("a.b[0]", "a.b[0]"),
        ("a.b.0", "a.b[0]"),
        ("a[\"b\"]", "a[\"b\"]"),
        ("a.b[\"a$${b}\"]", "a.b[\"a${b}\"]"),
        ("a.b[0].x[\"y\"]", "a.b[0].x[\"y\"]"),
        ("a.b[1.5]", "a.b[1.5]"),
        ("a.b[true]", "a.b[?]"),
        ("a.b[null]", "a.b[?]"),
        ("true.x", "true.x"),
        ("null.y", "null.y"),
        ("null", "null"),
        ("true", "true"),
        ("json \"a.b\"", "a.b"),
        ("json \" a . b \"", "a.b"),
        ("json \"a.b\\n.x\"", "a.b.x"),
        ("json \"a.b/*c*/\"", "a.b"),
        ("json \"a.b # c\"", "a.b"),
        ("json \"a\\u002eb\"", "a.b"),
        ("json \"a.b[0]\"", "a.b[0]"),
        ("json \"a.b[1.5]\"", "a.b[1.5]"),
        ("json \"a.b[\\\"x\\\"]\"", "a.b[\"x\"]"),
        ("json \"a.b[\\\"$${x}\\\"]\"", "a.b[\"${x}\"]"),
        ("json \"a.b[\\\"a\\\\\\\"b\\\"]\"", "a.b[\"a\\\"b\"]"),
        ("json \"true.x\"", "true.x"),
    ] {
        let forest = forest();
        let mut out = Diagnostics::new();
        let found = absolute_traversal(&forest, expr(&forest, text), &mut out);
        assert_eq!(found.as_ref().map(written).as_deref(), Some(expected), "{text}");
        assert!(!out.has_errors());
    }
    for text in [
        "(a.b)",
        "a.b[x]",
        "a.b[*]",
        "a.b.*",
        "\"a.b\"",
        "f(1).x",
        "(a).b",
        "a.b[\"${1}\"]",
        "a.b[-1]",
        "a.b[(1)]",
        "1",
        "{}",
        "[]",
        "json 1",
        "json null",
        "json []",
        "json \"\"",
        "json \"a.b.0\"",
        "json \"(a.b)\"",
        "json \"${a.b}\"",
        "json \"a.b[\\\"${x}\\\"]\"",
        "json \"a.b.\"",
        "json \"a.b[-1]\"",
        "json \"a.b[*]\"",
        "json \"a.b[true]\"",
        "json \"a.b c\"",
        "json \"a.b;\"",
    ] {
        let forest = forest();
        let mut out = Diagnostics::new();
        let at = expr(&forest, text);
        assert!(absolute_traversal(&forest, at, &mut out).is_none(), "{text}");
        let reported = out.into_vec();
        assert_eq!(reported.len(), 1, "{text}");
        assert_eq!(reported[0].span, Some(forest.expr_span(at)), "{text}");
    }
}

#[test]
fn a_reference_in_json_starts_at_its_quote() {
    let forest = forest();
    let at = json(&forest, "\"a.b\\n.x\"");
    let found = absolute_traversal(&forest, at, &mut Diagnostics::new()).unwrap();
    let last = forest.sources.range(found.steps.last().unwrap().span);
    assert_eq!((last.start.line, last.start.column, last.start.byte), (2, 1, 5));
    assert_eq!(place(&forest, found.root_span, 0), (1, 2));
}

#[test]
fn words_in_both_syntaxes() {
    for (text, expected) in [
        ("all", Some("all")),
        ("(all)", None),
        ("\"all\"", None),
        ("all.x", None),
        ("true", Some("true")),
        ("json \"all\"", Some("all")),
        ("json \" all \"", Some("all")),
        ("json \"(all)\"", None),
        ("json \"${all}\"", None),
        ("json true", None),
    ] {
        let forest = forest();
        assert_eq!(keyword(&forest, expr(&forest, text)).as_deref(), expected, "{text}");
    }
}

#[test]
fn maps_and_calls_in_both_syntaxes() {
    for text in ["{ a = b, a.x = c.d }", "json {\"a\": \"b\", \"a.x\": \"c.d\"}"] {
        let forest = forest();
        let mut out = Diagnostics::new();
        let map = static_map(&forest, expr(&forest, text), &mut out);
        let items: Vec<String> = map
            .into_iter()
            .flat_map(|(key, value)| [key, value])
            .map(|at| written(&absolute_traversal(&forest, at, &mut out).unwrap()))
            .collect();
        assert_eq!(items, ["a", "b", "a.x", "c.d"], "{text}");
    }
    for text in ["list( string )", "json \"list( string )\""] {
        let forest = forest();
        let mut out = Diagnostics::new();
        let call = static_call(&forest, expr(&forest, text), &mut out).unwrap();
        assert_eq!(call.name, "list");
        assert_eq!(keyword(&forest, call.args[0]).as_deref(), Some("string"));
    }
    for text in ["({})", "[]", "json []", "json \"{}\""] {
        let forest = forest();
        assert!(written_map(&forest, expr(&forest, text)).is_none(), "{text}");
    }
}

#[test]
fn references_inside_respect_names_that_an_expression_makes() {
    for (text, expected) in [
        ("[for k, v in c.d: v.x + w.y if k == z]", "c.d w.y z"),
        ("{for v in v: v => [for w in v: w.a + v]}", "v"),
        ("[for x in a: x][x]", "a x"),
        ("f(a.b, [c[d.e], \"${g.h}-%{ if i }x%{ endif }\"]...)", "a.b c d.e g.h i"),
        ("{ a = b, (c) = d, \"${e}\" = f, g.h = i }", "b c d e f g.h i"),
        ("a.b[*].c[x] ? -y : !z", "a.b x y z"),
        ("(a).b", "a"),
        ("true", ""),
        ("json {\"${a}\": [\"x ${b.c}\", 1, null], \"d\": \"e\"}", "a b.c"),
        ("json \"$${a} ${b[0]}\"", "b[0]"),
        ("json \"${\"", ""),
    ] {
        let forest = forest();
        let found: Vec<String> = references(&forest, expr(&forest, text)).iter().map(written).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

#[test]
fn calls_inside_are_found_outermost_first() {
    let forest = forest();
    for text in ["f(g(1), ns::h(2))", "json [\"${f(g(1), ns::h(2))}\"]"] {
        let found: Vec<FunctionCall<'_>> = calls(&forest, expr(&forest, text));
        let names: Vec<&str> = found.iter().map(|call| call.name).collect();
        assert_eq!(names, ["f", "g", "ns::h"], "{text}");
    }
}
