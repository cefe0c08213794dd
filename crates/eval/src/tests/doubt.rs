//! Values that may not be what they seem (plan.md, section 20): what is said beside them holds whatever they are.

use super::*;
use overfold_value::{AttributeType, Kind};

/// Evaluates an expression in which `d` is a value, and `o` an object with it as a part.
fn run_with_value(text: &str, value: &Value) -> (Value, Vec<Finding>) {
    let forest = forest();
    let expr = parse(&forest, text);
    let object = Value::object(vec![("a".into(), value.clone()), ("b".into(), Value::text("x"))]);
    let own = [
        (Arc::from("d"), value.clone()),
        (Arc::from("o"), object.clone()),
        (Arc::from("l"), Value::tuple(vec![value.clone(), Value::text("y")])),
        (Arc::from("m"), Value::object(vec![("one".into(), object)])),
    ];
    let roots = Roots::over(&own.into_iter().collect(), std::rc::Rc::new(roots()));
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope =
        Scope { roots: Some(&roots), functions: Some(&functions), json: JsonStrings::Templates, ..Scope::CONSTANT };
    let mut out = Diagnostics::new();
    let value = evaluate(&forest, expr, &scope, &mut out);
    (value, findings(&forest, &out))
}

fn in_doubt() -> Value {
    Value::dynamic().with_marks(Marks::INEXACT)
}

/// What a value in doubt may turn out to be.
fn possible() -> Vec<Value> {
    let text = |text: &str| Value::text(text);
    vec![
        text("x"),
        text("a"),
        text("5"),
        Value::number(5i64),
        Value::bool(true),
        Value::null(Type::String),
        Value::untyped_null(),
        Value::list_of(vec![text("a"), text("b")]),
        Value::list(Type::String, Vec::new()),
        Value::set_of(vec![text("a")]),
        Value::map_of(vec![("a".into(), text("v"))]),
        Value::tuple(vec![Value::number(1i64), text("x")]),
        Value::object(vec![("a".into(), text("v")), ("b".into(), Value::number(1i64))]),
        Value::dynamic(),
        Value::unknown(Type::String),
        Value::unknown(Type::list(Type::String)),
        Value::unknown(Type::object(vec![AttributeType::new("a", Type::String)])),
    ]
}

/// Whether what is known of a value holds for what it turned out to be. A tuple may have become a list, an object a map.
fn holds(seen: &Value, real: &Value) -> bool {
    if seen.marks().is_inexact() {
        return true;
    }
    match (seen.kind(), real.kind()) {
        (Kind::Unknown { .. }, _) => !real.is_wholly_known(),
        (Kind::Null(_), Kind::Null(_)) => true,
        (Kind::List(_) | Kind::Tuple(_), Kind::List(_) | Kind::Tuple(_)) => {
            let (seen, real) = (seen.items(), real.items());
            seen.len() == real.len() && seen.iter().zip(real).all(|(seen, real)| holds(seen, real))
        }
        (Kind::Map(_) | Kind::Object(_), Kind::Map(_) | Kind::Object(_)) => {
            let (seen, real) = (seen.entries(), real.entries());
            seen.len() == real.len()
                && seen.iter().zip(real).all(|(seen, real)| seen.0 == real.0 && holds(&seen.1, &real.1))
        }
        _ => seen.unmarked_deep().same(&real.unmarked_deep()),
    }
}

/// Checks that what is said of an expression holds whatever `d` is.
fn check(text: &str) {
    let (seen, found) = run_with_value(text, &in_doubt());
    for value in possible() {
        let (real, errors) = run_with_value(text, &value);
        if found.is_empty() {
            assert!(!errors.is_empty() || holds(&seen, &real), "{text} with {value:?}: {seen:?} but {real:?}");
        } else {
            assert!(!errors.is_empty(), "{text} with {value:?}: {found:?} but {real:?}");
        }
    }
}

/// Makes expressions by numbers that look random.
struct ExprGenerator(u64);

