//! Calls of every function, generated from the table of functions.

use std::collections::BTreeMap;

use overfold_cli::eval::functions::{Function, FunctionSet, Lineage};
use overfold_cli::value::Type;

/// Calls that get functions past their checks, for functions whose parameter types alone do not suggest typical
/// arguments. One line per way to call; any other function is called with arguments chosen by its types.
static USUAL: &[(&str, &[&[&str]])] = &[
    ("chunklist", &[&["[1, 2]", "1"], &["[1, 2]", "1000000"]]),
    ("convert", &[&["[1, 2]", "list(string)"]]),
    ("cidrcontains", &[&["\"10.0.0.0/8\"", "\"10.1.0.0/16\""]]),
    ("cidrhost", &[&["\"10.0.0.0/8\"", "7"]]),
    ("cidrnetmask", &[&["\"10.0.0.0/8\""]]),
    ("cidrsubnet", &[&["\"10.0.0.0/8\"", "8", "2"]]),
    ("cidrsubnets", &[&["\"10.0.0.0/8\"", "8"]]),
    ("file", &[&["\"small.txt\""]]),
    ("fileset", &[&["\".\"", "\"**\""], &["\".\"", "\"{a,b}*/**/c?\""]]),
    ("templatefile", &[&["\"small.txt\"", "{a = 1}"]]),
    (
        "format",
        &[
            &["\"%s\"", "1"],
            &["\"%v\"", "1"],
            &["\"%#v\"", "1"],
            &["\"%q\"", "1"],
            &["\"%d\"", "1"],
            &["\"%x\"", "1"],
            &["\"%b\"", "1"],
            &["\"%f\"", "1"],
            &["\"%e\"", "1"],
            &["\"%g\"", "1"],
            &["\"%.500g\"", "1"],
            &["\"%t\"", "true"],
            &["\"%.3s\"", "1"],
            &["\"%1000s\"", "1"],
        ],
    ),
    ("formatlist", &[&["\"%s\"", "1"], &["\"%v\"", "1"], &["\"%d\"", "1"]]),
    ("formatdate", &[&["\"YYYY\"", "\"2006-01-02T15:04:05Z\""]]),
    ("indent", &[&["2", "\"a\""], &["100", "\"a\""]]),
    ("join", &[&["\"\"", "[\"a\"]"], &["\", \"", "[\"a\"]"]]),
    ("lookup", &[&["{a = 1}", "\"zz\"", "1"], &["{a = 1}", "\"a\"", "1"], &["{a = 1}", "\"key-0000001\""]]),
    ("parseint", &[&["\"7\"", "10"], &["\"7\"", "36"], &["\"7\"", "62"]]),
    ("range", &[&["3"], &["1", "3"], &["1", "1024", "1"]]),
    (
        "regex",
        &[
            &["\"a\"", "\"a\""],
            &["\"(a|b|c)+d?$\"", "\"a\""],
            &["\"(?P<x>[a-z]*)*$\"", "\"a\""],
            &["\"\\\\pL+?\\\\b\"", "\"a\""],
        ],
    ),
    (
        "regexall",
        &[
            &["\"a\"", "\"a\""],
            &["\"\"", "\"a\""],
            &["\"(a|b|c)+d?\"", "\"a\""],
            &["\".*?$|x\"", "\"a\""],
            &["\"(?P<x>[a-z])(?P<y>.)?\"", "\"a\""],
        ],
    ),
    (
        "replace",
        &[
            &["\"a\"", "\"a\"", "\"b\""],
            &["\"a\"", "\"\"", "\"-\""],
            &["\"a\"", "\"/a/\"", "\"$0\""],
            &["\"a\"", "\"/(.)(.)?/\"", "\"$${1}x\""],
            &["\"a\"", "\"/x*/\"", "\"y\""],
        ],
    ),
    ("slice", &[&["[1, 2]", "0", "1"], &["[1, 2]", "0", "2"]]),
    ("split", &[&["\"\"", "\"a\""], &["\",\"", "\"a\""], &["\"a\"", "\"a\""]]),
    ("substr", &[&["\"a\"", "0", "1"], &["\"a\"", "500", "-1"], &["\"a\"", "-5", "2"]]),
    ("templatestring", &[&["s", "{a = 1}"], &["a", "{a = [1, 2]}"]]),
    (
        "textdecodebase64",
        &[
            &["\"YQ==\"", "\"UTF-8\""],
            &["\"YQ==\"", "\"UTF-16LE\""],
            &["\"YQ==\"", "\"cp437\""],
            &["\"YQ==\"", "\"shift_jis\""],
        ],
    ),
    (
        "textencodebase64",
        &[&["\"a\"", "\"UTF-8\""], &["\"a\"", "\"UTF-16LE\""], &["\"a\"", "\"cp437\""], &["\"a\"", "\"gb18030\""]],
    ),
    ("timeadd", &[&["\"2006-01-02T15:04:05Z\"", "\"1h\""]]),
    ("timecmp", &[&["\"2006-01-02T15:04:05Z\"", "\"2006-01-02T15:04:05Z\""]]),
    ("trim", &[&["\"a\"", "\"a\""], &["\"a\"", "\"lorem ipsuxyz\""]]),
    ("uuidv5", &[&["\"dns\"", "\"a\""]]),
    ("zipmap", &[&["[\"a\"]", "[1]"], &["a", "a"]]),
    ("try", &[&["1"], &["[][0]", "1"]]),
];

