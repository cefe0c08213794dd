//! The results of conditions: `checks` (plan.md, section 17).

use std::fmt::Write as _;

use super::resource;
use super::sink::Sink;
use overfold_dialect::Behaviour;
use overfold_module::plan::{CheckStatus, CheckedInstance, CheckedKind, CheckedObject, Plan};
use overfold_value::Value;

/// The note with which the tool marked the entries as experimental; it is part of its documents.
const NOTE: &str = "EXPERIMENTAL: see docs for details";

/// Returns the part of documents to which the entry of an object belongs.
const fn part(kind: CheckedKind) -> Behaviour {
    match kind {
        CheckedKind::Resource { .. } | CheckedKind::Output => Behaviour::DocumentChecks,
        CheckedKind::Check => Behaviour::DocumentCheckBlocks,
        CheckedKind::Variable => Behaviour::DocumentVariableChecks,
    }
}

/// Writes the part; nothing if nothing has conditions.
pub(super) fn write(sink: &mut Sink, plan: &Plan) {
    let form = sink.form();
    let mut shown = plan.checks.iter().filter(|object| form.has(part(object.kind))).peekable();
    if shown.peek().is_some() {
        sink.field("checks", |sink| sink.items(shown, checked_object));
    }
}

/// The note with which the tool marked the results as a form that goes away; it is part of its documents.
const OLD_NOTE: &str = "This previously-experimental representation of conditions is deprecated and will be removed in Terraform v1.4. Use the 'checks' property instead.";

/// Writes the results of conditions as they were before `checks`: one for each instance, or one for each of its problems.
pub(super) fn condition_results(sink: &mut Sink, plan: &Plan) {
    if !sink.has(Behaviour::DocumentConditionResults) {
        return;
    }
    let mut results: Vec<(Box<str>, &CheckedObject, &CheckedInstance)> = Vec::new();
    for object in plan.checks.iter().filter(|object| part(object.kind) == Behaviour::DocumentChecks) {
        let local = object.local_display();
        results.extend(object.instances.iter().map(|found| (displayed(found, &local), object, found)));
    }
    if results.is_empty() {
        return;
    }
    results.sort_by(|(left, ..), (right, ..)| left.cmp(right));
    sink.field("condition_results", |sink| {
        let none = Value::text("");
        let entries = results.iter().flat_map(|(address, object, found)| {
            let fails = found.status == CheckStatus::Fail && !found.problems.is_empty();
            let problems = if fails { found.problems.as_slice() } else { std::slice::from_ref(&none) };
            problems.iter().map(move |problem| (address, object, found, fails.then_some(problem)))
        });
        sink.items(entries, |sink, (address, object, found, problem)| {
            sink.object(|sink| {
                if sink.has(Behaviour::DocumentConditionResultsNote) {
                    sink.json.member("//", OLD_NOTE);
                }
                sink.json.member("address", address);
                let kind = match object.kind {
                    CheckedKind::Resource { .. } => "ResourcePostcondition",
                    _ => "OutputPrecondition",
                };
                sink.json.member("condition_type", kind);
                sink.json.key("result");
                sink.json.bool(found.status == CheckStatus::Pass);
                sink.json.key("unknown");
                sink.json.bool(found.status == CheckStatus::Unknown);
                if let Some(problem) = problem {
                    sink.field("error_message", |sink| sink.value(problem));
                }
            });
        });
    });
}

/// Returns the address of an instance in its module instance.
fn displayed(instance: &CheckedInstance, local: &str) -> Box<str> {
    let mut display = String::new();
    if !instance.module.0.is_empty() {
        display = instance.module.to_string();
        display.push('.');
    }
    display.push_str(local);
    if let Some(key) = &instance.key {
        // Writing to a string never fails.
        let _ = write!(display, "{key}");
    }
    resource::charged(display)
}

fn checked_object(sink: &mut Sink, object: &CheckedObject) {
    let local = object.local_display();
    sink.object(|sink| {
        if sink.has(Behaviour::DocumentChecksNote) {
            sink.json.member("//", NOTE);
        }
        sink.json.key("address");
        sink.object(|sink| address(sink, object, &local));
        sink.json.member("status", status(object.status));
        if !object.instances.is_empty() {
            sink.field("instances", |sink| {
                sink.items(&object.instances, |sink, found| instance(sink, found, &local));
            });
        }
    });
}

fn address(sink: &mut Sink, object: &CheckedObject, local: &str) {
    let json = &mut sink.json;
    json.member("kind", kind(object.kind));
    if let CheckedKind::Resource { mode } = object.kind {
        json.member("mode", resource::mode(mode));
    }
    let display = resource::charged(object.display());
    // The module stands before the local address, with a dot between them.
    let module = display.len().checked_sub(local.len() + 1).and_then(|end| display.get(..end));
    if let Some(module) = module {
        json.member("module", module);
    }
    json.member("name", &object.name);
    json.member("to_display", &display);
    if let Some(type_name) = &object.type_name {
        json.member("type", type_name);
    }
}

fn instance(sink: &mut Sink, instance: &CheckedInstance, local: &str) {
    sink.object(|sink| {
        sink.json.key("address");
        sink.object(|sink| {
            let json = &mut sink.json;
            if let Some(key) = &instance.key {
                json.key("instance_key");
                resource::write_key(json, key);
            }
            if !instance.module.0.is_empty() {
                json.member("module", &instance.module.to_string());
            }
            json.member("to_display", &displayed(instance, local));
        });
        sink.json.member("status", status(instance.status));
        if !instance.problems.is_empty() {
            sink.field("problems", |sink| {
                sink.items(&instance.problems, |sink, message| {
                    sink.object(|sink| sink.field("message", |sink| sink.value(message)));
                });
            });
        }
    });
}

const fn kind(kind: CheckedKind) -> &'static str {
    match kind {
        CheckedKind::Resource { .. } => "resource",
        CheckedKind::Output => "output_value",
        CheckedKind::Check => "check",
        CheckedKind::Variable => "var",
    }
}

/// Returns the word for a status.
pub(crate) const fn status(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Pass => "pass",
        CheckStatus::Unknown => "unknown",
        CheckStatus::Fail => "fail",
        CheckStatus::Error => "error",
    }
}
