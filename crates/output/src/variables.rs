//! Writes the part `variables`: declarations, and values with their origins if requested.

use std::collections::BTreeMap;

use super::json::JsonWriter;
use super::objects::declared_type;
use super::redaction::Redaction;
use overfold_model::config::{Element, Payload, is_set};
use overfold_module::pipeline::Report;
use overfold_module::vars::{ResolvedVariable, State, ValueOrigin};
use overfold_value::Value;

/// Writes an object with a member for each variable.
pub(super) fn write(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>) {
    let declared: BTreeMap<&str, &Element<'_>> = report
        .module
        .elements
        .iter()
        .filter(|element| matches!(element.payload, Payload::Variable(_) | Payload::Hcl1Variable(_)))
        .filter(|element| !redaction.hides_labels(element.block))
        .filter_map(|element| Some((element.block.labels.first()?.text, element)))
        .collect();
    let resolved: BTreeMap<&str, &ResolvedVariable> = report
        .variables
        .iter()
        .flat_map(|variables| &variables.list)
        .map(|variable| (&*variable.name, variable))
        .collect();
    json.object(|json| {
        for (name, element) in declared {
            json.key(name);
            let hide = redaction.hides_variable(name)
                || resolved
                    .get(name)
                    .and_then(|found| found.value.as_ref())
                    .is_some_and(|v| redaction.hides_value(v));
            json.object(|json| variable(json, report, redaction, element, resolved.get(name).copied(), hide));
        }
    });
}

fn variable(
    json: &mut JsonWriter,
    report: &Report<'_>,
    redaction: &Redaction<'_>,
    element: &Element<'_>,
    resolved: Option<&ResolvedVariable>,
    hide: bool,
) {
    let mut any_type = true;
    match &element.payload {
        Payload::Variable(declared) => {
            if let Some(constraint) = declared.constraint() {
                any_type = constraint.ty.has_dynamic();
                if let Some(text) = declared_type(report.forest, redaction, element.block, constraint) {
                    json.member("type", &text);
                }
            }
            if let Some(default) = declared.default() {
                json.key("default");
                value(json, Some(default), hide);
            }
            if hide {
                json.key("redacted");
                json.bool(true);
            }
            json.key("sensitive");
            json.bool(is_set(element.block, "sensitive"));
            json.key("nullable");
            json.bool(declared.nullable.unwrap_or(true));
        }
        Payload::Hcl1Variable(declared) => {
            json.member("type", declared.ty().name());
            if let Some(default) = declared.stored_default() {
                json.key("default");
                value(json, Some(&default.to_value()), hide);
            }
            if hide {
                json.key("redacted");
                json.bool(true);
            }
            json.key("sensitive");
            json.bool(false);
        }
        Payload::Output(_) | Payload::Requirement(_) | Payload::None => return,
    }
    let Some(resolved) = resolved else { return };
    json.key("value");
    value(json, resolved.value.as_ref(), hide);
    let state = match resolved.state {
        State::Known => "known",
        State::Unknown => "unknown",
        State::Error => "error",
    };
    json.member("state", state);
    if let Some(value) = &resolved.value {
        json.key("value_type");
        // If the declaration leaves the type open, the type reveals something about the value: names of attributes,
        // lengths.
        if hide && any_type {
            json.null();
        } else {
            json.raw(&value.type_json());
        }
    }
    match &*resolved.from {
        [] => {}
        [from] => {
            json.key("from");
            json.object(|json| origin(json, from));
        }
        merged => {
            json.key("from");
            json.array(|json| {
                for from in merged {
                    json.object(|json| origin(json, from));
                }
            });
        }
    }
    json.key("superseded");
    json.array(|json| {
        for (from, hidden) in &resolved.hidden {
            json.object(|json| {
                origin(json, from);
                json.key("value");
                value(json, hidden.as_ref(), hide);
                if hide {
                    json.key("redacted");
                    json.bool(true);
                }
            });
        }
    });
}

/// Writes a value as exact JSON; null if it is hidden, unknown, or absent.
fn value(json: &mut JsonWriter, value: Option<&Value>, hide: bool) {
    let known = value.filter(|value| !hide && value.is_wholly_known());
    match known.and_then(|value| value.to_json().ok()) {
        Some(text) => json.raw(&text),
        None => json.null(),
    }
}

fn origin(json: &mut JsonWriter, origin: &ValueOrigin) {
    let index = |json: &mut JsonWriter, index: usize| {
        json.key("index");
        json.uint(u32::try_from(index).unwrap_or(u32::MAX));
    };
    match origin {
        ValueOrigin::Default => json.member("kind", "default"),
        ValueOrigin::Env(name) => {
            json.member("kind", "env");
            json.member("name", name);
        }
        ValueOrigin::File(path) => {
            json.member("kind", "file");
            json.member("path", path);
        }
        ValueOrigin::Var(at) => {
            json.member("kind", "var");
            index(json, *at);
        }
        ValueOrigin::VarFile { index: at, path } => {
            json.member("kind", "var_file");
            index(json, *at);
            json.member("path", path);
        }
        ValueOrigin::Value(at) => {
            json.member("kind", "value");
            index(json, *at);
        }
    }
}
