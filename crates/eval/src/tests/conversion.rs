//! Conversion of values (variables.md, section A5).

use super::*;
use overfold_value::convert;

fn converted(value: &str, ty: &str) -> Result<(String, String), String> {
    let forest = forest();
    let (value, found) = run(value);
    assert!(found.is_empty(), "{found:?}");
    let mut out = Diagnostics::new();
    let constraint = type_constraint(&forest, parse(&forest, ty), TypeRules::VARIABLE, &mut out);
    assert!(!out.has_errors());
    convert(&value, &constraint.ty)
        .map(|value| (value.to_json().unwrap(), value.ty().to_string()))
        .map_err(|error| error.to_string())
}

#[track_caller]
fn becomes(value: &str, ty: &str, json: &str, result: &str) {
    assert_eq!(converted(value, ty), Ok((json.to_owned(), result.to_owned())), "{value} as {ty}");
}

#[track_caller]
fn fails(value: &str, ty: &str) -> String {
    converted(value, ty).expect_err(value)
}

#[test]
fn scalars() {
    becomes("\"12\"", "number", "12", "number");
    becomes("\"0x10\" == 1 ? 1 : 1", "number", "1", "number");
    becomes("1e21", "string", "\"1000000000000000000000\"", "string");
    becomes("-0", "string", "\"-0\"", "string");
    becomes("true", "string", "\"true\"", "string");
    becomes("\"1\"", "bool", "true", "bool");
    becomes("null", "number", "null", "number");
    fails("\"\"", "number");
    fails("\"True\"", "bool");
    fails("1", "bool");
    fails("true", "number");
    fails("\"inf\"", "number");
    fails("[]", "string");
    fails("\"a\"", "list(string)");
}

#[test]
fn collections() {
    becomes("[1, true]", "list(string)", r#"["1","true"]"#, "list(string)");
    becomes("[\"b\", \"a\", \"b\", 1]", "set(string)", r#"["1","a","b"]"#, "set(string)");
    becomes("[]", "list(number)", "[]", "list(number)");
    becomes("{a = 1}", "map(string)", r#"{"a":"1"}"#, "map(string)");
    becomes(
        "{a = 1, z = 2}",
        "object({a = string, b = optional(number)})",
        r#"{"a":"1","b":null}"#,
        "object({a=string,b=number})",
    );
    becomes("map", "object({k = string})", r#"{"k":"1"}"#, "object({k=string})");
    becomes("[1, \"2\"]", "tuple([string, number])", r#"["1",2]"#, "tuple([string,number])");
    becomes("list", "set(string)", r#"["a","b"]"#, "set(string)");
    becomes("set", "list(string)", r#"["a","b"]"#, "list(string)");
    becomes("[null, 1]", "list(number)", "[null,1]", "list(number)");
    fails("[1]", "tuple([string, number])");
    fails("{}", "object({a = string})");
    fails("[]", "map(string)");
    fails("{}", "list(string)");
    fails("map", "object({q = string})");
}

#[test]
fn any_element_is_evaluated() {
    becomes("[1, \"a\", true]", "list(any)", r#"["1","a","true"]"#, "list(string)");
    becomes("[{a = 1}, {b = \"x\"}]", "list(any)", r#"[{"a":"1"},{"b":"x"}]"#, "list(map(string))");
    becomes(
        "[{a = 1, b = \"x\"}, {a = \"y\", b = true}]",
        "list",
        r#"[{"a":"1","b":"x"},{"a":"y","b":"true"}]"#,
        "list(object({a=string,b=string}))",
    );
    becomes("[[\"a\"], [1, 2]]", "list(any)", r#"[["a"],["1","2"]]"#, "list(list(string))");
    becomes("[[\"a\"], [1]]", "list(any)", r#"[["a"],["1"]]"#, "list(tuple([string]))");
    becomes("{a = null, b = {x = 1}}", "map(any)", r#"{"a":null,"b":{"x":1}}"#, "map(object({x=number}))");
    becomes("[]", "list(any)", "[]", "list(any)");
    becomes("[{}, {a = 1}]", "list(any)", r#"[{},{"a":1}]"#, "list(map(number))");
    becomes("[null, null]", "list(any)", "[null,null]", "list(any)");
    becomes("[1, null]", "set(any)", "[1,null]", "set(number)");
    becomes(
        "[{a = 1}, {a = \"x\"}]",
        "list(object({a = any}))",
        r#"[{"a":"1"},{"a":"x"}]"#,
        "list(object({a=string}))",
    );
    becomes("{p = [1], q = [\"a\"]}", "map(list(any))", r#"{"p":["1"],"q":["a"]}"#, "map(list(string))");
    fails("[1, true]", "list(any)");
    fails("[null, {a = 1}]", "list(any)");
    fails("[1, [2]]", "list(any)");
    fails("[{}, []]", "list(any)");
}

#[test]
fn errors_say_where() {
    assert_eq!(
        fails("{a = [{b = \"x\"}]}", "object({a = list(object({b = number}))})"),
        "at .a[0].b: this must be a number"
    );
    assert_eq!(
        fails("{a = {\"k\" = []}}", "object({a = map(string)})"),
        "at .a[\"k\"]: this must be a string, but it is a tuple"
    );
}

#[test]
fn set_order() {
    becomes("[\"é\", \"a\", \"B\", \"9\", \"10\"]", "set(string)", r#"["10","9","B","a","é"]"#, "set(string)");
    becomes("[10, 9, -1]", "set(number)", "[-1,9,10]", "set(number)");
    becomes("[true, false, null]", "set(bool)", "[false,true,null]", "set(bool)");
    becomes("[[2], [10], [1]]", "set(list(number))", "[[10],[1],[2]]", "set(list(number))");
    becomes(
        "[{a = \"b\"}, {a = \"a\"}, {a = \"b\"}]",
        "set(object({a = string}))",
        r#"[{"a":"a"},{"a":"b"}]"#,
        "set(object({a=string}))",
    );
}
