use super::*;

#[test]
fn literals_and_arithmetic() {
    gives("0.1 + 0.2", "0.3", "number");
    gives("0.1 + 0.2 == 0.3", "true", "bool");
    gives("123456789012345678901234567890 + 1", "123456789012345678901234567891", "number");
    gives("1e21", "1000000000000000000000", "number");
    gives("-0", "-0", "number");
    gives("0 * -1", "-0", "number");
    gives("10 / 4", "2.5", "number");
    gives("5 % 0", "5", "number");
    gives("-5 % 3", "-2", "number");
    gives("5.5 % 2", "1.5", "number");
    gives("1 / 3 * 3", "1", "number");
    gives("\"3\" + \"4\"", "7", "number");
    gives("\"10\" > 9", "true", "bool");
    gives("1 + 2 * 3 - -4", "11", "number");
    gives("null", "null", "any");
    gives("\"e${\"\\u0301\"}\" == \"é\"", "true", "bool");
    gives("\"true\" && \"1\"", "true", "bool");
    gives("!\"false\"", "true", "bool");
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
        gives(text, expected, "bool");
    }
}

#[test]
fn constructors() {
    gives("[1, \"a\", true, null]", r#"[1,"a",true,null]"#, "tuple([number,string,bool,any])");
    gives("{b = 1, a = 2}", r#"{"a":2,"b":1}"#, "object({a=number,b=number})");
    gives("{a = 1, a = 2}", r#"{"a":2}"#, "object({a=number})");
    gives(
        "{true = 1, null = 2, (1) = 3, \"x y\" = 4}",
        r#"{"1":3,"null":2,"true":1,"x y":4}"#,
        "object({1=number,null=number,true=number,x y=number})",
    );
    gives("{1 = 2}", r#"{"1":2}"#, "object({1=number})");
    finds("{(null) = 1}", &[("Null value as key", "1")]);
    finds("{([]) = 1}", &[("Incorrect key type", "([])")]);
    finds("{object.a = 1}", &[("Ambiguous attribute key", "object.a")]);
    gives("{(object.b) = 1}", r#"{"x":1}"#, "object({x=number})");
    unknown("{(unknown_text) = 1}", "any");
}

#[test]
fn conditionals() {
    gives("1 < 2 ? \"a\" : \"b\"", r#""a""#, "string");
    gives("true ? 1 : \"a\"", r#""1""#, "string");
    gives("false ? \"a\" : true", r#""true""#, "string");
    gives("true ? null : \"a\"", "null", "string");
    gives("true ? [1, \"a\"] : [\"b\", 2]", r#"["1","a"]"#, "tuple([string,string])");
    gives("true ? [1] : [\"a\", \"b\"]", r#"["1"]"#, "list(string)");
    gives("true ? { a = 1 } : { a = \"x\" }", r#"{"a":"1"}"#, "object({a=string})");
    gives("true ? { a = 1 } : { b = \"x\" }", r#"{"a":"1"}"#, "map(string)");
    gives("true ? list : [\"b\", \"c\"]", r#"["a","b"]"#, "list(string)");
    gives("true ? [] : [\"a\"]", "[]", "list(string)");
    gives("\"0\" ? 1 : 2", "2", "number");
    // The branch that is not selected may fail.
    gives("true ? 1 : object.nothing", "1", "number");
    gives("false ? {}.a : 1", "1", "number");
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
    gives("[for x in [1, 2] : x * 2]", "[2,4]", "tuple([number,number])");
    gives("[for i, x in list : \"${i}${x}\"]", r#"["0a","1b"]"#, "tuple([string,string])");
    gives("[for k, v in map : k if v > 1]", r#"["z"]"#, "tuple([string])");
    gives("[for k, v in set : k == v]", "[true,true]", "tuple([bool,bool])");
    gives("[for x in [] : x]", "[]", "tuple([])");
    gives("[for object in [1] : object]", "[1]", "tuple([number])");
    gives("[for x in [1, 2, 3] : x if \"${x > 1}\"]", "[2,3]", "tuple([number,number])");
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
    gives("{for s in [\"a\", \"b\"] : s => \"${s}${s}\"}", r#"{"a":"aa","b":"bb"}"#, "object({a=string,b=string})");
    gives("{for i, v in [\"x\"] : i => v}", r#"{"0":"x"}"#, "object({0=string})");
    gives("{for b in [true] : b => 1}", r#"{"true":1}"#, "object({true=number})");
    gives(
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
    gives("objects[*].n", "[1]", "list(number)");
    gives("[{n = 1}, {n = \"x\"}][*].n", r#"[1,"x"]"#, "tuple([number,string])");
    gives("objects.*.n", "[1]", "list(number)");
    gives("null[*]", "[]", "tuple([])");
    gives("null_text[*]", "[]", "tuple([])");
    gives("1[*]", "[1]", "tuple([number])");
    gives("map[*].k", "[1]", "tuple([number])");
    gives("set[*]", r#"["a","b"]"#, "list(string)");
    gives("empty_list[*]", "[]", "list(string)");
    gives("[[1, 2], [3]][*][0]", "[1,3]", "tuple([number,number])");
    gives("[[1, 2], [3]].*[0]", "[1,2]", "tuple([number,number])");
    finds("null_list[*]", &[("Splat of null value", "null_list")]);
    finds("[{}][*].a", &[("Unsupported attribute", ".a")]);
    unknown("unknown_list[*]", "list(string)");
    unknown("unknown_object[*].a", "any");
}

#[test]
fn selections() {
    gives("list[\"1\"]", r#""b""#, "string");
    gives("list[1.0]", r#""b""#, "string");
    gives("[10, 20].1", "20", "number");
    gives("map[\"k\"]", "1", "number");
    gives("{\"1\" = 5}[1]", "5", "number");
    gives("{true = 5}[true]", "5", "number");
    gives("object.b", r#""x""#, "string");
    gives("map.z", "2", "number");
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
    gives("\"a${1}b${true}c\"", r#""a1btruec""#, "string");
    gives("\"${1}\"", "1", "number");
    gives("\"${null}\"", "null", "any");
    gives("\"$${x} %%{y} $ %\"", r#""${x} %{y} $ %""#, "string");
    gives("\"%{ if true }yes%{ else }no%{ endif }\"", r#""yes""#, "string");
    gives("\"%{ if false }yes%{ endif }\"", r#""""#, "string");
    gives("\"%{ for x in [1, 2] }${x},%{ endfor }\"", r#""1,2,""#, "string");
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
    gives("unknown_text == 1", "false", "bool");
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
