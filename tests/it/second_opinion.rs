//! A second opinion on native syntax: hcl-rs reads the same valid inputs, and both must find the same structure and the
//! same constants, except for its known deviations (syntax.md, section 7).

use std::fs;
use std::path::{Path, PathBuf};

use hcl::eval::{Context, Evaluate as _};
use hcl::structure::Structure;
use overfold_cli::diag::Diagnostics;
use overfold_cli::eval::constant;
use overfold_cli::syntax::tree::{Body, Id, Root, Tree};
use overfold_cli::syntax::{ExprAt, Forest, SyntaxLimits};

/// Valid inputs that hcl-rs rejects, and why.
const REFUSED: &[(&str, &str)] = &[
    ("deep-", "more than 64 levels of nesting"),
    ("wide-binary-2000", "more than 128 operators in a row"),
    ("file-bom", "byte order mark"),
    ("utf8-bad-in-comment", "not UTF-8"),
    ("utf8-bad-overlong", "not UTF-8"),
    ("object-duplicate-keys", "a key twice in an object"),
    ("nfc-object-keys", "a key twice in an object, once normalised"),
    ("for-binary-op-newline-in-object-for", "newline before an operator in an object for-expression"),
    ("for-conditional-objects-newlines", "newline before `?` in an object for-expression"),
    ("number-big-exponent", "an exponent beyond f64"),
    ("variables/number-precision", "an exponent beyond f64"),
    ("expressions/object-literal", "a key twice in an object"),
    ("expressions/whole-number-arguments", "an exponent beyond f64"),
];

/// Inputs in which hcl-rs loses arguments: an empty heredoc swallows the text after it.
const SWALLOWED: &[&str] = &["heredoc-empty", "expressions/heredoc"];

/// Inputs in which hcl-rs gives some constant a different value, and why.
const OTHER_VALUES: &[(&str, &str)] = &[
    ("number-", "numbers are rounded to f64"),
    ("template-number-formatting", "numbers are rounded to f64 and written with an exponent"),
    ("nfc-", "strings are not normalised"),
    ("heredoc-", "flush, empty and CRLF heredocs, strip markers"),
    ("template-strip", "strip markers and decoded line ends"),
    ("object-key-", "numbers as object keys"),
    ("escape-", "doubled markers"),
    ("string-", "line separators"),
];

fn known(list: &[(&str, &str)], case: &str) -> bool {
    list.iter().any(|(name, _)| case.starts_with(name))
}

/// Returns valid inputs: recorded syntax cases, and the configuration files of recorded module cases.
fn inputs() -> Vec<(String, PathBuf)> {
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut found = Vec::new();
    for case in fs::read_dir(suites.join("syntax")).unwrap().map(|entry| entry.unwrap().path()) {
        let input = case.join("input.hcl");
        let expected = fs::read_to_string(case.join("expected.json")).unwrap_or_default();
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap_or_default();
        if input.exists() && expected["valid"] == true {
            found.push((case.file_name().unwrap().to_str().unwrap().to_owned(), input));
        }
    }
    for suite in ["terraform", "variables", "expressions"] {
        for case in fs::read_dir(suites.join(suite)).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(files) = fs::read_dir(case.join("input")) else { continue };
            for file in files.map(|entry| entry.unwrap().path()) {
                if file.is_file() && file.extension().is_some_and(|end| end == "tf" || end == "tfvars") {
                    found.push((format!("{suite}/{}", case.file_name().unwrap().to_str().unwrap()), file));
                }
            }
        }
    }
    found.sort();
    found
}

/// The structure as lines, and the constants by the position of their argument.
#[derive(Default, PartialEq, Debug)]
struct Seen {
    structure: Vec<String>,
    constants: Vec<(String, Option<serde_json::Value>)>,
}

fn ours(forest: &Forest, tree: &Tree, body: Id<Body>, prefix: &str, seen: &mut Seen) {
    let body = *tree.body(body);
    for attribute in tree.attributes(body.attributes) {
        let name = format!("{prefix}{}", tree.slice(attribute.name_range));
        let mut found = Diagnostics::new();
        let value = constant(forest, ExprAt::Native(tree.source, attribute.expr), &mut found);
        let json = value.to_json().ok().filter(|_| !found.has_errors());
        let json = json.and_then(|json| serde_json::from_str(&json).ok());
        seen.structure.push(name.clone());
        seen.constants.push((name, json));
    }
    for block in tree.blocks(body.blocks) {
        let labels: Vec<String> = tree.labels(block.labels).iter().map(|label| tree.str(label.text).into()).collect();
        let name = format!("{prefix}{} {labels:?}", tree.slice(block.type_range));
        seen.structure.push(name.clone());
        ours(forest, tree, block.body, &format!("{name} / "), seen);
    }
}

fn theirs(body: &hcl::Body, prefix: &str, seen: &mut Seen) {
    let attributes = body.iter().filter_map(Structure::as_attribute);
    for attribute in attributes {
        let name = format!("{prefix}{}", attribute.key());
        let value = attribute.expr().evaluate(&Context::new()).ok();
        seen.structure.push(name.clone());
        seen.constants.push((name, value.and_then(|value| serde_json::to_value(value).ok())));
    }
    for block in body.iter().filter_map(Structure::as_block) {
        let labels: Vec<&str> = block.labels().iter().map(hcl::BlockLabel::as_str).collect();
        let name = format!("{prefix}{} {labels:?}", block.identifier());
        seen.structure.push(name.clone());
        theirs(block.body(), &format!("{name} / "), seen);
    }
}

/// Compares two values; numbers are compared as doubles, because the other side has nothing better.
fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (a, b) {
        (Number(a), Number(b)) => a.as_f64() == b.as_f64(),
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Object(a), Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn structure_and_constants_agree() {
    let (mut compared, mut constants, mut wrong) = (0, 0, Vec::new());
    for (case, path) in inputs() {
        let bytes = fs::read(&path).unwrap();
        let forest = Forest::new(SyntaxLimits::default());
        let mut found = Diagnostics::new();
        let source = forest.parse_native("input.tf", bytes.clone().into(), &mut found);
        if found.has_errors() {
            continue;
        }
        let tree = forest.native(source).unwrap();
        let Root::Body(body) = tree.root else { continue };
        let text = std::str::from_utf8(&bytes).map_err(|error| error.to_string());
        let other = match text.and_then(|text| hcl::parse(text).map_err(|error| error.to_string())) {
            Ok(other) => other,
            Err(why) => {
                if !known(REFUSED, &case) {
                    wrong.push(format!("{case}: hcl-rs refuses {}: {why}", path.display()));
                }
                continue;
            }
        };
        let (mut a, mut b) = (Seen::default(), Seen::default());
        ours(&forest, tree, body, "", &mut a);
        theirs(&other, "", &mut b);
        compared += 1;
        if a.structure != b.structure {
            if SWALLOWED.contains(&case.as_str()) {
                continue;
            }
            wrong.push(format!("{case}: structure\n  {:?}\n  {:?}", a.structure, b.structure));
            continue;
        }
        for ((name, a), (_, b)) in a.constants.iter().zip(&b.constants) {
            if let (Some(a), Some(b)) = (a, b) {
                constants += 1;
                if !same(a, b) && !known(OTHER_VALUES, &case) {
                    wrong.push(format!("{case}: {name} in {}\n  {a}\n  {b}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 300 && constants > 500, "only {compared} inputs and {constants} constants were compared");
}
