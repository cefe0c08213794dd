//! Values of variables while a module is loaded: the provided value or the default, converted to the declared type.

use crate::early_eval::values::{EarlyPolicy, Traits, is_error};
use crate::early_eval::{PassedValues, codes, flag};
use crate::vars;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Quotes, Secrecy, Span};
use overfold_dialect::words;
use overfold_model::language::references::AddressWords;
use overfold_model::scope::{EARLY, HasValue, Variable};
use overfold_value::{Marks, Value, convert};

/// The result of evaluating a variable.
pub(super) struct EvaluatedVariable {
    value: Value,
    /// What is wrong with the variable.
    pub(super) faults: Vec<Diagnostic>,
    /// Whether, after an error, everything that uses the variable is reported as impossible to compute.
    pub(super) propagates: bool,
    pub(super) traits: Traits,
}

impl HasValue for EvaluatedVariable {
    fn value(&self) -> &Value {
        &self.value
    }
}

impl EvaluatedVariable {
    /// Whether the variable has no value because of an error.
    pub(super) fn failed(&self) -> bool {
        self.faults.iter().any(is_error)
    }
}

impl EarlyPolicy<'_> {
    /// Evaluates a variable. Faults are kept with its value.
    pub(super) fn evaluate_variable(&self, variable: &Variable<'_>) -> EvaluatedVariable {
        let secrecy = self.inputs.module.secrets.variable(variable.name);
        let mut evaluated = EvaluatedVariable {
            value: Value::dynamic(),
            faults: Vec::new(),
            propagates: true,
            traits: Traits { secrecy, broken: false },
        };
        if self.at_install && flag(variable.element, words::CONST) != Some(true) {
            evaluated.value = variable.unknown().with_marks(EARLY.marks(variable));
            evaluated.traits.broken = true;
            return evaluated;
        }
        let Some(raw) = self.raw(variable, &mut evaluated) else { return evaluated };
        if self.converts {
            // A flag that the version does not know has no effect here.
            let has_ephemeral = AddressWords::for_dialect(self.inputs.dialect).ephemeral;
            let unknown_flags = if has_ephemeral { Marks::NONE } else { Marks::EPHEMERAL };
            set_converted(variable, raw, EARLY.marks(variable).without(unknown_flags), &mut evaluated);
        } else {
            evaluated.value = raw;
        }
        evaluated
    }

    /// Returns the provided value or else the default. Returns `None` if there is neither, with a fault if that is an
    /// error.
    fn raw(&self, variable: &Variable<'_>, evaluated: &mut EvaluatedVariable) -> Option<Value> {
        if let Some(passed) = self.inputs.passed {
            return self.passed(passed, variable, evaluated);
        }
        let mut found = Diagnostics::new();
        let given = match self.inputs.given {
            Some(given) => vars::provided_value(given.inputs, given.gathered, variable.element, &mut found),
            None => vars::ProvidedValue::Nothing,
        };
        evaluated.faults.extend(found.into_vec());
        match given {
            vars::ProvidedValue::Value(value) => value.filter(|_| !evaluated.failed()),
            vars::ProvidedValue::Lost => None,
            vars::ProvidedValue::Nothing => match variable.default() {
                Some(default) => {
                    evaluated.traits.broken = !default.is_wholly_known();
                    Some(default.clone())
                }
                // With values, a run reports that itself.
                None if self.at_install && self.inputs.given.is_some() => None,
                None if self.at_install && flag(variable.element, words::CONST) != Some(true) => None,
                None => {
                    evaluated.faults.push(self.unset(variable));
                    None
                }
            },
        }
    }

    /// Returns what the call of the module passes, or else the default. Faults are those of the calling module.
    fn passed(
        &self,
        passed: &PassedValues,
        variable: &Variable<'_>,
        evaluated: &mut EvaluatedVariable,
    ) -> Option<Value> {
        let Some(passed) = passed.get(variable.name) else {
            let default = variable.default().cloned();
            evaluated.traits.broken = default.as_ref().is_none_or(|default| !default.is_wholly_known());
            return default;
        };
        evaluated.traits.secrecy = evaluated.traits.secrecy.max(passed.secrecy);
        evaluated.traits.broken = passed.broken;
        let is_const = self.at_install && flag(variable.element, words::CONST) == Some(true);
        let failed = passed.found.iter().any(is_error);
        if is_const && (passed.secrecy == Secrecy::Ephemeral || passed.value.deep_marks().is_ephemeral()) {
            let detail = format!(
                "The value for {} is ephemeral, but it is needed when modules are installed.",
                variable.element.address
            );
            evaluated.faults.push(fault(variable, &codes::CONST_EPHEMERAL, Some(passed.at), detail));
            return None;
        }
        if is_const && (passed.broken || failed) && !passed.value.is_wholly_known() {
            let detail = format!(
                "{} is declared with `const = true`, but the value that the call passes is known only during a plan or apply.",
                variable.element.address
            );
            let found = fault(variable, &codes::CONST_UNKNOWN, Some(passed.at), detail);
            evaluated.faults.push(found.and("declared here", variable.element.block.header));
            return None;
        }
        if !self.at_install {
            evaluated.faults.extend(passed.found.iter().cloned());
        }
        (!failed).then(|| passed.value.clone())
    }

    fn unset(&self, variable: &Variable<'_>) -> Diagnostic {
        let address = variable.element.address;
        let title = self.inputs.dialect.title(codes::NOT_SET.id, codes::NOT_SET.title);
        let detail = format!(
            "{address} is required while the module is loaded, but it has no default and no value was provided. Provide one, for example in a definitions file."
        );
        fault(variable, &codes::NOT_SET, Some(variable.element.block.header), detail)
            .titled(title.replace("NAME", &address.to_string()))
    }
}