impl ExprGenerator {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn expression(&mut self, depth: usize) -> String {
        const LEAVES: &[&str] = &[
            "d",
            "d",
            "o",
            "l",
            "m",
            "o.a",
            "o.b",
            "l[0]",
            "l[1]",
            "d.a",
            "d[0]",
            "list",
            "map",
            "object",
            "set",
            "null_text",
            "unknown_text",
            "unknown_list",
            "unknown_bool",
            "7",
            "true",
            "\"s\"",
            "\"5\"",
            "null",
            "[]",
            "{}",
            "map.zz",
            "list[9]",
            "object.zz",
            "o.zz",
            "m.zz",
            "1 + null_text",
            "tonumber(\"z\")",
            "secret",
        ];
        const CALLS: &[&str] = &[
            "length",
            "keys",
            "values",
            "tomap",
            "tolist",
            "toset",
            "tostring",
            "upper",
            "jsonencode",
            "can",
            "try",
            "reverse",
            "distinct",
            "compact",
            "one",
            "sum",
            "alltrue",
            "abs",
            "sensitive",
            "nonsensitive",
            "issensitive",
        ];
        const CALLS_OF_TWO: &[&str] = &[
            "merge",
            "concat",
            "lookup",
            "element",
            "coalesce",
            "try",
            "join",
            "contains",
            "zipmap",
            "max",
            "format",
            "formatlist",
            "setunion",
            "split",
            "startswith",
            "coalescelist",
            "chunklist",
        ];
        if depth == 0 {
            return self.pick(LEAVES).to_owned();
        }
        let mut part = || {
            let shallower = self.below(2);
            self.expression((depth - 1).saturating_sub(shallower))
        };
        let (one, two, three) = (part(), part(), part());
        match self.below(16) {
            0 => format!("[{one}, {two}]"),
            1 => format!("{{ a = {one}, b = {two} }}"),
            2 => format!("{{ ({one}) = {two} }}"),
            3 => format!("(true ? {one} : {two})"),
            4 => format!("(false ? {one} : {two})"),
            5 => format!("({one} ? {two} : {three})"),
            6 => format!("\"p${{{one}}}q${{{two}}}\""),
            7 => format!("[for k, v in {one} : {}]", self.pick(&["v", "k", "[k, v]", "v.a", "map[v]", "list[9]"])),
            8 => format!("[for v in {one} : v if {two}]"),
            9 => format!("{{ for k, v in {one} : {} => {two} }}", self.pick(&["k", "v", "\"s\""])),
            10 => format!("({one})[*]{}", self.pick(&["", ".a", ".zz"])),
            11 => format!("({one}){}", self.pick(&["[0]", "[\"a\"]", ".a", ".zz", "[7]", "[d]"])),
            12 => format!("({one} {} {two})", self.pick(&["==", "!=", "&&", "||", "+", "<"])),
            13 => format!("{}({one})", self.pick(CALLS)),
            _ => format!("{}({one}, {two})", self.pick(CALLS_OF_TWO)),
        }
    }
}

#[test]
fn what_is_said_beside_doubt_holds() {
    let mut maker = ExprGenerator(20);
    for _ in 0..400 {
        let depth = 1 + maker.below(3);
        check(&maker.expression(depth));
    }
}

#[test]
fn errors_that_do_not_hang_on_doubt_are_reported() {
    let finds = |text: &str, expected: &[&str]| {
        let (_, found) = run_with_value(text, &in_doubt());
        let found: Vec<&str> = found.iter().map(|(_, place)| &**place).collect();
        assert_eq!(found, expected, "{text}");
    };
    finds("[d, map.zz]", &[".zz"]);
    finds("{ a = d, b = list[9] }", &["[9]"]);
    finds("\"${d}${map.zz}${d.a}\"", &[".zz"]);
    finds("max(d, map.zz)", &[".zz"]);
    finds("(true ? [d, map.zz] : d)", &[".zz"]);
    finds("(d ? map.zz : 1)", &[]);
    finds("[for v in d : map.zz]", &[]);
    finds("[for v in l : [v, map.zz]]", &[".zz", ".zz"]);
    finds("[for v in l : map.zz if d]", &[]);
    finds("m[\"zz\"]", &["[\"zz\"]"]);
    finds("m[d]", &[]);
    finds("l[2]", &["[2]"]);
    finds("d + 1 + null_text", &["d + 1 + null_text"]);
    finds("lookup(m, \"zz\")", &["m"]);
}

#[test]
fn what_is_certain_stays_known() {
    let known = |text: &str, json: &str| {
        let (value, found) = run_with_value(text, &in_doubt());
        assert!(found.is_empty() && !value.deep_marks().is_inexact(), "{text}: {found:?} {value:?}");
        assert_eq!(value.to_json().as_deref(), Ok(json), "{text}");
    };
    known("keys(m)", "[\"one\"]");
    known("length(l)", "2");
    known("keys(tomap({ x = d, y = \"t\" }))", "[\"x\",\"y\"]");
    known("(true ? \"t\" : d)", "\"t\"");
    known("(false ? d : [\"t\"])", "[\"t\"]");
    known("try(m.zz, \"t\")", "\"t\"");
    known("can(l[2])", "false");
    known("[for k, v in m : k]", "[\"one\"]");
    known("o == {}", "false");
    known("m.one.b", "\"x\"");
    let (value, _) = run_with_value("(true ? 7 : d)", &in_doubt());
    assert!(value.marks().is_inexact(), "a number beside a text becomes a text");
}
