//! Input variables that are strings, lists and maps (variables.md, section B): values from every source, with maps
//! merged and types checked, each with its origin.
//!
//! The tool reads options and definitions files before the configuration, and stops at the first error in them. Then
//! the configuration is loaded; then the environment is read and maps are merged, again up to the first error.
//! Finally, all missing values and wrong types are reported. Here, everything runs; whatever the tool would show only
//! after a fix has the origin tool-later.

mod definitions;
mod gather;
mod layers;
mod notes;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use super::{Inputs, ResolvedVariable, State, ValueOrigin, Variables, codes};
use gather::NamedValues;
use layers::{Layer, LayerValue};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Quotes, Span};
use overfold_dialect::{TextRule, ValueSource};
use overfold_model::config::{Hcl1Variable, Module, ObjectAddr, Payload};
use overfold_value::{Hcl1Type, Hcl1Value, Marks, Value};

/// The tool's title for a map that one text contains twice.
const MAP_TWICE: &str = "multiple map declarations not supported for variables";

/// Resolves every input variable of the module, as the root module of a run.
pub(super) fn resolve(inputs: &Inputs<'_>, out: &mut Diagnostics) -> Variables {
    let declared = declared(inputs.module);
    out.enter(Phase::Options);
    let gathered = gather::collect(inputs, out);

    let environment = environment(inputs);
    let mut merging = Diagnostics::in_phase(Phase::Values);
    let mut checks = Diagnostics::in_phase(Phase::Resolution);
    let mut list: Vec<ResolvingVariable<'_>> = Vec::with_capacity(declared.len());
    for declared in &declared {
        let mut working = ResolvingVariable::new(declared);
        working.merge(inputs, gathered.get(declared.name), environment.get(declared.name), &mut merging);
        working.check(gathered.incomplete, &mut checks);
        list.push(working);
    }
    out.append(merging);
    out.append(checks);
    out.enter(Phase::Resolution);
    notes::undeclared(inputs, &gathered, &declared, out);
    for working in &list {
        notes::hidden_maps(inputs, working.declared, gathered.get(working.declared.name), out);
    }
    Variables { list: list.into_iter().map(ResolvingVariable::finish).collect() }
}

/// An environment variable that provides a value.
struct EnvironmentVariable<'a> {
    /// The name, with its prefix.
    full: &'a str,
    text: &'a str,
    rule: TextRule,
}

/// Returns the environment variables that provide values, by the names of the variables.
fn environment<'a>(inputs: &Inputs<'a>) -> HashMap<&'a str, EnvironmentVariable<'a>> {
    let sources = inputs.dialect.variables.sources.iter();
    let rows = sources.filter_map(|source| match source {
        ValueSource::Environment { prefix, rule, .. } => Some((*prefix, *rule)),
        _ => None,
    });
    rows.flat_map(|(prefix, rule)| {
        inputs.given.env.iter().filter_map(move |(full, text)| {
            Some((full.strip_prefix(prefix)?, EnvironmentVariable { full, text, rule }))
        })
    })
    .collect()
}

/// An input variable as the merged module declares it.
struct DeclaredVariable<'m> {
    name: &'m str,
    address: ObjectAddr<'m>,
    /// The header of the declaration.
    header: Span,
    variable: &'m Hcl1Variable,
}

/// Returns the input variables of a module, in order of declaration.
fn declared<'b>(module: &'b Module<'b>) -> Vec<DeclaredVariable<'b>> {
    module
        .elements
        .iter()
        .filter_map(|element| {
            let Payload::Hcl1Variable(variable) = &element.payload else { return None };
            Some(DeclaredVariable {
                name: element.block.labels.first()?.text,
                address: element.address,
                header: element.block.header,
                variable,
            })
        })
        .collect()
}

/// A variable during its resolution.
struct ResolvingVariable<'m> {
    declared: &'m DeclaredVariable<'m>,
    value: Option<Hcl1Value>,
    /// The values that contribute to the result, in ascending order of precedence.
    from: Vec<LayerValue>,
    /// The values that others with higher precedence replaced, in ascending order of precedence.
    hidden: Vec<LayerValue>,
    /// Whether an error has been reported, so that there is no value.
    broken: bool,
}

