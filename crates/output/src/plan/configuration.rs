//! The part `configuration` of the document (plan.md, section 16).

use super::sink::Sink;
use overfold_base::account::{self, ChargedIterator};
use overfold_dialect::Behaviour;
use overfold_module::plan::configuration::{
    BodyPart, CallConfiguration, Configuration, Expression, Expressions, ModuleParts, OutputConfiguration,
    ProviderConfiguration, ResourceConfiguration, VariableConfiguration,
};
use overfold_value::{Type, with_stack};

/// Writes the part. Keys are in the tool's order.
pub(super) fn write(sink: &mut Sink, configuration: &Configuration) {
    sink.object(|sink| {
        if !configuration.providers.is_empty() {
            sink.field("provider_config", |sink| {
                sink.object(|sink| {
                    for (key, configuration) in &configuration.providers {
                        sink.field(key, |sink| provider(sink, configuration));
                    }
                });
            });
        }
        sink.field("root_module", |sink| module(sink, configuration, Some(0)));
    });
}

fn provider(sink: &mut Sink, provider: &ProviderConfiguration) {
    account::work(4);
    sink.object(|sink| {
        text(sink, "name", Some(&*provider.name));
        if sink.has(Behaviour::DocumentProviderFullNames) {
            text(sink, "full_name", Some(&*provider.full_name));
        }
        text(sink, "alias", provider.alias.as_deref());
        text(sink, "version_constraint", provider.version_constraint.as_deref());
        text(sink, "module_address", provider.module_address.as_deref());
        expressions(sink, &provider.expressions);
    });
}

/// Writes a module with those that it calls; of one that is not there, nothing is known.
fn module(sink: &mut Sink, configuration: &Configuration, at: Option<usize>) {
    let Some(module) = at.and_then(|at| configuration.modules.get(at)) else { return sink.object(|_| {}) };
    let ModuleParts { outputs, resources, calls, variables } = &*module.parts;
    account::work(4 + (outputs.len() + resources.len() + calls.len() + variables.len()) as u64 * 2);
    sink.object(|sink| {
        named(sink, "outputs", outputs, output);
        if !resources.is_empty() {
            sink.field("resources", |sink| {
                sink.items(resources.iter().zip(&module.provider_keys), |sink, (found, key)| {
                    resource(sink, found, key);
                });
            });
        }
        if !calls.is_empty() {
            sink.field("module_calls", |sink| {
                sink.object(|sink| {
                    for ((name, found), &called) in calls.iter().zip(&module.called) {
                        sink.field(name, |sink| with_stack(|| call(sink, configuration, found, called)));
                    }
                });
            });
        }
        named(sink, "variables", variables, variable);
    });
}

/// Writes an object with a member for each of these, unless there are none.
fn named<T>(sink: &mut Sink, key: &str, list: &[(Box<str>, T)], mut each: impl FnMut(&mut Sink, &T)) {
    if list.is_empty() {
        return;
    }
    sink.field(key, |sink| {
        sink.object(|sink| {
            for (name, item) in list {
                sink.field(name, |sink| each(sink, item));
            }
        });
    });
}

fn output(sink: &mut Sink, output: &OutputConfiguration) {
    sink.object(|sink| {
        flag(sink, "sensitive", output.sensitive);
        flag(sink, "ephemeral", output.ephemeral && sink.has(Behaviour::DocumentVariableTypes));
        text(sink, "deprecated", output.deprecated.as_deref().filter(|_| sink.has(Behaviour::DocumentDeprecations)));
        sink.field("expression", |sink| expression(sink, &output.expression));
        texts(sink, "depends_on", &output.depends_on);
        text(sink, "description", output.description.as_deref());
    });
}

