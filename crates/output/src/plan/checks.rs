//! The results of conditions: `checks` (plan.md, section 17).

use std::fmt::Write as _;

use super::resource;
use super::sink::Sink;
use overfold_dialect::PlanPart;
use overfold_module::plan::{CheckStatus, CheckedInstance, CheckedKind, CheckedObject, Plan};

/// The note with which the tool marked the entries as experimental; it is part of its documents.
const NOTE: &str = "EXPERIMENTAL: see docs for details";

/// Returns the part of documents to which the entry of an object belongs.
const fn part(kind: CheckedKind) -> PlanPart {
    match kind {
        CheckedKind::Resource { .. } | CheckedKind::Output => PlanPart::Checks,
        CheckedKind::Check => PlanPart::CheckBlocks,
        CheckedKind::Variable => PlanPart::VariableChecks,
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

fn checked_object(sink: &mut Sink, object: &CheckedObject) {
    let local = object.local_display();
    sink.object(|sink| {
        if sink.has(PlanPart::ChecksNote) {
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
            let mut display = String::new();
            if let Some(key) = &instance.key {
                json.key("instance_key");
                resource::write_key(json, key);
            }
            if !instance.module.0.is_empty() {
                display = instance.module.to_string();
                json.member("module", &display);
                display.push('.');
            }
            display.push_str(local);
            if let Some(key) = &instance.key {
                // Writing to a string never fails.
                let _ = write!(display, "{key}");
            }
            json.member("to_display", &resource::charged(display));
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
pub(super) const fn status(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Pass => "pass",
        CheckStatus::Unknown => "unknown",
        CheckStatus::Fail => "fail",
        CheckStatus::Error => "error",
    }
}
