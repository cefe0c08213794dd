//! What an upgrade says against the record of versions: between two recorded versions of a case, it says that appears and
//! vanishes what the record says, and names the same outputs, instances and parts of the document.
//!
//! Pairs are the neighbouring versions whose recorded answers are different, and twenty distant pairs, of which each case takes
//! its share; `OVERFOLD_UPGRADES=all` takes all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::Failed;
use overfold_cli::dialect::compared;
use overfold_cli::output::{DifferenceForm, UpgradeDifference};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::syntax::Forest;
use std::sync::Arc;

use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::request_at;
use super::plan;
use super::runner::Trial;
use super::validate::lines;
use super::versions::{Kind, SUITES, as_asked, is_waiting, plan_members};
use super::versions_record::{release, same};

/// Versions that lie far apart, upwards, downwards and from one tool to the other.
const DISTANT: [[&str; 2]; 20] = [
    ["terraform 1.0.11", "terraform 1.15.9"],
    ["terraform 1.1.9", "terraform 1.12.2"],
    ["terraform 1.2.9", "terraform 1.16.0-rc2"],
    ["terraform 1.3.10", "terraform 1.9.8"],
    ["terraform 1.3.10", "terraform 1.15.9"],
    ["terraform 1.4.7", "terraform 1.11.4"],
    ["terraform 1.5.7", "terraform 1.9.8"],
    ["terraform 1.5.7", "terraform 1.15.9"],
    ["terraform 1.6.6", "terraform 1.13.5"],
    ["terraform 1.7.5", "terraform 1.14.9"],
    ["terraform 1.8.5", "terraform 1.12.2"],
    ["terraform 1.15.9", "terraform 1.5.7"],
    ["terraform 1.5.7", "opentofu 1.6.3"],
    ["terraform 1.5.7", "opentofu 1.12.6"],
    ["terraform 1.9.8", "opentofu 1.9.4"],
    ["terraform 1.15.9", "opentofu 1.12.6"],
    ["opentofu 1.12.6", "terraform 1.15.9"],
    ["opentofu 1.6.3", "opentofu 1.12.6"],
    ["opentofu 1.7.10", "opentofu 1.11.14"],
    ["opentofu 1.8.11", "opentofu 1.10.10"],
];

/// Of the distant pairs, each case takes one in so many.
const SHARE: usize = 8;

/// Cases with errors of which a program writes no plan where we have one, or the reverse. The record of versions is not held
/// against that: an answer with errors and without a plan is compared by its diagnostics alone.
const UNWRITTEN: [&str; 4] = [
    "versions-found-plan/import-unconfigured-target-implies-provider",
    "versions-more/enabled-import-to-off",
    "versions-plan/import-no-target",
    "versions/tofu-1.12-const-wrong-value",
];

/// Adds a trial for each suite.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    for suite in SUITES {
        trials.push(Trial::test(format!("upgrades/{suite}"), move || pairs(suite)));
    }
}

/// Compares all pairs of a suite.
fn pairs(suite: &str) -> Result<(), Failed> {
    let takes_all = std::env::var("OVERFOLD_UPGRADES").is_ok_and(|value| value == "all");
    let all: Vec<String> = names(suite);
    let (next, compared_pairs) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = std::sync::Mutex::new(Vec::new());
    let work = || {
        while let Some(name) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let case = read(suite, name);
            let number = all.iter().position(|other| other == name).unwrap_or(0);
            for (at, [before, after]) in pairs_of(&case).into_iter().enumerate() {
                let is_distant = DISTANT.contains(&[&before, &after]);
                if is_distant && !takes_all && (at + number) % SHARE != 0 {
                    continue;
                }
                compared_pairs.fetch_add(1, Ordering::Relaxed);
                let found = compare(&case, &before, &after);
                if !found.is_empty() {
                    let text = format!("{} {before} -> {after}\n        {}", case.name, found.join("\n        "));
                    wrong.lock().unwrap().push(text);
                }
            }
        }
    };
    // Parsing and planning go deep.
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).expect("a thread");
    });
    let (wrong, pairs) = (wrong.into_inner().unwrap(), compared_pairs.into_inner());
    eprintln!("upgrades/{suite}: {pairs} pairs, {} wrong", wrong.len());
    if pairs == 0 {
        return Err("no pair was compared".into());
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{} of {pairs}\n    {}", wrong.len(), wrong.join("\n    ")).into())
    }
}

