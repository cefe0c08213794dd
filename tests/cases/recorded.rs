//! Compares an answer with what the real tool did: the answer is converted to the recorded form, and every difference
//! is a line.

use std::collections::BTreeMap;

use bytes::Bytes;
use overfold_cli::diag::Diagnostics;
use overfold_cli::eval::{TypeRules, type_constraint};
use overfold_cli::syntax::tree::Root;
use overfold_cli::syntax::{ExprAt, Forest, SyntaxLimits};

use super::json::Json;

/// The keys of a recorded result that are compared.
const COMPARED: &[&str] =
    &["valid", "diagnostics", "error_contains", "files", "objects", "content", "order_varies", "values", "outputs"];

/// The keys that describe the origin of a result.
const ABOUT: &[&str] = &["recorded_with", "basis", "source"];

/// Returns the differences between an answer and a recorded result, one per line: `-` recorded, `+` answered.
pub(crate) fn differences(expected: &Json, answer: &Json) -> Vec<String> {
    let mut out = Vec::new();
    known_keys("a result", expected, &[COMPARED, ABOUT].concat(), &mut out);
    compare("valid", expected.find("valid"), answer.find("valid"), &mut out);
    match (expected.find("diagnostics"), expected.find("error_contains")) {
        (Some(wanted), None) => diagnostics(wanted, answer.get("diagnostics"), &mut out),
        (None, Some(words)) => words_of_errors(words, answer.get("diagnostics"), &mut out),
        // A generation without structured diagnostics reports nothing about a valid module.
        (None, None) if expected.get("valid") == &Json::Bool(true) => {
            diagnostics(&Json::Array(Vec::new()), answer.get("diagnostics"), &mut out);
        }
        _ => out.push("of diagnostics and error_contains exactly one has to be recorded".to_owned()),
    }
    let module = answer.get("module");
    if let Some(files) = expected.find("files") {
        const LISTS: [(&str, &str); 3] = [("primary", "primary"), ("override", "override"), ("tests", "test")];
        known_keys("files", files, &LISTS.map(|(list, _)| list), &mut out);
        for (list, role) in LISTS {
            // A list without files is omitted; the cases of one tool never list test files.
            if list == "tests" && files.find(list).is_none() && answer.get("dialect").text() == "terraform" {
                continue;
            }
            let names = Json::Array(files.get(list).items().to_vec());
            compare(&format!("files.{list}"), Some(&names), Some(&files_of(module.get("files"), role)), &mut out);
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
    if expected.find("order_varies").is_some() && expected.find("content").is_none() {
        out.push("order_varies says something of content, which is not recorded".to_owned());
    }
    out
}

/// Compares two values as they are: an absent value differs from null.
fn compare(what: &str, expected: Option<&Json>, got: Option<&Json>, out: &mut Vec<String>) {
    if expected != got {
        let text = |side: Option<&Json>| side.map_or("(absent)".to_owned(), Json::to_string);
        out.push(format!("{what}\n      - {}\n      + {}", text(expected), text(got)));
    }
}

/// Reports a recorded key that nothing compares as a difference.
pub(super) fn known_keys(what: &str, recorded: &Json, known: &[&str], out: &mut Vec<String>) {
    for key in recorded.properties().keys().filter(|key| !known.contains(&key.as_str())) {
        out.push(format!("{what}: nothing compares the recorded key {key:?}"));
    }
}

/// Checks the words of the tool's plain-text output: each must appear in the file name, title or text of one of the
/// errors attributed to the tool. White space and letter case are ignored.
fn words_of_errors(words: &Json, got: &Json, out: &mut Vec<String>) {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let reported: Vec<String> = got
        .items()
        .iter()
        .filter(|found| found.get("severity").text() == "error" && found.get("origin").text() == "tool")
        .map(|found| {
            let name = found.get("range").find("filename").map_or("", Json::text);
            format!("{name} {} {}", found.get("summary").text(), found.get("detail").text())
        })
        .collect();
    for reported in &reported {
        if !words.items().iter().any(|words| folded(reported).contains(&folded(words.text()))) {
            out.push(format!("error_contains\n      + {reported}"));
        }
    }
    for words in words.items() {
        if !reported.iter().any(|reported| folded(reported).contains(&folded(words.text()))) {
            out.push(format!("error_contains\n      - {words}\n      + {}", reported.join("\n        ")));
        }
    }
}

/// Compares the diagnostics of the tool itself, as a multiset of severity, title and range.
fn diagnostics(expected: &Json, got: &Json, out: &mut Vec<String>) {
    // Our own findings are not the tool's and are not recorded.
    let tool = |diagnostic: &&Json| diagnostic.get("origin").text() == "tool";
    for wanted in expected.items() {
        known_keys("a diagnostic", wanted, &["severity", "summary", "range"], out);
    }
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

/// Returns what `of` contains more often than `without`; both are sorted.
pub(super) fn difference(of: &[String], without: &[String]) -> Vec<String> {
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

/// Returns severity, title and range of a diagnostic on one line.
pub(super) fn diagnostic_line(diagnostic: &Json) -> String {
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

/// Returns the names of the files with a role, in the order in which they are read. Test files are not part of that
/// order; they are in list order.
fn files_of(files: &Json, role: &str) -> Json {
    let listed = files.items().iter().enumerate().filter(|(_, file)| file.get("role").text() == role);
    let mut names: Vec<(usize, &Json)> = listed
        .map(|(at, file)| match file.find("order") {
            Some(order) => (order.to_string().parse().expect("a place in the order"), file.get("path")),
            None if role == "test" => (at, file.get("path")),
            None => panic!("{file} has no place in the order"),
        })
        .collect();
    names.sort_by_key(|(order, _)| *order);
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
    known_keys(what, expected, KEYS, out);
    // Elements that only collect constraints have no declaration in the tool; an answer gives the position of the first
    // constraint.
    let first = expected.get("constraints").items().first().and_then(|first| first.find("at"));
    let declared = got.find("header").map(place);
    compare(&format!("{what} declared_at"), expected.find("declared_at").or(first), declared.as_ref(), out);
    content(what, expected, got, true, out);
    let settled = got.find("type").map(settled_type);
    compare(&format!("{what} type"), expected.find("type"), settled.as_ref(), out);
    // The names of the recorded form, and of the answer.
    let values =
        [("default", "default"), ("labels", "labels"), ("resolved", "evaluated"), ("instances", "instance_keys")];
    for (key, name) in values {
        if key == "default" && is_withheld(got) {
            // No answer shows the value of an ephemeral variable, only that there is one.
            let shown = expected.find(key).map(|_| &Json::Null);
            compare(&format!("{what} default"), shown, got.find(name), out);
            continue;
        }
        compare(&format!("{what} {key}"), expected.find(key), got.find(name), out);
    }
    let listed = |list: &Json| -> Json { Json::Array(list.items().iter().map(argument).collect()) };
    let constraints = got.find("constraints").map(listed);
    compare(&format!("{what} constraints"), expected.find("constraints"), constraints.as_ref(), out);
}

/// Whether the answer withholds a value. Cases request sensitive values, so it is an ephemeral one.
fn is_withheld(got: &Json) -> bool {
    got.get("redacted") == &Json::Bool(true)
}

/// Returns the type that the tool derives from a declared one: without `optional()`, in its own notation.
fn settled_type(declared: &Json) -> Json {
    let Json::Text(text) = declared else { return declared.clone() };
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    let id = forest.parse_detached_expression("type", Bytes::copy_from_slice(text.as_bytes()), &mut out);
    let Some(Root::Expr(expr)) = forest.native(id).map(|tree| tree.root) else { return declared.clone() };
    let constraint = type_constraint(&forest, ExprAt::Native(id, expr), TypeRules::VARIABLE, &mut out);
    Json::Text(constraint.ty.without_optional().to_string())
}

/// Returns the arguments of a `lifecycle` block as the tool stores them: next to the list of `ignore_changes` there is
/// a flag for the keyword `all`. An answer shows what is in effect, which is then the keyword, and the list as what it
/// replaced.
fn ignoring_all(what: &str, recorded: &Json, got: &Json, out: &mut Vec<String>) -> BTreeMap<String, Json> {
    let mut arguments = recorded.properties().clone();
    if let Some(flag) = arguments.remove("ignore_all_changes")
        && let Some(list) = arguments.insert("ignore_changes".to_owned(), flag)
    {
        let is_override = |argument: &Json| argument.get("at").text().contains("override");
        // A list that comes after the keyword replaces nothing; we report that.
        let comes_later = is_override(&list) && !is_override(&arguments["ignore_changes"]);
        let wanted = if comes_later { Vec::new() } else { vec![list] };
        let previous: Vec<Json> = got.get("ignore_changes").get("previous").items().iter().map(argument).collect();
        compare(&format!("{what} previous"), Some(&Json::Array(wanted)), Some(&Json::Array(previous)), out);
    }
    arguments
}

/// Compares arguments and nested blocks. The recorded form contains the contents of nested blocks only if a case is
/// about them, and then of all of them; those of `lifecycle` blocks are always recorded, except in a `removed` block.
fn content(what: &str, expected: &Json, got: &Json, whole: bool, out: &mut Vec<String>) {
    const NESTED: &[&str] = &["type", "labels", "at", "attributes", "escaped", "blocks"];
    if expected.find("type").is_some() && expected.find("at").is_some() {
        known_keys(what, expected, NESTED, out);
    }
    if !whole && ["attributes", "escaped", "blocks"].iter().all(|list| expected.find(list).is_none()) {
        return;
    }
    for list in ["attributes", "escaped"] {
        let (wanted, found) = (expected.get(list), got.get(list));
        let what = format!("{what} {list}");
        let wanted = match expected.find("type") {
            Some(Json::Text(kind)) if kind == "lifecycle" => ignoring_all(&what, wanted, found, out),
            _ => wanted.properties().clone(),
        };
        by_name(&what, &wanted, found.properties(), out, compare_argument);
    }
    let (wanted, found) = (expected.get("blocks").items(), got.get("blocks").items());
    let headers = |blocks: &[Json], at: &dyn Fn(&Json) -> Json| -> Json {
        let header =
            |block: &Json| Json::Array(vec![block.get("type").clone(), block.get("labels").clone(), at(block)]);
        Json::Array(blocks.iter().map(header).collect())
    };
    let wanted_headers = headers(wanted, &|block| block.get("at").clone());
    let found_headers = headers(found, &|block| place(block.get("header")));
    if wanted_headers != found_headers {
        compare(&format!("{what} blocks"), Some(&wanted_headers), Some(&found_headers), out);
        return;
    }
    for (expected, got) in wanted.iter().zip(found) {
        let kind = expected.get("type").text();
        let always = kind == "lifecycle" && !what.starts_with("object removed[");
        content(&format!("{what} block {kind}"), expected, got, always, out);
    }
}

/// Compares two lists of complete blocks. If the order of files varies, blocks are compared file by file.
fn listed(what: &str, expected: &[Json], got: &[Json], by_file: bool, out: &mut Vec<String>) {
    let form = |block: &Json| {
        let at = block.find("at").cloned().unwrap_or_else(|| place(block.get("header")));
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
        compare(what, Some(&wanted), Some(&found), out);
        return;
    }
    for (at, ((_, expected), (_, got))) in expected.into_iter().zip(got).enumerate() {
        let what = format!("{what}[{at}] {}", expected.get("type").text());
        known_keys(&what, expected, &["type", "labels", "at", "attributes", "blocks"], out);
        let attributes = (expected.get("attributes").properties(), got.get("attributes").properties());
        by_name(&format!("{what} attribute"), attributes.0, attributes.1, out, |what, expected, got, out| {
            compare_argument(what, expected, got, out);
        });
        listed(&format!("{what} block"), expected.get("blocks").items(), got.get("blocks").items(), false, out);
    }
}

/// Returns `FILE:LINE` of the start of a range.
fn place(range: &Json) -> Json {
    match range {
        Json::Null => Json::Null,
        range => Json::Text(format!("{}:{}", range.get("filename").text(), range.get("start").get("line"))),
    }
}

/// Compares an argument. Values that are never shown, those of ephemeral variables, are ignored; only their positions
/// are compared.
fn compare_argument(what: &str, expected: &Json, got: &Json, out: &mut Vec<String>) {
    let mut expected = expected.clone();
    if let (true, Json::Object(members)) = (is_withheld(got), &mut expected) {
        members.insert("expr".to_owned(), Json::Null);
    }
    compare(what, Some(&expected), Some(&argument(got)), out);
}

/// Returns an argument in the recorded form.
fn argument(got: &Json) -> Json {
    let mut form = BTreeMap::from([("at".to_owned(), place(got.get("range")))]);
    for (key, name) in [("expression", "expr"), ("broken", "broken"), ("value", "value")] {
        if let Some(value) = got.find(key) {
            form.insert(name.to_owned(), value.clone());
        }
    }
    Json::Object(form)
}
