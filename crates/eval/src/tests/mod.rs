//! Evaluation, checked against the tool's results.

mod conversion;
mod diagnostics;
mod doubt;
mod encodings;
mod expressions;
mod format;
mod limits;
mod text;
mod type_constraints;
mod unknowns;

use std::sync::Arc;

use super::*;
use overfold_syntax::SyntaxLimits;
use overfold_value::{Marks, Type};

/// A diagnostic: its summary and the text it points at.
type Finding = (String, String);

fn forest() -> Forest {
    Forest::new(SyntaxLimits::default())
}

fn findings(forest: &Forest, out: &Diagnostics) -> Vec<Finding> {
    out.iter()
        .map(|d| {
            (d.summary.to_string(), d.span.map(|span| forest.sources.text(span).into_owned()).unwrap_or_default())
        })
        .collect()
}

fn parse(forest: &Forest, text: &str) -> ExprAt {
    let mut out = Diagnostics::new();
    let source = forest.parse_detached_expression("<test>", text.to_owned().into(), &mut out);
    assert!(!out.has_errors(), "{text}: {:?}", findings(forest, &out));
    match forest.native(source).unwrap().root {
        Root::Expr(id) => ExprAt::Native(source, id),
        Root::Body(_) => panic!("no expression"),
    }
}

/// Returns root names for tests: `null_list`, `unknown`, `secret` and some more.
fn roots() -> Roots {
    let text = |name: &str, value: Value| (Arc::<str>::from(name), value);
    let number = |n: i64| Value::number(n);
    [
        text("list", Value::list_of(vec![Value::text("a"), Value::text("b")])),
        text("empty_list", Value::list(Type::String, vec![])),
        text("set", Value::set_of(vec![Value::text("b"), Value::text("a"), Value::text("b")])),
        text("map", Value::map_of(vec![("k".into(), number(1)), ("z".into(), number(2))])),
        text("object", Value::object(vec![("a".into(), number(1)), ("b".into(), Value::text("x"))])),
        text("objects", Value::list_of(vec![Value::object(vec![("n".into(), number(1))])])),
        text("null_list", Value::null(Type::list(Type::String))),
        text("null_text", Value::null(Type::String)),
        text("unknown", Value::dynamic()),
        text("unknown_text", Value::unknown(Type::String)),
        text("unknown_number", Value::unknown(Type::Number)),
        text("unknown_bool", Value::unknown(Type::Bool)),
        text("unknown_list", Value::unknown(Type::list(Type::String))),
        text(
            "unknown_object",
            Value::unknown(Type::object(vec![overfold_value::AttributeType::new("a", Type::Bool)])),
        ),
        text("secret", Value::text("s").with_marks(Marks::SENSITIVE)),
        text("secret_number", Value::number(7i64).with_marks(Marks::SENSITIVE)),
        text("secret_list", Value::list_of(vec![Value::text("a")]).with_marks(Marks::SENSITIVE)),
        text("fresh", Value::text("e").with_marks(Marks::EPHEMERAL)),
    ]
    .into_iter()
    .collect()
}

fn run_with(text: &str, logic: LogicRule) -> (Value, Vec<Finding>) {
    let forest = forest();
    let expr = parse(&forest, text);
    let roots = roots();
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope = Scope {
        roots: Some(&roots),
        functions: Some(&functions),
        json: JsonStrings::Templates,
        logic,
        ..Scope::CONSTANT
    };
    let mut out = Diagnostics::new();
    let value = evaluate(&forest, expr, &scope, &mut out);
    (value, findings(&forest, &out))
}

fn run(text: &str) -> (Value, Vec<Finding>) {
    run_with(text, LogicRule::BothSides)
}

/// Asserts the value, as JSON, and its type; no diagnostics are expected.
#[track_caller]
fn assert_value(text: &str, json: &str, ty: &str) {
    let (value, found) = run(text);
    assert!(found.is_empty(), "{text}: {found:?}");
    assert_eq!(value.to_json().as_deref(), Ok(json), "{text}");
    assert_eq!(value.ty().to_string(), ty, "{text}");
}

/// Asserts that the value is unknown and of this type, without diagnostics.
#[track_caller]
fn unknown(text: &str, ty: &str) {
    let (value, found) = run(text);
    assert!(found.is_empty(), "{text}: {found:?}");
    assert!(!value.is_known(), "{text}: {value:?}");
    assert_eq!(value.ty().to_string(), ty, "{text}");
}

/// Asserts exactly these diagnostics, each with the text it points at.
#[track_caller]
fn finds(text: &str, expected: &[(&str, &str)]) {
    let (_, found) = run(text);
    let found: Vec<(&str, &str)> = found.iter().map(|(summary, place)| (&**summary, &**place)).collect();
    assert_eq!(found, expected, "{text}");
}