impl<'m> ResolvingVariable<'m> {
    const fn new(declared: &'m DeclaredVariable<'m>) -> Self {
        Self { declared, value: None, from: Vec::new(), hidden: Vec::new(), broken: false }
    }

    /// Merges the values from all sources, in ascending order of precedence.
    fn merge(
        &mut self,
        inputs: &Inputs<'_>,
        named: Option<&NamedValues>,
        environment: Option<&EnvironmentVariable<'_>>,
        out: &mut Diagnostics,
    ) {
        self.broken = self.declared.variable.broken;
        if let Some(value) = self.declared.variable.stored_default() {
            self.apply(&[LayerValue { value, origin: ValueOrigin::Default, at: None }], None, out);
        }
        let options = named.is_some_and(|named| named.options.value().is_some());
        for source in inputs.dialect.variables.sources {
            match source {
                ValueSource::Default => {}
                ValueSource::Environment { .. } => {
                    if let Some(entry) = environment {
                        self.environment(inputs, entry, out);
                    }
                }
                ValueSource::Files { unless_options, .. } => {
                    let Some(named) = named else { continue };
                    if *unless_options && options {
                        self.hide(named.files.all());
                    } else {
                        self.layer(&named.files, out);
                    }
                }
                ValueSource::Options { .. } => {
                    if let Some(named) = named {
                        self.layer(&named.options, out);
                    }
                }
            }
        }
    }

    fn environment(&mut self, inputs: &Inputs<'_>, entry: &EnvironmentVariable<'_>, out: &mut Diagnostics) {
        let EnvironmentVariable { full, text, rule } = *entry;
        let value = match rule {
            TextRule::TrimmedOrValue => {
                text::parse_environment(inputs.forest, self.declared.name, text, self.declared.variable.ty())
            }
            TextRule::ValueOrRaw | TextRule::ByType => text::parse_option(inputs.forest, text).map(|read| read.value),
        };
        match value {
            Ok(value) => {
                self.apply(&[LayerValue { value, origin: ValueOrigin::Env(full.to_owned()), at: None }], None, out);
            }
            Err(unreadable) => {
                self.fail(&[LayerValue {
                    value: Hcl1Value::Text(text.into()),
                    origin: ValueOrigin::Env(full.to_owned()),
                    at: None,
                }]);
                let detail = format!(
                    "The value of the environment variable {full} is not a valid {}.",
                    self.declared.variable.ty()
                );
                let error = Diagnostic::tool(&codes::TEXT_UNREADABLE, None, detail);
                let quotes = Quotes::Variable(self.declared.name.into());
                out.push(error.titled(unreadable.message).about(self.declared.address).quoting(quotes));
            }
        }
    }

    fn layer(&mut self, layer: &Layer, out: &mut Diagnostics) {
        if layer.value().is_some() {
            self.hide(layer.replaced());
            self.apply(layer.parts(), layer.value(), out);
        }
    }

    /// Records values with an error, so that there is no result.
    fn fail(&mut self, parts: &[LayerValue]) {
        self.broken = true;
        self.hidden.append(&mut self.from);
        self.from.extend_from_slice(parts);
    }

    /// Records values that another with higher precedence replaces.
    fn hide(&mut self, given: &[LayerValue]) {
        if self.declared.variable.ty() != Hcl1Type::Map {
            // The other value also replaces everything with lower precedence.
            self.hidden.append(&mut self.from);
        }
        self.hidden.extend_from_slice(given);
    }

