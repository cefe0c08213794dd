//! Cases of the syntax suite in native syntax: the recovered tree with its ranges, the values of constants, and the
//! diagnostics in order.

use std::fs;
use std::path::{Path, PathBuf};

use crate::syntax_tree;
use libtest_mimic::Failed;
use overfold_cli::diag::Diagnostics;
use overfold_cli::syntax::{Forest, SyntaxLimits};
use serde_json::Value;

use super::runner::Trial;
use super::syntax_json::{in_order, sorted_by_order, unread};

/// Adds one trial for each case with an `input.hcl`.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/syntax");
    let mut folders: Vec<PathBuf> = fs::read_dir(suite).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let found = folders.into_iter().filter(|folder| folder.join("input.hcl").is_file()).map(|folder| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        Trial::test(format!("syntax/{name}"), move || overfold_cli::stack::ensure_sufficient(|| run(&folder)))
    });
    trials.extend(found);
}

fn run(folder: &Path) -> Result<(), Failed> {
    let expected = json(&fs::read(folder.join("expected.json")).unwrap());
    let text = fs::read(folder.join("input.hcl")).unwrap();
    let forest = Forest::new(SyntaxLimits::default());
    let mut problems = Diagnostics::new();
    let source = forest.parse_native("input.hcl", text.into(), &mut problems);
    let mut wrong = unread(&expected, "native", &["valid", "diagnostics", "body", "tree_left_out", "tree_depth"]);
    compare("valid", &expected["valid"], &Value::Bool(!problems.has_errors()), &mut wrong);
    compare("diagnostics", &sorted_by_order(&expected["diagnostics"]), &in_order(&forest, &problems), &mut wrong);
    let tree = json(&syntax_tree::native_tree(&forest, source).unwrap());
    if expected["tree_left_out"] == Value::Bool(true) && expected["body"].is_null() {
        compare("tree_depth", &expected["tree_depth"], &Value::from(depth(&tree)), &mut wrong);
    } else {
        compare("body", &expected["body"], &tree, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Returns the maximum nesting depth of expressions and blocks.
fn depth(tree: &Value) -> u64 {
    let mut deepest = 0;
    let mut left = vec![(tree, 0)];
    while let Some((value, above)) = left.pop() {
        let depth = above + u64::from(value.get("kind").is_some() || value.get("labels").is_some());
        deepest = deepest.max(depth);
        match value {
            Value::Object(members) => left.extend(members.values().map(|inside| (inside, depth))),
            Value::Array(items) => left.extend(items.iter().map(|inside| (inside, depth))),
            _ => {}
        }
    }
    deepest
}

/// Parses JSON as deep as that of the cases.
fn json(bytes: &[u8]) -> Value {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).unwrap()
}

/// Records the innermost differences.
fn compare(at: &str, expected: &Value, actual: &Value, wrong: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(a), Value::Object(b)) => {
            let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                let none = Value::String("(absent)".to_owned());
                let (a, b) = (a.get(name).unwrap_or(&none), b.get(name).unwrap_or(&none));
                compare(&format!("{at}.{name}"), a, b, wrong);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{at}[{index}]"), a, b, wrong);
            }
        }
        _ if expected == actual => {}
        _ => wrong.push(format!("{at}\n  expected {expected}\n  actual   {actual}")),
    }
}
