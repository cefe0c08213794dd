//! The whole document.

use super::super::json::{Escapes, JsonWriter};
use super::missing::MissingInputs;
use super::sink::Sink;
use super::{changes, checks, configuration, resource, state};
use overfold_base::account::{self, ChargedIterator};
use overfold_dialect::{Behaviour, PlanDocument};
use overfold_module::pipeline::Report;
use overfold_module::plan::{AttributeStep, EmulatedDataSource, Plan, RelevantAttribute, SchemaOrigin};

/// The version of the tool whose runs the rules were recorded from.
const RECORDED: &str = "1.11.4";

/// Returns the document alone, on one line; `None` where the tool writes none.
pub fn plan_document(report: &Report<'_>) -> Option<Vec<u8>> {
    let plan = report.plan.as_ref()?;
    let mut sink = Sink::new(
        JsonWriter::with_capacity(1024),
        report.reveal_sensitive,
        PlanDocument::for_dialect(report.dialect),
    );
    write(&mut sink, plan, report.dialect.version);
    Some(sink.into_json().into_bytes())
}

/// Writes the document as a value.
pub(super) fn write(sink: &mut Sink, plan: &Plan, version: &str) {
    sink.json.set_escapes(Escapes::Tool);
    sink.object(|sink| members(sink, plan, version));
    sink.json.set_escapes(Escapes::Needed);
}

/// Writes the members in the tool's order (plan.md, section 13).
fn members(sink: &mut Sink, plan: &Plan, version: &str) {
    let format = sink.form().format();
    sink.json.member("format_version", format);
    sink.json.member("terraform_version", version);
    if !plan.variables.is_empty() {
        sink.unstored_field("variables", |sink| variables(sink, plan));
    }
    sink.field("planned_values", |sink| state::planned_values(sink, plan));
    changes::resource_changes(sink, plan);
    changes::output_changes(sink, plan);
    state::prior_state(sink, plan, version);
    sink.unstored_field("configuration", |sink| configuration::write(sink, &plan.configuration));
    if !plan.relevant_attributes.is_empty() && sink.has(Behaviour::DocumentRelevantAttributes) {
        sink.json.key("relevant_attributes");
        sink.items(&plan.relevant_attributes, relevant_attribute);
    }
    checks::write(sink, plan);
    checks::condition_results(sink, plan);
    if let Some(timestamp) = plan.timestamp.as_ref().filter(|_| sink.has(Behaviour::DocumentTimestamp)) {
        sink.json.member("timestamp", timestamp);
    }
    let flags = [
        ("applyable", false, Behaviour::DocumentApplyable),
        ("complete", plan.is_complete(), Behaviour::DocumentApplyable),
        ("errored", plan.errored, Behaviour::DocumentErrored),
    ];
    let form = sink.form();
    for (name, is, _) in flags.into_iter().filter(|(_, _, part)| form.has(*part)) {
        sink.json.key(name);
        sink.json.bool(is);
    }
    sink.json.key("overfold");
    sink.object(|sink| own(sink, plan));
}

fn variables(sink: &mut Sink, plan: &Plan) {
    sink.object(|sink| {
        for variable in &plan.variables {
            sink.field(&variable.name, |sink| {
                sink.object(|sink| sink.field("value", |sink| sink.default_value(&variable.value)));
            });
        }
    });
}

/// Writes what a change depends on (plan.md, section 18).
fn relevant_attribute(sink: &mut Sink, relevant: &RelevantAttribute) {
    sink.object(|sink| {
        let json = &mut sink.json;
        json.member("resource", &relevant.resource);
        json.key("attribute");
        json.array(|json| {
            for step in &relevant.attribute {
                match step {
                    AttributeStep::Name(name) => json.str(name),
                    AttributeStep::Index(index) => json.raw(&index.to_string()),
                }
            }
        });
    });
}

/// Writes where the schemas of a provider come from.
fn schema_origin(json: &mut JsonWriter, origin: &SchemaOrigin) {
    json.object(|json| {
        if let Some(version) = &origin.version {
            json.member("version", version);
        }
        json.member("chosen_by", origin.choice.name());
    });
}

fn emulated(json: &mut JsonWriter, emulated: EmulatedDataSource) {
    json.object(|json| {
        json.member("type", emulated.name());
        json.member("provider", emulated.provider());
        json.member("version", emulated.version());
    });
}

/// Writes our own member: what the document is, and what is not in it.
fn own(sink: &mut Sink, plan: &Plan) {
    let redacted = sink.take_redacted();
    let json = &mut sink.json;
    json.member("version", env!("CARGO_PKG_VERSION"));
    json.member("recorded", RECORDED);
    json.key("exact");
    json.bool(plan.missing.is_empty());
    json.key("complete");
    json.bool(plan.is_complete());
    json.key("missing");
    json.view(&MissingInputs(&plan.missing));
    if !plan.provider_schemas.is_empty() {
        json.key("provider_schemas");
        json.object(|json| {
            for (address, origin) in plan.provider_schemas.iter().charged(4) {
                json.key(&resource::charged(address.to_string()));
                schema_origin(json, origin);
            }
        });
    }
    if !plan.emulated.is_empty() {
        json.key("emulated");
        json.array(|json| plan.emulated.iter().for_each(|emulated| self::emulated(json, *emulated)));
    }
    let mut open = plan.resources.iter().filter(|resource| !resource.unset.is_empty()).peekable();
    if open.peek().is_some() {
        json.key("provider_defaults");
        json.object(|json| {
            for resource in open {
                json.key(&resource::charged(resource.address()));
                json.array(|json| {
                    account::work(resource.unset.len() as u64);
                    resource.unset.iter().for_each(|pointer| json.str(pointer));
                });
            }
        });
    }
    json.key("redacted");
    json.array(|json| redacted.iter().for_each(|pointer| json.str(pointer)));
}
