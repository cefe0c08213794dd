//! An answer held against what the real tool did: the answer is put into the recorded form, and every difference is a
//! line.

use std::collections::BTreeMap;

use bytes::Bytes;
use overfold::diag::Diagnostics;
use overfold::eval::{TypeRules, type_constraint};
use overfold::syntax::tree::Root;
use overfold::syntax::{ExprAt, Forest, SyntaxLimits};

use super::json::Json;

/// What is compared of a recorded result.
const COMPARED: &[&str] =
    &["valid", "diagnostics", "error_contains", "files", "objects", "content", "order_varies", "values"];

/// What says where a result comes from; and `outputs`, values that the contract has no place for.
const ABOUT: &[&str] = &["recorded_with", "basis", "source", "outputs"];

/// Differences between an answer and a recorded result, one a line: `-` recorded, `+` answered.
pub(crate) fn differences(expected: &Json, answer: &Json) -> Vec<String> {
    let mut out = Vec::new();
    for key in expected.properties().keys() {
        if !COMPARED.contains(&key.as_str()) && !ABOUT.contains(&key.as_str()) {
            out.push(format!("nothing compares the recorded key {key:?}"));
        }
    }
    if let Some(valid) = expected.find("valid") {
        compare("valid", valid, answer.get("valid"), &mut out);
    }
    if expected.find("diagnostics").is_some() {
        diagnostics(expected.get("diagnostics"), answer.get("diagnostics"), &mut out);
    }
    if let Some(words) = expected.find("error_contains") {
        words_of_errors(words, answer.get("diagnostics"), &mut out);
    }
    let module = answer.get("module");
    if let Some(files) = expected.find("files") {
        for (list, role) in [("primary", "primary"), ("override", "override"), ("tests", "test")] {
            if let Some(names) = files.find(list) {
                compare(&format!("files.{list}"), names, &files_of(module.get("files"), role), &mut out);
            }
        }
    }
    if let Some(objects) = expected.find("objects") {
        by_name("object", objects.properties(), module.get("objects").properties(), &mut out, object);
    }
    if let Some(wanted) = expected.find("content") {
        let varies = expected.find("order_varies") == Some(&Json::Bool(true));
        listed("content", wanted.items(), module.get("content").items(), varies, &mut out);
    }
    if let Some(values) = expected.find("values") {
        super::values::differences(values, module.get("variables"), &mut out);
    }
    out
}

fn compare(what: &str, expected: &Json, got: &Json, out: &mut Vec<String>) {
    if expected != got {
        out.push(format!("{what}\n      - {expected}\n      + {got}"));
    }
}

/// Words that the tool's plain text holds: each has to stand in the file name, title and text of one of the errors that
/// are the tool's. White space and letter case do not count.
fn words_of_errors(words: &Json, got: &Json, out: &mut Vec<String>) {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let told: Vec<String> = got
        .items()
        .iter()
        .filter(|found| found.get("severity").text() == "error" && found.get("origin").text() == "tool")
        .map(|found| {
            let name = found.get("range").find("filename").map_or("", Json::text);
            format!("{name} {} {}", found.get("summary").text(), found.get("detail").text())
        })
        .collect();
    for words in words.items() {
        if !told.iter().any(|told| folded(told).contains(&folded(words.text()))) {
            out.push(format!("error_contains\n      - {words}\n      + {}", told.join("\n        ")));
        }
    }
}

/// The diagnostics that the tool itself gives, as a multiset of severity, title and range.
fn diagnostics(expected: &Json, got: &Json, out: &mut Vec<String>) {
    let tool = |diagnostic: &&Json| diagnostic.find("origin").is_none_or(|origin| origin.text() == "tool");
    let mut wanted: Vec<String> = expected.items().iter().map(diagnostic_line).collect();
    let mut found: Vec<String> = got.items().iter().filter(tool).map(diagnostic_line).collect();
    wanted.sort();
    found.sort();
    for line in difference(&wanted, &found) {
        out.push(format!("- diagnostic {line}"));
    }
    for line in difference(&found, &wanted) {
        out.push(format!("+ diagnostic {line}"));
    }
}

/// What is in `of` more often than in `without`; both sorted.
fn difference(of: &[String], without: &[String]) -> Vec<String> {
    let mut rest = without.to_vec();
    of.iter()
        .filter(|line| match rest.iter().position(|other| other == *line) {
            Some(at) => {
                rest.remove(at);
                false
            }
            None => true,
        })
        .cloned()
        .collect()
}

