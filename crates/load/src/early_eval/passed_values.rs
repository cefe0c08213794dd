//! What calls pass for the variables that called modules need while they are loaded.

use std::collections::HashMap;

use crate::early_eval::values::{EarlyEvaluation, EvaluationMode};
use crate::early_eval::{Inputs, flag};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Secrecy, Span};
use overfold_dialect::{ObjectKind, words};
use overfold_model::scope::Definitions;
use overfold_value::Value;

/// What one call passes, as far as the called module needs it while it is loaded.
#[derive(Clone, Debug, Default)]
pub struct PassedValues(HashMap<Box<str>, PassedValue>);

/// The value that a call passes for one variable, as it is known while the calling module is loaded.
#[derive(Clone, Debug)]
pub(crate) struct PassedValue {
    /// The value; unknown if there is an error.
    pub(super) value: Value,
    /// How secret the variables are from which it was computed.
    pub(super) secrecy: Secrecy,
    /// Whether it is unknown to the tool, too.
    pub(super) broken: bool,
    /// What is found while it is evaluated.
    pub(super) found: Vec<Diagnostic>,
    /// The expression of the argument.
    pub(super) at: Span,
}

impl PassedValues {
    /// Returns what is passed for a variable; `None` if the call does not mention it.
    pub(super) fn get(&self, name: &str) -> Option<&PassedValue> {
        self.0.get(name)
    }

    /// Adds what is passed for other variables.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0.charged_at_once(1));
    }

    /// Returns those of these variables for which nothing has been looked for.
    pub fn lacking(&self, names: &[Box<str>]) -> Vec<Box<str>> {
        names.iter().charged_at_once(1).filter(|name| !self.0.contains_key(&***name)).cloned().collect()
    }

    /// Whether another call passes the same values.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().charged_at_once(1).all(|(name, passed)| {
                other.0.get(name).is_some_and(|other| {
                    passed.value.same(&other.value) && passed.found.is_empty() && other.found.is_empty()
                })
            })
    }
}

/// Evaluates what the call of this name in a module passes for these variables of the called module. Also returns the
/// variables of the calling module that this needs.
pub fn pass(inputs: &Inputs<'_>, call: &str, names: &[Box<str>]) -> (PassedValues, Vec<Box<str>>) {
    let mut passed = PassedValues::default();
    let mut elements = inputs.module.elements.iter().skimmed(8);
    let is_call = |kind| kind == ObjectKind::ModuleCall;
    let Some(element) = elements.find(|element| is_call(element.kind) && element.address.name() == call) else {
        return (passed, Vec::new());
    };
    let definitions = Definitions::from_module(inputs.module);
    let mut evaluation = EarlyEvaluation::new(inputs, &definitions);
    for argument in element.block.arguments.iter().filter(|argument| argument.spec.is_none()).charged(2) {
        let Some(name) = names.iter().find(|name| ***name == *argument.name) else { continue };
        let at = inputs.forest.expr_span(argument.expr);
        let evaluated = evaluation.evaluate_argument(argument, EvaluationMode::Usual, element.address);
        let mut found = Diagnostics::new();
        evaluation.report(&evaluated, at, Some(element.address), &mut found);
        let traits = evaluated.traits;
        let value = PassedValue {
            value: evaluated.value,
            secrecy: traits.secrecy,
            broken: traits.broken,
            found: found.into_vec(),
            at,
        };
        account::grow(name.len() as u64 + size_of::<PassedValue>() as u64);
        passed.0.insert(name.clone(), value);
    }
    let used = evaluation.used();
    (passed, used)
}

impl EarlyEvaluation<'_> {
    /// Returns the variables whose values were needed so far, and those that must be constant.
    pub(super) fn used(&self) -> Vec<Box<str>> {
        let known = &self.evaluator.known;
        let is_used = |name: &str| {
            known.definitions.variable_named(name).is_some_and(|id| {
                known.variable(id).is_some()
                    || flag(known.definitions.variable(id).element, words::CONST) == Some(true)
            })
        };
        let used = known.definitions.variables().filter(|variable| is_used(variable.name));
        used.map(|variable| {
            account::grow(variable.name.len() as u64 + 16);
            Box::from(variable.name)
        })
        .collect()
    }
}
