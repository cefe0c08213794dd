//! The results of conditions: `checks` (plan.md, section 17).

use std::fmt::Write as _;

use super::resource;
use super::sink::Sink;
use overfold_module::plan::{CheckStatus, CheckedInstance, CheckedKind, CheckedObject, Plan};

/// Writes the part; nothing if nothing has conditions.
pub(super) fn write(sink: &mut Sink, plan: &Plan) {
    if !plan.checks.is_empty() {
        sink.field("checks", |sink| sink.items(&plan.checks, checked_object));
    }
}

fn checked_object(sink: &mut Sink, object: &CheckedObject) {
    let local = local_address(object);
    sink.object(|sink| {
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
    let mut display = String::new();
    for call in &object.module {
        // Writing to a string never fails.
        let _ = write!(display, "{}module.{call}", if display.is_empty() { "" } else { "." });
    }
    if !display.is_empty() {
        json.member("module", &display);
        display.push('.');
    }
    json.member("name", &object.name);
    display.push_str(local);
    json.member("to_display", &resource::charged(display));
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

/// Returns the address within the module, without an instance key.
pub(super) fn local_address(object: &CheckedObject) -> String {
    let name = &object.name;
    match object.kind {
        CheckedKind::Resource { mode } => {
            format!("{}{}.{name}", mode.prefix(), object.type_name.as_deref().unwrap_or_default())
        }
        CheckedKind::Output => format!("output.{name}"),
        CheckedKind::Check => format!("check.{name}"),
        CheckedKind::Variable => format!("var.{name}"),
    }
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
