use super::*;

#[test]
fn literals_and_arithmetic() {
    assert_value("0.1 + 0.2", "0.3", "number");
    assert_value("0.1 + 0.2 == 0.3", "true", "bool");
    assert_value("123456789012345678901234567890 + 1", "123456789012345678901234567891", "number");
    assert_value("1e21", "1000000000000000000000", "number");
    assert_value("-0", "-0", "number");
    assert_value("0 * -1", "-0", "number");
    assert_value("10 / 4", "2.5", "number");
    assert_value("5 % 0", "5", "number");
    assert_value("-5 % 3", "-2", "number");
    assert_value("5.5 % 2", "1.5", "number");
    assert_value("1 / 3 * 3", "1", "number");
    assert_value("\"3\" + \"4\"", "7", "number");
    assert_value("\"10\" > 9", "true", "bool");
    assert_value("1 + 2 * 3 - -4", "11", "number");
    assert_value("null", "null", "any");
    assert_value("\"e${\"\\u0301\"}\" == \"é\"", "true", "bool");
    assert_value("\"true\" && \"1\"", "true", "bool");
    assert_value("!\"false\"", "true", "bool");
}

#[test]
fn equality_looks_at_types() {
    for (text, expected) in [
        ("1 == \"1\"", "false"),
        ("[\"a\"] == list", "false"),
        ("list == list", "true"),
        ("object == {a = 1, b = \"x\"}", "true"),
        ("map == {k = 1, z = 2}", "false"),
        ("null == null_text", "true"),
        ("null_list == null_text", "true"),
        ("null == 1", "false"),
        ("-0 == 0", "true"),
        ("[1, [2]] == [1, [2]]", "true"),
        ("[1, 2] == [1]", "false"),
        ("1 != 2", "true"),
        ("set == set", "true"),
        ("[null] == [null]", "true"),
        ("tolist([{a = null}]) == tolist([{a = null}])", "true"),
    ] {
        assert_value(text, expected, "bool");
    }
}

