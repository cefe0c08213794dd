//! What the tool plans for whole trees of modules without a state: its diagnostics, and the document of `show -json`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use libtest_mimic::Failed;
use overfold_cli::eval::json_value;
use overfold_cli::output::{PlanAnswerOptions, answer, plan_answer};
use overfold_cli::pipeline::{Request, ToolStage, VariableInputs, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::syntax::Forest;

use super::endpoint;
use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::{EVERYTHING, request_at};
use super::recorded::{difference, known_keys};
use super::runner::Trial;
use super::validate::{addresses, lines, outcome};

/// The suites of plans.
pub(crate) const SUITES: [&str; 3] = ["plan", "found-plan", "reports-plan"];

/// The suites of plans under the schemas of providers. Of each topic, one case is also asked for over HTTP.
pub(crate) const SCHEMA_SUITES: [&str; 2] = ["plan-schema", "plan-real"];

/// Cases whose documents hold the results of functions of providers, which only these can know.
const OF_FUNCTIONS: &[&str] = &["plan-schema/provider-functions"];

/// The codes of what providers report and the tool does not, which are recorded where a case asks for such checks.
const OF_PROVIDERS: &[&str] = &["validate/provider-unconfigurable", "validate/provider-required"];

/// The keys that a recorded result may contain. `stage` and `validate` say where the tool stops, which the diagnostics
/// show as well.
const RECORDED: &[&str] =
    &["recorded_with", "valid", "diagnostics", "plan", "unstable", "stage", "validate", "from_provider"];

/// The time of the plans that are asked for; it is not recorded.
pub(crate) const TIMESTAMP: &str = "2025-03-01T12:00:00Z";

/// Where an answer comes from.
type Asked = fn(&Case) -> Result<Json, Failed>;

/// Adds one trial for each case and entry point.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let entries: [(&str, Asked); 2] = [("", in_process), ("http/", endpoint::ask_for_plan)];
    for suite in SUITES {
        for case in names(suite) {
            for (prefix, ask) in entries {
                let name = case.clone();
                trials.push(Trial::test(format!("{prefix}{suite}/{case}"), move || plans(&read(suite, &name), ask)));
            }
        }
    }
    for suite in SCHEMA_SUITES {
        let mut topics = BTreeSet::new();
        for name in names(suite) {
            let case = Arc::new(read(suite, &name));
            let over_http = topics.insert(case.asked.get("topic").text().to_owned());
            for (prefix, ask) in &entries[..if over_http { 2 } else { 1 }] {
                let (case, ask) = (Arc::clone(&case), *ask);
                trials.push(Trial::test(format!("{prefix}{suite}/{name}"), move || plans(&case, ask)));
            }
            trials.push(Trial::test(format!("validate/{suite}/{name}"), move || validates(&case)));
        }
    }
}

/// Returns the request of a case.
pub(crate) fn request(case: &Case) -> Request {
    let mut request = request_at(case, ToolStage::Validate);
    // A plan needs values, also where none are given.
    request.variables.get_or_insert_with(|| Arc::new(VariableInputs::default()));
    let given = case.given_by_provider();
    let assumed = given.iter().map(|(address, values)| {
        (address.as_str().into(), json_value(&values.to_text()).expect("values of a recorded state"))
    });
    let options =
        PlanOptions { timestamp: Some(TIMESTAMP.into()), assumed: assumed.collect(), ..PlanOptions::default() };
    request.plan = Some(Arc::new(options));
    request
}

/// Returns the answer of the core.
pub(crate) fn in_process(case: &Case) -> Result<Json, Failed> {
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request(case))?;
    let bytes = plan_answer(&report, PlanAnswerOptions { plan: true, instances: true });
    Ok(Json::parse(std::str::from_utf8(&bytes)?)?)
}

/// Compares an answer with what the tool planned.
fn plans(case: &Case, ask: Asked) -> Result<(), Failed> {
    let answer = ask(case)?;
    let expected = &case.expected;
    let mut wrong = Vec::new();
    known_keys("a result", expected, RECORDED, &mut wrong);
    for place in expected.get("unstable").items() {
        let is_compared_as_a_set =
            place.text() == "diagnostics" || place.text() == "/relevant_attributes" || is_unordered(place.text());
        if !is_compared_as_a_set {
            wrong.push(format!("nothing knows that {place} is unstable"));
        }
    }
    if expected.get("valid") != answer.get("valid") {
        wrong.push(format!("valid: - {} + {}", expected.get("valid"), answer.get("valid")));
    }
    let recorded = lines(expected.get("diagnostics").items().iter(), true);
    let found = lines(of_tool_and_provider(&answer), true);
    wrong.extend(difference(&recorded, &found).iter().map(|line| format!("- {line}")));
    wrong.extend(difference(&found, &recorded).iter().map(|line| format!("+ {line}")));
    wrong.extend(addresses(expected.get("diagnostics").items(), of_tool_and_provider(&answer)));
    // The recorded provider refuses, which ends the tool's plan. What is ours alone does not end ours.
    let is_refused = case.asked.find("provider_checks").is_some_and(|checks| checks.text() == "sdk");
    if !is_refused && !OF_FUNCTIONS.contains(&case.name.as_str()) {
        document(expected.get("plan"), answer.get("plan"), &[], &mut wrong);
    }
    outcome(case, &wrong)
}

