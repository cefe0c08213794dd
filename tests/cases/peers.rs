//! The questions of `tests/peers`, which other evaluators are asked, too: instances, arguments and errors as the tool
//! planned them.

use std::collections::BTreeSet;

use libtest_mimic::Failed;

use super::folder::{Case, PEERS, names, read};
use super::json::Json;
use super::plan::in_process;
use super::runner::Trial;
use super::validate::outcome;

/// The keys that a recorded result may contain.
const RECORDED: &[&str] = &["recorded_with", "errors", "instances", "unknown"];

/// Adds one trial for each question.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    for case in names(PEERS) {
        trials.push(Trial::test(format!("{PEERS}/{case}"), move || is_right(&read(PEERS, &case))));
    }
}

/// Checks the arguments that the case asks for, in exactly the instances that the tool planned; of a plan with errors,
/// only these.
fn is_right(case: &Case) -> Result<(), Failed> {
    let answer = in_process(case)?;
    let expected = &case.expected;
    let mut wrong = Vec::new();
    super::recorded::known_keys("a result", expected, RECORDED, &mut wrong);
    let errors = answer.get("diagnostics").items().iter().filter(|found| found.get("severity").text() == "error");
    let errors: BTreeSet<&str> = errors.map(|found| found.get("summary").text()).collect();
    let wanted: BTreeSet<&str> = expected.get("errors").items().iter().map(Json::text).collect();
    if errors != wanted {
        wrong.push(format!("errors:\n      - {wanted:?}\n      + {errors:?}"));
    }
    if wanted.is_empty() {
        instances(case, answer.get("plan"), &mut wrong);
    }
    outcome(case, &wrong)
}

/// Compares the managed instances of a plan.
fn instances(case: &Case, plan: &Json, wrong: &mut Vec<String>) {
    let changes = plan.get("resource_changes").items().iter().filter(|change| change.get("mode").text() == "managed");
    let changes: Vec<&Json> = changes.collect();
    let wanted = case.expected.get("instances").properties();
    let found: BTreeSet<&str> = changes.iter().map(|change| change.get("address").text()).collect();
    let addresses: BTreeSet<&str> = wanted.keys().map(String::as_str).collect();
    if found != addresses {
        wrong.push(format!("instances:\n      - {addresses:?}\n      + {found:?}"));
    }
    for change in changes {
        let address = change.get("address").text();
        let unknown = case.expected.get("unknown").get(address).items();
        for argument in case.asked.get("asks").items() {
            let name = argument.text();
            let value = change.get("change").get("after").find(name);
            let recorded = wanted.get(address).and_then(|arguments| arguments.find(name));
            let is_right = match (recorded, value) {
                (Some(recorded), Some(value)) => is_as_planned(recorded, value),
                // What is unknown is not in the value, but marked.
                (None, None) => {
                    let marked = change.get("change").get("after_unknown").get(name) == &Json::Bool(true);
                    marked == unknown.contains(argument)
                }
                _ => false,
            };
            if !is_right {
                let [recorded, value] =
                    [recorded, value].map(|value| value.map_or("nothing".into(), Json::to_string));
                wrong.push(format!("{address}.{name}:\n      - {recorded}\n      + {value}"));
            }
        }
    }
}

/// Whether a value is the recorded one. Of blocks, only what is configured is recorded.
fn is_as_planned(recorded: &Json, value: &Json) -> bool {
    match (recorded, value) {
        (Json::Array(recorded), Json::Array(value)) => {
            recorded.len() == value.len()
                && recorded.iter().zip(value).all(|(recorded, value)| is_as_planned(recorded, value))
        }
        (Json::Object(recorded), Json::Object(value)) => {
            recorded
                .iter()
                .all(|(name, recorded)| value.get(name).is_some_and(|value| is_as_planned(recorded, value)))
                && value.iter().all(|(name, value)| recorded.contains_key(name) || value == &Json::Null)
        }
        _ => recorded == value,
    }
}
