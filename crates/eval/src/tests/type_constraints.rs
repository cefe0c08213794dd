use super::*;
use overfold_value::convert;

fn read(text: &str, rules: TypeRules) -> (TypeConstraint, Vec<Finding>) {
    let forest = forest();
    let expr = parse(&forest, text);
    let mut out = Diagnostics::new();
    let constraint = type_constraint(&forest, expr, rules, &mut out);
    (constraint, findings(&forest, &out))
}

#[track_caller]
fn assert_type(text: &str, ty: &str) {
    let (constraint, found) = read(text, TypeRules::VARIABLE);
    assert!(found.is_empty(), "{text}: {found:?}");
    assert_eq!(constraint.ty.to_string(), ty, "{text}");
}

#[track_caller]
fn refused(text: &str, expected: &[(&str, &str)]) {
    let (constraint, found) = read(text, TypeRules::VARIABLE);
    assert!(constraint.ty.is_dynamic());
    let found: Vec<(&str, &str)> = found.iter().map(|(summary, place)| (&**summary, &**place)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn types() {
    assert_type("string", "string");
    assert_type("any", "any");
    assert_type("list", "list(any)");
    assert_type("map", "map(any)");
    assert_type("list(map(set(number)))", "list(map(set(number)))");
    assert_type("tuple([string, any])", "tuple([string,any])");
    assert_type(
        "object({b = string, a = optional(number), c = optional(list(any), [])})",
        "object({a=optional(number),b=string,c=optional(list(any))})",
    );
    assert_type("object({})", "object({})");
}

#[test]
fn mistakes() {
    const INVALID: &str = "Invalid type specification";
    refused("strng", &[(INVALID, "strng")]);
    refused("list(strng)", &[(INVALID, "strng")]);
    refused("set", &[(INVALID, "set")]);
    refused("list(list)", &[(INVALID, "list")]);
    refused("string(1)", &[(INVALID, "(1)")]);
    refused("any()", &[(INVALID, "()")]);
    refused("list()", &[(INVALID, "()")]);
    refused("list(string, number, bool)", &[(INVALID, "number, bool")]);
    refused("foo(string)", &[(INVALID, "foo(string)")]);
    refused("object(string)", &[(INVALID, "string")]);
    refused("object({\"a\" = string})", &[(INVALID, "\"a\"")]);
    refused("object({a = string, a = number})", &[(INVALID, "a")]);
    refused("object({a = optional()})", &[(INVALID, "()")]);
    refused("object({a = optional(string, \"x\", 1)})", &[(INVALID, "(string, \"x\", 1)")]);
    refused("optional(string)", &[(INVALID, "optional")]);
    refused("list(optional(string))", &[(INVALID, "optional")]);
    refused("tuple(string)", &[(INVALID, "string")]);
    refused("1", &[(INVALID, "1")]);
    refused("(string)", &[(INVALID, "(string)")]);
    refused("var.x", &[(INVALID, "var.x")]);
    refused("object({a = optional(number, \"x\")})", &[("Invalid default value for optional attribute", "\"x\"")]);
    refused("object({a = optional(number, var.x)})", &[("Variables not allowed", "var")]);
    refused("\"string\"", &[("Invalid quoted type constraints", "\"string\"")]);
    refused("\"list\"", &[("Invalid quoted type constraints", "\"list\"")]);
    refused("\"number\"", &[("Invalid legacy variable type hint", "\"number\"")]);
    refused("\"${string}\"", &[(INVALID, "\"${string}\"")]);
    refused("\"a${string}\"", &[("Variables not allowed", "string")]);
}

#[test]
fn other_rules() {
    let (_, found) = read("list", TypeRules::OUTPUT);
    assert_eq!(found.len(), 1);
    let (_, found) = read("\"string\"", TypeRules::OUTPUT);
    assert_eq!(found[0].0, "Invalid type specification");
    let (_, found) = read("object({a = optional(string, \"x\")})", TypeRules::VARIABLE_WITHOUT_DEFAULTS);
    assert_eq!(found, [("Invalid type specification".to_owned(), "(string, \"x\")".to_owned())]);
    let repeated = TypeRules { repeated_attributes: true, ..TypeRules::VARIABLE };
    let (constraint, found) = read("object({a = string, a = number})", repeated);
    assert_eq!((constraint.ty.to_string(), found.len()), ("object({a=number})".to_owned(), 0));
}

#[test]
fn json_types() {
    let check = |text: &str| {
        let forest = forest();
        let mut out = Diagnostics::new();
        let json = format!("[{text}]");
        let source = forest.parse_json("x.tf.json", json.into(), &mut out);
        let tree = forest.json(source).unwrap();
        let overfold_syntax::json::JsonKind::Array { items, .. } = tree.node(tree.root).kind else { panic!() };
        let expr = ExprAt::Json(source, tree.list(items)[0]);
        let constraint = type_constraint(&forest, expr, TypeRules::VARIABLE, &mut out);
        (constraint.ty.to_string(), findings(&forest, &out))
    };
    assert_eq!(check(r#""string""#), ("string".to_owned(), vec![]));
    assert_eq!(check(r#""list""#), ("list(any)".to_owned(), vec![]));
    assert_eq!(
        check(r#""object({a = optional(string, \"x\")})""#),
        ("object({a=optional(string)})".to_owned(), vec![])
    );
    let invalid = |place: &str| ("any".to_owned(), vec![("Invalid type specification".to_owned(), place.to_owned())]);
    assert_eq!(check(r#""strng""#), invalid(r#""strng""#));
    assert_eq!(check(r#""list(strng)""#), invalid("strng"));
    assert_eq!(check(r#""list(""#), invalid(r#""list(""#));
    assert_eq!(check("1"), invalid("1"));
    assert_eq!(check(r#"["string"]"#), invalid(r#"["string"]"#));
}

#[test]
fn defaults_are_filled_in() {
    let fill = |ty: &str, value: &str| {
        let (constraint, found) = read(ty, TypeRules::VARIABLE);
        assert!(found.is_empty(), "{found:?}");
        let (value, _) = run(value);
        let filled = constraint.defaults.map_or(value.clone(), |defaults| defaults.apply(&value));
        convert(&filled, &constraint.ty).unwrap().to_json().unwrap()
    };
    let ty = "object({a = optional(string, \"x\"), b = optional(number), c = optional(object({d = optional(bool, true)}), {})})";
    assert_eq!(fill(ty, "{}"), r#"{"a":"x","b":null,"c":{"d":true}}"#);
    assert_eq!(fill(ty, "{a = null, b = \"7\", c = null}"), r#"{"a":"x","b":7,"c":{"d":true}}"#);
    assert_eq!(fill(ty, "{c = {d = false}}"), r#"{"a":"x","b":null,"c":{"d":false}}"#);
    assert_eq!(fill(ty, "null"), "null");
    assert_eq!(fill(&format!("list({ty})"), "[{}, null]"), r#"[{"a":"x","b":null,"c":{"d":true}},null]"#);
    assert_eq!(fill(&format!("map({ty})"), "{k = {a = 1}}"), r#"{"k":{"a":"1","b":null,"c":{"d":true}}}"#);
    assert_eq!(fill("set(object({a = optional(string, \"x\")}))", "[{}, {a = \"x\"}]"), r#"[{"a":"x"}]"#);
    assert_eq!(fill("tuple([object({a = optional(string, \"x\")}), string])", "[{}, 1]"), r#"[{"a":"x"},"1"]"#);
}
