//! Evaluation of expressions (expressions.md; variables.md, section A3).
//!
//! An expression never fails: if it cannot be evaluated, the value is unknown, and a diagnostic gives the reason.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod absent;
mod builtin_provider;
mod calls;
pub mod codes;
mod doubt;
mod files;
pub mod functions;
mod json;
mod literals;
mod loops;
mod native;
mod operators;
pub mod hcl1;
mod provider_functions;
mod references;
mod scope;
mod select;
mod templates;
pub mod type_expr;
mod value_type;
mod variations;

use std::sync::Arc;

use bytes::Bytes;

pub use absent::Absent;
pub use calls::unknown_function;
pub use doubt::loosened;
pub use files::{Entry, FileAccess, MissingFile};
pub use functions::json::write_text as write_json_text;
pub use functions::{FunctionSet, Lineage, YamlRules, is_timestamp, json_value};
pub use literals::certainly_fits;
pub use provider_functions::{FunctionParameter, FunctionSignature, ProviderFunctions};
pub(crate) use scope::Env;
pub use scope::{ConstantStep, JsonStrings, LayeredNames, LogicRule, Names, Roots, Scope, Steps};
pub use select::{attribute, index};
pub use type_expr::{TypeConstraint, TypeRules, type_constraint};
pub use value_type::value_type;
pub use variations::{Variation, Variations};

use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, SourceId, Span};
use overfold_syntax::tree::{Expr, Id, Root};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Type, Value};

/// Evaluates an expression of either syntax. Problems go to `out`; the value is then unknown where it must be. Work is
/// taken from the share common to all expressions of a request; when it is used up, the value is unknown, and the
/// expression that used it up gets a diagnostic in `out`.
pub fn evaluate(forest: &Forest, expr: ExprAt, scope: &Scope<'_>, out: &mut Diagnostics) -> Value {
    let env = Env { forest, scope: scope.clone() };
    evaluate_as(&env, env.variations(), expr, out)
}

fn evaluate_as(env: &Env<'_>, variations: Variations, expr: ExprAt, out: &mut Diagnostics) -> Value {
    let (over_before, forest) = (account::evaluation_is_over(), env.forest);
    let evaluator = || Evaluator { variations, ..Evaluator::new(env) };
    let (result, found) = out.collect(|out| account::evaluation(|| evaluator().expression(expr, out)));
    match result {
        Ok(value) => {
            out.extend(found);
            value
        }
        Err(stop) => {
            if !over_before {
                out.push(too_much_work(stop, Some(forest.expr_span(expr))));
            }
            Value::dynamic()
        }
    }
}

fn too_much_work(stop: account::Stop, at: Option<Span>) -> Diagnostic {
    let (name, value) = stop.limit().unwrap_or_default();
    let detail = format!(
        "Evaluating this expression would exceed the request's limit {name} of {value}. It is treated as unknown, as \
         are all expressions that have not been evaluated yet."
    );
    Diagnostic::ours(&codes::TOO_MUCH_WORK, at, detail)
}

/// Reports that expressions have used up their share, unless this has been reported: the expression that used it up may
/// have been evaluated with its diagnostics discarded.
pub fn report_exhaustion(out: &mut Diagnostics) {
    if account::evaluation_is_over() && !out.iter().any(|found| found.code == &codes::TOO_MUCH_WORK) {
        out.push(too_much_work(account::Stop::Work(account::work_limit()), None));
    }
}

