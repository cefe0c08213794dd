//! Small texts and how the tool reads them.

use super::*;
use crate::tree::{Body, Expr, ExprKind, Id, Root};
use crate::{Forest, SyntaxLimits};

/// Returns the titles of all errors without the file name, in order; ours are in parentheses.
fn problems(text: &str) -> Vec<String> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    forest.parse_hcl1("f", Bytes::copy_from_slice(text.as_bytes()), &mut out);
    out.iter()
        .map(|found| {
            let words = found.summary.strip_prefix("Error parsing f: ").unwrap_or(&found.summary);
            match found.origin {
                overfold_base::diag::Origin::Tool => words.to_owned(),
                overfold_base::diag::Origin::ToolLater | overfold_base::diag::Origin::Overfold => {
                    format!("({words})")
                }
            }
        })
        .collect()
}

/// Returns the text's items on one line: `name=value` and `type "label" {…}`.
fn shown(text: &str) -> String {
    let forest = Forest::new(SyntaxLimits::default());
    let source = forest.parse_hcl1("f", Bytes::copy_from_slice(text.as_bytes()), &mut Diagnostics::new());
    let tree = forest.native(source).unwrap();
    let Root::Body(root) = tree.root else { panic!("no body") };
    body(tree, tree.body(root))
}

fn body(tree: &Tree, shown: &Body) -> String {
    let mut items: Vec<(u32, String)> = Vec::new();
    for attribute in tree.attributes(shown.attributes) {
        let name = tree.name(attribute.name_range);
        items.push((attribute.range.start, format!("{name}={}", value(tree, attribute.expr))));
    }
    for block in tree.blocks(shown.blocks) {
        let labels: Vec<String> =
            tree.labels(block.labels).iter().map(|label| format!(" {:?}", tree.str(label.text))).collect();
        let labels = labels.concat();
        let inner = body(tree, tree.body(block.body));
        items.push((block.range.start, format!("{}{labels} {{{inner}}}", tree.name(block.type_range))));
        // The block's object as an expression has the same content.
        assert!(tree.object_of(block.body).is_some());
    }
    items.sort_by_key(|(start, _)| *start);
    items.into_iter().map(|(_, item)| item).collect::<Vec<_>>().join(" ")
}