/// A call as an expression over `a` and `b`, two equal values of a kind, and `s`, a short text.
pub(crate) struct Call {
    /// The text of the expression.
    pub(crate) text: String,
    /// The line of tools whose functions it may call.
    pub(crate) lineage: Lineage,
}

fn usual(ty: &Type) -> &'static str {
    match ty {
        Type::Number => "1",
        Type::Bool => "true",
        Type::String => "\"a\"",
        Type::Map(_) | Type::Object(_) => "{a = [\"a\"]}",
        _ => "[\"a\"]",
    }
}

/// Returns every call of every function: with the large value in each position alone, in all positions, and twice if
/// there may be further arguments.
pub(crate) fn calls() -> Vec<Call> {
    let mut rows: BTreeMap<(String, usize), (&'static Function, Lineage)> = BTreeMap::new();
    for lineage in [Lineage::Mainline, Lineage::Fork] {
        let set = FunctionSet::all(lineage);
        for name in set.names() {
            let function = set.get(name).expect("a name of the set");
            rows.entry((name.to_owned(), std::ptr::from_ref(function) as usize)).or_insert((function, lineage));
        }
    }
    let mut calls = Vec::new();
    for (function, lineage) in rows.into_values() {
        let mut texts: Vec<String> = Vec::new();
        let name = function.name;
        let by_type: Vec<&str> = function.params.iter().chain(&function.variadic).map(|p| usual(&p.ty)).collect();
        let listed = USUAL.iter().find(|(listed, _)| *listed == name).map(|(_, ways)| *ways);
        for way in listed.unwrap_or(&[by_type.as_slice()]) {
            for place in 0..way.len() {
                let mut arguments = way.to_vec();
                arguments[place] = "a";
                texts.push(format!("{name}({})", arguments.join(", ")));
            }
        }
        texts.push(format!("{name}({})", vec!["a"; by_type.len()].join(", ")));
        if by_type.len() > 1 {
            texts.push(format!("{name}({})", ["a", "b", "b", "b"][..by_type.len().min(4)].join(", ")));
        }
        if function.variadic.is_some() {
            texts.push(format!(
                "{name}({}, b, a)",
                by_type[..by_type.len() - 1].iter().map(|_| "a").chain(["a"]).collect::<Vec<_>>().join(", ")
            ));
            texts.push(format!("{name}(a...)"));
            let fixed = function.params.iter().map(|p| usual(&p.ty)).chain(["a..."]).collect::<Vec<_>>();
            texts.push(format!("{name}({})", fixed.join(", ")));
        }
        texts.sort();
        texts.dedup();
        calls.extend(texts.into_iter().map(|text| Call { text, lineage }));
    }
    calls.extend(EXPRESSIONS.iter().map(|text| Call { text: (*text).to_owned(), lineage: Lineage::Mainline }));
    calls
}

/// All forms of expressions over one large value.
static EXPRESSIONS: &[&str] = &[
    "a",
    "-a",
    "!a",
    "a + a",
    "a + 1",
    "1 - a",
    "a * a",
    "a * 3",
    "a / 3",
    "1 / a",
    "a % 7",
    "7 % a",
    "a % 0.3",
    "a == b",
    "a != b",
    "a == 1",
    "a == null",
    "a < b",
    "a >= 1",
    "a && true",
    "true || a",
    "true ? a : b",
    "false ? a : [1]",
    "true ? {x = 1} : a",
    "true ? a : \"x\"",
    "true ? [a] : [b]",
    "a ? 1 : 2",
    "a.zz",
    "a.key-0000001",
    "a[\"zz\"]",
    "a[a]",
    "a[0]",
    "a[999999999]",
    "{x = 1}[a]",
    "[1][a]",
    "a.*.zz",
    "a[*]",
    "a[*].key-0000001",
    "a[*][0]",
    "[for x in a : x]",
    "[for k, v in a : k]",
    "[for x in a : x if x == 1]",
    "[for x in a : a == b]",
    "[for x in a : \"${x}\"]",
    "{for k, v in a : k => v}",
    "{for k, v in a : \"k\" => v...}",
    "{for k, v in a : v => k}",
    "{for k, v in a : v => k...}",
    "\"${a}\"",
    "\"x${a}y${a}\"",
    "\"%{for x in a}${x}%{endfor}\"",
    "\"%{if a}x%{endif}\"",
    "[a, a]",
    "{k = a}",
    "{(a) = 1}",
    "{(a) = 1, (a) = 2}",
    "zzz(a)",
    "a.b.c",
    "try(a.zz, 1)",
    "try(a[\"zz\"], a[7], 1)",
    "can(a.zz)",
    "can(tonumber(a))",
    "try(tonumber(a), tobool(a), tolist(a), tomap(a), 1)",
    "try(regex(a, \"x\"), 1)",
    "try(jsondecode(a), yamldecode(a), csvdecode(a), 1)",
    "tolist([a, b])",
    "toset([a, b, a])",
    "tolist(a) == tolist(b)",
    "toset(a)",
    "toset(a) == toset(b)",
    "tomap(a)",
    "tolist([for x in a : x])",
    "keys({for x in a : jsonencode(x) => x})",
    "jsondecode(jsonencode(a))",
    "yamldecode(yamlencode(a))",
    "sensitive(a) == b",
];
