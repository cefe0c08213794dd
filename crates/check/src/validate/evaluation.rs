//! The evaluation of expressions with everything unknown that only a plan can know (validate.md, section 4).

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::deprecated::{ValueUse, without_deprecated};
use super::names::{NameScope, Names, Steps};
use super::nodes::{Dependency, is_error};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_eval::{LayeredNames, Roots};
use overfold_model::language::references::Subject;
use overfold_model::scope::{
    Definition, DefinitionResults, Evaluator, HasValue, LocalValue, Policy, References, RunContext, Variable,
    evaluate_quoting,
};
use overfold_syntax::ExprAt;
use overfold_value::{Type, Value};

use super::codes;

/// What is known of the run: nothing but that there is one workspace.
pub(crate) const RUN: RunContext = RunContext { workspace: Some("default"), applying: None, marks_ephemeral: true };

/// The policy of this stage for names: variables are unknown values of their types with the marks of their
/// declarations, whatever is passed.
pub struct UnknownVariables<'a> {
    pub(crate) names: Names<'a>,
}

/// A variable whose type is read once its value is needed.
pub struct UnknownVariable<'a> {
    declared: Variable<'a>,
    value: OnceCell<Value>,
}

impl HasValue for UnknownVariable<'_> {
    fn value(&self) -> &Value {
        self.value.get_or_init(|| self.declared.unknown().with_marks(self.declared.marks))
    }
}

/// A local value, and what is found in its expression.
pub struct EvaluatedLocal {
    value: Value,
    pub(crate) found: Vec<Diagnostic>,
    pub(crate) dependencies: Vec<Dependency>,
}

impl HasValue for EvaluatedLocal {
    fn value(&self) -> &Value {
        &self.value
    }
}

impl<'a> Policy<'a> for UnknownVariables<'a> {
    type Variable = UnknownVariable<'a>;
    type Local = EvaluatedLocal;

    fn variable(&self, variable: &Variable<'a>) -> UnknownVariable<'a> {
        UnknownVariable { declared: *variable, value: OnceCell::new() }
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References<'_>,
        known: &DefinitionResults<'a, Self>,
        _out: &mut Diagnostics,
    ) -> EvaluatedLocal {
        let place = NameScope::default();
        let mut dependencies = Vec::new();
        self.names.dependencies(references, &place, &mut dependencies);
        let mut out = Diagnostics::new();
        if local.broken {
            return EvaluatedLocal { value: Value::dynamic(), found: Vec::new(), dependencies };
        }
        let own = known.definitions.local_named(local.name).map(Definition::Local);
        for reference in references.list.iter().filter(|found| found.definition.is_some() && found.definition == own)
        {
            let detail = format!("The local value {:?} depends on itself, so it has no value.", local.name);
            out.push(Diagnostic::tool(&codes::SELF_REFERENCE, reference.span, detail));
        }
        let refers_to_itself = out.has_errors();
        let mut steps = Steps::default();
        self.names.check(references, &place, &mut steps);
        let names = known.names(references, |subject, _| self.names.value(subject));
        let marks = || names.roots().deep_marks();
        let (mut value, _) = evaluate_quoting(&known.language, local.expr, &names, marks, &mut steps.evaluation);
        if self.names.has_deprecated {
            let of = (known.language.forest, local.expr);
            let dialect = self.names.module.report.dialect;
            value = without_deprecated(dialect, of, ValueUse::Whole, value, &mut steps.evaluation);
        }
        let mut rest = Diagnostics::new();
        steps.with_function_titles(known.language.forest).finish(&mut rest);
        out.append(super::names::later_unless(!refers_to_itself, rest));
        let found = out.into_vec();
        if found.iter().any(is_error) {
            value = Value::dynamic();
        }
        EvaluatedLocal { value, found, dependencies }
    }
}

/// Looks up names and evaluates expressions of one module.
pub struct Evaluation<'a> {
    pub evaluator: Evaluator<'a, UnknownVariables<'a>>,
}

