//! What `yamldecode` gives: for the recorded documents under each of the programs that they were recorded with, and for
//! generated ones as the real tool has it, where `terraform` is installed.
//!
//! Every run includes 600 generated documents; `OVERFOLD_YAML_DOCUMENTS=10000` asks for more, `OVERFOLD_YAML_SEED=7` for
//! those from the seed 7 on. A document that differs is printed as JSON.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use libtest_mimic::Failed;

use super::endpoint::ask_for_plan;
use super::folder::Case;
use super::generated::yaml;
use super::json::Json;
use super::plan::in_process;
use super::real_tool::{terraform, trial, version, write};
use super::runner::Trial;

/// The programs that answers were recorded with.
const PROGRAMS: [(&str, &str); 3] = [("terraform", "1.9.8"), ("terraform", "1.15.9"), ("opentofu", "1.12.6")];

/// How many documents one plan of the tool decodes.
const AT_ONCE: u64 = 200;

/// How many generated documents every run includes.
const ALWAYS: u64 = 600;

/// How many documents one request contains.
const IN_REQUEST: usize = 120;

/// Adds one trial for each recorded document, one for each request over HTTP, and those of generated documents.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/yamldecode/cases.jsonl");
    let text = std::fs::read_to_string(file).expect("the recorded documents");
    let cases: Vec<Json> = text.lines().map(|line| Json::parse(line).expect("a line is JSON")).collect();
    for (line, case) in cases.iter().enumerate() {
        let case = case.clone();
        trials.push(Trial::test(format!("yamldecode/{}", line + 1), move || {
            PROGRAMS.iter().try_for_each(|program| recorded(&[&case], program, in_process))
        }));
    }
    for program in &PROGRAMS {
        for (part, some) in cases.chunks(IN_REQUEST).enumerate() {
            let some = some.to_vec();
            let name = format!("http/yamldecode/{}-{}/{part}", program.0, program.1);
            trials.push(Trial::test(name, move || recorded(&some.iter().collect::<Vec<_>>(), program, ask_for_plan)));
        }
    }
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let first = number("OVERFOLD_YAML_SEED").unwrap_or(0);
    for start in (0..number("OVERFOLD_YAML_DOCUMENTS").unwrap_or(ALWAYS)).step_by(AT_ONCE as usize) {
        let seeds = first + start..first + start + AT_ONCE;
        trials.push(trial(format!("real/yamldecode/{}", seeds.start), false, move || {
            generated(&seeds.map(yaml::document).collect::<Vec<_>>())
        }));
    }
}

/// Checks the answers for some recorded documents.
fn recorded(cases: &[&Json], program: &(&str, &str), ask: fn(&Case) -> Result<Json, Failed>) -> Result<(), Failed> {
    let documents: Vec<&str> = cases.iter().map(|case| case.get("doc").text()).collect();
    let name = format!("{} {}", program.0, program.1);
    let wanted = cases.iter().map(|case| match case.get("answers").find(&name).expect("the answer of a program") {
        Json::Null => None,
        answer => Some(answer.text().to_owned()),
    });
    let found = outputs(&ask(&case(&documents, program))?, documents.len());
    same(&documents, &wanted.collect::<Vec<_>>(), &found).map_err(|text| format!("{name}: {text}").into())
}

/// Totals for the last line of a run.
static DECODED: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Describes in one sentence which documents were compared.
pub(crate) fn summary() -> String {
    let (decoded, refused) = (DECODED.load(Relaxed), REFUSED.load(Relaxed));
    format!("generated YAML held against the real tool: {decoded} documents with a value, {refused} that it refuses")
}

/// Checks that the installed tool makes the same of these documents.
fn generated(documents: &[String]) -> Result<(), Failed> {
    let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
    let case = case(&documents, &("terraform", version()));
    let folder = tempfile::tempdir()?;
    write(folder.path(), &case.files)?;
    let planned = terraform(folder.path(), &["plan", "-input=false", "-lock=false", "-refresh=false", "-out=plan"])?;
    if !planned.status.success() {
        return Err(format!("the tool makes no plan: {}", String::from_utf8_lossy(&planned.stderr)).into());
    }
    let shown = terraform(folder.path(), &["show", "-json", "plan"])?;
    let wanted = of_plan(&Json::parse(std::str::from_utf8(&shown.stdout)?.trim())?, documents.len());
    let decoded = wanted.iter().flatten().count() as u64;
    DECODED.fetch_add(decoded, Relaxed);
    REFUSED.fetch_add(wanted.len() as u64 - decoded, Relaxed);
    let found = outputs(&in_process(&case)?, documents.len());
    same(&documents, &wanted, &found).map_err(Failed::from)
}

/// Returns a module with an output for each document: its value as JSON, or `error`.
fn case(documents: &[&str], program: &(&str, &str)) -> Case {
    let mut text = String::new();
    for (number, document) in documents.iter().enumerate() {
        let document = literal(document);
        writeln!(text, "output \"o{number}\" {{\n  value = try(jsonencode(yamldecode({document})), \"error\")\n}}")
            .expect("writing to a string never fails");
    }
    let asked = format!("{{\"dialect\":\"{}\",\"tool_version\":\"{}\",\"root\":\".\"}}", program.0, program.1);
    Case {
        name: "yamldecode".to_owned(),
        asked: Json::parse(&asked).expect("a case"),
        expected: Json::Null,
        files: vec![("main.tf".to_owned(), text.into_bytes())],
    }
}

/// Returns a text as a literal of the language.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' if !matches!(c, '$' | '%') => out.push(c),
            c => write!(out, "\\U{:08x}", u32::from(c)).expect("writing to a string never fails"),
        }
    }
    out.push('"');
    out
}

fn outputs(answer: &Json, count: usize) -> Vec<Option<String>> {
    of_plan(answer.get("plan"), count)
}

/// Returns what a plan has for each document; `None` for an error.
fn of_plan(plan: &Json, count: usize) -> Vec<Option<String>> {
    let outputs = plan.get("planned_values").get("outputs");
    let value = |number| match outputs.get(&format!("o{number}")).get("value") {
        Json::Text(text) => text.clone(),
        other => format!("no text, but {other}"),
    };
    (0..count).map(|number| Some(value(number)).filter(|text| text != "error")).collect()
}

fn same(documents: &[&str], wanted: &[Option<String>], found: &[Option<String>]) -> Result<(), String> {
    let mut text = String::new();
    for (document, (wanted, found)) in documents.iter().zip(wanted.iter().zip(found)) {
        if wanted != found {
            let document = serde_json::to_string(document).expect("a text is JSON");
            write!(text, "\n{document}\n    - {wanted:?}\n    + {found:?}").expect("writing to a string never fails");
        }
    }
    if text.is_empty() { Ok(()) } else { Err(text) }
}
