//! How expressions are evaluated while a module is loaded: the policy of this stage, and what it keeps of each expression.

use crate::config::Argument;
use crate::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Severity, Span};
use crate::early_eval::references::{ReferenceFaults, refused};
use crate::early_eval::variables::EvaluatedVariable;
use crate::early_eval::{Inputs, codes, flag};
use crate::eval;
use crate::scope::{
    Definition, Definitions, Evaluator, HasValue, Known, Language, LocalId, LocalValue, Policy, References,
    Surroundings, Variable, VariableId,
};
use crate::syntax::ExprAt;
use crate::value::Value;

/// The workspace when none is chosen.
const WORKSPACE: &str = "default";

/// Early evaluation of one module while it runs.
pub(super) struct EarlyEvaluation<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) evaluator: Evaluator<'a, EarlyPolicy<'a>>,
    /// Everything is judged when modules are installed.
    pub(super) at_install: bool,
    /// How many findings have been reported so far.
    pub(super) reported: usize,
}

/// What this stage decides about names.
pub(super) struct EarlyPolicy<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    /// Values have the declared type and marks.
    pub(super) converts: bool,
    /// Everything is judged when modules are installed.
    pub(super) at_install: bool,
}

/// What an expression has been evaluated to.
pub(super) struct Evaluated {
    /// The value; not known where there is an error.
    pub(super) value: Value,
    /// What is reported about it, in order.
    pub(super) steps: Vec<Step>,
    /// An error is among it.
    pub(super) failed: bool,
    /// The error was found while the expression itself was evaluated; its references have values.
    pub(super) failed_itself: bool,
    pub(super) traits: Traits,
}

/// One thing that is reported about an expression.
pub(super) enum Step {
    /// This, of the expression itself.
    Own(Box<Diagnostic>),
    /// What is wrong with a variable.
    Variable(VariableId),
    /// What is wrong with a local value.
    Local(LocalId),
}

/// Where a value comes from, as far as it matters to those who show it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Traits {
    /// How secret the variables are that take part.
    pub(super) secrecy: Secrecy,
    /// A definition without a value takes part: what is not known then, is not known to the tool either.
    pub(super) broken: bool,
}

impl Evaluated {
    /// Something of which only findings matter.
    pub(super) fn of(steps: Vec<Step>, traits: Traits) -> Self {
        Self { value: Value::dynamic(), steps, failed: false, failed_itself: false, traits }
    }
}

impl HasValue for Evaluated {
    fn value(&self) -> &Value {
        &self.value
    }
}

impl Traits {
    fn and(self, other: Self) -> Self {
        Self { secrecy: self.secrecy.max(other.secrecy), broken: self.broken || other.broken }
    }
}

/// How an argument's expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As every definition.
    Usual,
    /// The same, but what evaluation finds keeps the evaluator's titles.
    EvaluatorTitles,
    /// With the evaluator's titles, and a malformed reference keeps others from being looked up.
    AtOnce,
}

/// An expression that is evaluated.
struct Site<'s> {
    expr: ExprAt,
    /// It has a syntax error.
    broken: bool,
    /// Of the object that findings are about.
    address: &'s str,
}

impl<'a> EarlyEvaluation<'a> {
    pub(super) fn new(inputs: &'a Inputs<'a>, definitions: &'a Definitions<'a>) -> Self {
        let dialect = inputs.dialect;
        let at_install = dialect.rules.early_eval.sources_checked_at_install;
        let policy = EarlyPolicy { inputs, converts: dialect.rules.early_eval.values_are_converted, at_install };
        let language = Language::of(dialect, inputs.forest, inputs.files.clone());
        let surroundings = Surroundings { workspace: Some(WORKSPACE), ..Surroundings::default() };
        let evaluator = Evaluator::new(policy, language, definitions, surroundings);
        Self { inputs, evaluator, at_install, reported: 0 }
    }

    /// Evaluates an argument and everything that it refers to.
    pub(super) fn evaluate_argument(&mut self, argument: &Argument<'_>, manner: Manner, address: &str) -> Evaluated {
        let Evaluator { policy, known } = &self.evaluator;
        let references = self.evaluator.references(argument.expr, |_| false);
        let faults = policy.check(&references, known.definitions, manner == Manner::AtOnce);
        if faults.looked_up {
            // Nothing is reported on the way: each argument reports all that it depends on.
            self.evaluator.require(&references, &mut Diagnostics::new());
        }
        let Evaluator { policy, known } = &self.evaluator;
        let site = Site { expr: argument.expr, broken: argument.broken, address };
        policy.evaluate(&site, &references, faults, manner, known)
    }
}