fn variable(sink: &mut Sink, variable: &VariableConfiguration) {
    let has_types = sink.has(Behaviour::DocumentVariableTypes);
    sink.object(|sink| {
        // A type that takes any value is not shown.
        if let Some(ty) = variable.ty.as_ref().filter(|ty| has_types && **ty != Type::Dynamic) {
            sink.json.key("type");
            sink.json.raw(&ty.to_json());
        }
        if let Some(default) = &variable.default {
            sink.field("default", |sink| sink.default_value(default));
        }
        text(sink, "description", variable.description.as_deref());
        flag(sink, "required", has_types && variable.default.is_none());
        flag(sink, "sensitive", variable.sensitive);
        flag(sink, "ephemeral", has_types && variable.ephemeral);
        text(
            sink,
            "deprecated",
            variable.deprecated.as_deref().filter(|_| sink.has(Behaviour::DocumentDeprecations)),
        );
    });
}

/// Writes a member that is left out if it is false.
fn flag(sink: &mut Sink, name: &str, is: bool) {
    if is {
        sink.json.key(name);
        sink.json.bool(true);
    }
}

fn call(sink: &mut Sink, configuration: &Configuration, call: &CallConfiguration, called: Option<usize>) {
    sink.object(|sink| {
        text(sink, "source", Some(&*call.source));
        expressions(sink, &call.expressions);
        optional(sink, "count_expression", call.count.as_ref());
        optional(sink, "for_each_expression", call.for_each.as_ref());
        sink.field("module", |sink| module(sink, configuration, called));
        text(sink, "version_constraint", call.version_constraint.as_deref());
        texts(sink, "depends_on", &call.depends_on);
    });
}

fn resource(sink: &mut Sink, resource: &ResourceConfiguration, provider_key: &str) {
    sink.object(|sink| {
        text(sink, "address", Some(&*resource.address));
        text(sink, "mode", Some(super::resource::mode(resource.mode)));
        text(sink, "type", Some(&*resource.type_name));
        text(sink, "name", Some(&*resource.name));
        text(sink, "provider_config_key", Some(provider_key));
        if !resource.provisioners.is_empty() {
            sink.field("provisioners", |sink| {
                sink.items(&resource.provisioners, |sink, (kind, body)| {
                    sink.object(|sink| {
                        text(sink, "type", Some(&**kind));
                        expressions(sink, body);
                    });
                });
            });
        }
        expressions(sink, &resource.expressions);
        sink.json.key("schema_version");
        sink.json.raw(&resource.schema_version.to_string());
        optional(sink, "count_expression", resource.count.as_ref());
        optional(sink, "for_each_expression", resource.for_each.as_ref());
        texts(sink, "depends_on", &resource.depends_on);
    });
}

/// Writes the member `expressions`, unless there is nothing in it.
fn expressions(sink: &mut Sink, list: &Expressions) {
    if !list.is_empty() {
        sink.field("expressions", |sink| body(sink, list));
    }
}

fn body(sink: &mut Sink, list: &Expressions) {
    sink.object(|sink| {
        for (name, part) in list.iter().charged_at_once(1) {
            sink.field(name, |sink| match part {
                BodyPart::Argument(found) => expression(sink, found),
                BodyPart::Block(inner) => with_stack(|| body(sink, inner)),
                BodyPart::Blocks(blocks) => {
                    sink.items(blocks, |sink, inner| with_stack(|| body(sink, inner)));
                }
                BodyPart::ByLabel(blocks) => sink.object(|sink| {
                    for (label, inner) in blocks {
                        sink.field(label, |sink| with_stack(|| body(sink, inner)));
                    }
                }),
            });
        }
    });
}

fn optional(sink: &mut Sink, key: &str, found: Option<&Expression>) {
    if let Some(found) = found {
        sink.field(key, |sink| expression(sink, found));
    }
}

fn expression(sink: &mut Sink, expression: &Expression) {
    sink.object(|sink| {
        if let Some(constant) = &expression.constant {
            sink.field("constant_value", |sink| sink.default_value(constant));
        }
        texts(sink, "references", &expression.references);
    });
}

/// Writes a member with a text, unless it is empty.
fn text(sink: &mut Sink, key: &str, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        sink.json.member(key, text);
    }
}

/// Writes a member with a list of texts, unless it is empty.
fn texts(sink: &mut Sink, key: &str, list: &[Box<str>]) {
    if list.is_empty() {
        return;
    }
    sink.json.key(key);
    sink.json.array(|json| list.iter().charged_at_once(1).for_each(|text| json.str(text)));
}
