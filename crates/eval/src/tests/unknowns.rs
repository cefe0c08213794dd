//! Expressions with unknown parts, held against what the tool plans for them (plan.md, section 3).

use std::fmt::Write as _;

use super::*;
use overfold_value::{Bound, Kind, LengthRange, Number};

/// Pairs of lines, recorded from the tool's plan file: an expression, then its value, indented.
const RECORDED: &str = include_str!("unknowns.txt");

/// Returns the names that the expressions use, all within `local`: `id` is a string that is not null; of the others only
/// the type is known.
fn unknowns() -> Roots {
    let object = |attributes: &[(&str, Type)]| {
        Type::object(
            attributes.iter().map(|(name, ty)| overfold_value::AttributeType::new(*name, ty.clone())).collect(),
        )
    };
    let string = || Type::String;
    let entry = |name: &str, ty: Type| (Arc::<str>::from(name), Value::unknown(ty));
    let local = vec![
        ("id".into(), Value::unknown(string()).refined_not_null()),
        entry("s", string()),
        entry("n", Type::Number),
        entry("b", Type::Bool),
        entry("ls", Type::list(string())),
        entry("ln", Type::list(Type::Number)),
        entry("lb", Type::list(Type::Bool)),
        entry("ss", Type::set(string())),
        entry("ms", Type::map(string())),
        entry("t0", Type::tuple(vec![])),
        entry("t1", Type::tuple(vec![string()])),
        entry("t2", Type::tuple(vec![string(), string()])),
        entry("tm", Type::tuple(vec![string(), Type::Number])),
        entry("ob", object(&[("k", string()), ("n", Type::Number)])),
        entry("oe", object(&[])),
        entry("ll", Type::list(Type::tuple(vec![string()]))),
        entry("lo", Type::list(object(&[("k", string())]))),
        entry("ml", Type::map(Type::tuple(vec![string()]))),
        entry("d", Type::Dynamic),
    ];
    let path = Value::object(vec![("module".into(), Value::text("."))]);
    [("local".into(), Value::object(local)), ("path".into(), path)].into_iter().collect()
}

/// Writes a value with everything that is known about it: `?string !null "x-"…` is an unknown string that is not null
/// and begins with `x-`; `len>=1` is a limit of the length, `>=1` one of the number.
fn shown(value: &Value) -> String {
    let list = |items: &[Value]| items.iter().map(shown).collect::<Vec<_>>().join(", ");
    let entries = |entries: &[(Arc<str>, Value)]| {
        entries.iter().map(|(key, value)| format!("{key} = {}", shown(value))).collect::<Vec<_>>().join(", ")
    };
    let ty = value.ty();
    match value.kind() {
        Kind::Unknown { .. } => format!("?{ty}{}", refinements(value)),
        Kind::Null(_) => format!("null {ty}"),
        Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => value.to_json().unwrap(),
        Kind::List(items) | Kind::Set(items) => format!("{ty}[{}]", list(items.items())),
        Kind::Tuple(items) => format!("[{}]", list(items.items())),
        Kind::Map(map) => format!("{ty}{{{}}}", entries(map.entries())),
        Kind::Object(object) => format!("{{{}}}", entries(object.entries())),
    }
}

fn refinements(value: &Value) -> String {
    let mut out = String::new();
    if value.is_definitely_not_null() {
        out.push_str(" !null");
    }
    if !value.known_prefix().is_empty() {
        let _ = write!(out, " {}…", Value::text(value.known_prefix()).to_json().unwrap());
    }
    let end = |sign: char, bound: Option<Bound>| match bound {
        Some(Bound { number, inclusive }) => {
            let text = Number::to_text(&number).unwrap();
            format!(" {sign}{}{text}", if inclusive { "=" } else { "" })
        }
        None => String::new(),
    };
    let numbers = value.number_range();
    out += &end('>', numbers.min);
    out += &end('<', numbers.max);
    let LengthRange { min, max } = value.length_range();
    if min > 0 {
        let _ = write!(out, " len>={min}");
    }
    if max < LengthRange::MAX {
        let _ = write!(out, " len<={max}");
    }
    out
}

fn evaluated(text: &str, roots: &Roots, functions: &FunctionSet) -> String {
    let forest = forest();
    let expr = parse(&forest, text);
    let scope =
        Scope { roots: Some(roots), functions: Some(functions), json: JsonStrings::Templates, ..Scope::CONSTANT };
    let mut out = Diagnostics::new();
    let value = evaluate(&forest, expr, &scope, &mut out);
    match findings(&forest, &out).first() {
        Some((summary, _)) => format!("error: {summary}"),
        None => shown(&value),
    }
}

#[test]
fn unknown_values_carry_what_the_tool_knows() {
    let (roots, functions) = (unknowns(), FunctionSet::all(Lineage::Mainline));
    let lines: Vec<&str> = RECORDED.lines().filter(|line| !line.starts_with('#')).collect();
    let (pairs, rest) = lines.as_chunks::<2>();
    assert!(rest.is_empty() && pairs.len() > 500, "{} pairs", pairs.len());
    let mut wrong = String::new();
    for [text, recorded] in pairs {
        let found = evaluated(text, &roots, &functions);
        if found != recorded.trim_start() {
            let _ = write!(wrong, "\n{text}\n    tool:  {}\n    found: {found}", recorded.trim_start());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
