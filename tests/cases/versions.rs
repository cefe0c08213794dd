//! One input and the answers of many programs: each named version of a tool is asked for, and gives the answer of its
//! group (tests/conformance/FORMAT.md, "Versions"). A case is one trial in process; over HTTP, one case of each suite and
//! kind, and all of them if `OVERFOLD_VERSIONS_OVER_HTTP` is set.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use libtest_mimic::Failed;
use overfold_cli::pipeline::ToolStage;

use super::endpoint;
use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::in_process_at;
use super::plan::{document, in_process};
use super::recorded::{difference, known_keys};
use super::runner::Trial;
use super::validate::{lines, of_tool, outcome};

/// The suites.
pub(crate) const SUITES: [&str; 14] = [
    "versions",
    "versions-expressions",
    "versions-found-plan",
    "versions-load",
    "versions-more",
    "versions-plan",
    "versions-plan-real",
    "versions-plan-schema",
    "versions-reports-plan",
    "versions-trees",
    "versions-trees-validate",
    "versions-validate",
    "versions-values",
    "versions-variables",
];

/// The keys that an answer may contain.
const RECORDED: &[&str] = &["programs", "valid", "diagnostics", "plan", "stage", "stopped"];

/// The members of a plan's document that are not compared, and those of a case that is strict about them.
const BUT: &[&str] = &["applyable", "terraform_version", "format_version", "complete", "errored"];
const STRICT_BUT: &[&str] = &["applyable", "terraform_version"];

/// Answers that are not ours yet: `SUITE/CASE PROGRAM` on each line. A line whose answer has become right fails.
static WAITING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/versions_waiting.txt");
    let text = fs::read_to_string(path).expect("the list of answers that are not right yet");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
});

/// What was run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Load,
    Validate,
    Plan,
}

impl Kind {
    pub(crate) fn of(case: &Case) -> Self {
        match case.asked.get("kind").text() {
            "load" => Self::Load,
            "validate" => Self::Validate,
            "plan" => Self::Plan,
            other => panic!("{}: nothing knows the kind {other:?}", case.name),
        }
    }

    pub(crate) const fn stage(self) -> ToolStage {
        match self {
            Self::Load => ToolStage::Load,
            Self::Validate | Self::Plan => ToolStage::Validate,
        }
    }
}

/// Where an answer comes from.
type Asked = fn(&Case, Kind) -> Result<Json, Failed>;

/// Adds one trial for each case, and some or all of them over HTTP, too.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let all_over_http = std::env::var_os("OVERFOLD_VERSIONS_OVER_HTTP").is_some();
    for suite in SUITES {
        let mut kinds = BTreeSet::new();
        for name in names(suite) {
            let case = Arc::new(read(suite, &name));
            let over_http = kinds.insert(Kind::of(&case)) || all_over_http;
            if over_http {
                let case = Arc::clone(&case);
                trials.push(Trial::test(format!("http/{suite}/{name}"), move || answers(&case, over_http_at)));
            }
            trials.push(Trial::test(format!("{suite}/{name}"), move || answers(&case, in_process_as)));
        }
    }
}

fn in_process_as(case: &Case, kind: Kind) -> Result<Json, Failed> {
    match kind {
        Kind::Plan => in_process(case),
        Kind::Load | Kind::Validate => in_process_at(case, kind.stage()),
    }
}

fn over_http_at(case: &Case, kind: Kind) -> Result<Json, Failed> {
    match kind {
        Kind::Plan => endpoint::ask_for_plan(case),
        Kind::Load | Kind::Validate => endpoint::ask(case, kind.stage()),
    }
}

/// Whether the answer of a program is not ours yet.
pub(crate) fn is_waiting(case: &Case, program: &str) -> bool {
    WAITING.contains(&format!("{} {program}", case.name))
}

/// Compares the answers of all programs.
fn answers(case: &Case, ask: Asked) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let mut asked = 0;
    for answer in case.expected.items() {
        known_keys("an answer", answer, RECORDED, &mut wrong);
        for program in answer.get("programs").items() {
            asked += 1;
            let differences = differences(case, answer, program.text(), ask);
            let waits = is_waiting(case, program.text());
            match (differences.is_empty(), waits) {
                (true, true) => wrong.push(format!("{}: is right, and has to leave the list", program.text())),
                (false, false) => {
                    wrong.push(format!("{}:\n        {}", program.text(), differences.join("\n        ")));
                }
                _ => {}
            }
        }
    }
    if asked == 0 {
        wrong.push("no program was asked".to_owned());
    }
    outcome(case, &wrong)
}

