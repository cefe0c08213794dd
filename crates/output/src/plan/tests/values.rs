//! Values and masks (plan.md, section 14).

use super::super::masks::{after_unknown, output_unknown, sensitive_mask, unknown_mask};
use super::written;
use overfold_base::account::{Cancel, Limits, open, spent};
use overfold_value::{Marks, Number, Type, Value};

fn object(entries: Vec<(&str, Value)>) -> Value {
    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

fn secret(value: Value) -> Value {
    value.with_marks(Marks::SENSITIVE)
}

fn unknown(ty: Type) -> Value {
    Value::unknown(ty)
}

fn number(text: &str) -> Value {
    Value::number(Number::parse(text).unwrap())
}

/// Returns the value, its mask of unknown parts and its mask of sensitive parts.
fn forms(value: &Value) -> [String; 3] {
    [
        written(true, |sink| sink.value(value)).0,
        written(true, |sink| unknown_mask(&mut sink.json, value)).0,
        written(true, |sink| sensitive_mask(&mut sink.json, value)).0,
    ]
}

#[test]
fn known_structures_leave_their_shape_in_the_masks() {
    let value = object(vec![
        ("b", Value::bool(true)),
        ("l", Value::list(Type::Number, vec![number("1"), number("2.50")])),
        ("e", Value::list(Type::String, Vec::new())),
        ("m", Value::map(Type::String, vec![("k".into(), Value::text("v"))])),
        ("n", Value::null(Type::list(Type::String))),
        ("o", object(vec![("x", object(vec![]))])),
    ]);
    assert_eq!(
        forms(&value),
        [
            r#"{"b":true,"e":[],"l":[1,2.5],"m":{"k":"v"},"n":null,"o":{"x":{}}}"#,
            r#"{"e":[],"l":[false,false],"m":{},"o":{"x":{}}}"#,
            r#"{"e":[],"l":[false,false],"m":{},"o":{"x":{}}}"#,
        ]
    );
    assert_eq!(written(true, |sink| after_unknown(&mut sink.json, &value)).0, "{}");
    assert_eq!(written(true, |sink| output_unknown(&mut sink.json, &value)).0, "false");
}

#[test]
fn unknown_parts_are_left_out_of_objects_and_null_in_lists() {
    let value = object(vec![
        ("id", Value::unknown_not_null(Type::String)),
        ("l", Value::tuple(vec![unknown(Type::String), Value::text("x"), object(vec![("u", Value::dynamic())])])),
        ("m", Value::map(Type::String, vec![("k".into(), unknown(Type::String))])),
    ]);
    assert_eq!(
        forms(&value),
        [
            r#"{"l":[null,"x",{}],"m":{}}"#,
            r#"{"id":true,"l":[true,false,{"u":true}],"m":{"k":true}}"#,
            r#"{"l":[false,false,{}],"m":{}}"#,
        ]
    );
}

#[test]
fn the_type_of_an_unknown_shows_in_the_mask_of_sensitive_parts_alone() {
    let value = object(vec![
        ("dynamic", Value::dynamic()),
        ("list", unknown(Type::list(Type::String))),
        ("map", unknown(Type::map(Type::String))),
        ("object", unknown(Type::object(Vec::new()))),
        ("set", unknown(Type::set(Type::String))),
        ("text", unknown(Type::String)),
        ("tuple", unknown(Type::tuple(vec![Type::String]))),
    ]);
    let [value, unknown, sensitive] = forms(&value);
    assert_eq!(value, "{}");
    assert_eq!(
        unknown,
        r#"{"dynamic":true,"list":true,"map":true,"object":true,"set":true,"text":true,"tuple":true}"#
    );
    assert_eq!(sensitive, r#"{"list":[],"map":{},"object":{},"set":[],"tuple":[]}"#);
}

#[test]
fn what_is_marked_is_true_whatever_it_is() {
    let value = object(vec![
        ("empty", secret(Value::list(Type::String, Vec::new()))),
        ("in_set", Value::set(Type::String, vec![secret(Value::text("s")), Value::text("t")])),
        ("inside", object(vec![("p", secret(Value::text("s"))), ("q", Value::text("t"))])),
        ("list", Value::tuple(vec![secret(Value::text("s")), Value::text("t"), Value::untyped_null()])),
        ("null", secret(Value::untyped_null())),
        ("unknown", secret(unknown(Type::String))),
        ("whole", secret(object(vec![("p", secret(Value::text("s")))]))),
    ]);
    let [shown, unknown, sensitive] = forms(&value);
    assert_eq!(
        shown,
        concat!(
            r#"{"empty":[],"in_set":["s","t"],"inside":{"p":"s","q":"t"},"list":["s","t",null],"null":null,"#,
            r#""whole":{"p":"s"}}"#
        )
    );
    assert_eq!(
        unknown,
        r#"{"empty":[],"in_set":[false,false],"inside":{},"list":[false,false,false],"unknown":true,"whole":{}}"#
    );
    assert_eq!(
        sensitive,
        concat!(
            r#"{"empty":true,"in_set":true,"inside":{"p":true},"list":[true,false,false],"null":true,"#,
            r#""unknown":true,"whole":true}"#
        )
    );
    let (hidden, places) = written(false, |sink| sink.value(&value));
    assert_eq!(
        hidden,
        r#"{"empty":null,"in_set":null,"inside":{"p":null,"q":"t"},"list":[null,"t",null],"null":null,"whole":null}"#
    );
    let expected = ["/empty", "/in_set", "/inside/p", "/list/0", "/null", "/whole"];
    assert_eq!(places.iter().map(|place| &**place).collect::<Vec<_>>(), expected);
}

#[test]
fn ephemeral_values_are_shown_only_as_defaults() {
    let value = Value::text("t").with_marks(Marks::EPHEMERAL);
    for (reveal, as_value, as_default) in [(false, "null", "null"), (true, "null", "\"t\"")] {
        assert_eq!(written(reveal, |sink| sink.value(&value)).0, as_value);
        assert_eq!(written(reveal, |sink| sink.default_value(&value)).0, as_default);
    }
}

#[test]
fn numbers_have_all_their_digits_and_no_exponent() {
    let one = |text: &str| written(true, |sink| sink.value(&number(text))).0;
    assert_eq!(one("1e21"), "1000000000000000000000");
    assert_eq!(one("0.0000001"), "0.0000001");
    assert_eq!(one("-0"), "0");
    let third = number("1").as_number().unwrap().divide(number("3").as_number().unwrap()).unwrap();
    assert_eq!(written(true, |sink| sink.value(&Value::number(third))).0.len(), "0.".len() + 155);
    let infinite = number("1").as_number().unwrap().divide(number("0").as_number().unwrap()).unwrap();
    assert_eq!(written(true, |sink| sink.value(&Value::number(infinite))).0, "null");
}

#[test]
fn sets_are_in_the_order_of_the_tool() {
    let shown = |element: Type, items: Vec<Value>| written(true, |sink| sink.value(&Value::set(element, items))).0;
    let numbered = |text: &str| object(vec![("n", number(text))]);
    let of_numbers = numbered("1").ty().clone();
    assert_eq!(
        shown(of_numbers.clone(), ["9", "10", "100", "1"].map(numbered).into()),
        r#"[{"n":100},{"n":10},{"n":1},{"n":9}]"#
    );
    let partly = object(vec![("n", unknown(Type::Number))]);
    let none = Value::null(of_numbers.clone());
    let whole = unknown(of_numbers.clone());
    assert_eq!(
        shown(of_numbers, vec![none, whole, partly, numbered("1")]),
        r#"[{"n":1},{},null,null]"#,
        "an object with an unknown part, then unknowns, then null"
    );
    let list = |items: Vec<Value>| Value::list(Type::String, items);
    assert_eq!(
        shown(Type::list(Type::String), vec![list(Vec::new()), list(vec![Value::text("b")])]),
        r#"[["b"],[]]"#
    );
    assert_eq!(
        shown(Type::Number, vec![Value::null(Type::Number), unknown(Type::Number), number("10"), number("9")]),
        "[9,10,null,null]"
    );
}

#[test]
fn deep_values_do_not_need_a_deep_stack() {
    let deep = (0..50_000).fold(secret(Value::text("s")), |value, _| Value::tuple(vec![value]));
    let [value, unknown, sensitive] = forms(&deep);
    assert_eq!([value.len(), unknown.len(), sensitive.len()], [100_003, 100_005, 100_004]);
    let (hidden, places) = written(false, |sink| sink.value(&deep));
    assert_eq!(hidden.len(), 100_004);
    assert_eq!(places[0].len(), 100_000);
}

#[test]
fn what_is_written_is_charged() {
    let cost = |parts: usize| {
        let item = |at: usize| if at.is_multiple_of(2) { Value::text("x") } else { secret(unknown(Type::String)) };
        let wide = Value::tuple((0..parts).map(|at| object(vec![("a", item(at)), ("b", item(at + 1))])).collect());
        let job = || {
            forms(&wide);
            written(false, |sink| sink.value(&wide));
            spent()
        };
        open(Limits { work: 1 << 40, memory: 1 << 40 }, &Cancel::new(), job).unwrap()
    };
    let (small, large) = (cost(1_000), cost(10_000));
    assert!(small.work > 10_000 && small.memory > 40_000, "{small:?}");
    assert!(large.work < small.work * 11 && large.memory < small.memory * 11, "{small:?} {large:?}");
}
