//! What `validate` reports in a directory in which everything is installed, and what loading alone reports there.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use overfold_cli::pipeline::ToolStage;

use super::endpoint;
use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::in_process_at;
use super::recorded::{diagnostic_line, difference, known_keys};
use super::runner::Trial;

/// The suites of validations.
pub(crate) const SUITES: [&str; 3] = ["validate", "found-validate", "reports-validate"];

/// The keys that a recorded result may contain.
const RECORDED: &[&str] =
    &["recorded_with", "valid", "diagnostics", "load", "load_stopped", "init_failed", "unstable"];

/// Cases in which the tool reports more in a directory in which nothing is installed than when it loads the module once
/// everything is, and why.
const NOT_INSTALLED: &[(&str, &str)] = &[
    ("validate/fine-tests-and-mocks", "without its modules, a run block is taken for one that uses another provider"),
    ("validate/provisioners-no-such", "plugins are looked for after loading, and before providers are missed"),
];

/// Where an answer comes from.
type Asked = fn(&Case, ToolStage) -> Result<Json, Failed>;

/// Adds one trial for each case, stage and entry point.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let entries: [(&str, Asked); 2] = [("", in_process_at), ("http/", endpoint::ask)];
    for suite in SUITES {
        for case in names(suite) {
            for (prefix, ask) in entries {
                let (name, again) = (case.clone(), case.clone());
                trials.push(Trial::test(format!("{prefix}{suite}/{case}"), move || {
                    validates(&read(suite, &name), ask)
                }));
                trials.push(Trial::test(format!("{prefix}load/{suite}/{case}"), move || {
                    loads(&read(suite, &again), ask)
                }));
            }
        }
    }
}

/// Compares an answer of the stage `validate` with what the tool reports once everything is installed.
fn validates(case: &Case, ask: Asked) -> Result<(), Failed> {
    let answer = ask(case, ToolStage::Validate)?;
    let expected = &case.expected;
    let mut wrong = Vec::new();
    known_keys("a result", expected, RECORDED, &mut wrong);
    let sorts_cycles = match expected.find("unstable").map(Json::items) {
        None => false,
        Some([Json::Text(what)]) if what == "order of names in Cycle" => true,
        Some(other) => return Err(format!("nothing knows what is unstable: {other:?}").into()),
    };
    let found = of_tool(&answer, sorts_cycles);
    let recorded = lines(expected.get("diagnostics").items().iter(), sorts_cycles);
    if expected.get("valid") != answer.get("valid") {
        wrong.push(format!("valid: - {} + {}", expected.get("valid"), answer.get("valid")));
    }
    wrong.extend(difference(&recorded, &found).iter().map(|line| format!("- {line}")));
    wrong.extend(difference(&found, &recorded).iter().map(|line| format!("+ {line}")));
    let is_of_tool = |found: &&Json| found.get("origin").text() == "tool";
    let of_tool = answer.get("diagnostics").items().iter().filter(is_of_tool);
    wrong.extend(addresses(expected.get("diagnostics").items(), of_tool));
    outcome(case, &wrong)
}

/// Compares an answer of the stage `load` with what the tool reports in a directory in which nothing is installed. Where
/// nothing has to be, the tool goes on after loading, and part of what it reports is not found at this stage.
fn loads(case: &Case, ask: Asked) -> Result<(), Failed> {
    let answer = ask(case, ToolStage::Load)?;
    let is = |key: &str| case.expected.get(key) == &Json::Bool(true);
    let found = of_tool(&answer, false);
    let recorded = lines(case.expected.get("load").items().iter(), false);
    let mut wrong = Vec::new();
    let is_excepted = NOT_INSTALLED.iter().any(|(name, _)| *name == case.name);
    if (is("load_stopped") || is("init_failed")) && !is_excepted {
        wrong.extend(difference(&recorded, &found).iter().map(|line| format!("- {line}")));
    }
    wrong.extend(difference(&found, &recorded).iter().map(|line| format!("+ {line}")));
    outcome(case, &wrong)
}

pub(crate) fn outcome(case: &Case, wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() {
        return Ok(());
    }
    let about = case.asked.find("about").map_or("", Json::text);
    Err(format!("{}: {about}\n    {}", case.name, wrong.join("\n    ")).into())
}

/// Returns the diagnostics of an answer that the tool reports, too, as sorted lines.
pub(crate) fn of_tool(answer: &Json, sorts_cycles: bool) -> Vec<String> {
    let found = answer.get("diagnostics").items().iter();
    lines(found.filter(|found| found.get("origin").text() == "tool"), sorts_cycles)
}

/// Returns diagnostics as sorted lines.
pub(crate) fn lines<'j>(diagnostics: impl Iterator<Item = &'j Json>, sorts_cycles: bool) -> Vec<String> {
    let mut lines: Vec<String> = diagnostics.map(|found| line(found, sorts_cycles)).collect();
    lines.sort();
    lines
}

/// Returns a diagnostic as a line. A place that the tool has broken, in line 0 of no file, is none.
fn line(found: &Json, sorts_cycles: bool) -> String {
    let Json::Object(mut members) = found.clone() else { panic!("a diagnostic was expected, not {found}") };
    if found.get("range").find("filename").is_some_and(|name| name.text().is_empty()) {
        members.insert("range".to_owned(), Json::Null);
    }
    if let Some(names) = found.get("summary").text().strip_prefix("Cycle: ").filter(|_| sorts_cycles) {
        let mut names: Vec<&str> = names.split(", ").collect();
        names.sort_unstable();
        members.insert("summary".to_owned(), Json::Text(format!("Cycle: {}", names.join(", "))));
    }
    diagnostic_line(&Json::Object(members))
}

/// Returns the recorded addresses that our diagnostics do not have. Where the tool gives none, ours may have one.
pub(crate) fn addresses<'j>(recorded: &[Json], found: impl Iterator<Item = &'j Json>) -> Vec<String> {
    let mut ours: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for found in found {
        if let Some(address) = found.find("address") {
            *ours.entry((line(found, false), address.text())).or_default() += 1;
        }
    }
    let missing = recorded.iter().filter_map(|recorded| {
        let key = (line(recorded, false), recorded.find("address")?.text());
        match ours.get_mut(&key) {
            Some(left @ 1..) => {
                *left -= 1;
                None
            }
            _ => Some(format!("- the address {} of {}", key.1, key.0)),
        }
    });
    missing.collect()
}
