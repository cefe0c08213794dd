//! Every code is produced: by a recorded case, an example from a document, a probe, or the input for it in
//! `tests/data/codes`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overfold_cli::account;
use overfold_cli::codes;
use overfold_cli::diag::{Diagnostic, Diagnostics, Severity};
use overfold_cli::eval::{FileAccess, Roots, Scope, evaluate, json_value};
use overfold_cli::files::{FileSet, ModulePath, SourceFile, SpecialEntry, SpecialKind};
use overfold_cli::output::{ConfigFormat, form_notes};
use overfold_cli::pipeline::{ProviderChecks, Request, ToolStage, VariableInputs, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::repository;
use overfold_cli::schema::ProviderSchemas;
use overfold_cli::syntax::tree::Root;
use overfold_cli::syntax::{ExprAt, Forest, SyntaxLimits};
use serde_json::Value;

use super::{inputs, sources, text};

/// The suites whose cases request values, whether or not they give any.
const ASK_FOR_VALUES: &[&str] = &["variables", "expressions", "variables-0.11"];

/// The codes that no request is known to produce, and why.
const NOT_BY_A_REQUEST: &[(&str, &str)] =
    &[("evaluation/mixed-splat", "the elements of a list have one type, and so has what a splat selects of each")];

/// A finding: its code, severity and title.
type Found = (String, &'static str, String);

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty(), "{}", of.display());
    folders
}

fn request(asked: &Value) -> Request {
    Request {
        dialect: text(&asked["dialect"]).unwrap_or_else(|| "terraform".to_owned()),
        version: text(&asked["tool_version"]).or_else(|| text(&asked["version"])),
        root: text(&asked["root"]).filter(|root| root != ".").unwrap_or_default(),
        config_file: text(&asked["config_file"]),
        variables: inputs(asked).or_else(|| (asked["stage"] == "plan").then(|| VariableInputs::default().into())),
        expand: asked["expand"] == true,
        reveal_sensitive: false,
        severities: std::sync::Arc::default(),
        stage: if asked["stage"] == "load" || asked["stage"].is_null() {
            ToolStage::Load
        } else {
            ToolStage::Validate
        },
        provider_schemas: None,
        stored_schemas: None,
        provider_checks: ProviderChecks::Sdk,
        plan: (asked["stage"] == "plan")
            .then(|| PlanOptions { assumed: assumed(asked), ..PlanOptions::default() }.into()),
        resolve: None,
        called_with: None,
        version_from: None,
        version_files: std::sync::Arc::from([]),
    }
}

/// Returns what an input assumes of objects.
fn assumed(asked: &Value) -> Vec<(Arc<str>, overfold_cli::value::Value)> {
    let list = asked["assume"].as_object().into_iter().flatten();
    list.map(|(address, value)| (Arc::from(&**address), json_value(&value.to_string()).unwrap())).collect()
}

fn set(files: Vec<(String, Vec<u8>)>, special: &[String]) -> FileSet {
    let files = files
        .into_iter()
        .map(|(path, bytes)| SourceFile { path: ModulePath::parse(&path).unwrap(), bytes: bytes.into() });
    let special = special.iter().map(|path| SpecialEntry {
        path: ModulePath::parse(path).unwrap(),
        kind: SpecialKind::Link,
        target: None,
        problem: None,
    });
    FileSet::new(files.collect(), special.collect())
}

/// Returns the findings of a run, and with `is_built_in`, what the module uses that the version does not have.
fn found(
    forest: &Forest,
    files: Vec<(String, Vec<u8>)>,
    special: &[String],
    request: &Request,
    is_built_in: bool,
) -> Vec<Found> {
    let files = set(files, special);
    let report = account::open(account::Limits::DEFAULT, &account::Cancel::new(), || run(forest, &files, request));
    let report = report.unwrap().unwrap();
    let mut all: Vec<Found> = report.diagnostics.iter().map(reported).collect();
    if is_built_in && report.module.blocks.is_none() {
        let access = FileAccess::new(&files, &request.root);
        let missing =
            overfold_cli::missing_names(&report.module, report.dialect, forest, access, &report.diagnostics);
        all.extend(missing.iter().map(reported));
    }
    all
}

fn reported(found: &Diagnostic) -> Found {
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    (found.code.id.to_owned(), severity, found.summary.to_string())
}