    /// Adds what a source provides: `value` or, if there is none, the value of its only part.
    fn apply(&mut self, parts: &[LayerValue], value: Option<&Hcl1Value>, out: &mut Diagnostics) {
        let Some(value) = value.or_else(|| parts.last().map(|part| &part.value)) else { return };
        if self.declared.variable.ty() != Hcl1Type::Map {
            self.hidden.append(&mut self.from);
            // A scalar is converted to a string if a string is required.
            let text = if self.declared.variable.ty() == Hcl1Type::String { value.as_text() } else { None };
            self.value = Some(text.map_or_else(|| value.clone(), Hcl1Value::Text));
            self.from.extend_from_slice(parts);
            return;
        }
        match (&mut self.value, value) {
            (None, value) => self.value = Some(value.clone()),
            (Some(Hcl1Value::Map(have)), Hcl1Value::Map(new)) => {
                have.extend(new.iter().map(|(key, part)| (key.clone(), part.clone())));
            }
            (Some(Hcl1Value::Map(_)), other) => {
                self.fail(parts);
                let title =
                    format!("variable {:?} should be type map, got {}", self.declared.name, other.kind_name());
                let at = parts.last().and_then(|part| part.at);
                self.report_misfit(title, at, out);
                return;
            }
            // A default with a different type, which is reported; nothing can be merged with it.
            (Some(_), _) => {}
        }
        self.from.extend_from_slice(parts);
    }

    /// Reports a missing value, or a value of a wrong type (variables.md, section B5).
    fn check(&mut self, incomplete: bool, out: &mut Diagnostics) {
        let DeclaredVariable { name, address, header, .. } = *self.declared;
        if self.broken {
            return;
        }
        let Some(value) = &self.value else {
            // If a file could not be read, it may have contained the value.
            if !incomplete {
                let detail = format!(
                    "{address} has no default and no value was provided. Set it in a variable definitions file, with an option or in the environment."
                );
                let error = Diagnostic::tool(&codes::NOT_SET, header, detail);
                out.push(error.titled(format!("Required variable not set: {name}")).about(address));
            }
            self.broken = true;
            return;
        };
        let ty = self.declared.variable.ty();
        if !ty.accepts(value) {
            let title = format!("variable {name} should be type {ty}, got {}", value.kind_name());
            let at = self.from.iter().find(|part| !ty.accepts(&part.value)).and_then(|part| part.at);
            self.broken = true;
            self.report_misfit(title, at, out);
        }
    }

    /// Whether the tool crashes because a default does not have the declared type: if a string is required, or if
    /// something has to be merged into a map.
    fn tool_crashes(&self) -> bool {
        let ty = self.declared.variable.ty();
        let wrong = self.declared.variable.stored_default().is_some_and(|default| !ty.accepts(&default));
        wrong && (ty == Hcl1Type::String || (ty == Hcl1Type::Map && self.from.len() > 1))
    }

    fn report_misfit(&self, title: String, at: Option<Span>, out: &mut Diagnostics) {
        let DeclaredVariable { address, header, .. } = *self.declared;
        let declared = match self.declared.variable.declared {
            Some(ty) => format!("is declared as a {ty}"),
            None if self.declared.variable.stored_default().is_none() => {
                format!("has neither a type nor a default, so its type is {}", self.declared.variable.ty())
            }
            None => format!("has no declared type; the type of its default is {}", self.declared.variable.ty()),
        };
        let at = at.unwrap_or(header);
        let error = if self.tool_crashes() {
            let detail = format!(
                "{address} {declared}, but its default has another type, which causes a crash. Change one of the two."
            );
            Diagnostic::ours(&codes::MISFIT, at, detail)
        } else {
            let detail = format!("{address} {declared}. In this version values are not converted to another type.");
            Diagnostic::tool(&codes::MISFIT, at, detail)
        };
        out.push(error.titled(title).about(address).and("declared here", header));
    }

    fn finish(self) -> ResolvedVariable {
        let value = self.value.filter(|_| !self.broken).map(|value| value.to_value());
        let given = |given: LayerValue| (given.origin, Some(given.value.to_value()));
        ResolvedVariable {
            name: Arc::from(self.declared.name),
            state: if value.is_some() { State::Known } else { State::Error },
            raw: value.clone(),
            marks: Marks::NONE,
            is_given: !self.from.is_empty(),
            value,
            from: self.from.into_iter().map(|given| given.origin).collect(),
            hidden: self.hidden.into_iter().rev().map(given).collect::<Vec<(ValueOrigin, Option<Value>)>>(),
        }
    }
}
