//! Trees of modules with the values of their resources: `planned_values` and `prior_state` (plan.md, sections 14 and
//! 15).

use super::masks::sensitive_mask;
use super::resource;
use super::sink::Sink;
use super::tree::ModuleNode;
use overfold_dialect::Behaviour;
use overfold_module::plan::{Action, Plan, PlannedOutput, PlannedResource};
use overfold_value::{Marks, Value, with_stack};

/// Writes `planned_values`.
pub(super) fn planned_values(sink: &mut Sink, plan: &Plan) {
    let tree = ModuleNode::sorted_tree(&plan.resources, |resource| {
        (resource.change.action != Action::AlreadyRead)
            .then_some(resource.planned.as_ref().unwrap_or(&resource.change.after))
    });
    sink.object(|sink| {
        if !plan.outputs.is_empty() {
            sink.field("outputs", |sink| {
                sink.object(|sink| {
                    for output in &plan.outputs {
                        sink.field(&output.name, |sink| planned_output(sink, output));
                    }
                });
            });
        }
        sink.field("root_module", |sink| module(sink, &tree, false));
    });
}

/// Writes `prior_state`; nothing if it would be empty.
pub(super) fn prior_state(sink: &mut Sink, plan: &Plan, version: &str) {
    fn prior(resource: &PlannedResource) -> Option<&Value> {
        resource.change.prior.as_ref()
    }
    let tree = if sink.has(Behaviour::DocumentPriorStateByKey) {
        ModuleNode::tree(&plan.resources, prior)
    } else {
        ModuleNode::sorted_tree(&plan.resources, prior)
    };
    let in_state = |output: &&PlannedOutput| output.value.is_wholly_known() && !output.value.is_null();
    let mut outputs = plan.outputs.iter().filter(in_state).peekable();
    if outputs.peek().is_none() && tree.is_empty() {
        return;
    }
    sink.unstored_field("prior_state", |sink| {
        sink.object(|sink| {
            let format = sink.form().state_format();
            sink.json.member("format_version", format);
            sink.json.member("terraform_version", version);
            sink.field("values", |sink| {
                sink.object(|sink| {
                    if outputs.peek().is_some() {
                        sink.field("outputs", |sink| {
                            sink.object(|sink| {
                                for output in outputs {
                                    let deprecated = deprecated(sink, plan, output);
                                    sink.field(&output.name, |sink| prior_output(sink, output, deprecated));
                                }
                            });
                        });
                    }
                    sink.field("root_module", |sink| module(sink, &tree, true));
                });
            });
        });
    });
}

fn planned_output(sink: &mut Sink, output: &PlannedOutput) {
    sink.object(|sink| {
        sink.json.key("sensitive");
        sink.json.bool(output.sensitive);
        if output.value.is_wholly_known() {
            if sink.has(Behaviour::DocumentOutputTypes) {
                sink.field("type", |sink| output_type(sink, output));
            }
            sink.field("value", |sink| output_value(sink, output));
        }
    });
}

/// Returns why an output of the root module should not be used, if documents say that.
fn deprecated<'p>(sink: &Sink, plan: &'p Plan, output: &PlannedOutput) -> Option<&'p str> {
    if !sink.has(Behaviour::DocumentDeprecations) {
        return None;
    }
    let declared = &*plan.configuration.modules.first()?.parts.outputs;
    let at = declared.binary_search_by(|(name, _)| (**name).cmp(&output.name)).ok()?;
    declared.get(at)?.1.deprecated.as_deref()
}

fn prior_output(sink: &mut Sink, output: &PlannedOutput, deprecated: Option<&str>) {
    sink.object(|sink| {
        sink.json.key("sensitive");
        sink.json.bool(output.sensitive);
        if let Some(why) = deprecated {
            sink.json.member("deprecated", why);
        }
        sink.field("value", |sink| output_value(sink, output));
        if sink.has(Behaviour::DocumentOutputTypes) {
            sink.field("type", |sink| output_type(sink, output));
        }
    });
}

/// Writes the value of an output. A declaration as sensitive hides it, whatever its marks are.
pub(super) fn output_value(sink: &mut Sink, output: &PlannedOutput) {
    if output.value.is_known() && hides(sink, output) { sink.hidden() } else { sink.value(&output.value) }
}

/// Writes the type of the value of an output; a null has none (plan.md, section 8). A hidden value also hides its type,
/// which tells names of attributes and lengths.
fn output_type(sink: &mut Sink, output: &PlannedOutput) {
    if hides(sink, output) {
        sink.hidden();
    } else if output.value.is_null() {
        sink.json.str("dynamic");
    } else {
        sink.json.raw(&output.value.type_json());
    }
}

/// Whether the value of an output is hidden as a whole.
fn hides(sink: &Sink, output: &PlannedOutput) -> bool {
    let declared = if output.sensitive { Marks::SENSITIVE } else { Marks::NONE };
    sink.hides(output.value.marks().and(declared))
}

/// Writes a module and those below it, of the prior state or of the planned values.
fn module(sink: &mut Sink, node: &ModuleNode<'_>, is_prior: bool) {
    sink.object(|sink| {
        if !node.resources.is_empty() {
            sink.field("resources", |sink| {
                sink.items(&node.resources, |sink, (_, resource, value)| {
                    write_resource(sink, resource, value, is_prior);
                });
            });
        }
        if !node.address.is_empty() {
            sink.json.member("address", &node.address);
        }
        if !node.children.is_empty() {
            sink.field("child_modules", |sink| {
                sink.items(node.children.values(), |sink, child| with_stack(|| module(sink, child, is_prior)));
            });
        }
    });
}

fn write_resource(sink: &mut Sink, resource: &PlannedResource, value: &Value, is_prior: bool) {
    sink.object(|sink| {
        sink.json.member("address", &resource::charged(resource.address()));
        resource::write_identity(&mut sink.json, resource);
        sink.json.key("schema_version");
        sink.json.raw(&resource.schema_version.to_string());
        // The tool leaves an empty object out here.
        let is_empty = match value.as_entries() {
            Some(entries) => entries.iter().all(|(_, entry)| !entry.is_known()),
            None => value.is_null(),
        };
        if !is_empty {
            sink.field("values", |sink| sink.value(value));
        }
        if sink.has(Behaviour::DocumentSensitiveValues) {
            sink.json.key("sensitive_values");
            sensitive_mask(&mut sink.json, value);
        }
        if is_prior && !resource.change.depends_on.is_empty() {
            sink.json.key("depends_on");
            sink.json.array(|json| {
                for address in &*resource.change.depends_on {
                    json.str(address);
                }
            });
        }
    });
}
