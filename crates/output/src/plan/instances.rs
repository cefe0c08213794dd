//! The part `instances` of an answer: every planned instance, and where its arguments come from.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::super::json::{JsonText, JsonWriter, Streamed};
use super::changes::actions;
use super::masks::{after_unknown, sensitive_mask};
use super::resource;
use super::sink::Sink;
use crate::view::{InstanceArgument, PlannedInstance, Range};
use overfold_base::files::Sources;
use overfold_module::pipeline::Report;
use overfold_module::plan::{InstanceKey, Plan, PlannedArgument, PlannedResource};

/// The names of the values that have writers of their own.
const VALUES: &str = "values";
const UNKNOWN: &str = "after_unknown";
const SENSITIVE: &str = "after_sensitive";

/// Writes the list, in the order of `resource_changes`. Data sources that were read while planning are in it, too,
/// without actions.
pub(super) fn write(json: &mut JsonWriter, report: &Report<'_>, plan: &Plan) {
    json.array(|json| plan.resources.iter().for_each(|resource| instance(json, report, resource)));
}

fn instance(json: &mut JsonWriter, report: &Report<'_>, resource: &PlannedResource) {
    let change = &resource.change;
    let in_module = !resource.module.0.is_empty();
    let view = PlannedInstance {
        address: resource::charged(resource.address()).into(),
        module_address: in_module.then(|| resource::charged(resource.module.to_string()).into()),
        mode: resource::mode(resource.mode),
        type_: &resource.type_name,
        name: &resource.name,
        index: resource.key.as_ref().map(|key| match key {
            InstanceKey::Number(number) => JsonText(number.to_string().into()),
            InstanceKey::Text(text) => JsonText::of_view(&**text),
        }),
        provider_name: &resource.provider_name,
        actions: actions(change.action),
        values: Streamed(VALUES),
        after_unknown: Streamed(UNKNOWN),
        after_sensitive: Streamed(SENSITIVE),
        arguments: InstanceArguments { list: &resource.arguments, sources: &report.forest.sources },
        needs: InstanceNeeds(&resource.needs),
    };
    json.view_with(&view, &mut |json, part| match part {
        VALUES => Sink::within(json, report, |sink| {
            // Only the document lists what is hidden.
            sink.take_redacted();
            sink.value(&change.after);
        }),
        UNKNOWN => after_unknown(json, &change.after),
        _ => sensitive_mask(json, &change.after),
    });
}

/// The arguments of an instance by pointer.
pub struct InstanceArguments<'a> {
    list: &'a [PlannedArgument],
    sources: &'a Sources,
}

impl Serialize for InstanceArguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.list.iter().map(|argument| {
            let view = InstanceArgument {
                range: Range::of(self.sources, argument.span),
                references: &argument.references,
                overridden: argument.overridden,
            };
            (&argument.pointer, view)
        }))
    }
}

/// What the attributes of an instance need that are not known here, by pointer.
pub struct InstanceNeeds<'a>(&'a [(Arc<str>, Arc<str>)]);

impl InstanceNeeds<'_> {
    /// Whether nothing is needed.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for InstanceNeeds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The name of an attribute is an identifier, which a pointer needs not escape.
        serializer.collect_map(self.0.iter().map(|(name, needs)| (format!("/{name}"), needs)))
    }
}
