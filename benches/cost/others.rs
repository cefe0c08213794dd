//! The operations on values: calls, conversions, writers; texts with large literals; whole requests.

use std::sync::Arc;

use overfold_cli::diag::Diagnostics;
use overfold_cli::eval::functions::{FunctionSet, Lineage};
use overfold_cli::eval::type_expr::TypeConstraint;
use overfold_cli::eval::{FileAccess, JsonStrings, LogicRule, Roots, Scope, TypeRules, evaluate, type_constraint};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{AnswerOptions, ConfigFormat, Include, answer};
use overfold_cli::pipeline::{Request, VariableArg, VariableInputs, run};
use overfold_cli::syntax::tree::Root;
use overfold_cli::syntax::{ExprAt, Forest, SyntaxLimits};
use overfold_cli::value::{Defaults, Type, Value, convert};

use crate::calls::calls;
use crate::kinds::KINDS;
use crate::{Table, sizes};

fn forest() -> Forest {
    Forest::new(SyntaxLimits::default())
}

fn parsed(forest: &Forest, text: &str) -> ExprAt {
    let source = forest.parse_detached_expression("cost", text.to_owned().into(), &mut Diagnostics::new());
    match forest.native(source).unwrap().root {
        Root::Expr(id) => ExprAt::Native(source, id),
        Root::Body(_) => panic!("no expression: {text}"),
    }
}

fn constraint(text: &str) -> TypeConstraint {
    let (forest, mut out) = (forest(), Diagnostics::new());
    let constraint = type_constraint(&forest, parsed(&forest, text), TypeRules::VARIABLE, &mut out);
    assert!(!out.has_errors(), "{text}");
    constraint
}

fn file(path: &str, bytes: impl Into<bytes::Bytes>) -> SourceFile {
    SourceFile { path: ModulePath::parse(path).unwrap(), bytes: bytes.into() }
}

/// The constraints that values of all kinds are converted to.
static CONSTRAINTS: &[&str] = &[
    "string",
    "number",
    "bool",
    "list(any)",
    "set(any)",
    "map(any)",
    "list(string)",
    "set(string)",
    "map(string)",
    "list(list(any))",
    "set(set(string))",
    "map(list(string))",
    "tuple([string, number])",
    "object({a = string})",
    "list(object({a = string}))",
    "map(object({a = optional(any)}))",
    "object({key-0000001 = optional(any), zz = optional(list(string), [])})",
    "list(object({key-0000001 = optional(string, \"x\"), zz = optional(map(any), {})}))",
    "map(object({key-0000001 = optional(string, \"x\"), zz = optional(map(any), {})}))",
    "set(object({a = optional(object({b = optional(string, \"b\")}), {})}))",
];

/// Measures everything that works on a value.
pub(crate) fn values(table: &mut Table) {
    let calls = calls();
    let functions = [Lineage::Mainline, Lineage::Fork].map(|lineage| (lineage, FunctionSet::all(lineage)));
    let constraints: Vec<(&str, TypeConstraint)> = CONSTRAINTS.iter().map(|text| (*text, constraint(text))).collect();
    for kind in KINDS {
        table.begin(kind.name);
        for size in sizes(kind.largest) {
            let (a, b) = ((kind.make)(size), (kind.make)(size));
            let text = a.as_text().unwrap_or("${x}").to_owned();
            let mut files = vec![file("small.txt", "x"), file("large.txt", text)];
            if kind.name == "number: count" && size <= 100_000 {
                files.extend((0..size).map(|n| file(&format!("d{}/e{}/f{n}.txt", n % 7, n % 1000), "")));
            }
            let files = FileSet::new(files, Vec::new());
            let roots: Roots = [("a", a.clone()), ("b", b.clone()), ("s", Value::text("x${a}"))]
                .map(|(name, value)| (Arc::from(name), value))
                .into_iter()
                .collect();
            let forest = forest();
            for call in &calls {
                let expr = parsed(&forest, &call.text);
                let functions = functions.iter().find(|(lineage, _)| *lineage == call.lineage);
                let scope = Scope {
                    roots: Some(&roots),
                    functions: functions.map(|(_, functions)| functions),
                    files: Some(FileAccess::new(&files, "")),
                    json: JsonStrings::Templates,
                    logic: LogicRule::ShortCircuit,
                    plan_time: None,
                    clock: None,
                    absent: None,
                    providers: None,
                    assumes_functions: false,
                };
                table.add(&call.text, kind.name, size, || {
                    let mut out = Diagnostics::new();
                    (evaluate(&forest, expr, &scope, &mut out), out)
                });
            }
            for (text, constraint) in &constraints {
                table.add(&format!("convert to {text}"), kind.name, size, || {
                    let filled =
                        constraint.defaults.as_ref().map_or_else(|| a.clone(), |fill: &Defaults| fill.apply(&a));
                    convert(&filled, &constraint.ty).map_err(|error| error.to_string())
                });
            }
            table.add("write value as JSON", kind.name, size, || a.to_json());
            table.add("write type as JSON", kind.name, size, || a.type_json());
            table.add("write type", kind.name, size, || a.ty().to_string());
            table.add("equality", kind.name, size, || a.equality(&b));
            table.add("sameness", kind.name, size, || a.same(&b));
            table.add("own type as constraint", kind.name, size, || convert(&a, b.ty()));
            table.add("set of itself", kind.name, size, || Value::set(a.ty().clone(), vec![a.clone(), b.clone()]));
            table.add("list of its type", kind.name, size, || convert(&a, &Type::list(b.ty().clone())));
        }
    }
}