/// Sets the value of the variable, converted as its declaration requires.
fn set_converted(variable: &Variable<'_>, raw: Value, marks: Marks, evaluated: &mut EvaluatedVariable) {
    let (address, header) = (variable.element.address, variable.element.block.header);
    let quotes = Quotes::Values(evaluated.traits.secrecy);
    let default = match (variable.default(), variable.constraint()) {
        (Some(default), Some(constraint)) => convert(default, &constraint.ty).map(Some),
        (default, _) => Ok(default.cloned()),
    };
    let default = match default {
        Ok(default) => default,
        Err(error) => {
            let misfit = format!("The default of {address} cannot be converted to its type");
            let found = fault(variable, &codes::DEFAULT_MISFIT, Some(header), format!("{misfit}: {error}."));
            evaluated.faults.push(found.quoting(quotes).with_redacted_detail(format!("{misfit}.")));
            evaluated.propagates = false;
            return;
        }
    };
    let mut value = Value::dynamic();
    match variable.convert(raw) {
        Ok(found) if found.is_null() && variable.declared.nullable == Some(false) => match default {
            Some(default) => value = default,
            None => {
                let detail = format!(
                    "The value of {address} is null, but the variable has `nullable = false` and no default to use instead."
                );
                evaluated.faults.push(fault(variable, &codes::NULL, Some(header), detail));
            }
        },
        Ok(found) => value = found,
        Err(error) => {
            let misfit = format!("The value for {address} cannot be converted to its type");
            let found = fault(variable, &codes::MISFIT, None, format!("{misfit}: {error}."));
            let found = found.and("declared here", header).quoting(quotes);
            evaluated.faults.push(found.with_redacted_detail(format!("{misfit}.")));
            evaluated.propagates = false;
        }
    }
    evaluated.value = value.with_marks(marks);
}

fn fault(variable: &Variable<'_>, code: &'static Code, at: Option<Span>, detail: String) -> Diagnostic {
    Diagnostic::tool(code, at, detail).about(variable.element.address)
}
