//! The instances of provider configurations: `for_each` (opentofu.md, section 7.5).

use std::sync::Arc;

use crate::early_eval::values::{EarlyEvaluation, Evaluated, EvaluationMode, Step, Traits};
use crate::early_eval::{NO_FILE, codes};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_model::config::{Argument, Element};
use overfold_value::{Type, Value};

/// What is wrong with the value of a `for_each`.
enum Fault {
    Instances(&'static str),
    /// What is wrong with an element of a set.
    Key(&'static str),
}

const NO_COLLECTION: Fault = Fault::Instances("it must be a map or a set of strings");
const UNKNOWN: Fault = Fault::Instances("it is not known before the tool runs");
const NULL: Fault = Fault::Instances("it must not be null");
const SENSITIVE: Fault = Fault::Instances("it is sensitive, and its keys would become visible");
const EPHEMERAL: Fault = Fault::Instances("it is ephemeral, and its keys would be stored");
const NO_STRINGS: Fault = Fault::Key("the set must contain only strings");
const NULL_INSIDE: Fault = Fault::Key("the set must not contain null");

impl EarlyEvaluation<'_> {
    /// Evaluates the instances of a provider configuration. Returns their keys, sorted by bytes, or `None` if that
    /// fails.
    pub(super) fn instances(
        &mut self,
        element: &Element<'_>,
        argument: &Argument<'_>,
        out: &mut Diagnostics,
    ) -> Option<Vec<Arc<str>>> {
        let address = element.address;
        let at = self.inputs.forest.expr_span(argument.expr);
        let evaluated = self.evaluate_argument(argument, EvaluationMode::EvaluatorTitles, address);
        self.report(&evaluated, at, Some(address), out);
        let add_up = self.inputs.dialect.rules.early_eval.instance_faults_add_up;
        if evaluated.failed && !(add_up && evaluated.failed_itself) {
            return None;
        }
        let Evaluated { value, traits, failed, .. } = evaluated;
        if !failed && !traits.broken && !keys_are_known(&value) {
            self.note_undecided(argument, address, out);
            return None;
        }
        let faults = if add_up { every_fault(&value) } else { first_faults(&value) };
        for fault in &faults {
            let (code, why) = match fault {
                Fault::Instances(why) => (&codes::INSTANCES, why),
                Fault::Key(why) => (&codes::INSTANCE_KEY, why),
            };
            let title = self.inputs.dialect.title(code.id, code.title);
            let detail = format!("This value cannot be used as the `for_each` of a provider configuration: {why}.");
            out.push(Diagnostic::tool(code, at, detail).titled(title).about(address));
        }
        if failed || !faults.is_empty() {
            return None;
        }
        Some(keys(&value))
    }

    /// Evaluates a variable that is declared as constant, whether or not it is used.
    pub(super) fn constant_variable(&mut self, element: &Element<'_>, out: &mut Diagnostics) {
        let name = element.block.labels.first().map(|label| label.text);
        let variable = name.and_then(|name| self.evaluator.known.definitions.variable_named(name));
        let Some(variable) = variable else { return };
        self.evaluator.require_variable(variable);
        let evaluated = Evaluated::of(vec![Step::Variable(variable)], Traits::default());
        self.report(&evaluated, NO_FILE, None, out);
    }
}

/// Whether the instances are known, as far as can be determined here.
fn keys_are_known(value: &Value) -> bool {
    match value.ty() {
        Type::Set(_) => value.is_wholly_known(),
        _ => value.is_known(),
    }
}

/// Returns all faults, for a tool that checks everything.
fn every_fault(value: &Value) -> Vec<Fault> {
    let ty = value.ty();
    let mut faults = Vec::new();
    let mut known = value.is_known();
    match ty {
        Type::Dynamic | Type::Map(_) | Type::Object(_) => {}
        Type::Set(_) if !matches!(ty.element(), Some(Type::String | Type::Dynamic)) => faults.push(NO_STRINGS),
        Type::Set(_) if !value.is_wholly_known() => known = false,
        Type::Set(_) => {
            if contains_null(value) {
                faults.push(NULL_INSIDE);
            }
        }
        _ => faults.push(NO_COLLECTION),
    }
    if !known {
        faults.push(UNKNOWN);
    }
    if value.is_null() {
        faults.push(NULL);
    }
    if value.marks().is_sensitive() {
        faults.push(SENSITIVE);
    }
    if value.marks().is_ephemeral() {
        faults.push(EPHEMERAL);
    }
    faults
}

/// Returns the faults of the first step that has any, at which the tool stops. The type of an empty set is not
/// checked.
fn first_faults(value: &Value) -> Vec<Fault> {
    let ty = value.ty();
    let mut faults = Vec::new();
    if value.marks().is_sensitive() {
        faults.push(SENSITIVE);
    }
    if value.is_known() && !matches!(ty, Type::Map(_) | Type::Set(_) | Type::Object(_)) {
        faults.push(NO_COLLECTION);
    }
    if !faults.is_empty() {
        return faults;
    }
    if value.is_null() {
        faults.push(NULL);
    } else if !value.is_known() {
        faults.push(UNKNOWN);
    } else if matches!(ty, Type::Set(_)) && value.length() != Some(0) {
        if !value.is_wholly_known() {
            faults.push(UNKNOWN);
        } else if ty.element() != Some(&Type::String) {
            faults.push(NO_STRINGS);
        } else if contains_null(value) {
            faults.push(NULL_INSIDE);
        }
    }
    faults
}

fn contains_null(set: &Value) -> bool {
    set.items().unwrap_or_default().iter().any(Value::is_null)
}

fn keys(value: &Value) -> Vec<Arc<str>> {
    let mut keys: Vec<Arc<str>> = match (value.entries(), value.items()) {
        (Some(entries), _) => entries.iter().map(|(key, _)| Arc::clone(key)).collect(),
        (None, Some(items)) => items.iter().filter_map(|item| item.as_shared_text().cloned()).collect(),
        (None, None) => Vec::new(),
    };
    keys.sort();
    keys
}