/// Returns the pairs of programs whose answers are compared: neighbours with different answers, and distant ones.
fn pairs_of(case: &Case) -> Vec<[String; 2]> {
    let mut answers: BTreeMap<String, &Json> = BTreeMap::new();
    for answer in case.expected.items() {
        let stopped = answer.get("stopped") == &Json::Bool(true) && Kind::of(case) == Kind::Validate;
        for program in answer.get("programs").items() {
            if !stopped && !is_waiting(case, program.text()) {
                answers.insert(program.text().to_owned(), answer);
            }
        }
    }
    let mut pairs = Vec::new();
    for dialect in compared() {
        let mut own: Vec<&String> = answers.keys().filter(|program| program.starts_with(dialect)).collect();
        own.sort_by_key(|program| release(program.split_once(' ').map_or("", |(_, version)| version)));
        for pair in own.windows(2) {
            let [before, after] = pair else { continue };
            if !same(case, answers[*before], answers[*after]) {
                pairs.push([(*before).clone(), (*after).clone()]);
            }
        }
    }
    for [before, after] in DISTANT {
        if answers.contains_key(before) && answers.contains_key(after) {
            pairs.push([before.to_owned(), after.to_owned()]);
        }
    }
    pairs
}

fn request(case: &Case) -> Request {
    let kind = Kind::of(case);
    if kind != Kind::Plan {
        return request_at(case, kind.stage());
    }
    let mut request = plan::request(case);
    let options = request.plan.as_deref().cloned().unwrap_or_default();
    request.plan = Some(Arc::new(PlanOptions { with_origins: true, with_arguments: true, ..options }));
    request
}

/// Compares what an upgrade says with the difference between two recorded answers.
fn compare(case: &Case, before: &str, after: &str) -> Vec<String> {
    let cases = [before, after].map(|program| as_asked(case, program));
    let forests = [Forest::default(), Forest::default()];
    let reports: Vec<_> =
        cases.iter().zip(&forests).map(|(case, forest)| run(forest, &case.file_set(), &request(case))).collect();
    let [Ok(was), Ok(is)] = &*reports else { return vec!["cannot be run".to_owned()] };
    let mut difference = UpgradeDifference::of(was, is);
    let bytes = difference.write(DifferenceForm::Json, &[], None);
    let ours = Json::parse(std::str::from_utf8(&bytes).unwrap_or_default()).unwrap_or(Json::Null);
    let mut wrong = Vec::new();
    diagnostics(&cases, &ours, &mut wrong);
    if Kind::of(case) == Kind::Plan {
        documents(case, &cases, &ours, &mut wrong);
    }
    wrong
}

fn diagnostics(cases: &[Case; 2], ours: &Json, wrong: &mut Vec<String>) {
    let is_set = cases.iter().any(|case| case.expected.find("stage").is_some());
    let [was, is] = cases.each_ref().map(|case| {
        let found: Vec<Json> =
            case.expected.get("diagnostics").items().iter().map(plan_members::without_address).collect();
        lines(found.iter(), true)
    });
    let [added, removed] = ["added", "removed"].map(|side| {
        let found = ours.get("diagnostics").get(side).items().iter();
        let found: Vec<Json> =
            found.filter(|found| found.get("origin").text() == "tool").map(plan_members::without_address).collect();
        lines(found.iter(), true)
    });
    let (expected, expected_gone) = (less(&is, &was), less(&was, &is));
    // What is only told in other words is on both lists; the record has no words.
    let (mut found, mut found_gone) = (less(&added, &removed), less(&removed, &added));
    if is_set {
        // Some of them are told twice.
        let both = |line: &String| was.contains(line) == is.contains(line);
        found.retain(|line| !both(line));
        found_gone.retain(|line| !both(line));
        let sets = |lines: &[String]| lines.iter().cloned().collect::<BTreeSet<_>>();
        let keep = |lines: Vec<String>| lines.into_iter().filter(|line| !both(line)).collect::<Vec<_>>();
        if sets(&found) != sets(&keep(expected)) || sets(&found_gone) != sets(&keep(expected_gone)) {
            wrong.push(format!("init: + {found:?} - {found_gone:?}"));
        }
        return;
    }
    for (sign, recorded, found) in [("+", expected, found), ("-", expected_gone, found_gone)] {
        wrong.extend(less(&recorded, &found).iter().map(|line| format!("{sign} is missing: {line}")));
        wrong.extend(less(&found, &recorded).iter().map(|line| format!("{sign} is too much: {line}")));
    }
}