/// Returns what the tool reports, and what the provider does.
fn of_tool_and_provider(answer: &Json) -> impl Iterator<Item = &Json> {
    answer
        .get("diagnostics")
        .items()
        .iter()
        .filter(|found| found.get("origin").text() == "tool" || OF_PROVIDERS.contains(&found.get("code").text()))
}

/// Compares the answer of the stage `validate` with what the tool says before it plans.
fn validates(case: &Case) -> Result<(), Failed> {
    let expected = match case.expected.find("validate") {
        Some(own) => own,
        None if case.expected.get("stage").text() == "plan" && case.expected.get("valid") == &Json::Bool(false) => {
            return Err("what the validation says is not recorded".into());
        }
        None => &case.expected,
    };
    // The command that was recorded takes no variables.
    let request = Request { variables: None, ..request_at(case, ToolStage::Validate) };
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request)?;
    let answer = Json::parse(std::str::from_utf8(&answer(&report, EVERYTHING))?)?;
    let recorded = lines(expected.get("diagnostics").items().iter(), true);
    let found = lines(of_tool_and_provider(&answer), true);
    let missing = difference(&recorded, &found).into_iter().map(|line| format!("- {line}"));
    let others = difference(&found, &recorded).into_iter().map(|line| format!("+ {line}"));
    outcome(case, &missing.chain(others).collect::<Vec<_>>())
}

/// Compares two documents, except for the members `but` of the whole. What is ours alone is not compared, and the time
/// of the recording neither; `applyable` is false here, unless it is among `but`.
pub(crate) fn document(expected: &Json, got: &Json, but: &[&str], out: &mut Vec<String>) {
    if expected == &Json::Null || got == &Json::Null {
        return compare("", expected, got, out);
    }
    if !but.contains(&"applyable") && got.get("applyable") != &Json::Bool(false) {
        out.push(format!("/applyable: {}", got.get("applyable")));
    }
    let but = [but, &["timestamp", "applyable", "overfold"]].concat();
    let without = |document: &Json| {
        let mut members = document.properties().clone();
        members.retain(|name, _| !but.contains(&name.as_str()));
        Json::Object(members)
    };
    compare("", &without(expected), &without(got), out);
}

/// Whether the array at this place is in no order.
fn is_unordered(pointer: &str) -> bool {
    pointer.ends_with("/child_modules") && pointer != "/planned_values/root_module/child_modules"
}

/// Compares two values; every difference is a line with its JSON Pointer.
fn compare(pointer: &str, expected: &Json, got: &Json, out: &mut Vec<String>) {
    match (expected, got) {
        (Json::Object(wanted), Json::Object(found)) => {
            for (name, expected) in wanted {
                let inner = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                match found.get(name) {
                    Some(got) => compare(&inner, expected, got, out),
                    None => out.push(format!("{inner}\n      - {expected}\n      + (absent)")),
                }
            }
            for (name, got) in found.iter().filter(|(name, _)| !wanted.contains_key(*name)) {
                out.push(format!("{pointer}/{name}\n      - (absent)\n      + {got}"));
            }
        }
        (Json::Array(wanted), Json::Array(found)) if pointer == "/relevant_attributes" => {
            let texts = |items: &[Json]| items.iter().map(Json::to_string).collect::<Vec<_>>();
            let (wanted, found) = (texts(wanted), texts(found));
            out.extend(difference(&wanted, &found).iter().map(|item| format!("{pointer}\n      - {item}")));
            out.extend(difference(&found, &wanted).iter().map(|item| format!("{pointer}\n      + {item}")));
        }
        (Json::Array(wanted), Json::Array(found)) if is_unordered(pointer) => {
            let by_address = |modules: &[Json]| {
                let address = |module: &Json| module.get("address").text().to_owned();
                Json::Object(
                    modules.iter().map(|module| (address(module), module.clone())).collect::<BTreeMap<_, _>>(),
                )
            };
            compare(&format!("{pointer} by address "), &by_address(wanted), &by_address(found), out);
        }
        (Json::Array(wanted), Json::Array(found)) => {
            for (at, expected) in wanted.iter().enumerate() {
                match found.get(at) {
                    Some(got) => compare(&format!("{pointer}/{at}"), expected, got, out),
                    None => out.push(format!("{pointer}/{at}\n      - {expected}\n      + (absent)")),
                }
            }
            for (at, got) in found.iter().enumerate().skip(wanted.len()) {
                out.push(format!("{pointer}/{at}\n      - (absent)\n      + {got}"));
            }
        }
        _ if expected == got => {}
        _ => out.push(format!("{pointer}\n      - {expected}\n      + {got}")),
    }
}
