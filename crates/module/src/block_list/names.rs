//! Evaluates expressions while a module is expanded: variables and local values as in the merged module; resources,
//! data sources and module calls are always unknown (tflint.md, section 5).

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::block_list::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Reporting, Secrecy, Span};
use overfold_eval::Roots;
use overfold_model::scope::{
    Definitions, Evaluator, Known, Language, LocalValue, Policy, References, RunContext, Variable,
};
use overfold_syntax::{ExprAt, statics};
use overfold_value::{Marks, Value};

/// The workspace if none is selected.
const WORKSPACE: &str = "default";

/// The values of the resolved variables, by name.
pub type ResolvedValues = HashMap<Arc<str>, Value>;

/// Names that are bound by a step of a repetition.
pub(super) type Bound = Rc<Roots>;

/// Evaluates the expressions of a module that is being expanded.
pub(super) struct Evaluation<'a> {
    evaluator: Evaluator<'a, Expanding>,
    /// The references of each expression, determined once; an expression is always surrounded by the same repetitions.
    prepared: HashMap<ExprAt, Rc<Prepared>>,
}

/// The naming policy of expansion: mistakes are reported once, and a name without a value is unknown.
struct Expanding {
    resolved: ResolvedValues,
}

/// The references of an expression.
#[derive(Debug, Default)]
struct Prepared {
    roots: Rc<Roots>,
    /// Whether the expression calls a provider function, whose result is never known.
    calls_provider: bool,
}

/// The result of an evaluation.
pub(super) struct Evaluated {
    pub(super) value: Value,
    /// Whether an error was found; it has been reported.
    pub(super) wrong: bool,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(language: Language<'a>, definitions: &'a Definitions<'a>, resolved: ResolvedValues) -> Self {
        let context = RunContext { workspace: Some(WORKSPACE), applying: Some(false), marks_ephemeral: true };
        let evaluator = Evaluator::new(Expanding { resolved }, language, definitions, context);
        Self { evaluator, prepared: HashMap::new() }
    }

    /// Evaluates an expression.
    pub(super) fn value(&mut self, expr: ExprAt, bound: Option<&Bound>, out: &mut Diagnostics) -> Evaluated {
        let prepared = self.prepare(expr, bound, out);
        let language = &self.evaluator.known.language;
        let Some(bound) = bound.filter(|_| !prepared.calls_provider) else {
            return evaluate(language, expr, &prepared, out);
        };
        let roots = Roots::over(bound, Rc::clone(&prepared.roots)).into();
        evaluate(language, expr, &Prepared { roots, calls_provider: false }, out)
    }

    fn prepare(&mut self, expr: ExprAt, bound: Option<&Bound>, out: &mut Diagnostics) -> Rc<Prepared> {
        if let Some(prepared) = self.prepared.get(&expr) {
            return Rc::clone(prepared);
        }
        let references = self.evaluator.references(expr, |root| bound.is_some_and(|bound| bound.get(root).is_some()));
        self.evaluator.require(&references, out);
        report_faults(&references, self.evaluator.known.definitions, out);
        let prepared = Rc::new(Prepared::of(&references, &self.evaluator.known));
        self.prepared.insert(expr, Rc::clone(&prepared));
        prepared
    }
}

impl Prepared {
    fn of(references: &References, known: &Known<'_, Expanding>) -> Self {
        let roots = known.roots(references, |_| None).into();
        Self { roots, calls_provider: !references.provider_calls.is_empty() }
    }
}

impl<'a> Policy<'a> for Expanding {
    type Variable = Value;
    type Local = Value;

    fn variable(&self, variable: &Variable<'a>) -> Value {
        let value = self.resolved.get(variable.name).or_else(|| variable.default()).cloned();
        value.unwrap_or_else(|| variable.unknown()).with_marks(variable.marks.and(variable.suspected_marks))
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References,
        known: &Known<'a, Self>,
        out: &mut Diagnostics,
    ) -> Value {
        report_faults(references, known.definitions, out);
        evaluate(&known.language, local.expr, &Prepared::of(references, known), out).value
    }

    fn circular(&self, local: &LocalValue<'a>, at: Span, out: &mut Diagnostics) {
        let detail = format!(
            "The local value {:?} depends on itself, so it cannot be evaluated. Break the cycle.",
            local.name
        );
        out.push(Diagnostic::tool(&codes::CIRCULAR, at, detail));
    }
}

fn evaluate(language: &Language<'_>, expr: ExprAt, prepared: &Prepared, out: &mut Diagnostics) -> Evaluated {
    if prepared.calls_provider {
        return Evaluated { value: Value::dynamic(), wrong: false };
    }
    let roots = &prepared.roots;
    let ((value, verdict), found) = out.collect(|out| out.watch(|out| language.evaluate(expr, roots, out)));
    if !found.is_empty() {
        let marks = roots.iter().fold(Marks::NONE, |marks, (_, value)| marks.and(value.deep_marks()));
        let called = statics::calls(language.forest, expr).iter().any(|call| call.name.ends_with("sensitive"));
        let least = if called { Secrecy::Sensitive } else { Secrecy::Open };
        let quotes = Quotes::Values(marks.secrecy().max(least));
        out.extend(found.into_iter().map(|found| found.quoting(quotes.clone())));
    }
    Evaluated { value, wrong: verdict.failed() }
}

/// Reports malformed references and undeclared names. Their values are unknown.
fn report_faults(references: &References, definitions: &Definitions<'_>, out: &mut Diagnostics) {
    for reference in &references.list {
        out.extend(reference.malformed.iter().cloned());
        let Some(fault) = reference.fault() else { continue };
        let (code, detail) = fault.wording(definitions);
        out.push(Diagnostic::tool(code, reference.span, detail));
    }
}