/// Returns a list without what another list has, each as often as it is there.
fn less(list: &[String], other: &[String]) -> Vec<String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other {
        *left.entry(line).or_default() += 1;
    }
    let mut less = Vec::new();
    for line in list {
        match left.get_mut(line.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => less.push(line.clone()),
        }
    }
    less
}

/// The kinds of changes that are about an output or an instance.
const OF_OBJECTS: [&str; 5] = ["value", "sensitive", "unknown", "type", "instance"];

fn documents(case: &Case, cases: &[Case; 2], ours: &Json, wrong: &mut Vec<String>) {
    let plans = cases.each_ref().map(|case| case.expected.get("plan"));
    let changes = ours.get("changes").items();
    let pointers: BTreeSet<&str> = changes
        .iter()
        .filter(|change| change.get("kind").text() == "document")
        .map(|change| change.get("pointer").text())
        .collect();
    let written = plans.map(|plan| plan != &Json::Null);
    if cases.iter().any(|case| case.expected.find("stage").is_some()) {
        // Where the installation fails, no plan was asked for.
        return;
    }
    let is_known = UNWRITTEN.contains(&case.name.as_str());
    if !is_known && (written[0] != written[1]) != pointers.contains("") {
        wrong.push(format!("the document is written: recorded {written:?}, ours {pointers:?}"));
    }
    // Not every version says in the document that there were errors.
    let errored = cases.each_ref().map(|case| {
        case.expected.get("diagnostics").items().iter().any(|found| found.get("severity").text() == "error")
    });
    if written != [true, true] || errored[0] != errored[1] {
        return;
    }
    let compared = plans.map(|plan| plan_members::compared(case, plan));
    let [was, is] = compared.each_ref().map(objects);
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let recorded: BTreeSet<&str> =
        names.into_iter().filter(|name| was.get(*name) != is.get(*name)).map(String::as_str).collect();
    let found: BTreeSet<&str> = changes
        .iter()
        .filter(|change| OF_OBJECTS.contains(&change.get("kind").text()) && change.find("conditions").is_none())
        .map(|change| change.find("address").map_or("", Json::text))
        .filter(|address| was.contains_key(*address) || is.contains_key(*address))
        .collect();
    for address in recorded.difference(&found) {
        wrong.push(format!("{address} is different: - {:?} + {:?}", was.get(*address), is.get(*address)));
    }
    for address in found.difference(&recorded) {
        wrong.push(format!("{address} is said to be different"));
    }
    for member in ["configuration", "relevant_attributes", "variables", "format_version", "complete", "errored"] {
        let differs = compared[0].find(member) != compared[1].find(member);
        let is_found = pointers
            .iter()
            .any(|pointer| pointer.strip_prefix('/').is_some_and(|rest| rest.split('/').next() == Some(member)));
        let is_compared = compared.iter().any(|plan| plan.find(member).is_some());
        if is_compared && differs != is_found {
            wrong.push(format!("{member}: differs {differs}, said {is_found}"));
        }
    }
}

/// Returns what a document plans for each output and instance.
fn objects(plan: &Json) -> BTreeMap<String, String> {
    let mut objects = BTreeMap::new();
    let text = |parts: &[&Json]| parts.iter().map(|part| part.to_text()).collect::<Vec<_>>().join(" ");
    let types = plan.get("planned_values").get("outputs").clone();
    if let Some(Json::Object(outputs)) = plan.find("output_changes") {
        for (name, change) in outputs {
            let ty = types.get(name).get("type").clone();
            let after = ["after", "after_unknown", "after_sensitive"].map(|member| change.get(member));
            objects.insert(format!("output.{name}"), text(&[after[0], after[1], after[2], &ty]));
        }
    }
    if let Some(Json::Array(changes)) = plan.find("resource_changes") {
        for change in changes {
            let own = change.get("change");
            let after = ["after", "after_unknown", "after_sensitive"].map(|member| own.get(member));
            objects.insert(change.get("address").text().to_owned(), text(&after));
        }
    }
    objects
}