impl<'a> Policy<'a> for EarlyPolicy<'a> {
    type Variable = EvaluatedVariable;
    type Local = Evaluated;

    fn variable(&self, variable: &Variable<'a>) -> EvaluatedVariable {
        self.evaluate_variable(variable)
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References,
        known: &Known<'a, Self>,
        _out: &mut Diagnostics,
    ) -> Evaluated {
        let faults = self.check(references, known.definitions, false);
        let address = local.address();
        let site = Site { expr: local.expr, broken: local.broken, address: &address };
        self.evaluate(&site, references, faults, Manner::Usual, known)
    }

    fn follows(&self, references: &References) -> bool {
        refused(references).is_empty()
    }
}

impl<'a> EarlyPolicy<'a> {
    /// Evaluates an expression for which everything that it refers to has been evaluated.
    fn evaluate(
        &self,
        site: &Site<'_>,
        references: &References,
        faults: ReferenceFaults,
        manner: Manner,
        known: &Known<'a, Self>,
    ) -> Evaluated {
        let mut failed = faults.list.iter().any(is_error);
        let mut traits = Traits { broken: site.broken, ..Traits::default() };
        let own = |diagnostic: Diagnostic| Step::Own(Box::new(diagnostic.about(site.address)));
        let mut steps: Vec<Step> = faults.list.into_iter().map(own).collect();
        let definitions = references.list.iter().filter_map(|found| Some((found.definition?, found.span)));
        for (definition, at) in definitions.filter(|_| faults.looked_up) {
            match definition {
                Definition::Variable(id) => {
                    let Some(variable) = known.definitions.variable(id) else { continue };
                    if let Some(barred) = self.barred(variable, at) {
                        failed = true;
                        steps.push(own(barred));
                        continue;
                    }
                    steps.extend(self.warned(variable, at).map(own));
                    if let Some(evaluated) = known.variable(id) {
                        traits = traits.and(evaluated.traits);
                        failed |= evaluated.failed();
                        if !evaluated.faults.is_empty() {
                            steps.push(Step::Variable(id));
                        }
                    }
                }
                Definition::Local(id) => match known.local(id) {
                    Some(local) => {
                        failed |= local.failed;
                        traits = traits.and(local.traits);
                        if !local.steps.is_empty() {
                            steps.push(Step::Local(id));
                        }
                    }
                    // It depends on itself.
                    None => {
                        failed = true;
                        steps.push(Step::Local(id));
                    }
                },
            }
        }
        let mut value = Value::dynamic();
        let mut failed_itself = false;
        if !failed {
            let mut found = Diagnostics::new();
            value = known.evaluate(site.expr, references, &mut found);
            failed_itself = found.has_errors();
            failed = failed_itself;
            for mut finding in found.into_vec() {
                finding.quotes = Quotes::Values(traits.secrecy);
                if manner == Manner::Usual {
                    finding = self.with_full_title(finding);
                }
                steps.push(own(finding));
            }
        }
        // The value of a faulty expression still has a type, which a `for_each` is reported about as well.
        if failed && !(failed_itself && manner == Manner::EvaluatorTitles) {
            value = Value::dynamic();
        }
        Evaluated { value, steps, failed, failed_itself, traits }
    }

    /// A function in a name space that does not exist has a title of its own.
    fn with_full_title(&self, finding: Diagnostic) -> Diagnostic {
        if finding.code != &eval::codes::UNKNOWN_FUNCTION {
            return finding;
        }
        let name = finding.span.map(|span| self.inputs.forest.sources.text(span)).unwrap_or_default();
        match name.split_once("::") {
            Some((space, _)) if space != "core" => finding.titled("Unknown function namespace"),
            _ => finding,
        }
    }

    /// The finding about a variable whose declaration keeps it out of early evaluation.
    fn barred(&self, variable: &Variable<'_>, at: Span) -> Option<Diagnostic> {
        let element = variable.element;
        let stated = flag(element, "const");
        let barred = if self.at_install { stated != Some(true) } else { stated == Some(false) };
        barred.then(|| {
            let declared = if stated.is_some() { "with const = false" } else { "without const = true" };
            let detail = format!(
                "{} is declared {declared}, so it cannot be used where a value must be known before the tool runs.",
                element.address.0
            );
            Diagnostic::tool(&codes::VARIABLE_NOT_CONST, at, detail).and("declared here", element.block.header)
        })
    }

    /// The warning about a sensitive variable that is used all the same.
    fn warned(&self, variable: &Variable<'_>, at: Span) -> Option<Diagnostic> {
        let element = variable.element;
        let warns = flag(element, "sensitive") == Some(true) && self.inputs.dialect.rules.early_eval.secrets_warn;
        warns.then(|| {
            let detail = format!("{} is sensitive, but its value becomes visible here.", element.address.0);
            Diagnostic::tool(&codes::SENSITIVE_USED, at, detail)
        })
    }
}

pub(super) fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}
