//! What is planned: `resource_changes` and `output_changes` (plan.md, section 14).

use super::masks::{after_unknown, output_unknown, sensitive_mask};
use super::resource;
use super::sink::Sink;
use super::state;
use overfold_dialect::Behaviour;
use overfold_module::plan::{Action, Change, Plan, PlannedOutput, PlannedResource};

/// Writes the changes of resources; nothing if there are none.
pub(super) fn resource_changes(sink: &mut Sink, plan: &Plan) {
    let mut changed =
        plan.resources.iter().filter(|resource| resource.change.action != Action::AlreadyRead).peekable();
    if changed.peek().is_some() {
        sink.field("resource_changes", |sink| sink.items(changed, resource_change));
    }
}

fn resource_change(sink: &mut Sink, resource: &PlannedResource) {
    sink.object(|sink| {
        sink.json.member("address", &resource::charged(resource.address()));
        if !resource.module.0.is_empty() {
            sink.json.member("module_address", &resource::charged(resource.module.to_string()));
        }
        resource::write_identity(&mut sink.json, resource);
        sink.field("change", |sink| change(sink, &resource.change));
        if let Some(reason) = resource.change.reason.filter(|reason| has_reason(sink, reason)) {
            sink.json.member("action_reason", reason);
        }
    });
}

/// Whether documents of the version give this reason.
fn has_reason(sink: &Sink, reason: &str) -> bool {
    match reason {
        "read_because_check_nested" => sink.has(Behaviour::DocumentNestedReadReason),
        _ if reason.starts_with("read_") => sink.has(Behaviour::DocumentReadReasons),
        _ => true,
    }
}

fn change(sink: &mut Sink, change: &Change) {
    sink.object(|sink| {
        sink.json.key("actions");
        write_actions(sink, change.action);
        sink.field("before", |sink| match &change.before {
            Some(before) => sink.value(before),
            None => sink.json.null(),
        });
        sink.field("after", |sink| sink.value(&change.after));
        sink.json.key("after_unknown");
        after_unknown(&mut sink.json, &change.after);
        sink.json.key("before_sensitive");
        match &change.before {
            Some(before) => sensitive_mask(&mut sink.json, before),
            None => sink.json.bool(false),
        }
        sink.json.key("after_sensitive");
        sensitive_mask(&mut sink.json, &change.after);
        if !change.replace_paths.is_empty() {
            sink.json.key("replace_paths");
            sink.json.array(|json| {
                for path in &change.replace_paths {
                    json.array(|json| path.iter().for_each(|step| json.str(step)));
                }
            });
        }
        if let Some(id) = &change.importing {
            sink.field("importing", |sink| {
                sink.object(|sink| {
                    // An empty text is left out.
                    if id.as_text() != Some("") {
                        sink.field("id", |sink| sink.value(id));
                    }
                });
            });
        }
    });
}

/// Writes the list of actions.
pub(super) fn write_actions(sink: &mut Sink, action: Action) {
    sink.json.view(actions(action));
}

/// Returns the words for an action.
pub(super) const fn actions(action: Action) -> &'static [&'static str] {
    match action {
        Action::NoOp => &["no-op"],
        Action::Create => &["create"],
        Action::Update => &["update"],
        Action::Replace => &["delete", "create"],
        Action::ReplaceAfterCreation => &["create", "delete"],
        Action::Read => &["read"],
        Action::Open => &["open"],
        Action::AlreadyRead => &[],
    }
}

/// Writes the changes of the root module's outputs; nothing if there are none.
pub(super) fn output_changes(sink: &mut Sink, plan: &Plan) {
    if plan.outputs.is_empty() {
        return;
    }
    sink.field("output_changes", |sink| {
        sink.object(|sink| {
            for output in &plan.outputs {
                sink.field(&output.name, |sink| output_change(sink, output));
            }
        });
    });
}

fn output_change(sink: &mut Sink, output: &PlannedOutput) {
    let action = if output.value.is_null() { Action::NoOp } else { Action::Create };
    sink.object(|sink| {
        sink.json.key("actions");
        write_actions(sink, action);
        sink.json.key("before");
        sink.json.null();
        let is_masked = sink.has(Behaviour::DocumentUnknownParts) || output.value.is_wholly_known();
        if output.value.is_known() && is_masked {
            sink.field("after", |sink| state::output_value(sink, output));
        }
        sink.json.key("after_unknown");
        if is_masked {
            output_unknown(&mut sink.json, &output.value);
        } else {
            sink.json.bool(true);
        }
        for side in ["before_sensitive", "after_sensitive"] {
            sink.json.key(side);
            sink.json.bool(output.sensitive);
        }
    });
}
