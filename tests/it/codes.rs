//! The registry of codes: complete, without duplicates, and with correct examples.

mod produced;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overfold_cli::codes::{self, CodeCases, Example};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::pipeline::{Request, VariableArg, VariableInputs, run};
use overfold_cli::syntax::Forest;
use serde_json::Value;

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() { sources(&path, into) } else { into.push(path) }
    }
}

#[test]
fn every_table_of_codes_is_registered_and_every_code_is_unique() {
    let mut files = Vec::new();
    for folder in ["src", "crates"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let is_table =
        |text: &str| ["\ncrate::codes! {", "\noverfold_base::codes! {"].iter().any(|start| text.contains(start));
    let tables = files.iter().filter(|path| is_table(&fs::read_to_string(path).unwrap_or_default()));
    assert_eq!(tables.count(), codes::TABLE_COUNT, "a table of codes is not in crates/engine/src/codes.rs");
    let mut seen = BTreeSet::new();
    for code in codes::all() {
        assert!(seen.insert(code.id), "{} is listed twice", code.id);
        let (stage, problem) = code.id.split_once('/').unwrap();
        let kebab =
            |text: &str| !text.is_empty() && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        assert!(kebab(stage) && kebab(problem), "{}", code.id);
        assert!(!code.title.is_empty() && code.about.ends_with(['.', ')']), "{}: {}", code.id, code.about);
        assert!(std::ptr::eq(codes::find(code.id).unwrap(), code));
    }
    assert!(seen.len() > 300);
}

/// The suites of recorded modules.
const SUITES: &[&str] = &[
    "terraform",
    "terraform-versions",
    "opentofu",
    "opentofu-versions",
    "sentinel",
    "tflint",
    "expressions",
    "variables",
    "variables-0.11",
];

/// The maximum size of an example in bytes: what a reader can take in at a glance.
const MAX: usize = 600;

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn inputs(asked: &Value) -> Option<Arc<VariableInputs>> {
    let given = |name: &str| asked.get(name).filter(|value| !value.is_null());
    if given("env").is_none() && given("args").is_none() && asked.get("values") != Some(&Value::Bool(true)) {
        return None;
    }
    let env = given("env").and_then(Value::as_object).into_iter().flatten();
    let args = given("args").and_then(Value::as_array).into_iter().flatten();
    Some(Arc::new(VariableInputs {
        env: env.filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect(),
        args: args
            .filter_map(|arg| match (text(&arg["var"]), text(&arg["var_file"]), text(&arg["name"])) {
                (Some(var), _, _) => Some(VariableArg::Var(var)),
                (_, Some(file), _) => Some(VariableArg::VarFile(file)),
                (_, _, Some(name)) => Some(VariableArg::Value { name, json: arg["value"].to_string().into() }),
                _ => None,
            })
            .collect(),
    }))
}

/// The dialects whose cases produce a code, and its best example so far with its rank: of the dialect that most
/// readers know, and the smallest one.
type Smallest = (BTreeSet<String>, Option<((usize, usize), Example)>);

/// The dialects of which an example is preferred, the first one most.
const PREFERRED: [&str; 2] = ["terraform", "opentofu"];

/// Adds what a recorded case produces: its codes, each with the case as an example.
fn shown(case: &Path, into: &mut BTreeMap<String, Smallest>) {
    let Ok(Ok(asked)) = fs::read(case.join("case.json")).map(|bytes| serde_json::from_slice::<Value>(&bytes)) else {
        return;
    };
    let mut paths = Vec::new();
    sources(&case.join("input"), &mut paths);
    paths.sort();
    let files: Vec<(String, Vec<u8>)> = paths
        .iter()
        .map(|path| {
            let name = path.strip_prefix(case.join("input")).unwrap().to_str().unwrap().replace('\\', "/");
            (name, fs::read(path).unwrap())
        })
        .collect();
    let set = files
        .iter()
        .map(|(path, bytes)| SourceFile { path: ModulePath::parse(path).unwrap(), bytes: bytes.clone().into() });
    let request = Request {
        version: text(&asked["tool_version"]),
        root: text(&asked["root"]).filter(|root| root != ".").unwrap_or_default(),
        config_file: text(&asked["config_file"]),
        variables: inputs(&asked),
        expand: asked["expand"] == true,
        ..Request::new(text(&asked["dialect"]).unwrap_or_else(|| "terraform".to_owned()))
    };
    let plain =
        request.variables.is_none() && !request.expand && request.config_file.is_none() && request.root.is_empty();
    let forest = Forest::default();
    let Ok(report) = run(&forest, &FileSet::new(set.collect(), Vec::new()), &request) else { return };
    let texts: Option<BTreeMap<String, String>> =
        files.into_iter().map(|(path, bytes)| String::from_utf8(bytes).ok().map(|text| (path, text))).collect();
    for found in &report.diagnostics {
        let (dialects, example) = into.entry(found.code.id.to_owned()).or_default();
        dialects.insert(request.dialect.clone());
        let Some(files) = texts.as_ref().filter(|_| plain) else { continue };
        let size = files.iter().map(|(path, text)| path.len() + text.len()).sum();
        let dialect = PREFERRED.iter().position(|preferred| *preferred == request.dialect);
        let rank = (dialect.unwrap_or(PREFERRED.len()), size);
        if size > MAX || example.as_ref().is_some_and(|(best, _)| *best <= rank) {
            continue;
        }
        let sources = &report.forest.sources;
        let at = found.span.filter(|span| !sources.name(span.source).is_empty()).map(|span| {
            let start = sources.position(span.source, span.start);
            format!("{}:{}:{}", sources.name(span.source), start.line, start.column)
        });
        let made = Example {
            dialect: request.dialect.clone(),
            version: request.version.clone(),
            files: files.clone(),
            at,
            summary: found.summary.to_string(),
            detail: found.detail.to_string(),
        };
        *example = Some((rank, made));
    }
}

/// Checks that `crates/engine/src/codes/examples.json` matches the recorded cases. With `OVERFOLD_GOLDEN=write` in the environment
/// it is rewritten instead.
#[test]
fn golden_examples_of_codes_are_the_recorded_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    for suite in SUITES {
        let mut cases: Vec<PathBuf> =
            fs::read_dir(root.join("tests/conformance").join(suite)).unwrap().map(|e| e.unwrap().path()).collect();
        cases.sort();
        let shown_all = || cases.iter().for_each(|case| shown(case, &mut found));
        overfold_cli::stack::ensure_sufficient(shown_all);
    }
    let made: BTreeMap<String, CodeCases> = found
        .into_iter()
        .map(|(code, (dialects, example))| {
            (
                code,
                CodeCases { dialects: dialects.into_iter().collect(), example: example.map(|(_, example)| example) },
            )
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&made).unwrap();
    text.push('\n');
    let path = root.join("crates/engine/src/codes/examples.json");
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write") {
        fs::write(path, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(path).unwrap();
    assert!(
        committed == text,
        "crates/engine/src/codes/examples.json is out of date; run\n  OVERFOLD_GOLDEN=write cargo test --test it golden"
    );
    for code in made.keys() {
        assert!(codes::find(code).is_some(), "{code}");
    }
}