type Literal = (&'static str, usize, fn(usize) -> String);

/// Expressions with large texts, measured where they are evaluated.
static LITERALS: &[Literal] = &[
    ("digits", 1_000_000, |n| "9".repeat(n)),
    ("digits in a loop", 1_000_000, |n| format!("[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] : {}]", "9".repeat(n))),
    ("fraction", 1_000_000, |n| format!("0.{}", "3".repeat(n))),
    ("zeros", 1_000_000, |n| format!("0.{}1", "0".repeat(n))),
    ("exponent", 1_000_000, |n| format!("1e{}", n * 2)),
    ("negative exponent", 1_000_000, |n| format!("1e-{}", n * 2)),
    ("long exponent", 1_000_000, |n| format!("1e{}", "0".repeat(n))),
    ("modulo of exponents", 1_000_000, |n| format!("1e{n} % 7")),
    ("modulo by an exponent", 1_000_000, |n| format!("1e{n} % 1e-{n}")),
    ("sum of exponents", 1_000_000, |n| format!("1e{n} + 1e-{n}")),
    ("comparison of exponents", 1_000_000, |n| format!("1e{n} > 1e-{n}")),
    ("floor", 1_000_000, |n| format!("floor(1e{n} + 0.5)")),
    ("format %d", 1_000_000, |n| format!("format(\"%d\", 1e{n})")),
    ("parseint", 100_000, |n| format!("parseint(\"{}\", 36)", "z".repeat(n))),
    ("plain text", 1_000_000, |n| format!("\"{}\"", "x".repeat(n))),
    ("letters to normalise", 1_000_000, |n| format!("\"{}\"", "e\u{301}".repeat(n / 3))),
    ("marks to normalise", 1_000_000, |n| format!("\"a{}\"", "\u{316}\u{300}".repeat(n / 4))),
    ("escapes", 1_000_000, |n| format!("\"{}\"", "\\n".repeat(n / 2))),
    ("heredoc", 1_000_000, |n| format!("<<-E\n{}  E\n", "    x\n".repeat(n / 6))),
    ("interpolations", 100_000, |n| format!("\"{}\"", "${1}".repeat(n))),
    ("tuple", 100_000, |n| format!("[{}]", "1,".repeat(n))),
    ("object", 100_000, |n| format!("{{{}}}", (0..n).map(|n| format!("k{n}=1,")).collect::<String>())),
    ("object of one key", 100_000, |n| format!("{{{}}}", "k=1,".repeat(n))),
    ("arguments", 100_000, |n| format!("max({})", "1,".repeat(n))),
    ("arguments of coalesce", 100_000, |n| format!("coalesce({})", "null,".repeat(n))),
    ("arguments of try", 100_000, |n| format!("try({})", "[][0],".repeat(n))),
    ("arguments of merge", 100_000, |n| format!("merge({})", "{a=1},".repeat(n))),
    ("arguments of concat", 100_000, |n| format!("concat({})", "[1],".repeat(n))),
    ("arguments of setproduct", 100, |n| format!("setproduct({})", "[1],".repeat(n))),
    ("setproduct with nothing", 100, |n| format!("setproduct({}, [])", "[1,2,3,4,5,6,7,8,9],".repeat(n))),
    ("arguments of setproduct of two", 1_000, |n| format!("setproduct({})", "[1,2],".repeat(n))),
    ("sum", 1_000, |n| vec!["1"; n].join("+")),
    ("steps", 100_000, |n| format!("zz{}", ".a".repeat(n))),
    ("nested tuples", 1_000, |n| format!("{}{}", "[".repeat(n), "]".repeat(n))),
    ("nested templates", 300, |n| format!("{}1{}", "\"${".repeat(n), "}\"".repeat(n))),
    ("nested conditionals", 1_000, |n| "true ? 1 : ".repeat(n) + "2"),
    ("nested conditionals of structures", 1_000, |n| "true ? [1] : ".repeat(n) + "[2]"),
    ("nested loops", 300, |n| format!("{}1{}", "[for x in [1] : ".repeat(n), "]".repeat(n))),
    ("negations", 1_000, |n| "!".repeat(n) + "true"),
    ("unknown functions", 10_000, |n| format!("[{}]", "lenght(1),".repeat(n))),
    ("unknown names", 10_000, |n| format!("[{}]", "bb,".repeat(n))),
    ("pattern of any", 1_000, |n| format!("[for x in range(5) : regexall(\"{}\", \"ab\")]", ".".repeat(n))),
    ("pattern of sets", 1_000, |n| format!("[for x in range(5) : regexall(\"{}\", \"ab\")]", "[^a]".repeat(n))),
    ("pattern of letters", 1_000, |n| format!("[for x in range(5) : regexall(\"{}\", \"ab\")]", "\\\\pL".repeat(n))),
    ("pattern counted", 999, |n| format!("[for x in range(5) : regexall(\".{{{n}}}\", \"ab\")]")),
    ("pattern of ranges", 100_000, |n| {
        let set: String = (0..n).filter_map(|n| char::from_u32(0x100 + n as u32 * 2)).collect();
        format!("regexall(\"[{set}]\", \"ab\")")
    }),
    ("patterns", 10_000, |n| format!("[{}]", "regex(\"(a|b|c)+d?\", \"abcabc\"),".repeat(n))),
];

/// Types as text.
static TYPES: &[Literal] = &[
    ("object", 100_000, |n| format!("object({{{}}})", (0..n).map(|n| format!("k{n}=string,")).collect::<String>())),
    ("optional", 100_000, |n| {
        format!("object({{{}}})", (0..n).map(|n| format!("k{n}=optional(string, \"x\"),")).collect::<String>())
    }),
    ("tuple", 100_000, |n| format!("tuple([{}])", "string,".repeat(n))),
    ("nested", 900, |n| format!("{}string{}", "list(".repeat(n), ")".repeat(n))),
    ("nested optional", 400, |n| format!("{}string{}", "object({a=optional(".repeat(n), ", null)})".repeat(n))),
    ("nested defaults", 400, |n| {
        format!("{}object({{b=optional(string,\"x\")}}){}", "object({a=optional(".repeat(n), ", {})})".repeat(n))
    }),
];

/// Measures expressions and types that contain large texts.
pub(crate) fn literals(table: &mut Table) {
    let functions = FunctionSet::all(Lineage::Mainline);
    let roots: Roots = [(Arc::from("zz"), Value::text("x"))].into_iter().collect();
    for (name, most, text) in LITERALS {
        for size in sizes(*most) {
            let text = text(size);
            let forest = forest();
            let expr = parsed(&forest, &text);
            let scope = Scope {
                roots: Some(&roots),
                functions: Some(&functions),
                files: None,
                json: JsonStrings::Templates,
                logic: LogicRule::BothSides,
                plan_time: None,
                clock: None,
                absent: None,
                providers: None,
                assumes_functions: false,
            };
            table.add(&format!("literal: {name}"), "text", size, || {
                let mut out = Diagnostics::new();
                (evaluate(&forest, expr, &scope, &mut out), out)
            });
            table.add(&format!("parse literal: {name}"), "text", size, || {
                let forest = self::forest();
                forest.parse_detached_expression("cost", text.clone().into(), &mut Diagnostics::new());
                forest
            });
        }
    }
    for (name, most, text) in TYPES {
        for size in sizes(*most) {
            let text = text(size);
            let forest = forest();
            let expr = parsed(&forest, &text);
            table.add(&format!("type: {name}"), "text", size, || {
                type_constraint(&forest, expr, TypeRules::VARIABLE, &mut Diagnostics::new())
            });
        }
    }
}

fn request(value: Option<String>) -> Request {
    let args = value.map(|json| VariableArg::Value { name: "a".to_owned(), json: json.into() }).into_iter().collect();
    Request {
        variables: Some(VariableInputs { env: Vec::new(), args }.into()),
        reveal_sensitive: true,
        ..Request::new("terraform")
    }
}

/// Measures whole requests: what the stages before and after the expressions charge.
pub(crate) fn requests(table: &mut Table) {
    let everything = Include { config: true, objects: true, variables: true, ..Include::default() };
    for kind in KINDS {
        for size in sizes(kind.largest.min(100_000)) {
            let Ok(json) = (kind.make)(size).to_json() else { continue };
            if json.len() > 4_000_000 {
                continue;
            }
            for (name, text, value) in [
                ("request: value", "variable \"a\" {}\n".to_owned(), Some(json.clone())),
                ("request: default", format!("{{\"variable\":{{\"a\":{{\"default\":{json}}}}}}}"), None),
                ("request: argument", format!("{{\"resource\":{{\"x\":{{\"a\":{{\"b\":{json}}}}}}}}}"), None),
            ] {
                let path = if text.starts_with('{') { "main.tf.json" } else { "main.tf" };
                let files = FileSet::new(vec![file(path, text)], Vec::new());
                let request = request(value);
                {
                    let options = AnswerOptions { include: everything, config_format: ConfigFormat::TfJson };
                    table.add(name, kind.name, size, || {
                        answer(&run(&Forest::default(), &files, &request).unwrap(), options)
                    });
                }
            }
        }
    }
}