fn value(tree: &Tree, id: Id<Expr>) -> String {
    match tree.expr(id).kind {
        ExprKind::Number => format!("{:?}", number(tree.slice(tree.expr(id).range)).unwrap()),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Text(text) => format!("{:?}", tree.str(text)),
        ExprKind::Interpolated(text) => format!("i{:?}", tree.str(text)),
        ExprKind::Tuple { items, .. } => {
            let items: Vec<String> = tree.list(items).iter().map(|&item| value(tree, item)).collect();
            format!("[{}]", items.join(","))
        }
        ExprKind::Object { items, .. } => {
            assert!(tree.body_of(id).is_some());
            let items: Vec<String> = tree
                .items(items)
                .iter()
                .map(|item| format!("{}:{}", value(tree, item.key), value(tree, item.value)))
                .collect();
            format!("{{{}}}", items.join(","))
        }
        ExprKind::SyntaxError => String::from("?"),
        ExprKind::BadNumber => String::from("?number"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values() {
    for (text, wanted) in [
        ("x = 1", "x=Whole(1)"),
        ("x = -0x1F y = 017 z = 1.50", "x=Whole(-31) y=Whole(15) z=Fraction(1.5)"),
        ("x = 1e3 y = .5 z = 1. w = 0159.5", "x=Fraction(1000.0) y=Fraction(0.5) z=Fraction(1.0) w=Fraction(159.5)"),
        ("x = true y = \"true\"", "x=true y=\"true\""),
        (r#"x = "a\n\"b\" \\ \u00e9 \x41 \101""#, r#"x="a\n\"b\" \\ é A A""#),
        (r#"x = "${lookup(var.m, "k")}-${var.y}""#, r#"x=i"${lookup(var.m, \"k\")}-${var.y}""#),
        ("x = \"${\n  var.y\r\n}\"", r#"x=i"${\n  var.y\n}""#),
        (r#"x = "$${a} $ $$ {b}""#, r#"x="$${a} $ $$ {b}""#),
        (r#"x = "$$${a}""#, r#"x=i"$$${a}""#),
        ("x = [1, \"a\", [true], {b = 2},]", "x=[Whole(1),\"a\",[true],{\"b\":Whole(2)}]"),
        ("x = [[1] [2]]", "x=[[Whole(1)],[Whole(2)]]"),
        ("x = {a = 1, b = 2\n \"c d\" = 3}", "x={\"a\":Whole(1),\"b\":Whole(2),\"c d\":Whole(3)}"),
        ("x {a = 1} x {a = 2}", "x {a=Whole(1)} x {a=Whole(2)}"),
        ("x = <<EOF\n a\n  b\nEOF\n", "x=\" a\\n  b\\n\""),
        ("x = <<EOF\n a\n  EOF\n", "x=\" a\\n  \""),
        ("x = <<-EOF\n    a\n      b\n    EOF\n", "x=\"a\\n  b\\n\""),
        ("x = <<-EOF\n    a\n\n    EOF\n", "x=\"    a\\n\\n\""),
        ("x = <<-EOF\r\n  a\r\n  EOF\r\n", "x=\"a\\n\""),
        ("x = <<E1\n${var.y}\nE1\ny = 1\n", "x=i\"${var.y}\\n\" y=Whole(1)"),
        ("# a\nx = 1 // b\n/* c\n*/ y = 2", "x=Whole(1) y=Whole(2)"),
        ("a.b-c = 1 é = 2", "a.b-c=Whole(1) é=Whole(2)"),
        ("x = \"\\uD800\"", "x=\"\u{FFFD}\""),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
        assert_eq!(problems(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn blocks() {
    for (text, wanted) in [
        ("variable \"x\" {}", "variable \"x\" {}"),
        ("\"variable\" x {default = 1}", "variable \"x\" {default=Whole(1)}"),
        ("resource \"t\" \"n\" {\n tags { a = 1 }\n}", "resource \"t\" \"n\" {tags {a=Whole(1)}}"),
        ("locals = {a = 1}", "locals={\"a\":Whole(1)}"),
        ("\"a\\u0062\" \"c\\u0064\" {}", "ab \"cd\" {}"),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
        assert_eq!(problems(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn the_labels_of_a_block_are_objects_too() {
    let forest = Forest::new(SyntaxLimits::default());
    let text = Bytes::from_static(b"terraform \"backend\" \"s3\" { key = 1 }");
    let source = forest.parse_hcl1("f", text, &mut Diagnostics::new());
    let tree = forest.native(source).unwrap();
    let Root::Body(root) = tree.root else { panic!("no body") };
    let block = tree.blocks(tree.body(root).blocks)[0];
    assert_eq!(body(tree, tree.body(tree.body_after_labels(&block, 2))), "key=Whole(1)");
    assert_eq!(body(tree, tree.body(tree.body_after_labels(&block, 1))), "s3 {key=Whole(1)}");
    assert_eq!(body(tree, tree.body(tree.body_after_labels(&block, 0))), "backend \"s3\" {key=Whole(1)}");
    let outer = tree.object_of(tree.body_after_labels(&block, 0)).unwrap();
    assert_eq!(value(tree, outer), "{\"backend\":{\"s3\":{\"key\":Whole(1)}}}");
}

#[test]
fn json() {
    for (text, wanted) in [
        (r#"{"variable": {"x": {"default": "a"}}}"#, r#"variable "x" {default="a"}"#),
        (r#" {"x": null, "y": true, "z": -1.5e1}"#, r#"x="" y=true z=Fraction(-15.0)"#),
        (r#"{"x": [1, "a\u00e9"], "y": []}"#, r#"x=[Whole(1),"aé"] y=[]"#),
        (
            r#"{"resource": {"t": {"a": {"x": 1}, "b": {"x": 2}}}}"#,
            r#"resource "t" "a" {x=Whole(1)} resource "t" "b" {x=Whole(2)}"#,
        ),
        // An object that contains only objects: their names become keys, too.
        (r#"{"resource": {"t": {"a": {"lifecycle": {"x": 1}}}}}"#, r#"resource "t" "a" "lifecycle" {x=Whole(1)}"#),
        (r#"{"a": {"b": {"c": [{"d": 1}]}}}"#, r#"a "b" {c {d=Whole(1)}}"#),
        (
            r#"{"provider": [{"aws": {"r": 1}}, {"aws": {"r": 2}}]}"#,
            r#"provider "aws" {r=Whole(1)} provider "aws" {r=Whole(2)}"#,
        ),
        (r#"{"x": "${var.y}", "z": "$${v}"}"#, r#"x=i"${var.y}" z="$${v}""#),
        (r#"{"x": {}}"#, "x={}"),
        (r#"{"a": 1,}"#, "a=Whole(1)"),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
        assert_eq!(problems(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn json_that_the_tool_passes_over() {
    const NOTE: &str = "(Part of the file is ignored)";
    for (text, wanted) in [
        (r#"{"x": [true, 1, false]}"#, "x=[Whole(1)]"),
        (r#"{"x": [[1, 2]], "y": 1}"#, "x=[Whole(1),Whole(2)]"),
        (r#"{"x": {"a": 1 "b": 2}, "y": 1}"#, r#"x={"a":Whole(1)}"#),
        (r#"{"x": 1} {"y": 2}"#, "x=Whole(1)"),
        (r#"{"x": 1, "y"}"#, "x=Whole(1)"),
        (r#"{"x": 1"#, "x=Whole(1)"),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
        assert!(problems(text).iter().all(|found| found == NOTE) && !problems(text).is_empty(), "{text}");
    }
}

#[test]
fn mistakes_cost_one_item() {
    for (text, reported, left) in [
        ("x = foo\ny = 1", &["At 1:5: Unknown token: 1:5 IDENT foo"][..], "x=? y=Whole(1)"),
        ("x =\ny = 1", &["At 2:1: Unknown token: 2:1 IDENT y"], "x=? y=Whole(1)"),
        ("x = \"a\ny = 1", &["At 1:7: literal not terminated"], "x=\"a\" y=Whole(1)"),
        ("x = \"${a\ny = 1", &["At 1:5: literal not terminated"], "x=i\"${a\" y=Whole(1)"),
        ("x = [1, foo]\ny = 1", &["At 1:9: unexpected token while parsing list: IDENT"], "x=[Whole(1)] y=Whole(1)"),
        (
            "x = [1 2]\ny = 1",
            &["At 1:8: error parsing list, expected comma or list end, got: NUMBER"],
            "x=[Whole(1)] y=Whole(1)",
        ),
        (
            "x = [1, 2\ny = 1",
            &["At 2:1: error parsing list, expected comma or list end, got: IDENT"],
            "x=[Whole(1),Whole(2)] y=Whole(1)",
        ),
        ("a b = 1\ny = 1", &["At 1:5: nested object expected: LBRACE got: ASSIGN"], "y=Whole(1)"),
        ("a\nb = 1\ny = 1", &["At 2:3: nested object expected: LBRACE got: ASSIGN"], "b=Whole(1) y=Whole(1)"),
        ("= 1\ny = 1", &["At 1:1: no object keys found!"], "y=Whole(1)"),
        ("a { { } }\ny = 1", &["At 1:5: expected: IDENT | STRING got: LBRACE"], "a {} y=Whole(1)"),
        ("a { b }\ny = 1", &["key 'b' expected start of object ('{') or assignment ('=')"], "a {} y=Whole(1)"),
        ("}\ny = 1", &["At 1:1: expected: IDENT | STRING | ASSIGN | LBRACE got: RBRACE"], "y=Whole(1)"),
        (
            "variable \"a\" {\n  default = 1\nvariable \"b\" {\n}\n",
            &["object expected closing RBRACE got: EOF"],
            "variable \"a\" {default=Whole(1)} variable \"b\" {}",
        ),
        ("x = 08 y = 1", &["At 1:5: illegal octal number"], "x=?number y=Whole(1)"),
        ("x = 0x\ny = 1", &["At 1:5: illegal hexadecimal number"], "x=?number y=Whole(1)"),
        (
            "x = 99999999999999999999",
            &["At 1:5: \"99999999999999999999\": invalid syntax or value out of range"],
            "x=?number",
        ),
        ("x = \"\\d\"\ny = 1", &["At 1:7: illegal char escape"], "x=\"\\\\d\" y=Whole(1)"),
        ("x = \"\\777\"", &["At 1:5: illegal char escape"], "x=\"\\\\777\""),
        ("\u{FEFF}x = 1", &["At 1:1: illegal char"], ""),
        ("é = 1 ; y = 2", &["At 1:7: illegal char"], "é=Whole(1)"),
        ("x = <<EOF\na\nEOF", &["At 1:5: heredoc not terminated"], "x=\"a\\n\""),
        ("x = <<-EOF\na\nEOF\n", &["At 1:5: heredoc not terminated"], "x=\"a\\n\""),
        ("x = <<A B\ny = 1\n", &["At 1:8: invalid characters in heredoc anchor"], "x=? y=Whole(1)"),
        ("x = 1 /* y", &["At 1:7: comment not terminated"], "x=Whole(1)"),
        (
            "x = [{a = b}]",
            &["At 1:6: error while trying to parse object within list: At 1:11: Unknown token: 1:11 IDENT b"],
            "x=[{\"a\":?}]",
        ),
        (
            "x = foo\ny = bar",
            &["At 1:5: Unknown token: 1:5 IDENT foo", "(At 2:5: Unknown token: 2:5 IDENT bar)"],
            "x=? y=?",
        ),
        // An error inside a token comes first if the tool has read the token.
        (
            "x = \"\\d\" y = foo",
            &["At 1:7: illegal char escape", "(At 1:14: Unknown token: 1:14 IDENT foo)"],
            "x=\"\\\\d\" y=?",
        ),
        (
            "x = foo\ny = \"\\d\"",
            &["At 1:5: Unknown token: 1:5 IDENT foo", "(At 2:7: illegal char escape)"],
            "x=? y=\"\\\\d\"",
        ),
        (r#"{"a": foo, "b": 1}"#, &["1:7: illegal char"], ""),
        (r#"{"a": [1, null]}"#, &["unexpected token while parsing list: NULL"], "a=[Whole(1)]"),
        (r#"{"a": 01, "b": 1}"#, &["1:7: numbers cannot start with 0"], "a=Whole(1) b=Whole(1)"),
        (r#"{"a" = 1}"#, &["1:6: illegal char: ="], ""),
    ] {
        assert_eq!(problems(text), reported, "{text}");
        assert_eq!(shown(text), left, "{text}");
    }
}

#[test]
fn limits_are_reported() {
    let forest = Forest::new(SyntaxLimits { depth: 10, tokens: 1_000, ..SyntaxLimits::default() });
    let mut out = Diagnostics::new();
    forest.parse_hcl1("f", Bytes::from("x = ".to_owned() + &"[".repeat(50)), &mut out);
    assert!(out.iter().all(|found| found.code.id == "syntax/too-deep"), "{out:?}");
    let mut out = Diagnostics::new();
    forest.parse_hcl1("f", Bytes::from("x = 1\n".repeat(500)), &mut out);
    assert!(out.iter().all(|found| found.code.id == "syntax/too-many-tokens"), "{out:?}");
}
