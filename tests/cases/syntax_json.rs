//! Cases of the syntax suite in JSON syntax: the value tree, the diagnostics in order, and the file read as a body.

use std::fs;
use std::path::{Path, PathBuf};

use crate::syntax_tree;
use libtest_mimic::Failed;
use overfold_cli::body::content::{
    ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Content, ContentAttribute, Schema, attributes_only, partial,
    strict,
};
use overfold_cli::diag::{Diagnostic, Diagnostics, Severity, Span};
use overfold_cli::files::Position;
use overfold_cli::syntax::{Forest, SyntaxLimits};
use serde_json::{Map, Value, json};

use super::runner::Trial;

const ROOT: Schema<'static> = Schema {
    arguments: &[ArgumentSchema::optional("title"), ArgumentSchema::optional("limit")],
    blocks: &[
        BlockSchema::new("terraform", &[]),
        BlockSchema::new("locals", &[]),
        BlockSchema::new("moved", &[]),
        BlockSchema::new("variable", &["name"]),
        BlockSchema::new("output", &["name"]),
        BlockSchema::new("provider", &["name"]),
        BlockSchema::new("module", &["name"]),
        BlockSchema::new("resource", &["type", "name"]),
        BlockSchema::new("data", &["type", "name"]),
    ],
};

const INNER: Schema<'static> = Schema {
    arguments: &[],
    blocks: &[
        BlockSchema::new("lifecycle", &[]),
        BlockSchema::new("required_providers", &[]),
        BlockSchema::new("provisioner", &["type"]),
        BlockSchema::new("backend", &["type"]),
    ],
};

/// Adds one trial for each case with an `input.json`.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/syntax");
    let mut folders: Vec<PathBuf> = fs::read_dir(suite).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let found = folders.into_iter().filter(|folder| folder.join("input.json").is_file()).map(|folder| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        Trial::test(format!("syntax/{name}"), move || run(&folder))
    });
    trials.extend(found);
}

fn run(folder: &Path) -> Result<(), Failed> {
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let text = fs::read(folder.join("input.json")).unwrap();
    let forest = Forest::new(SyntaxLimits::default());
    let mut problems = Diagnostics::new();
    let source = forest.parse_json("input.json", text.into(), &mut problems);
    let tree: Value = serde_json::from_slice(&syntax_tree::json_tree(&forest, source).unwrap()).unwrap();

    let mut reading = Diagnostics::new();
    let body = BodyAt::of_file(&forest, source).unwrap();
    let content = strict(&forest, body, &ConsumedNames::NONE, ROOT, &mut reading);
    let mut decoded = decoded(&forest, &content, &mut reading);
    if !matches!(tree.get("kind").and_then(Value::as_str), Some("object" | "array")) {
        // The replacement for a root that is not a body has no position at all in the tool.
        decoded.insert("missing_item_range".to_owned(), json!("0:0@0-0:0@0"));
    }
    decoded.insert("diagnostics".to_owned(), in_order(&forest, &reading));

    let mut wrong = unread(&expected, "json", &["valid", "diagnostics", "tree", "decoded"]);
    let mut compare = |what: &str, expected: &Value, actual: &Value| {
        if expected != actual {
            wrong.push(format!("{what}\n  expected {expected}\n  actual   {actual}"));
        }
    };
    compare("valid", &expected["valid"], &Value::Bool(!problems.has_errors()));
    compare("diagnostics", &sorted_by_order(&expected["diagnostics"]), &in_order(&forest, &problems));
    compare("tree", &expected["tree"], &tree);
    let mut expected_decoded = expected["decoded"].clone();
    if let Some(object) = expected_decoded.as_object_mut() {
        let sorted = sorted_by_order(&object["diagnostics"]);
        object.insert("diagnostics".to_owned(), sorted);
    }
    compare("decoded", &expected_decoded, &Value::Object(decoded));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Reports recorded keys that nothing compares, and a syntax that is not the one of the case.
pub(super) fn unread(expected: &Value, syntax: &str, compared: &[&str]) -> Vec<String> {
    let known = |key: &str| compared.contains(&key) || ["recorded_with", "syntax"].contains(&key);
    let keys = expected.as_object().unwrap().keys().filter(|key| !known(key));
    let mut wrong: Vec<String> = keys.map(|key| format!("nothing compares the recorded key {key:?}")).collect();
    if expected["syntax"] != syntax {
        wrong.push(format!("recorded as {}", expected["syntax"]));
    }
    wrong
}

fn decoded(forest: &Forest, content: &Content<'_>, out: &mut Diagnostics) -> Map<String, Value> {
    let mut blocks = Vec::new();
    for block in &content.blocks {
        let mut hidden = ConsumedNames::default();
        let mut inner = partial(forest, block.body, &mut hidden, INNER, out);
        inner.attributes = attributes_only(forest, block.body, &hidden, out);
        let mut object = decoded(forest, &inner, out);
        object.insert("type".to_owned(), json!(block.keyword));
        object.insert("type_range".to_owned(), range(forest, block.type_span));
        object.insert("def_range".to_owned(), range(forest, block.header));
        let labels =
            block.labels.iter().map(|label| json!({"label": label.text, "range": range(forest, label.span)}));
        object.insert("labels".to_owned(), labels.collect());
        blocks.push(Value::Object(object));
    }
    let mut object = Map::new();
    let mut attributes: Vec<&ContentAttribute<'_>> = content.attributes.iter().collect();
    attributes.sort_by_key(|attribute| attribute.name_span.start);
    let attributes = attributes.into_iter().map(|attribute| {
        json!({
            "name": attribute.name,
            "name_range": range(forest, attribute.name_span),
            "range": range(forest, attribute.range),
            "expr_range": range(forest, forest.expr_span(attribute.expr)),
        })
    });
    object.insert("attributes".to_owned(), attributes.collect());
    object.insert("blocks".to_owned(), Value::Array(blocks));
    object.insert("missing_item_range".to_owned(), range(forest, content.missing_item));
    object
}

fn range(forest: &Forest, span: Span) -> Value {
    let range = forest.sources.range(span);
    let text = |at: Position| format!("{}:{}@{}", at.line, at.column, at.byte);
    Value::String(format!("{}-{}", text(range.start), text(range.end)))
}

pub(super) fn in_order(forest: &Forest, diagnostics: &Diagnostics) -> Value {
    diagnostics.iter().enumerate().map(|(order, diagnostic)| written(forest, diagnostic, order)).collect()
}

fn written(forest: &Forest, diagnostic: &Diagnostic, order: usize) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let mut object = json!({
        "severity": severity,
        "summary": diagnostic.summary,
        "range": place(forest, diagnostic.span.unwrap()),
        "order": order,
    });
    if let Some(context) = diagnostic.context {
        object["context"] = place(forest, context);
    }
    object
}

fn place(forest: &Forest, span: Span) -> Value {
    let range = forest.sources.range(span);
    let at = |at: Position| json!({"line": at.line, "column": at.column, "byte": at.byte});
    json!({"filename": forest.sources.name(span.source), "start": at(range.start), "end": at(range.end)})
}

pub(super) fn sorted_by_order(diagnostics: &Value) -> Value {
    let mut list = diagnostics.as_array().unwrap().clone();
    list.sort_by_key(|diagnostic| diagnostic["order"].as_u64());
    Value::Array(list)
}
