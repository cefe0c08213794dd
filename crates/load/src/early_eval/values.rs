//! Evaluates expressions while a module is loaded: the policy of this stage, and what it keeps of each expression.

use crate::early_eval::references::{ReferenceFaults, unsupported};
use crate::early_eval::variables::EvaluatedVariable;
use crate::early_eval::{Inputs, codes, flag};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Severity, Span};
use overfold_dialect::words;
use overfold_eval as eval;
use overfold_model::config::{Argument, ObjectAddr};
use overfold_model::scope::{
    Definition, DefinitionResults, Definitions, EARLY, Evaluator, HasValue, Language, LocalId, LocalValue, Policy,
    References, Variable, VariableId,
};
use overfold_syntax::ExprAt;
use overfold_value::Value;

/// The early evaluation of one module.
pub(super) struct EarlyEvaluation<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) evaluator: Evaluator<'a, EarlyPolicy<'a>>,
    /// Whether everything is checked when modules are installed.
    pub(super) at_install: bool,
    /// The number of diagnostics reported so far.
    pub(super) reported: usize,
}

/// The policy of this stage for names.
pub(super) struct EarlyPolicy<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    /// Whether values have the declared type and marks.
    pub(super) converts: bool,
    /// Whether everything is checked when modules are installed.
    pub(super) at_install: bool,
}

/// The result of evaluating an expression.
pub(super) struct EvaluatedExpr {
    /// The value; unknown if there is an error.
    pub(super) value: Value,
    /// What is reported about the expression, in order.
    pub(super) steps: Vec<ReportStep>,
    /// Whether there is an error.
    pub(super) failed: bool,
    /// Whether the error was found while the expression itself was evaluated, so that its references have values.
    pub(super) failed_itself: bool,
    pub(super) traits: Traits,
}

/// A step in the report about an expression.
pub(super) enum ReportStep {
    /// A diagnostic about the expression itself.
    Own(Box<Diagnostic>),
    /// The faults of a variable.
    Variable(VariableId),
    /// The faults of a local value.
    Local(LocalId),
}

/// Properties of the origin of a value that matter when it is shown.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Traits {
    /// How secret the variables are from which the value was computed.
    pub(super) secrecy: Secrecy,
    /// Whether the value depends on a definition without a value; if it is unknown, it is then unknown to the tool,
    /// too.
    pub(super) broken: bool,
}

impl EvaluatedExpr {
    /// Creates a result of which only the diagnostics matter.
    pub(super) fn new(steps: Vec<ReportStep>, traits: Traits) -> Self {
        Self { value: Value::dynamic(), steps, failed: false, failed_itself: false, traits }
    }
}

impl HasValue for EvaluatedExpr {
    fn value(&self) -> &Value {
        &self.value
    }
}

impl Traits {
    fn and(self, other: Self) -> Self {
        Self { secrecy: self.secrecy.max(other.secrecy), broken: self.broken || other.broken }
    }
}

/// How the expression of an argument is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EvaluationMode {
    /// Like every definition.
    Usual,
    /// Like every definition, except that diagnostics of the evaluation keep their titles.
    EvaluatorTitles,
    /// With the titles of the evaluator; after a malformed reference, the others are not looked up.
    AtOnce,
}

/// An expression to be evaluated.
struct Site<'s> {
    expr: ExprAt,
    /// Whether the expression has a syntax error.
    broken: bool,
    /// The address of the object that the diagnostics are about.
    address: ObjectAddr<'s>,
}

impl<'a> EarlyEvaluation<'a> {
    pub(super) fn new(inputs: &'a Inputs<'a>, definitions: &'a Definitions<'a>) -> Self {
        let dialect = inputs.dialect;
        let at_install = dialect.rules.early_eval.sources_checked_at_install;
        let converts = dialect.rules.early_eval.values_are_converted;
        let policy = EarlyPolicy { inputs, converts, at_install };
        let language =
            Language { clock: inputs.clock, ..Language::new(dialect, inputs.forest, inputs.files.clone()) };
        let evaluator = Evaluator::new(policy, language, definitions, EARLY.run);
        Self { inputs, evaluator, at_install, reported: 0 }
    }

    /// Evaluates an argument and everything to which it refers.
    pub(super) fn evaluate_argument(
        &mut self,
        argument: &Argument<'_>,
        mode: EvaluationMode,
        address: ObjectAddr<'_>,
    ) -> EvaluatedExpr {
        self.evaluate_beside(argument, mode, address, |_| false)
    }

    /// Like [`Self::evaluate_argument`], beside names that are `bound` to something else.
    pub(super) fn evaluate_beside(
        &mut self,
        argument: &Argument<'_>,
        mode: EvaluationMode,
        address: ObjectAddr<'_>,
        bound: impl Fn(&str) -> bool,
    ) -> EvaluatedExpr {
        let Evaluator { policy, known } = &self.evaluator;
        let references = self.evaluator.references(argument.expr, bound);
        let faults = policy.check(&references, known.definitions, mode == EvaluationMode::AtOnce);
        if faults.looked_up {
            // Nothing is reported here: each argument reports everything on which it depends.
            self.evaluator.require(&references, &mut Diagnostics::new());
        }
        let Evaluator { policy, known } = &self.evaluator;
        let site = Site { expr: argument.expr, broken: argument.broken, address };
        policy.evaluate(&site, &references, faults, mode, known)
    }
}