/// Returns the differences between the answer of a program and ours.
fn differences(case: &Case, answer: &Json, program: &str, ask: Asked) -> Vec<String> {
    let kind = Kind::of(case);
    let got = match ask(&as_asked(case, program), kind) {
        Ok(got) => got,
        Err(failed) => return vec![failed.message().unwrap_or("no answer").to_owned()],
    };
    let mut wrong = Vec::new();
    let mut recorded = lines(
        answer.get("diagnostics").items().iter().map(plan_members::without_address).collect::<Vec<_>>().iter(),
        true,
    );
    let mut found = of_tool(&got, true);
    if answer.find("stage").is_some() {
        // Some of them are told twice.
        recorded.dedup();
        found.dedup();
    }
    wrong.extend(difference(&recorded, &found).iter().map(|line| format!("- {line}")));
    let stopped_early = answer.get("stopped") == &Json::Bool(true) && kind == Kind::Validate;
    if !stopped_early {
        wrong.extend(difference(&found, &recorded).iter().map(|line| format!("+ {line}")));
        if kind == Kind::Validate && answer.find("stage").is_none() && answer.get("valid") != got.get("valid") {
            wrong.push(format!("valid: - {} + {}", answer.get("valid"), got.get("valid")));
        }
    }
    if let Some(plan) = answer.find("plan") {
        let [recorded, got] = [plan, got.get("plan")].map(plan_members::without_version);
        document(&recorded, &got, plan_members::but(case), &mut wrong);
    }
    wrong
}

/// Returns a case as one program was asked, and its answer.
pub(crate) fn as_asked(case: &Case, program: &str) -> Case {
    let (dialect, version) = program.split_once(' ').expect("a tool and a version");
    let mut asked = case.asked.properties().clone();
    asked.insert("dialect".to_owned(), Json::Text(dialect.to_owned()));
    asked.insert("tool_version".to_owned(), Json::Text(version.to_owned()));
    let is_of_program = |answer: &&Json| answer.get("programs").items().iter().any(|other| other.text() == program);
    let expected = case.expected.items().iter().find(is_of_program).cloned().unwrap_or(Json::Null);
    Case { asked: Json::Object(asked), expected, ..case.clone() }
}

/// What is compared of the members of diagnostics and documents.
pub(crate) mod plan_members {
    use super::{BTreeMap, BUT, Case, Json, STRICT_BUT};

    /// Returns a diagnostic without the address that a tool may give.
    pub(crate) fn without_address(found: &Json) -> Json {
        let mut members = found.properties().clone();
        members.remove("address");
        Json::Object(members)
    }

    /// Returns the members of a plan that are not compared in a case.
    pub(super) fn but(case: &Case) -> &'static [&'static str] {
        if case.asked.get("strict") == &Json::Bool(true) { STRICT_BUT } else { BUT }
    }

    /// Returns a plan whose prior state does not say which version wrote it.
    pub(super) fn without_version(plan: &Json) -> Json {
        let Json::Object(members) = plan else { return plan.clone() };
        let mut members: BTreeMap<String, Json> = members.clone();
        if let Some(Json::Object(state)) = members.get_mut("prior_state") {
            state.retain(|name, _| !["terraform_version", "format_version", "timestamp"].contains(&name.as_str()));
        }
        Json::Object(members)
    }

    /// Returns what is compared of a plan, with what is in no order sorted.
    pub(crate) fn compared(case: &Case, plan: &Json) -> Json {
        let Json::Object(mut members) = without_version(plan) else { return Json::Null };
        members.retain(|name, _| {
            !but(case).contains(&name.as_str()) && !["timestamp", "overfold"].contains(&name.as_str())
        });
        sorted(&Json::Object(members))
    }

    fn sorted(value: &Json) -> Json {
        match value {
            Json::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|(name, value)| {
                        let mut value = sorted(value);
                        if let Json::Array(items) = &mut value
                            && ["relevant_attributes", "child_modules"].contains(&name.as_str())
                        {
                            items.sort_by_cached_key(Json::to_string);
                        }
                        (name.clone(), value)
                    })
                    .collect(),
            ),
            Json::Array(items) => Json::Array(items.iter().map(sorted).collect()),
            other => other.clone(),
        }
    }
}