/// Returns the findings for every module directory of the files.
fn found_in_tree(files: Vec<(String, Vec<u8>)>, special: &[String], request: Request) -> Vec<Found> {
    let files = set(files, special);
    let request = repository::Request { module: request, paths: None, top: String::new(), prefix: String::new() };
    let mut all = Vec::new();
    let outcome = repository::run(&files, &request, SyntaxLimits::default(), &mut |_| {}, &mut |done| {
        all.extend(done.report.diagnostics.iter().map(reported));
    });
    all.extend(outcome.unwrap().left_out.iter().map(|(_, found)| reported(found)));
    all
}

/// Returns the codes produced by the recorded cases, the examples in documents, the syntax cases (as the only file of a
/// module) and the probes.
fn recorded() -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut note = |files: Vec<(String, Vec<u8>)>, request: &Request| {
        let forest = Forest::default();
        let set = set(files.clone(), &[]);
        if let Ok(report) = run(&forest, &set, request) {
            let forms = [ConfigFormat::TfJson, ConfigFormat::Hcl];
            let notes = forms.iter().flat_map(|&form| form_notes(&report, form));
            seen.extend(notes.map(|found| found.code.id.to_owned()));
        }
        seen.extend(found(&Forest::default(), files, &[], request, false).into_iter().map(|(id, ..)| id));
    };
    let suites = [folders(&tests().join("conformance")), folders(&tests().join("documents"))].concat();
    let plain = request(&serde_json::json!({"dialect": "terraform", "version": "1.11.4"}));
    for suite in suites {
        let name = suite.file_name().unwrap().to_str().unwrap();
        // One file of documents, without modules.
        if name == "yamldecode" {
            continue;
        }
        for case in folders(&suite) {
            if case.file_name().unwrap().to_str().unwrap().starts_with('_') {
                continue;
            }
            if name == "syntax" {
                for (input, file) in [("input.hcl", "main.tf"), ("input.json", "main.tf.json")] {
                    if let Ok(bytes) = fs::read(case.join(input)) {
                        note(vec![(file.to_owned(), bytes)], &plain);
                    }
                }
                continue;
            }
            let asked: Value = serde_json::from_slice(&fs::read(case.join("case.json")).unwrap()).unwrap();
            let mut request = request(&asked);
            if ASK_FOR_VALUES.contains(&name) && request.variables.is_none() {
                request.variables = Some(VariableInputs::default().into());
            }
            let is_planned = name.ends_with("plan");
            if is_planned {
                request.plan = Some(PlanOptions::default().into());
                request.variables.get_or_insert_with(|| VariableInputs::default().into());
            }
            if is_planned || name.ends_with("validate") {
                request.stage = ToolStage::Validate;
                request.provider_schemas = text(&asked["provider_schemas"]).map(|path| {
                    let document = fs::read_to_string(suite.join(path)).unwrap();
                    ProviderSchemas::read(document).unwrap().into()
                });
            }
            let (input, mut paths) = (case.join("input"), Vec::new());
            if input.exists() {
                sources(&input, &mut paths);
            }
            let files = paths.iter().map(|path| {
                let name = path.strip_prefix(&input).unwrap().to_str().unwrap().replace('\\', "/");
                (name, fs::read(path).unwrap())
            });
            note(files.collect(), &request);
        }
    }
    for probe in include_str!("../../data/probes.txt").split("=== ").skip(1) {
        let (file, rest) = probe.split_once('\n').unwrap();
        let (text, _) = rest.split_once("\n---").unwrap();
        note(vec![(file.to_owned(), format!("{text}\n").into_bytes())], &plain);
    }
    seen
}

/// Returns the bytes of a text, or of pieces of text with their numbers of repetitions.
fn bytes(content: &Value) -> Vec<u8> {
    match content {
        Value::String(text) => text.clone().into_bytes(),
        pieces => {
            let repeated = pieces.as_array().unwrap().iter().map(|piece| {
                let times = usize::try_from(piece[0].as_u64().unwrap()).unwrap();
                (0..times).map(|at| text(&piece[1]).unwrap().replace('№', &at.to_string())).collect::<String>()
            });
            repeated.collect::<String>().into_bytes()
        }
    }
}

