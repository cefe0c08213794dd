//! The values of variables and local values with which validation rules are evaluated.

use std::collections::HashMap;

use super::ResolvingVariable;
use overfold_base::diag::Diagnostics;
use overfold_model::language::references::Subject;
use overfold_model::scope::{ByRules, Definition, Definitions, Evaluator, Language, VARIABLE_RULES};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Value};

/// Which values variables have in a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RulePass {
    /// All variables are unknown.
    WithoutValues,
    /// Variables have the values that were provided.
    WithValues,
}

/// Whether the rules of a variable see its sensitive mark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SelfSensitivity {
    /// They do not see it.
    Plain,
    /// They see it, like those of other variables.
    Marked,
}

/// Evaluates the expressions of rules in one of the passes.
pub(super) struct RuleValues<'a> {
    evaluator: Evaluator<'a, ByRules<&'a str>>,
}

impl<'a> RuleValues<'a> {
    /// With `nulls_stay`, rules see a null that was given in place of the default that the variable has instead.
    pub(super) fn new(
        language: Language<'a>,
        definitions: &'a Definitions<'a>,
        list: &'a [ResolvingVariable<'_>],
        pass: RulePass,
        nulls_stay: bool,
    ) -> Self {
        let value = |variable: &'a ResolvingVariable<'_>| {
            let given = variable.raw.as_ref().filter(|_| nulls_stay && variable.fell_back);
            Some((variable.declared.name, given.or(variable.value.as_ref())?.clone()))
        };
        let provided = match pass {
            RulePass::WithoutValues => HashMap::new(),
            RulePass::WithValues => list.iter().filter_map(value).collect(),
        };
        let policy = ByRules { rules: VARIABLE_RULES, provided, circular: None };
        Self { evaluator: Evaluator::new(policy, language, definitions, VARIABLE_RULES.run) }
    }

    /// Evaluates an expression in a rule of the variable `own`.
    pub(super) fn evaluate(
        &mut self,
        expr: ExprAt,
        own: &ResolvingVariable<'_>,
        mark: SelfSensitivity,
        out: &mut Diagnostics,
    ) -> Value {
        let references = self.evaluator.references(expr, |_| false);
        self.evaluator.require(&references, &mut Diagnostics::new());
        let Evaluator { policy, known } = &self.evaluator;
        let own_id = known.definitions.variable_named(own.declared.name).filter(|_| mark == SelfSensitivity::Plain);
        let marks = own.declared.variable.marks.without(Marks::SENSITIVE);
        let value = || policy.value(&own.declared.variable, marks);
        let own = own_id.map(Definition::Variable);
        let replaced = |_: &Subject<'_>, definition| (own.is_some() && definition == own).then(value);
        known.language.evaluate(expr, &known.names(&references, replaced), out)
    }
}
