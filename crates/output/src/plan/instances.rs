//! The part `instances` of an answer: every planned instance, and where its arguments come from.

use super::super::diagnostics::write_range;
use super::changes::write_actions;
use super::masks::{after_unknown, sensitive_mask};
use super::resource;
use super::sink::Sink;
use overfold_base::files::Sources;
use overfold_module::plan::{Plan, PlannedArgument, PlannedResource};

/// Writes the list, in the order of `resource_changes`. Data sources that were read while planning are in it, too,
/// without actions.
pub(super) fn write(sink: &mut Sink, plan: &Plan, sources: &Sources) {
    sink.items(&plan.resources, |sink, resource| sink.object(|sink| instance(sink, resource, sources)));
}

fn instance(sink: &mut Sink, resource: &PlannedResource, sources: &Sources) {
    sink.json.member("address", &resource::charged(resource.address()));
    if !resource.module.0.is_empty() {
        sink.json.member("module_address", &resource::charged(resource.module.to_string()));
    }
    resource::write_identity(&mut sink.json, resource);
    let change = &resource.change;
    sink.json.key("actions");
    write_actions(sink, change.action);
    sink.field("values", |sink| sink.value(&change.after));
    sink.json.key("after_unknown");
    after_unknown(&mut sink.json, &change.after);
    sink.json.key("after_sensitive");
    sensitive_mask(&mut sink.json, &change.after);
    sink.json.key("arguments");
    sink.object(|sink| {
        for argument in resource.arguments.iter() {
            sink.json.key(&argument.pointer);
            sink.object(|sink| write_argument(sink, argument, sources));
        }
    });
}

fn write_argument(sink: &mut Sink, argument: &PlannedArgument, sources: &Sources) {
    let json = &mut sink.json;
    json.key("range");
    write_range(json, sources, argument.span);
    json.key("references");
    json.array(|json| argument.references.iter().for_each(|reference| json.str(reference)));
    json.key("overridden");
    json.bool(argument.overridden);
}