/// `tests/data/codes/<stage>/<problem>.json` contains the smallest input for a code, with its severity and title.
/// Checks that each input produces its code, and that a code without a known input is never produced.
#[test]
fn every_code_is_produced_by_an_input() {
    const KEYS: &[&str] = &[
        "dialect",
        "version",
        "root",
        "config_file",
        "env",
        "args",
        "values",
        "expand",
        "recursive",
        "built_in",
        "stage",
        "provider_schemas",
        "assume",
        "files",
        "special",
        "limits",
        "severity",
        "title",
    ];
    let folder = tests().join("data/codes");
    let (mut wrong, mut shown) = (Vec::new(), BTreeSet::new());
    let mut paths = Vec::new();
    sources(&folder, &mut paths);
    paths.sort();
    overfold_cli::stack::ensure_sufficient(|| {
        for path in &paths {
            let id = path.with_extension("").strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            let input: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let unknown = input.as_object().unwrap().keys().find(|key| !KEYS.contains(&key.as_str()));
            assert!(unknown.is_none(), "{id}: nothing reads {unknown:?}");
            let files =
                input["files"].as_object().unwrap().iter().map(|(name, content)| (name.clone(), bytes(content)));
            let special: Vec<String> =
                input["special"].as_array().into_iter().flatten().map(|name| text(name).unwrap()).collect();
            let limit = |name: &str, usual: u32| {
                input["limits"][name].as_u64().map_or(usual, |limit| u32::try_from(limit).unwrap())
            };
            let usual = SyntaxLimits::default();
            let limits = SyntaxLimits {
                depth: limit("depth", usual.depth),
                tokens: limit("tokens", usual.tokens),
                name_bytes: limit("name_bytes", usual.name_bytes),
            };
            let mut request = request(&input);
            let schemas = text(&input["provider_schemas"]);
            request.provider_schemas = schemas.map(|text| ProviderSchemas::read(text).unwrap().into());
            let found = if input["recursive"] == true {
                found_in_tree(files.collect(), &special, request)
            } else {
                let is_built_in = input["built_in"] == true;
                found(&Forest::new(limits), files.collect(), &special, &request, is_built_in)
            };
            let wanted = (id.clone(), text(&input["severity"]).unwrap(), text(&input["title"]).unwrap());
            if !found.iter().any(|(id, severity, title)| (id, *severity, title) == (&wanted.0, &*wanted.1, &wanted.2))
            {
                wrong.push(format!("{wanted:?} is not among {found:?}"));
            }
            shown.insert(id);
        }
        let seen = recorded();
        for code in codes::all() {
            let excepted = NOT_BY_A_REQUEST.iter().any(|(id, _)| *id == code.id);
            if excepted && (seen.contains(code.id) || shown.contains(code.id)) {
                wrong.push(format!("{}: a request produces it after all", code.id));
            }
            if excepted {
                continue;
            }
            match (seen.contains(code.id), shown.contains(code.id)) {
                (false, false) => wrong.push(format!("no input produces {}: {}", code.id, code.about)),
                (true, true) => {
                    wrong.push(format!("{}: a recorded case shows it, so its input is not needed", code.id));
                }
                _ => {}
            }
        }
    });
    for id in shown.iter().filter(|id| codes::find(id).is_none()) {
        wrong.push(format!("{id} is no code"));
    }
    assert!(wrong.is_empty(), "{} of {} codes\n{}", wrong.len(), codes::all().count(), wrong.join("\n"));
}

/// Evaluation itself reports a name that is not in its scope.
#[test]
fn a_name_that_is_not_in_scope_is_reported_by_evaluation() {
    let forest = Forest::default();
    let mut found = Diagnostics::new();
    let id = forest.parse_detached_expression("text", "foo".into(), &mut found);
    let Some(Root::Expr(expr)) = forest.native(id).map(|tree| tree.root) else { panic!("an expression") };
    let roots = Roots::new();
    let scope = Scope { roots: Some(&roots), ..Scope::CONSTANT };
    let value = evaluate(&forest, ExprAt::Native(id, expr), &scope, &mut found);
    assert!(!value.is_known());
    let ids: Vec<&str> = found.iter().map(|found| found.code.id).collect();
    assert_eq!(ids, ["evaluation/unknown-variable"]);
}
