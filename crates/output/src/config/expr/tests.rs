//! Tests of the written expressions.

use bytes::Bytes;

use super::super::super::json::JsonWriter;
use super::template::escaped;
use super::{Form, number, write};
use overfold_base::diag::Diagnostics;
use overfold_syntax::tree::Root;
use overfold_syntax::{ExprAt, Forest, SyntaxLimits};

fn written(source: &str, form: Form) -> String {
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    let id = forest.parse_detached_expression("test", Bytes::copy_from_slice(source.as_bytes()), &mut out);
    assert!(!out.has_errors(), "{source}: {out:?}");
    let Root::Expr(expr) = forest.native(id).unwrap().root else { panic!("no expression") };
    let mut json = JsonWriter::default();
    write(&mut json, &forest, ExprAt::Native(id, expr), form);
    String::from_utf8(json.into_bytes()).unwrap()
}

#[test]
fn what_json_can_express_is_written_as_json() {
    for (source, json) in [
        ("\"foo\"", r#""foo""#),
        ("12345678901234567890.50", "12345678901234567890.50"),
        ("-5", "-5"),
        ("- 5", "-5"),
        ("-0", r#""${-0}""#),
        ("null", "null"),
        ("[1, \"a\", true]", r#"[1,"a",true]"#),
        ("[var.a, [null]]", r#"["${var.a}",[null]]"#),
        ("{ a = 1, \"b c\" = x.y, (\"d\") = 2, 3 = 4 }", r#"{"3":4,"a":1,"b c":"${x.y}","d":2}"#),
        ("{ \"$${k}\" = \"%%{v}\" }", r#"{"$${k}":"%%{v}"}"#),
        ("{ b = { d = 1, c = 2 }, a = 3 }", r#"{"a":3,"b":{"c":2,"d":1}}"#),
        ("{ \"k/${c}\" = 1, (k) = 2, \"${j}\" = 3, 1.50 = 4 }", r#"{"${1.50}":4,"${j}":3,"${k}":2,"k/${c}":1}"#),
        ("(1)", "1"),
        ("([a, \"${[b]}\"])", r#"["${a}",["${b}"]]"#),
        (r#""a\r${b}\r\n$""#, "\"a${\\\"\\\\r\\\"}${b}\\r\\n$\""),
        (r#""a\rb""#, r#""a\rb""#),
        (r#""a\r$${b}""#, "\"a${\\\"\\\\r\\\"}$${b}\""),
    ] {
        assert_eq!(written(source, Form::Template), json, "{source}");
    }
}

#[test]
fn what_json_cannot_express_is_one_interpolation() {
    for (source, json) in [
        ("var.a", r#""${var.a}""#),
        ("\"${var.a}\"", r#""${var.a}""#),
        ("1 + 2", r#""${1 + 2}""#),
        ("!true", r#""${!true}""#),
        ("(a)", r#""${(a)}""#),
        ("{ a.b = 1 }", r#""${{ a.b = 1 }}""#),
        ("{ (k) = 1, \"${k}\" = 2 }", r#""${{ (k) = 1, \"${k}\" = 2 }}""#),
        ("{ a = 1, a = 2 }", r#""${{ a = 1, a = 2 }}""#),
        ("f(<<EOT\nx\nEOT\n)", "\"${f(<<EOT\\nx\\nEOT\\n)\\n}\""),
    ] {
        assert_eq!(written(source, Form::Template), json, "{source}");
    }
}

#[test]
fn templates_are_written_from_their_parts() {
    for (source, json) in [
        (r#""a-${b}-c""#, r#""a-${b}-c""#),
        (r#""$${a}%%{b}""#, r#""$${a}%%{b}""#),
        (r#""\u0024${a}""#, r#""${\"$\"}${a}""#),
        (r#""${~ a ~}  x ${~ b }""#, r#""${a}x${b}""#),
        (r#""%{ if a }y%{ else }n$%{ endif }z""#, r#""%{ if a }y%{ else }n${\"$\"}%{ endif }z""#),
        (r#""%{ if a }${b}%{ endif }""#, r#""%{ if a }${b}%{ endif }""#),
        (r#""%{ for k, v in m }${k}%{ endfor }""#, r#""%{ for k, v in m }${k}%{ endfor }""#),
        ("<<EOT\n${a}\nEOT\n", r#""${a}\n""#),
        ("<<-EOT\n    a ${b}\n      c\n    EOT\n", r#""a ${b}\n  c\n""#),
        ("<<EOT\n${a ~}\nEOT\n", r#""${a}${\"\"}""#),
        (r#""""#, r#""""#),
        (r#""\t\"\\é""#, r#""\t\"\\é""#),
    ] {
        assert_eq!(written(source, Form::Template), json, "{source}");
    }
}

#[test]
fn bare_text_and_constants_stand_for_themselves() {
    for (source, json) in [
        ("aws.west", r#""aws.west""#),
        ("\"aws.west\"", r#""aws.west""#),
        ("[a.b, c.d[\"e\"]]", r#"["a.b","c.d[\"e\"]"]"#),
        ("{ aws.x = aws.y, z = q }", r#"{"aws.x":"aws.y","z":"q"}"#),
        ("map(object({ a = optional(string, \"d\") }))", r#""map(object({ a = optional(string, \"d\") }))""#),
        ("all", r#""all""#),
        ("null", r#""null""#),
        ("{ null.b = null, null.a = null.c }", r#"{"null.a":"null.c","null.b":"null"}"#),
        ("[a.b.0, c.1.d[2]]", r#"["a.b[0]","c[1].d[2]"]"#),
    ] {
        assert_eq!(written(source, Form::Bare), json, "{source}");
    }
    for (source, json) in [
        (r#""$${a} %%{b}""#, r#""${a} %{b}""#),
        (r#"{ "$${k}" = ["%%{v}", -1, (2)] }"#, r#"{"${k}":["%{v}",-1,2]}"#),
        ("[1 + 2, \"a${1}\"]", r#"[3,"a1"]"#),
        ("[a.b]", r#"["${a.b}"]"#),
        ("a.b", r#""${a.b}""#),
        ("f(1)", r#""${f(1)}""#),
    ] {
        assert_eq!(written(source, Form::Literal), json, "{source}");
    }
}

#[test]
fn literal_text_survives_as_a_template() {
    assert_eq!(escaped("a ${b} %{c}", false), "a $${b} %%{c}");
    assert_eq!(escaped("$$${ $% $", false), "$$$${ $% $");
    assert_eq!(escaped("costs 5$", true), "costs 5${\"$\"}");
    assert_eq!(escaped("100%$", true), "100${\"%$\"}");
    assert_eq!(escaped("${", true), "$${");
    assert_eq!(escaped("", true), "");
}

#[test]
fn numbers_are_json_numbers() {
    for (native, json) in
        [("007", "7"), ("0", "0"), ("000", "0"), ("00.50", "0.50"), ("1e5", "1e5"), ("0e1", "0e1"), ("10", "10")]
    {
        assert_eq!(number(native), json);
    }
}