#[test]
fn constructors() {
    assert_value("[1, \"a\", true, null]", r#"[1,"a",true,null]"#, "tuple([number,string,bool,any])");
    assert_value("{b = 1, a = 2}", r#"{"a":2,"b":1}"#, "object({a=number,b=number})");
    assert_value("{a = 1, a = 2}", r#"{"a":2}"#, "object({a=number})");
    assert_value(
        "{true = 1, null = 2, (1) = 3, \"x y\" = 4}",
        r#"{"1":3,"null":2,"true":1,"x y":4}"#,
        "object({1=number,null=number,true=number,x y=number})",
    );
    assert_value("{1 = 2}", r#"{"1":2}"#, "object({1=number})");
    finds("{(null) = 1}", &[("Null value as key", "1")]);
    finds("{([]) = 1}", &[("Incorrect key type", "([])")]);
    finds("{object.a = 1}", &[("Ambiguous attribute key", "object.a")]);
    assert_value("{(object.b) = 1}", r#"{"x":1}"#, "object({x=number})");
    unknown("{(unknown_text) = 1}", "any");
}

#[test]
fn conditionals() {
    assert_value("1 < 2 ? \"a\" : \"b\"", r#""a""#, "string");
    assert_value("true ? 1 : \"a\"", r#""1""#, "string");
    assert_value("false ? \"a\" : true", r#""true""#, "string");
    assert_value("true ? null : \"a\"", "null", "string");
    assert_value("true ? [1, \"a\"] : [\"b\", 2]", r#"["1","a"]"#, "tuple([string,string])");
    assert_value("true ? [1] : [\"a\", \"b\"]", r#"["1"]"#, "list(string)");
    assert_value("true ? { a = 1 } : { a = \"x\" }", r#"{"a":"1"}"#, "object({a=string})");
    assert_value("true ? { a = 1 } : { b = \"x\" }", r#"{"a":"1"}"#, "map(string)");
    assert_value("true ? list : [\"b\", \"c\"]", r#"["a","b"]"#, "list(string)");
    assert_value("true ? [] : [\"a\"]", "[]", "list(string)");
    assert_value("\"0\" ? 1 : 2", "2", "number");
    // The branch that is not selected may fail.
    assert_value("true ? 1 : object.nothing", "1", "number");
    assert_value("false ? {}.a : 1", "1", "number");
    finds("true ? 1 : [2]", &[("Inconsistent conditional result types", "1 : [2]")]);
    finds("true ? 1 : true", &[("Inconsistent conditional result types", "1 : true")]);
    finds("null ? 1 : 2", &[("Null condition", "null")]);
    finds("[] ? 1 : 2", &[("Incorrect condition type", "[]")]);
    finds("\"x\" ? 1 : 2", &[("Incorrect condition type", "\"x\"")]);
    unknown("unknown_bool ? 1 : 2", "number");
    unknown("unknown_bool ? 1 : \"a\"", "string");
}

#[test]
fn loops_to_tuples() {
    assert_value("[for x in [1, 2] : x * 2]", "[2,4]", "tuple([number,number])");
    assert_value("[for i, x in list : \"${i}${x}\"]", r#"["0a","1b"]"#, "tuple([string,string])");
    assert_value("[for k, v in map : k if v > 1]", r#"["z"]"#, "tuple([string])");
    assert_value("[for k, v in set : k == v]", "[true,true]", "tuple([bool,bool])");
    assert_value("[for x in [] : x]", "[]", "tuple([])");
    assert_value("[for object in [1] : object]", "[1]", "tuple([number])");
    assert_value("[for x in [1, 2, 3] : x if \"${x > 1}\"]", "[2,3]", "tuple([number,number])");
    finds("[for x in null : x]", &[("Iteration over null value", "null")]);
    finds("[for x in \"abc\" : x]", &[("Iteration over non-iterable value", "\"abc\"")]);
    finds("[for x in [1] : x if null]", &[("Condition is null", "null")]);
    finds("[for x in [1] : x if \"no\"]", &[("Invalid 'for' condition", "\"no\"")]);
    finds("[for x in [null] : x if x]", &[("Invalid 'for' condition", "x")]);
    finds("[for x in [1] : y]", &[("Unknown variable", "y")]);
    unknown("[for x in unknown_list : x]", "any");
    unknown("[for x in list : x if unknown_bool]", "any");
}

#[test]
fn loops_to_objects() {
    assert_value(
        "{for s in [\"a\", \"b\"] : s => \"${s}${s}\"}",
        r#"{"a":"aa","b":"bb"}"#,
        "object({a=string,b=string})",
    );
    assert_value("{for i, v in [\"x\"] : i => v}", r#"{"0":"x"}"#, "object({0=string})");
    assert_value("{for b in [true] : b => 1}", r#"{"true":1}"#, "object({true=number})");
    assert_value(
        "{for k, v in {a = 1, b = \"x\"} : \"k\" => v...}",
        r#"{"k":[1,"x"]}"#,
        "object({k=tuple([number,string])})",
    );
    finds("{for x in [1, 2] : \"k\" => x}", &[("Duplicate object key", "\"k\"")]);
    finds("{for x in [1] : null => x}", &[("Invalid object key", "null")]);
    finds("{for x in [1] : [] => x}", &[("Invalid object key", "[]")]);
    unknown("{for x in [1] : unknown_text => x}", "any");
}

#[test]
fn splats() {
    assert_value("objects[*].n", "[1]", "list(number)");
    assert_value("[{n = 1}, {n = \"x\"}][*].n", r#"[1,"x"]"#, "tuple([number,string])");
    assert_value("objects.*.n", "[1]", "list(number)");
    assert_value("null[*]", "[]", "tuple([])");
    assert_value("null_text[*]", "[]", "tuple([])");
    assert_value("1[*]", "[1]", "tuple([number])");
    assert_value("map[*].k", "[1]", "tuple([number])");
    assert_value("set[*]", r#"["a","b"]"#, "list(string)");
    assert_value("empty_list[*]", "[]", "list(string)");
    assert_value("[[1, 2], [3]][*][0]", "[1,3]", "tuple([number,number])");
    assert_value("[[1, 2], [3]].*[0]", "[1,2]", "tuple([number,number])");
    finds("null_list[*]", &[("Splat of null value", "null_list")]);
    finds("[{}][*].a", &[("Unsupported attribute", ".a")]);
    unknown("unknown_list[*]", "list(string)");
    unknown("unknown_object[*].a", "any");
}

#[test]
fn selections() {
    assert_value("list[\"1\"]", r#""b""#, "string");
    assert_value("list[1.0]", r#""b""#, "string");
    assert_value("[10, 20].1", "20", "number");
    assert_value("map[\"k\"]", "1", "number");
    assert_value("{\"1\" = 5}[1]", "5", "number");
    assert_value("{true = 5}[true]", "5", "number");
    assert_value("object.b", r#""x""#, "string");
    assert_value("map.z", "2", "number");
    finds("list[5]", &[("Invalid index", "[5]")]);
    finds("list[-1]", &[("Invalid index", "[-1]")]);
    finds("list[0.5]", &[("Invalid index", "[0.5]")]);
    finds("list[null]", &[("Invalid index", "[null]")]);
    finds("list.7", &[("Invalid index", ".7")]);
    finds("set[0]", &[("Invalid index", "[0]")]);
    finds("object[\"zz\"]", &[("Invalid index", "[\"zz\"]")]);
    finds("object.zz", &[("Unsupported attribute", ".zz")]);
    finds("map.zz", &[("Missing map element", ".zz")]);
    finds("list.a", &[("Unsupported attribute", ".a")]);
    finds("null_list[0]", &[("Attempt to index null value", "[0]")]);
    finds("null_list.a", &[("Attempt to get attribute from null value", ".a")]);
    finds("1.2[0]", &[("Invalid index", "[0]")]);
    unknown("unknown_list[0]", "string");
    unknown("unknown_object.a", "bool");
    unknown("list[unknown_number]", "string");
    unknown("unknown.a.b[0]", "any");
}

#[test]
fn templates() {
    assert_value("\"a${1}b${true}c\"", r#""a1btruec""#, "string");
    assert_value("\"${1}\"", "1", "number");
    assert_value("\"${null}\"", "null", "any");
    assert_value("\"$${x} %%{y} $ %\"", r#""${x} %{y} $ %""#, "string");
    assert_value("\"%{ if true }yes%{ else }no%{ endif }\"", r#""yes""#, "string");
    assert_value("\"%{ if false }yes%{ endif }\"", r#""""#, "string");
    assert_value("\"%{ for x in [1, 2] }${x},%{ endfor }\"", r#""1,2,""#, "string");
    finds("\"a${null}\"", &[("Invalid template interpolation value", "null")]);
    finds("\"a${list}\"", &[("Invalid template interpolation value", "list")]);
    unknown("\"a${unknown_text}\"", "string");
    unknown("\"a${unknown}\"", "string");
    unknown("\"%{ for x in unknown_list }${x}%{ endfor }\"", "string");
}

#[test]
fn operands() {
    finds("1 + \"a\"", &[("Invalid operand", "\"a\"")]);
    finds("[] + {}", &[("Invalid operand", "[]"), ("Invalid operand", "{}")]);
    finds("1 + null", &[("Operation failed", "1 + null")]);
    finds("0 / 0", &[("Operation failed", "0 / 0")]);
    finds("-\"a\"", &[("Invalid operand", "\"a\"")]);
    finds("!null", &[("Operation failed", "!null")]);
    finds("true && 1", &[("Invalid operand", "1")]);
    finds("null && true", &[("Operation failed", "null && true")]);
    finds("\"b\" > \"a\"", &[("Invalid operand", "\"b\""), ("Invalid operand", "\"a\"")]);
    unknown("1 + unknown_number", "number");
    unknown("unknown + 1", "number");
    unknown("unknown_bool && false", "bool");
    unknown("unknown == 1", "bool");
    unknown("unknown_text == null", "bool");
    assert_value("unknown_text == 1", "false", "bool");
}

#[test]
fn logic_rules() {
    finds("false && object.nothing", &[("Unsupported attribute", ".nothing")]);
    let (value, found) = run_with("false && object.nothing", LogicRule::ShortCircuit);
    assert_eq!((value.as_bool(), found), (Some(false), vec![]));
    let (value, found) = run_with("object.nothing || true", LogicRule::ShortCircuit);
    assert_eq!((value.as_bool(), found), (Some(true), vec![]));
    let (value, _) = run_with("unknown_bool && false", LogicRule::ShortCircuit);
    assert_eq!(value.as_bool(), Some(false));
    let (_, found) = run_with("object.nothing && object.nothing", LogicRule::ShortCircuit);
    assert_eq!(found.len(), 2);
}

#[test]
fn marks_spread() {
    let marks = |text: &str| {
        let (value, found) = run(text);
        assert!(found.is_empty(), "{text}: {found:?}");
        (value.marks().is_sensitive(), value.deep_marks().is_sensitive())
    };
    assert_eq!(marks("secret"), (true, true));
    assert_eq!(marks("\"a${secret}\""), (true, true));
    assert_eq!(marks("secret_number + 1"), (true, true));
    assert_eq!(marks("[secret]"), (false, true));
    assert_eq!(marks("{a = secret, b = 1}"), (false, true));
    assert_eq!(marks("{a = secret, b = 1}.b"), (false, false));
    assert_eq!(marks("{(secret) = 1}"), (true, true));
    assert_eq!(marks("[secret] == [1]"), (true, true));
    assert_eq!(marks("true ? 1 : secret_number"), (true, true));
    assert_eq!(marks("[for x in secret_list : 1]"), (true, true));
    assert_eq!(marks("[for x in [secret, 1] : x]"), (false, true));
    assert_eq!(marks("{for x in [secret] : x => 1}"), (true, true));
    assert_eq!(marks("secret_list[0]"), (true, true));
    assert_eq!(marks("secret_list[*]"), (true, true));
    assert_eq!(marks("try(secret)"), (true, true));
    assert_eq!(marks("can(secret)"), (false, false));
    assert!(run("\"${fresh}x\"").0.marks().is_ephemeral());
}

#[test]
fn constants_have_no_scope() {
    let forest = forest();
    let check = |text: &str| {
        let expr = parse(&forest, text);
        let mut out = Diagnostics::new();
        let _ = constant(&forest, expr, &mut out);
        findings(&forest, &out)
    };
    let one = |summary: &str, place: &str| vec![(summary.to_owned(), place.to_owned())];
    assert_eq!(check("var.x.y"), one("Variables not allowed", "var"));
    assert_eq!(check("upper(\"a\")"), one("Function calls not allowed", "upper(\"a\")"));
    assert_eq!(check("[for x in [1] : x + y]"), one("Unknown variable", "y"));
    assert_eq!(check("[for x in [1] : x]"), vec![]);
    assert_eq!(check("[{a = 1}][*].a"), vec![]);
}