fn diagnostic_line(diagnostic: &Json) -> String {
    let range = match diagnostic.get("range") {
        Json::Null => "nowhere".to_owned(),
        range => {
            let position = |end: &str| {
                let at = range.get(end);
                format!("{}:{} byte {}", at.get("line"), at.get("column"), at.get("byte"))
            };
            format!("{} {} to {}", range.get("filename").text(), position("start"), position("end"))
        }
    };
    format!("{range}: {}: {}", diagnostic.get("severity").text(), diagnostic.get("summary").text())
}

fn files_of(files: &Json, role: &str) -> Json {
    let mut names: Vec<(&Json, &Json)> = files
        .items()
        .iter()
        .filter(|file| file.get("role").text() == role)
        .map(|file| (file.get("order"), file.get("path")))
        .collect();
    names.sort_by_key(|(order, _)| match order {
        Json::Number(number) => Some(number.clone()),
        _ => None,
    });
    Json::Array(names.into_iter().map(|(_, name)| name.clone()).collect())
}

fn by_name(
    what: &str,
    expected: &BTreeMap<String, Json>,
    got: &BTreeMap<String, Json>,
    out: &mut Vec<String>,
    compare: impl Fn(&str, &Json, &Json, &mut Vec<String>),
) {
    for (name, expected) in expected {
        match got.get(name) {
            Some(got) => compare(&format!("{what} {name}"), expected, got, out),
            None => out.push(format!("- {what} {name}")),
        }
    }
    for name in got.keys().filter(|name| !expected.contains_key(*name)) {
        out.push(format!("+ {what} {name}"));
    }
}

fn object(what: &str, expected: &Json, got: &Json, out: &mut Vec<String>) {
    const KEYS: &[&str] = &[
        "attributes",
        "blocks",
        "constraints",
        "declared_at",
        "default",
        "escaped",
        "instances",
        "labels",
        "resolved",
        "type",
    ];
    for key in expected.properties().keys().filter(|key| !KEYS.contains(&key.as_str())) {
        out.push(format!("{what}: nothing compares the recorded key {key:?}"));
    }
    if let Some(declared) = expected.find("declared_at") {
        compare(&format!("{what} declared_at"), declared, &place(got.get("declared")), out);
    }
    content(what, expected, got, true, out);
    let is_ephemeral = got.get("attributes").find("ephemeral").is_some();
    if got.get("type") != expected.get("type") {
        compare(&format!("{what} type"), expected.get("type"), &settled_type(got.get("type")), out);
    }
    for key in ["default", "labels", "resolved", "instances"] {
        if key == "default" && is_ephemeral && got.find("redacted").is_some() {
            continue;
        }
        compare(&format!("{what} {key}"), expected.get(key), got.get(key), out);
    }
    let listed = |list: &Json| -> Json { Json::Array(list.items().iter().map(argument).collect()) };
    let constraints = expected.get("constraints");
    compare(
        &format!("{what} constraints"),
        &Json::Array(constraints.items().to_vec()),
        &listed(got.get("constraints")),
        out,
    );
}

/// The type that the tool makes of a declared one: without `optional()`, in its own spelling.
fn settled_type(declared: &Json) -> Json {
    let Json::Text(text) = declared else { return declared.clone() };
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    let id = forest.parse_detached_expression("type", Bytes::copy_from_slice(text.as_bytes()), &mut out);
    let Some(Root::Expr(expr)) = forest.native(id).map(|tree| tree.root) else { return declared.clone() };
    let constraint = type_constraint(&forest, ExprAt::Native(id, expr), TypeRules::VARIABLE, &mut out);
    Json::Text(constraint.ty.without_optional().to_string())
}

/// Arguments as the tool holds them: beside a list of `ignore_changes` a flag for the keyword `all`. An answer shows what
/// takes effect, which is the keyword then, under the name that the configuration gives it.
fn arguments(recorded: &Json) -> BTreeMap<String, Json> {
    let mut arguments = recorded.properties().clone();
    if let Some(flag) = arguments.remove("ignore_all_changes") {
        arguments.insert("ignore_changes".to_owned(), flag);
    }
    arguments
}

