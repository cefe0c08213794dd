//! Holds our plan of generated trees of modules against the real tool's, where `terraform` is installed: the same
//! diagnostics, and the same document.
//!
//! Every run includes a few trees; `OVERFOLD_PLAN_TREES=2000` asks for more, `OVERFOLD_PLAN_SEED=7` for those from the
//! seed 7 on, and `OVERFOLD_PLAN_KEEP=folder` keeps the files of those that differ, each in a folder with the number of
//! its seed. The same numbers are taken of trees that import, move, replace and check objects.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use libtest_mimic::Failed;

use super::generated;
use super::json::Json;
use super::plan::{document, in_process};
use super::real_tool::{made_up_of, terraform, trial, version, write};
use super::recorded::difference;
use super::runner::Trial;
use super::validate::lines;

/// How many trees every run includes.
const TREES_ALWAYS: u64 = 12;

/// Members of the document that are not compared, beside those that never are.
const NOT_COMPARED: &[&str] = &["terraform_version"];

/// Adds one trial for each tree.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let first = number("OVERFOLD_PLAN_SEED").unwrap_or(0);
    for seed in first..first + number("OVERFOLD_PLAN_TREES").unwrap_or(TREES_ALWAYS) {
        trials.push(trial(format!("real/tree/{seed}"), false, move || check(seed, "tree", &generated::tree(seed))));
        let upkeep = move || check(seed, "upkeep", &generated::upkeep(seed));
        trials.push(trial(format!("real/upkeep/{seed}"), false, upkeep));
    }
}

/// Checks that we find in the tree what the tool finds, and plan what it plans.
fn check(seed: u64, kind: &str, files: &[(String, Vec<u8>)]) -> Result<(), Failed> {
    let Some(wanted) = of_tool(files)? else { return Ok(()) };
    let found = ours(seed, kind, files)?;
    let mut wrong: Vec<String> = Vec::new();
    wrong.extend(difference(&wanted.diagnostics, &found.diagnostics).iter().map(|line| format!("- {line}")));
    wrong.extend(difference(&found.diagnostics, &wanted.diagnostics).iter().map(|line| format!("+ {line}")));
    document(&wanted.document, &found.document, NOT_COMPARED, &mut wrong);
    if wrong.is_empty() {
        return Ok(());
    }
    if let Some(folder) = std::env::var_os("OVERFOLD_PLAN_KEEP") {
        write(&Path::new(&folder).join(format!("{kind}-{seed}")), files)?;
    }
    Err(format!("{kind} {seed}:\n    {}", wrong.join("\n    ")).into())
}

/// Totals for the last line of a run.
static WHOLE: AtomicUsize = AtomicUsize::new(0);
static ERRORED: AtomicUsize = AtomicUsize::new(0);
static WITHOUT_PLAN: AtomicUsize = AtomicUsize::new(0);
static NOT_LOADED: AtomicUsize = AtomicUsize::new(0);

/// Describes in one sentence which trees were compared.
pub(crate) fn summary() -> String {
    format!(
        "generated trees held against the real tool: {} whole plans, {} with errors, {} without a plan; {} that cannot be \
         loaded were not compared",
        WHOLE.load(Relaxed),
        ERRORED.load(Relaxed),
        WITHOUT_PLAN.load(Relaxed),
        NOT_LOADED.load(Relaxed),
    )
}

/// What came of a plan.
pub(crate) struct Outcome {
    /// The diagnostics as sorted lines.
    diagnostics: Vec<String>,
    /// The document; null where there is none.
    pub(crate) document: Json,
}

impl Outcome {
    fn new<'j>(diagnostics: impl Iterator<Item = &'j Json>, document: &Json) -> Self {
        Self { diagnostics: lines(diagnostics, true), document: document.clone() }
    }
}

/// Plans the tree with the real tool. `None` if it cannot be loaded, which other tests are about.
pub(crate) fn of_tool(files: &[(String, Vec<u8>)]) -> Result<Option<Outcome>, Failed> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), files)?;
    if !terraform(folder.path(), &["init", "-input=false"])?.status.success() {
        NOT_LOADED.fetch_add(1, Relaxed);
        return Ok(None);
    }
    let out = ["plan", "-input=false", "-lock=false", "-refresh=false", "-json", "-out=plan.bin"];
    let found = diagnostics(&terraform(folder.path(), &out)?.stdout)?;
    let is_planned = fs::exists(folder.path().join("plan.bin"))?;
    let mut document = Json::Null;
    if is_planned {
        let shown = terraform(folder.path(), &["show", "-json", "plan.bin"])?;
        document = Json::parse(std::str::from_utf8(&shown.stdout)?.trim())?;
    }
    let counted = match document.get("errored") {
        Json::Null => &WITHOUT_PLAN,
        Json::Bool(true) => &ERRORED,
        _ => &WHOLE,
    };
    counted.fetch_add(1, Relaxed);
    Ok(Some(Outcome::new(found.iter(), &document)))
}

/// Returns the diagnostics among messages, one a line.
fn diagnostics(messages: &[u8]) -> Result<Vec<Json>, Failed> {
    let mut found = Vec::new();
    for message in std::str::from_utf8(messages)?.lines() {
        let message = Json::parse(message).map_err(|error| format!("{error} in {message}"))?;
        found.extend(message.find("diagnostic").cloned());
    }
    Ok(found)
}

/// Plans the tree ourselves.
fn ours(seed: u64, kind: &str, files: &[(String, Vec<u8>)]) -> Result<Outcome, Failed> {
    let answer = in_process(&made_up_of(format!("{kind}/{seed}"), files.to_vec(), version()))?;
    let of_tool = answer.get("diagnostics").items().iter().filter(|found| found.get("origin").text() == "tool");
    Ok(Outcome::new(of_tool, answer.get("plan")))
}
