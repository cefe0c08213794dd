//! The part `variables`: declarations, and values with their origins if requested.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::excerpt::distinct;
use super::json::JsonText;
use super::objects::declared_type;
use super::overrides::MAX;
use super::redaction::{MARKER, Redaction};
use crate::view::{ValueSource, ValueSources, Variable};
use overfold_base::account::ChargedIterator;
use overfold_base::echo;
use overfold_model::config::{Element, Payload, is_set};
use overfold_module::pipeline::Report;
use overfold_module::vars::{ResolvedVariable, ValueOrigin, ValueState};
use overfold_value::Value;

/// The variables of a module by name.
pub struct Variables<'a> {
    pub(super) report: &'a Report<'a>,
    pub(super) redaction: &'a Redaction<'a>,
}

impl Serialize for Variables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, redaction } = *self;
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
        serializer.collect_map(declared.into_iter().map(|(name, element)| {
            let resolved = resolved.get(name).copied();
            let hide = redaction.hides_variable(name)
                || resolved.and_then(|found| found.value.as_ref()).is_some_and(|value| redaction.hides_value(value));
            (name, self.variable(element, resolved, hide))
        }))
    }
}

impl<'a> Variables<'a> {
    fn variable(&self, element: &'a Element<'_>, resolved: Option<&'a ResolvedVariable>, hide: bool) -> Variable<'a> {
        let mut any_type = true;
        let mut variable = Variable { redacted: hide.then_some(true), ..Variable::default() };
        match &element.payload {
            Payload::Variable(declared) => {
                if let Some(constraint) = declared.constraint() {
                    any_type = constraint.ty.has_dynamic();
                    variable.type_ =
                        declared_type(self.report.forest, self.redaction, element.block, constraint).map(Into::into);
                }
                variable.default = declared.default().map(|default| text(Some(default), hide));
                variable.sensitive = Some(is_set(element.block, "sensitive"));
                variable.nullable = Some(declared.nullable.unwrap_or(true));
            }
            Payload::Hcl1Variable(declared) => {
                variable.type_ = Some(declared.ty().name().into());
                variable.default = declared.stored_default().map(|default| text(Some(&default.to_value()), hide));
                variable.sensitive = Some(false);
            }
            Payload::Output(_) | Payload::Requirement(_) | Payload::None => return Variable::default(),
        }
        let Some(resolved) = resolved else { return variable };
        let superseded = resolved.hidden.iter().map(|(from, hidden)| ValueSource {
            value: Some(text(hidden.as_ref(), hide)),
            redacted: hide.then_some(true),
            ..source(from)
        });
        Variable {
            value: Some(text(resolved.value.as_ref(), hide)),
            state: Some(resolved.state),
            // If the declaration leaves the type open, the type reveals something about the value: names of attributes,
            // lengths.
            value_type: resolved
                .value
                .as_ref()
                .map(|value| if hide && any_type { JsonText::NULL } else { JsonText(value.type_json().into()) }),
            from: match &*resolved.from {
                [] => None,
                [from] => Some(ValueSources::One(source(from))),
                merged => Some(ValueSources::Merged(merged.iter().map(source).collect())),
            },
            superseded: Some(superseded.collect()),
            ..variable
        }
    }
}

/// Returns the values of the variables of a module with their sources, for people, a line each; nothing if values were not
/// asked for.
pub(crate) fn variables_text(report: &Report<'_>) -> String {
    let Some(variables) = report.variables.as_ref().filter(|variables| !variables.list.is_empty()) else {
        return String::new();
    };
    let redaction = Redaction::of(report);
    let list: BTreeMap<&str, &ResolvedVariable> =
        variables.list.iter().charged_at_once(8).map(|variable| (&*variable.name, variable)).collect();
    let mut text = "variables\n".to_owned();
    for ResolvedVariable { name, value, state, from, .. } in list.into_values().charged(16) {
        let is_hidden =
            redaction.hides_variable(name) || value.as_ref().is_some_and(|value| redaction.hides_value(value));
        let shown = match (value, state) {
            _ if is_hidden => MARKER.to_owned(),
            _ if from.is_empty() => "(not set)".to_owned(),
            (_, ValueState::Error) => "(invalid)".to_owned(),
            (Some(value), _) if value.is_wholly_known() => {
                let json = JsonText::of(value).unwrap_or(JsonText::NULL);
                let [shown, _] = distinct([&json.0, ""], MAX, str::to_owned);
                shown
            }
            _ => "(unknown)".to_owned(),
        };
        let sources: Vec<String> = from.iter().map(source_text).collect();
        let sources = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join(", ")) };
        text.push_str(&echo::line(&format!("  {name} = {shown}{sources}")));
        text.push('\n');
    }
    text
}

/// Says where a value comes from.
fn source_text(origin: &ValueOrigin) -> String {
    match origin {
        ValueOrigin::Default => "its default".to_owned(),
        ValueOrigin::Env(name) => format!("environment variable {name}"),
        ValueOrigin::File(path) | ValueOrigin::VarFile { path, .. } => path.clone(),
        ValueOrigin::Var(_) => "--var".to_owned(),
        ValueOrigin::Value(_) => "given".to_owned(),
    }
}

/// Returns a value as exact JSON; null if it is hidden, unknown, or absent.
fn text(value: Option<&Value>, hide: bool) -> JsonText<'static> {
    value.filter(|value| !hide && value.is_wholly_known()).and_then(JsonText::of).unwrap_or(JsonText::NULL)
}

fn source(origin: &ValueOrigin) -> ValueSource<'_> {
    let number = |index: usize| Some(u32::try_from(index).unwrap_or(u32::MAX));
    let (kind, name, index, path) = match origin {
        ValueOrigin::Default => ("default", None, None, None),
        ValueOrigin::Env(name) => ("env", Some(&**name), None, None),
        ValueOrigin::File(path) => ("file", None, None, Some(&**path)),
        ValueOrigin::Var(at) => ("var", None, number(*at), None),
        ValueOrigin::VarFile { index, path } => ("var_file", None, number(*index), Some(&**path)),
        ValueOrigin::Value(at) => ("value", None, number(*at), None),
    };
    ValueSource { kind, name, index, path, ..ValueSource::default() }
}