impl<'a> Evaluation<'a> {
    pub fn names(&self) -> &Names<'a> {
        &self.evaluator.policy.names
    }

    /// Returns the references in an expression, reports what is wrong with them, adds what they depend on, and
    /// evaluates the definitions that they name.
    pub(crate) fn look_up(
        &mut self,
        expr: ExprAt,
        place: &NameScope<'_>,
        bound: &[Arc<str>],
        steps: &mut Steps,
        dependencies: &mut Vec<Dependency>,
    ) -> References<'a> {
        let references = self.read(expr, place, bound, dependencies);
        self.names().check(&references, place, steps);
        references
    }

    /// Returns the references in an expression, adds what they depend on, and evaluates the definitions that they name,
    /// without reporting anything.
    pub(crate) fn read(
        &mut self,
        expr: ExprAt,
        place: &NameScope<'_>,
        bound: &[Arc<str>],
        dependencies: &mut Vec<Dependency>,
    ) -> References<'a> {
        let Evaluator { policy, known } = &self.evaluator;
        let references = policy.names.references(&known.language, expr, bound);
        policy.names.dependencies(&references, place, dependencies);
        self.evaluator.require(&references, &mut Diagnostics::new());
        references
    }

    /// Returns the references in a part of an expression whose definitions have been evaluated.
    pub(crate) fn parts(&self, expr: ExprAt) -> References<'a> {
        let Evaluator { policy, known } = &self.evaluator;
        policy.names.references(&known.language, expr, &[])
    }

    /// Returns what an expression with other references than these sees of the module where only these are looked up.
    pub(crate) fn roots_of(&self, references: &References<'_>) -> Roots {
        let Evaluator { policy, known } = &self.evaluator;
        known.names(references, |subject: &Subject<'_>, _| policy.names.value(subject)).whole_roots()
    }

    /// Evaluates an expression that sees the `iterators` of dynamic blocks, and of the module only `roots`.
    pub(crate) fn value_among(
        &self,
        expr: ExprAt,
        roots: &Roots,
        iterators: Option<&Rc<Roots>>,
        out: &mut Diagnostics,
    ) -> Value {
        let none = Roots::new();
        let iterators = iterators.map_or(&none, |iterators| &**iterators);
        self.evaluator.known.language.evaluate(expr, &LayeredNames { inner: iterators, outer: roots }, out)
    }

    /// Evaluates an expression with these references; it also sees the `iterators` of dynamic blocks.
    pub(crate) fn value(
        &self,
        expr: ExprAt,
        references: &References<'_>,
        iterators: Option<&Rc<Roots>>,
        out: &mut Diagnostics,
    ) -> Value {
        self.value_with(expr, references, iterators, |_| None, out)
    }

    /// Like [`Self::value`]; `replaced` provides a different value for a definition.
    pub(crate) fn value_with(
        &self,
        expr: ExprAt,
        references: &References<'_>,
        iterators: Option<&Rc<Roots>>,
        replaced: impl Fn(Definition) -> Option<Value>,
        out: &mut Diagnostics,
    ) -> Value {
        let Evaluator { policy, known } = &self.evaluator;
        let names = known.names(references, |subject: &Subject<'_>, definition: Option<Definition>| {
            definition.and_then(&replaced).or_else(|| policy.names.value(subject))
        });
        let Some(iterators) = iterators else {
            return evaluate_quoting(&known.language, expr, &names, || names.roots().deep_marks(), out).0;
        };
        let layered = LayeredNames { inner: iterators, outer: &names };
        let marks = || Roots::over(iterators, Rc::new(names.roots().clone())).deep_marks();
        evaluate_quoting(&known.language, expr, &layered, marks, out).0
    }

    /// Evaluates an expression that sees no names at all: the tool reports each at its first word.
    pub(crate) fn without_names(&self, expr: ExprAt, out: &mut Diagnostics) -> Value {
        self.evaluator.known.language.evaluate(expr, &Roots::new(), out)
    }

    /// Looks up names and evaluates one expression on its own; what is found goes to `out`.
    pub(crate) fn expression(
        &mut self,
        expr: ExprAt,
        place: &NameScope<'_>,
        dependencies: &mut Vec<Dependency>,
        out: &mut Diagnostics,
    ) -> Value {
        self.looked_up(expr, place, dependencies, out).0
    }

    /// Like [`Self::expression`]. Returns also whether the tool evaluates the expression to something unknown that is not
    /// secret, and of this type: with an error, or without.
    pub(crate) fn looked_up(
        &mut self,
        expr: ExprAt,
        place: &NameScope<'_>,
        dependencies: &mut Vec<Dependency>,
        out: &mut Diagnostics,
    ) -> (Value, Option<Type>) {
        let mut steps = Steps::default();
        let references = self.look_up(expr, place, &[], &mut steps, dependencies);
        let value = if !self.names().has_deprecated && self.names().is_unknown_attribute(expr, &references) {
            Value::dynamic()
        } else {
            self.value(expr, &references, None, &mut steps.evaluation)
        };
        let value = if self.names().has_deprecated {
            let names = self.names();
            let of = (names.forest, expr);
            without_deprecated(names.module.report.dialect, of, place.used, value, &mut steps.evaluation)
        } else {
            value
        };
        let is_evaluated = steps.is_evaluated();
        let is_open = is_evaluated && !value.is_known() && value.marks().is_empty();
        let open = is_open.then(|| value.ty().clone());
        let value = if !is_evaluated {
            Value::dynamic()
        } else if steps.evaluation.iter().any(is_error) {
            // The marks of what could be evaluated remain.
            Value::dynamic().with_marks(value.deep_marks())
        } else {
            value
        };
        steps.with_function_titles(self.evaluator.known.language.forest).finish(out);
        (value, open)
    }

    /// Returns the range of an expression.
    pub(crate) fn span(&self, expr: ExprAt) -> Span {
        self.evaluator.known.language.forest.expr_span(expr)
    }
}
