//! The values of variables and local values with which validation rules are evaluated.

use std::collections::HashMap;

use super::ResolvingVariable;
use overfold_base::diag::Diagnostics;
use overfold_eval::Roots;
use overfold_model::scope::{
    Definitions, Evaluator, Known, Language, LocalValue, Policy, References, RunContext, Variable,
};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Value};

/// Which values variables have in a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// All variables are unknown.
    WithoutValues,
    /// Variables have the values that were provided.
    WithValues,
}

/// Whether the rules of a variable see its sensitive mark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// They do not see it.
    Plain,
    /// They see it, like those of other variables.
    Marked,
}

/// Evaluates the expressions of rules in one of the passes.
pub(super) struct RuleValues<'a, 'm> {
    evaluator: Evaluator<'a, PassPolicy<'a, 'm>>,
}

/// The policy for names: nothing is reported here, and whatever has a fault is unknown.
struct PassPolicy<'a, 'm> {
    variables: HashMap<&'a str, &'a ResolvingVariable<'m>>,
    pass: Pass,
}

impl<'a, 'm> RuleValues<'a, 'm> {
    pub(super) fn new(
        language: Language<'a>,
        definitions: &'a Definitions<'a>,
        list: &'a [ResolvingVariable<'m>],
        pass: Pass,
    ) -> Self {
        let variables = list.iter().map(|variable| (variable.declared.name, variable)).collect();
        let policy = PassPolicy { variables, pass };
        Self { evaluator: Evaluator::new(policy, language, definitions, RunContext::default()) }
    }

    /// Evaluates an expression in a rule of the variable `own`.
    pub(super) fn evaluate(
        &mut self,
        expr: ExprAt,
        own: &ResolvingVariable<'_>,
        mark: Own,
        out: &mut Diagnostics,
    ) -> Value {
        let references = self.evaluator.references(expr, |_| false);
        self.evaluator.require(&references, &mut Diagnostics::new());
        let roots = self.roots(&references, own, mark);
        self.evaluator.known.language.evaluate(expr, &roots, out)
    }

    fn roots(&self, references: &References, own: &ResolvingVariable<'_>, mark: Own) -> Roots {
        let Evaluator { policy, known } = &self.evaluator;
        let own_id = known.definitions.variable_named(own.declared.name).filter(|_| mark == Own::Plain);
        let marks = own.declared.variable.marks.without(Marks::SENSITIVE);
        known.roots(references, |id| (Some(id) == own_id).then(|| own.value_in(policy.pass, marks)))
    }
}

impl<'a> Policy<'a> for PassPolicy<'a, '_> {
    type Variable = Value;
    type Local = Value;

    fn variable(&self, variable: &Variable<'a>) -> Value {
        let resolving = self.variables.get(variable.name);
        resolving.map_or_else(Value::dynamic, |found| found.value_in(self.pass, found.declared.variable.marks))
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References,
        known: &Known<'a, Self>,
        _out: &mut Diagnostics,
    ) -> Value {
        let is_faulty = references.list.iter().any(|found| found.subject.is_none() || found.fault().is_some());
        if local.broken || is_faulty {
            return Value::dynamic();
        }
        let mut discarded = Diagnostics::new();
        let value = known.evaluate(local.expr, references, &mut discarded);
        if discarded.has_errors() { Value::dynamic() } else { value }
    }
}

impl ResolvingVariable<'_> {
    /// Returns the variable's value in a pass, with these marks.
    fn value_in(&self, pass: Pass, marks: Marks) -> Value {
        let value = match (pass, &self.value) {
            (Pass::WithValues, Some(value)) => value.clone(),
            _ => self.declared.variable.unknown(),
        };
        value.with_marks(marks)
    }
}
