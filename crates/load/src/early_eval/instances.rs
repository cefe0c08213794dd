//! The instances of provider configurations: `for_each` (opentofu.md, section 7.5).

use std::sync::Arc;

use crate::early_eval::values::{EarlyEvaluation, EvaluatedExpr, EvaluationMode, ReportStep, Traits};
use crate::early_eval::{NO_FILE, codes};
use crate::instance::{ForEachFault, ForEachRules, Repetition, TypeCheck, has_known_keys};
use overfold_base::diag::{Code, Diagnostic, Diagnostics};
use overfold_model::config::{Argument, Element};
use overfold_model::language::references::InstanceKey;

/// What a tool accepts that looks for all faults.
const EVERY_FAULT: ForEachRules = ForEachRules {
    order: &[&[
        ForEachFault::NotIterable,
        ForEachFault::NotStrings,
        ForEachFault::NullElement,
        ForEachFault::Unknown,
        ForEachFault::Null,
        ForEachFault::Sensitive,
        ForEachFault::Ephemeral,
    ]],
    sequences: false,
    types: TypeCheck::Always,
};

/// What a tool accepts that stops at the first step with a fault.
const FIRST_FAULTS: ForEachRules = ForEachRules {
    order: &[
        &[ForEachFault::Sensitive, ForEachFault::NotIterable],
        &[ForEachFault::Null],
        &[ForEachFault::Unknown],
        &[ForEachFault::NotStrings],
        &[ForEachFault::NullElement],
    ],
    sequences: false,
    types: TypeCheck::OfContent,
};

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
        let EvaluatedExpr { value, traits, failed, .. } = evaluated;
        if !failed && !traits.broken && !has_known_keys(&value) {
            self.note_undecided(argument, address, out);
            return None;
        }
        let repetition = Repetition::of_for_each(&value, if add_up { &EVERY_FAULT } else { &FIRST_FAULTS });
        for &fault in repetition.as_ref().err().into_iter().flatten() {
            let (code, why) = wording(fault);
            let title = self.inputs.dialect.title(code.id, code.title);
            let detail = format!("This value cannot be used as the `for_each` of a provider configuration: {why}.");
            out.push(Diagnostic::tool(code, at, detail).titled(title).about(address));
        }
        let repetition = repetition.ok().filter(|_| !failed)?;
        let keys = repetition.instances().filter_map(|instance| match instance.key()? {
            InstanceKey::Text(key) => Some(key),
            InstanceKey::Number(_) => None,
        });
        let mut keys: Vec<Arc<str>> = keys.collect();
        keys.sort();
        Some(keys)
    }

    /// Evaluates a variable that is declared as constant, whether or not it is used.
    pub(super) fn constant_variable(&mut self, element: &Element<'_>, out: &mut Diagnostics) {
        let name = element.block.labels.first().map(|label| label.text);
        let variable = name.and_then(|name| self.evaluator.known.definitions.variable_named(name));
        let Some(variable) = variable else { return };
        self.evaluator.require_variable(variable);
        let evaluated = EvaluatedExpr::new(vec![ReportStep::Variable(variable)], Traits::default());
        self.report(&evaluated, NO_FILE, None, out);
    }
}

/// Returns the code of a fault, and what is wrong.
const fn wording(fault: ForEachFault) -> (&'static Code, &'static str) {
    match fault {
        ForEachFault::NotIterable => (&codes::INSTANCES, "it must be a map or a set of strings"),
        ForEachFault::NotStrings => (&codes::INSTANCE_KEY, "the set must contain only strings"),
        ForEachFault::NullElement => (&codes::INSTANCE_KEY, "the set must not contain null"),
        ForEachFault::Unknown => (&codes::INSTANCES, "it is known only during a plan or apply"),
        ForEachFault::Null => (&codes::INSTANCES, "it must not be null"),
        ForEachFault::Sensitive | ForEachFault::Marked => {
            (&codes::INSTANCES, "it is sensitive, and its keys would become visible")
        }
        ForEachFault::Ephemeral => (&codes::INSTANCES, "it is ephemeral, and its keys would be stored"),
    }
}
