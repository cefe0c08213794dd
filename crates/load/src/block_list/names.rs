//! Evaluates expressions while a module is expanded: variables and local values as in the merged module; resources,
//! data sources and module calls are always unknown (tflint.md, section 5).

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::block_list::codes;
use overfold_base::diag::Diagnostics;
use overfold_eval::Roots;
use overfold_model::scope::{self, ByRules, Definitions, EXPANSION, Evaluator, Language};
use overfold_syntax::ExprAt;
use overfold_value::Value;

/// The values of the resolved variables, by name.
pub(crate) type ResolvedValues = HashMap<Arc<str>, Value>;

/// Names that are bound by a step of a repetition.
pub(super) type IteratorNames = Rc<Roots>;

/// Evaluates the expressions of a module that is being expanded.
pub(crate) struct Evaluation<'a> {
    pub evaluator: Evaluator<'a, ByRules<Arc<str>>>,
    /// The references of each expression, determined once; an expression is always surrounded by the same repetitions.
    prepared: HashMap<ExprAt, Rc<ExpressionReferences>>,
}

#[derive(Debug, Default)]
struct ExpressionReferences {
    roots: Rc<Roots>,
    /// Whether the expression calls a provider function, whose result is never known.
    calls_provider: bool,
}

/// The result of an evaluation.
pub(super) struct EvaluatedExpr {
    pub(super) value: Value,
    /// Whether an error was found; it has been reported.
    pub(super) wrong: bool,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(language: Language<'a>, definitions: &'a Definitions<'a>, resolved: ResolvedValues) -> Self {
        let policy = ByRules { rules: EXPANSION, provided: resolved, circular: Some(&codes::CIRCULAR) };
        Self { evaluator: Evaluator::new(policy, language, definitions, EXPANSION.run), prepared: HashMap::new() }
    }

    /// Evaluates an expression.
    pub(super) fn value(
        &mut self,
        expr: ExprAt,
        bound: Option<&IteratorNames>,
        out: &mut Diagnostics,
    ) -> EvaluatedExpr {
        let prepared = self.prepare(expr, bound, out);
        if prepared.calls_provider {
            return EvaluatedExpr { value: Value::dynamic(), wrong: false };
        }
        let roots = match bound {
            Some(bound) => Rc::new(Roots::over(bound, Rc::clone(&prepared.roots))),
            None => Rc::clone(&prepared.roots),
        };
        let (value, verdict) =
            scope::evaluate_quoting(&self.evaluator.known.language, expr, &*roots, || roots.deep_marks(), out);
        EvaluatedExpr { value, wrong: verdict.failed() }
    }

    fn prepare(
        &mut self,
        expr: ExprAt,
        bound: Option<&IteratorNames>,
        out: &mut Diagnostics,
    ) -> Rc<ExpressionReferences> {
        if let Some(prepared) = self.prepared.get(&expr) {
            return Rc::clone(prepared);
        }
        let references = self.evaluator.references(expr, |root| bound.is_some_and(|bound| bound.get(root).is_some()));
        self.evaluator.require(&references, out);
        let known = &self.evaluator.known;
        references.report(known.definitions, out);
        let roots = known.names(&references, |_, _| None).roots().clone().into();
        let prepared = Rc::new(ExpressionReferences { roots, calls_provider: references.calls_provider() });
        self.prepared.insert(expr, Rc::clone(&prepared));
        prepared
    }
}
