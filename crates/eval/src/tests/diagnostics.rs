use super::*;

#[test]
fn calls() {
    finds("nope(1)", &[("Call to unknown function", "nope")]);
    finds("a::b(1)", &[("Call to unknown function", "a::b")]);
    finds("abs()", &[("Not enough function arguments", ")")]);
    finds("abs(1, 2 + 3)", &[("Too many function arguments", "2")]);
    finds("abs([1])", &[("Invalid function argument", "[")]);
    finds("abs({})", &[("Invalid function argument", "{")]);
    finds("abs(\"a\")", &[("Invalid function argument", "a")]);
    finds("abs(null)", &[("Invalid function argument", "null")]);
    finds("abs(abs(\"a\"))", &[("Invalid function argument", "a")]);
    finds("abs(tostring([]))", &[("Invalid function argument", "[")]);
    finds("max()", &[("Error in function call", "max(")]);
    finds("max(1...)", &[("Invalid expanding argument value", "1")]);
    finds("max(null...)", &[("Invalid expanding argument value", "null")]);
    finds(
        "max([\"a\", \"b\"]...)",
        &[("Invalid function argument", "[\"a\", \"b\"]"), ("Invalid function argument", "[\"a\", \"b\"]")],
    );
    finds("try()", &[("Error in function call", "try(")]);
    finds("try(object.x, object.y)", &[("Error in function call", "try(")]);
}

#[test]
fn calls_that_work() {
    assert_value("max(1, 3, 2)", "3", "number");
    assert_value("max([1, 5]...)", "5", "number");
    assert_value("core::abs(-1)", "1", "number");
    assert_value("try(object.x, 2)", "2", "number");
    assert_value("can(object.x)", "false", "bool");
    assert_value("tostring(1)", "\"1\"", "string");
    assert_value("tonumber(null)", "null", "number");
    unknown("abs(unknown)", "number");
    unknown("abs(unknown_number)", "number");
    unknown("max(unknown_list...)", "any");
    unknown("try(unknown, 1)", "any");
    unknown("can(unknown)", "bool");
}

#[test]
fn findings_of_json_expressions() {
    let forest = forest();
    let text = r#"{"a": "${list[9]}", "b": ["x${null}"], "c": "%{ if true }y%{ endif }", "a": 1}"#;
    let mut out = Diagnostics::new();
    let source = forest.parse_json("x.tf.json", text.to_owned().into(), &mut out);
    let root = forest.json(source).unwrap().root;
    let roots = roots();
    let scope = Scope { roots: Some(&roots), json: JsonStrings::Templates, ..Scope::CONSTANT };
    let value = evaluate(&forest, ExprAt::Json(source, root), &scope, &mut out);
    assert_eq!(
        findings(&forest, &out),
        [
            ("Invalid index".to_owned(), "[9]".to_owned()),
            ("Invalid template interpolation value".to_owned(), "null".to_owned()),
            ("Duplicate object attribute".to_owned(), "\"a\"".to_owned()),
        ]
    );
    assert_eq!(value.get("c").and_then(Value::as_text), Some("y"));
    let plain = constant(&forest, ExprAt::Json(source, root), &mut Diagnostics::new());
    assert_eq!(plain.get("a").and_then(Value::as_text), Some("${list[9]}"));
}

#[test]
fn an_empty_text_begins_behind_its_quotes() {
    let forest = forest();
    let expr = parse(&forest, "abs(\"\")");
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope = Scope { functions: Some(&functions), ..Scope::CONSTANT };
    let mut out = Diagnostics::new();
    let _ = evaluate(&forest, expr, &scope, &mut out);
    let span = out.iter().next().unwrap().span.unwrap();
    assert_eq!((span.start, span.end), (6, 6));
}