/// Arguments and nested blocks. Of nested blocks the recorded form gives contents only where a case is about them.
fn content(what: &str, expected: &Json, got: &Json, whole: bool, out: &mut Vec<String>) {
    for list in ["attributes", "escaped"] {
        if whole || expected.find(list).is_some() {
            by_name(
                &format!("{what} {list}"),
                &arguments(expected.get(list)),
                got.get(list).properties(),
                out,
                compare_argument,
            );
        }
    }
    if !whole && expected.find("blocks").is_none() {
        return;
    }
    let (wanted, found) = (expected.get("blocks").items(), got.get("blocks").items());
    let headers = |blocks: &[Json], at: &dyn Fn(&Json) -> Json| -> Json {
        let header =
            |block: &Json| Json::Array(vec![block.get("type").clone(), block.get("labels").clone(), at(block)]);
        Json::Array(blocks.iter().map(header).collect())
    };
    let wanted_headers = headers(wanted, &|block| block.get("at").clone());
    let found_headers = headers(found, &|block| place(header(block)));
    if wanted_headers != found_headers {
        compare(&format!("{what} blocks"), &wanted_headers, &found_headers, out);
        return;
    }
    for (expected, got) in wanted.iter().zip(found) {
        content(&format!("{what} block {}", expected.get("type").text()), expected, got, false, out);
    }
}

/// A list of blocks, each whole. Where the order of files varies, blocks of one file are compared with those of that file.
fn listed(what: &str, expected: &[Json], got: &[Json], by_file: bool, out: &mut Vec<String>) {
    let form = |block: &Json| {
        let at = block.find("at").cloned().unwrap_or_else(|| place(header(block)));
        (block.get("type").clone(), block.get("labels").clone(), at)
    };
    let mut expected: Vec<_> = expected.iter().map(|block| (form(block), block)).collect();
    let mut got: Vec<_> = got.iter().map(|block| (form(block), block)).collect();
    if by_file {
        let file = |at: &Json| at.text().rsplit_once(':').map(|(file, _)| file.to_owned());
        expected.sort_by_key(|((_, _, at), _)| file(at));
        got.sort_by_key(|((_, _, at), _)| file(at));
    }
    let headers = |blocks: &[((Json, Json, Json), &Json)]| {
        let header =
            |(kind, labels, at): &(Json, Json, Json)| Json::Array(vec![kind.clone(), labels.clone(), at.clone()]);
        Json::Array(blocks.iter().map(|(form, _)| header(form)).collect())
    };
    let (wanted, found) = (headers(&expected), headers(&got));
    if wanted != found {
        compare(what, &wanted, &found, out);
        return;
    }
    for (at, ((_, expected), (_, got))) in expected.into_iter().zip(got).enumerate() {
        let what = format!("{what}[{at}] {}", expected.get("type").text());
        let attributes = (expected.get("attributes").properties(), got.get("attributes").properties());
        by_name(&format!("{what} attribute"), attributes.0, attributes.1, out, |what, expected, got, out| {
            compare_argument(what, expected, got, out);
        });
        listed(&format!("{what} block"), expected.get("blocks").items(), got.get("blocks").items(), false, out);
    }
}

/// Where a block's header stands. What is no more than that has its range alone.
fn header(block: &Json) -> &Json {
    block.find("header").unwrap_or_else(|| block.get("range"))
}

/// `FILE:LINE` of a range's start.
fn place(range: &Json) -> Json {
    match range {
        Json::Null => Json::Null,
        range => Json::Text(format!("{}:{}", range.get("filename").text(), range.get("start").get("line"))),
    }
}

/// What is not shown is no difference: values of ephemeral variables never are.
fn compare_argument(what: &str, expected: &Json, got: &Json, out: &mut Vec<String>) {
    let (mut expected, mut form) = (expected.clone(), argument(got));
    if got.find("redacted").is_some() {
        for side in [&mut expected, &mut form] {
            if let Json::Object(members) = side {
                members.remove("expr");
            }
        }
    }
    compare(what, &expected, &form, out);
}

/// An argument in the recorded form.
fn argument(got: &Json) -> Json {
    let mut form = BTreeMap::from([("at".to_owned(), place(got.get("range")))]);
    for (key, name) in [("expression", "expr"), ("broken", "broken"), ("value", "value")] {
        if let Some(value) = got.find(key) {
            form.insert(name.to_owned(), value.clone());
        }
    }
    Json::Object(form)
}