impl<'a> Policy<'a> for EarlyPolicy<'a> {
    type Variable = EvaluatedVariable;
    type Local = EvaluatedExpr;

    fn variable(&self, variable: &Variable<'a>) -> EvaluatedVariable {
        self.evaluate_variable(variable)
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References<'_>,
        known: &DefinitionResults<'a, Self>,
        _out: &mut Diagnostics,
    ) -> EvaluatedExpr {
        let faults = self.check(references, known.definitions, false);
        let address = local.address();
        if self.at_install && !faults.list.is_empty() && faults.list.iter().all(is_of_run) {
            // What only a run knows is unknown; whether that is a mistake depends on what uses the local value.
            return EvaluatedExpr::new(Vec::new(), Traits { broken: true, ..Traits::default() });
        }
        let site = Site { expr: local.expr, broken: local.broken, address };
        self.evaluate(&site, references, faults, EvaluationMode::Usual, known)
    }

    fn follows(&self, references: &References<'_>) -> bool {
        unsupported(references).is_empty()
    }
}

impl<'a> EarlyPolicy<'a> {
    /// Evaluates an expression after everything to which it refers has been evaluated.
    fn evaluate(
        &self,
        site: &Site<'_>,
        references: &References<'_>,
        faults: ReferenceFaults,
        mode: EvaluationMode,
        known: &DefinitionResults<'a, Self>,
    ) -> EvaluatedExpr {
        let of_provider = |finding: &Diagnostic| finding.code == &codes::PROVIDER_FUNCTION;
        if self.at_install && !faults.list.is_empty() && faults.list.iter().all(of_provider) {
            return EvaluatedExpr::new(Vec::new(), Traits { broken: true, ..Traits::default() });
        }
        let mut failed = faults.list.iter().any(is_error);
        let mut traits = Traits { broken: site.broken, ..Traits::default() };
        let own = |diagnostic: Diagnostic| ReportStep::Own(Box::new(diagnostic.about(site.address)));
        let mut steps: Vec<ReportStep> = faults.list.into_iter().map(own).collect();
        let definitions = references.list.iter().filter_map(|found| Some((found.definition?, found.span)));
        for (definition, at) in definitions.filter(|_| faults.looked_up) {
            match definition {
                Definition::Variable(id) => {
                    let variable = known.definitions.variable(id);
                    if let Some(barred) = self.not_allowed(variable, at) {
                        failed = true;
                        steps.push(own(barred));
                        continue;
                    }
                    steps.extend(self.sensitivity_warning(variable, at).map(own));
                    if let Some(evaluated) = known.variable(id) {
                        traits = traits.and(evaluated.traits);
                        failed |= evaluated.failed();
                        if !evaluated.faults.is_empty() {
                            steps.push(ReportStep::Variable(id));
                        }
                    }
                }
                Definition::Local(id) => match known.local(id) {
                    Some(local) => {
                        failed |= local.failed;
                        traits = traits.and(local.traits);
                        if !local.steps.is_empty() {
                            steps.push(ReportStep::Local(id));
                        }
                    }
                    // The local value depends on itself.
                    None => {
                        failed = true;
                        steps.push(ReportStep::Local(id));
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
                if mode == EvaluationMode::Usual {
                    finding = self.with_full_title(finding);
                }
                steps.push(own(finding));
            }
        }
        // The value of an expression with an error still has a type, about which there may be a report for a
        // `for_each`.
        if failed && !(failed_itself && mode == EvaluationMode::EvaluatorTitles) {
            value = Value::dynamic();
        }
        EvaluatedExpr { value, steps, failed, failed_itself, traits }
    }

    /// Returns the diagnostic with a separate title if it is about a function in a namespace that does not exist.
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

    /// Returns the diagnostic about a variable that may not be used in early evaluation according to its declaration.
    fn not_allowed(&self, variable: &Variable<'_>, at: Span) -> Option<Diagnostic> {
        let element = variable.element;
        let stated = flag(element, words::CONST);
        // When modules are installed, it is unknown.
        let barred = !self.at_install && stated == Some(false);
        barred.then(|| {
            let declared = if stated.is_some() { "with `const = false`" } else { "without `const = true`" };
            let detail = format!(
                "{} is declared {declared}, so it cannot be used here, where the value must be known while the module is loaded.",
                element.address
            );
            Diagnostic::tool(&codes::VARIABLE_NOT_CONST, at, detail).and("declared here", element.block.header)
        })
    }

    /// Returns the warning about a sensitive variable that may be used.
    fn sensitivity_warning(&self, variable: &Variable<'_>, at: Span) -> Option<Diagnostic> {
        let element = variable.element;
        let warns =
            flag(element, words::SENSITIVE) == Some(true) && self.inputs.dialect.rules.early_eval.secrets_warn;
        warns.then(|| {
            let detail = format!(
                "{} is sensitive, but its value becomes visible here. Later releases report an error.",
                element.address
            );
            Diagnostic::tool(&codes::SENSITIVE_USED, at, detail)
        })
    }
}

/// Whether a fault is a reference to what only a run knows.
fn is_of_run(finding: &Diagnostic) -> bool {
    [&codes::DYNAMIC_VALUE, &codes::MODULE_OUTPUT, &codes::PROVIDER_FUNCTION].contains(&finding.code)
}

pub(super) fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}
