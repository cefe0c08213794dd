//! How the stages differ in evaluating the names of a module, as data: one row for each.
//!
//! | Stage | Variable without a provided value | Marks of a variable | Faults |
//! | --- | --- | --- | --- |
//! | [`EXPANSION`] | default, else unknown | all, also suspected ones | reported once each |
//! | [`VARIABLE_RULES`] | unknown | declared ones | silent |
//! | [`CALLS`] | unknown | declared ones, but not sensitive | silent |
//! | [`EARLY`] | default, else an error | all, also suspected ones | kept, and repeated for each use |
//!
//! [`ByRules`] evaluates according to the first three rows. Early evaluation keeps more than a value of each name, so
//! it has a [`Policy`] of its own.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use super::definitions::{LocalValue, Variable};
use super::evaluator::Policy;
use super::known::{DefinitionResults, RunContext};
use super::language::Language;
use super::references::References;
use super::secrecy::of_calls;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Quotes, Reporting, Span, Verdict};
use overfold_eval::Names;
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Value};

/// The workspace if none is selected.
const WORKSPACE: &str = "default";

/// How a stage evaluates names.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationRules {
    /// Whether a variable for which no value is provided has its default; otherwise it is unknown.
    pub defaults: bool,
    /// Whether the value of a variable also has the marks that a flag may have been meant to give it that cannot be
    /// read.
    pub suspected_marks: bool,
    /// The marks that the value of a variable does not have, even if declared.
    pub hidden_marks: Marks,
    /// What happens to faults.
    pub faults: FaultRule,
    /// What is known about the run.
    pub run: RunContext,
}

/// What a stage does with faults in what it evaluates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultRule {
    /// Each is reported once; a name with a fault is unknown, and the rest of the expression is evaluated.
    ReportedOnce,
    /// Nothing is reported; an expression with a fault is unknown.
    Silent,
    /// Each is kept with the name, and reported again for everything that uses it.
    Kept,
}

/// The expansion of a list of blocks (tflint.md, section 5).
pub const EXPANSION: EvaluationRules = EvaluationRules {
    defaults: true,
    suspected_marks: true,
    hidden_marks: Marks::NONE,
    faults: FaultRule::ReportedOnce,
    run: RunContext { workspace: Some(WORKSPACE), applying: Some(false), marks_ephemeral: true },
};

/// The validation rules of variables.
pub const VARIABLE_RULES: EvaluationRules = EvaluationRules {
    defaults: false,
    suspected_marks: false,
    hidden_marks: Marks::NONE,
    faults: FaultRule::Silent,
    run: RunContext { workspace: None, applying: None, marks_ephemeral: false },
};

/// The values that module calls pass, while no variable of the calling module has a value.
pub const CALLS: EvaluationRules = EvaluationRules { hidden_marks: Marks::SENSITIVE, ..VARIABLE_RULES };

/// What is evaluated while a module is loaded (opentofu.md, section 6).
pub const EARLY: EvaluationRules = EvaluationRules {
    faults: FaultRule::Kept,
    run: RunContext { workspace: Some(WORKSPACE), ..VARIABLE_RULES.run },
    ..EXPANSION
};

impl EvaluationRules {
    /// Returns the marks that the value of a variable has.
    pub fn marks(&self, variable: &Variable<'_>) -> Marks {
        let suspected = if self.suspected_marks { variable.suspected_marks } else { Marks::NONE };
        variable.marks.and(suspected).without(self.hidden_marks)
    }
}

/// Evaluates names according to a stage's rules, keeping their values alone.
pub struct ByRules<K> {
    /// The rules.
    pub rules: EvaluationRules,
    /// The provided values of variables, by name.
    pub provided: HashMap<K, Value>,
    /// The code of a local value that depends on itself, if that is reported.
    pub circular: Option<&'static Code>,
}

impl<K: Borrow<str> + Eq + Hash> ByRules<K> {
    /// Returns the value of a variable with these marks.
    pub fn value(&self, variable: &Variable<'_>, marks: Marks) -> Value {
        let default = || variable.default().filter(|_| self.rules.defaults);
        let value = self.provided.get(variable.name).or_else(default).cloned();
        value.unwrap_or_else(|| variable.unknown()).with_marks(marks)
    }
}

impl<'a, K: Borrow<str> + Eq + Hash> Policy<'a> for ByRules<K> {
    type Variable = Value;
    type Local = Value;

    fn variable(&self, variable: &Variable<'a>) -> Value {
        self.value(variable, self.rules.marks(variable))
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References<'_>,
        known: &DefinitionResults<'a, Self>,
        out: &mut Diagnostics,
    ) -> Value {
        if self.rules.faults == FaultRule::ReportedOnce {
            references.report(known.definitions, out);
            if references.calls_provider() {
                return Value::dynamic();
            }
            let names = known.names(references, |_, _| None);
            return evaluate_quoting(&known.language, local.expr, &names, || names.roots().deep_marks(), out).0;
        }
        if local.broken || references.is_faulty() {
            return Value::dynamic();
        }
        let mut discarded = Diagnostics::new();
        let value = known.evaluate(local.expr, references, &mut discarded);
        if discarded.has_errors() { Value::dynamic() } else { value }
    }

    fn circular(&self, local: &LocalValue<'a>, at: Span, out: &mut Diagnostics) {
        if let Some(code) = self.circular {
            let detail = format!(
                "The local value {:?} depends on itself, so it cannot be evaluated. Break the cycle.",
                local.name
            );
            out.push(Diagnostic::tool(code, at, detail));
        }
    }
}

/// Evaluates an expression that sees these names. What is reported is as secret as the values that it may quote, whose
/// marks `quoted` returns, and the verdict says whether there was an error.
pub fn evaluate_quoting(
    language: &Language<'_>,
    expr: ExprAt,
    names: &dyn Names,
    quoted: impl FnOnce() -> Marks,
    out: &mut Diagnostics,
) -> (Value, Verdict) {
    let ((value, verdict), found) = out.collect(|out| out.watch(|out| language.evaluate(expr, names, out)));
    if !found.is_empty() {
        let quotes = Quotes::Values(quoted().secrecy().max(of_calls(language.forest, expr)));
        out.extend(found.into_iter().map(|found| found.quoting(quotes.clone())));
    }
    (value, verdict)
}