/// Evaluates a constant: no names, no functions; strings of the JSON syntax are taken as written.
pub fn constant(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Value {
    evaluate(forest, expr, &Scope::CONSTANT, out)
}

/// Like [`constant`], by the rules of a release: its functions are not called, but what else it does differently counts.
pub fn constant_of_release(
    forest: &Forest,
    expr: ExprAt,
    (logic, functions): (LogicRule, &FunctionSet),
    out: &mut Diagnostics,
) -> Value {
    let env = Env { forest, scope: Scope { logic, ..Scope::CONSTANT } };
    evaluate_as(&env, functions.variations(), expr, out)
}

/// The reason why a function could not render a template text.
#[derive(Debug)]
pub enum TemplateError {
    /// The text is not a valid template; the diagnostics point into it.
    Syntax(Diagnostics),
    /// The template uses a name that was not provided.
    UnknownName(String),
    /// The template cannot be evaluated; the diagnostics point into it.
    Evaluation(Diagnostics),
}

impl Env<'_> {
    /// Returns what is evaluated differently.
    pub(crate) fn variations(&self) -> Variations {
        self.scope.functions.map_or(Variations::NONE, FunctionSet::variations)
    }

    pub(crate) fn render(
        &self,
        name: &str,
        text: Bytes,
        variables: &Value,
        without: &[&str],
    ) -> Result<Value, TemplateError> {
        let mut out = Diagnostics::new();
        let source = self.forest.parse_detached_template(name, text, &mut out);
        if out.has_errors() {
            return Err(TemplateError::Syntax(out));
        }
        let Some(Root::Expr(root)) = self.forest.native(source).map(|tree| tree.root) else {
            return Ok(Value::dynamic());
        };
        let expr = ExprAt::Native(source, root);
        for reference in references::references(self.forest, expr) {
            if variables.get(&reference.root).is_none() {
                return Err(TemplateError::UnknownName(reference.root));
            }
        }
        let roots: Roots = variables.entries().iter().cloned().collect();
        let functions = self.scope.functions.map(|functions| functions.without(without));
        let env = Env {
            forest: self.forest,
            scope: Scope {
                roots: Some(&roots),
                functions: functions.as_ref(),
                providers: self.scope.providers,
                assumes_functions: self.scope.assumes_functions,
                files: self.scope.files.clone(),
                json: self.scope.json,
                logic: self.scope.logic,
                plan_time: self.scope.plan_time,
                clock: self.scope.clock,
                absent: self.scope.absent,
            },
        };
        let value = Evaluator::new(&env).expression(expr, &mut out);
        if out.has_errors() { Err(TemplateError::Evaluation(out)) } else { Ok(value) }
    }
}

/// The evaluation of one expression: its environment, and the names and elements bound by enclosing loops.
struct Evaluator<'v, 'e> {
    env: &'v Env<'e>,
    /// The variables of enclosing `for` expressions, innermost last.
    locals: Vec<(Arc<str>, Value)>,
    /// The elements of enclosing splats, innermost last.
    items: Vec<((SourceId, Id<Expr>), Value)>,
    /// How many expressions around this one drop or see errors in it.
    guards: usize,
    /// What is evaluated differently.
    variations: Variations,
}

impl<'v, 'e> Evaluator<'v, 'e> {
    fn new(env: &'v Env<'e>) -> Self {
        Self { env, locals: Vec::new(), items: Vec::new(), guards: 0, variations: env.variations() }
    }

    /// Evaluates an expression whose errors are dropped, or seen by `try` or `can`. An operation that only fails for some
    /// values of what is in doubt is then in doubt itself, while elsewhere its failure would end everything.
    fn guarded(&mut self, expr: ExprAt, out: &mut Diagnostics) -> Value {
        self.guards += 1;
        let value = self.expression(expr, out);
        self.guards -= 1;
        value
    }

    fn expression(&mut self, expr: ExprAt, out: &mut Diagnostics) -> Value {
        account::work(2);
        let value = overfold_value::with_stack(|| match expr {
            ExprAt::Native(source, id) => match self.env.forest.native(source) {
                Some(tree) => self.native(tree, id, out),
                None => Value::dynamic(),
            },
            ExprAt::Json(source, id) => self.json(source, id, out),
        });
        if self.variations == Variations::NONE { value } else { self.varied(value) }
    }

    /// Returns the value of an expression as releases have it that know less about what is unknown.
    fn varied(&self, value: Value) -> Value {
        let is_open_set = |value: &Value| matches!(value.ty(), Type::Set(_)) && !value.is_wholly_known();
        if self.variations.has(Variation::SetsOfUnknownAreUnknown) && is_open_set(&value) {
            return Value::unknown(value.ty().clone()).with_marks(value.deep_marks());
        }
        if !value.is_known() && self.variations.has(Variation::Unrefined) { value.unrefined() } else { value }
    }
}

/// Checks a newly built value: if it is too large or too deep for later steps to handle, the evaluation ends.
fn within_limits(value: Value) -> Value {
    /// Far more than any configuration contains.
    const MAX_WEIGHT: u64 = 4_000_000;
    /// Deeper than any text can nest.
    const MAX_DEPTH: u32 = 10_000;
    if value.weight() > MAX_WEIGHT || value.depth() > MAX_DEPTH {
        account::end_evaluation();
    }
    value
}

/// Creates an error that the tool reports.
fn error(
    code: &'static overfold_base::diag::Code,
    span: Span,
    detail: impl Into<std::borrow::Cow<'static, str>>,
) -> Diagnostic {
    Diagnostic::tool(code, span, detail)
}

#[cfg(test)]
mod tests;
