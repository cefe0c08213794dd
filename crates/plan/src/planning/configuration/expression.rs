//! What the document says of one expression (plan.md, section 16).

use super::references;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_dialect::{self as dialect, Behaviour};
use overfold_eval::{self as eval, FunctionSet, LogicRule};
use overfold_load::loading::Report;
use overfold_load::plan::configuration::Expression;
use overfold_model::language::references::AddressWords;
use overfold_model::scope::logic_rule;
use overfold_syntax::tree::ExprKind;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Marks, Value};

/// The expressions of one module.
#[derive(Clone, Copy)]
pub(super) struct ExpressionReader<'f> {
    pub(super) forest: &'f Forest,
    pub(super) words: AddressWords,
    /// Whether the functions of providers count as references.
    pub(super) names_functions: bool,
    /// How `&&` and `||` treat errors, and the functions, whose release evaluates constants in its own way.
    rules: (LogicRule, &'static FunctionSet),
    /// Whether an expression with an error is no constant, even if its value does not depend on it.
    constants_have_no_errors: bool,
}

impl<'f> ExpressionReader<'f> {
    /// Returns how the expressions of a module are read.
    pub(super) fn from_report(report: &Report<'f>) -> Self {
        Self {
            forest: report.forest,
            words: AddressWords::for_dialect(report.dialect),
            rules: (logic_rule(report.dialect), dialect::functions(report.dialect)),
            constants_have_no_errors: report.dialect.has(Behaviour::ConstantsHaveNoErrors),
            names_functions: report.dialect.has(Behaviour::ReferencesNameProviderFunctions),
        }
    }

    /// Describes an expression. `marks` are those of what it is given to.
    pub(super) fn expression(&self, expr: ExprAt, marks: Marks) -> Expression {
        account::work(8);
        Expression {
            constant: self.constant(expr).map(|value| value.with_marks(marks)),
            references: references::shown(self, expr),
        }
    }

    /// Like [`Self::expression`]; `None` if it shows nothing.
    pub(super) fn optional(&self, expr: ExprAt) -> Option<Expression> {
        Some(self.expression(expr, Marks::NONE)).filter(|expression| !expression.is_empty())
    }

    /// Returns the value of an expression if it can be evaluated without names and functions. What is wrong in parts that
    /// do not matter for the value is no obstacle.
    pub(super) fn constant(&self, expr: ExprAt) -> Option<Value> {
        if self.is_named(expr) {
            return None;
        }
        let mut found = Diagnostics::new();
        let value = eval::constant_of_release(self.forest, expr, self.rules, &mut found);
        let counts = !(self.constants_have_no_errors && found.has_errors());
        (counts && value.is_wholly_known()).then_some(value)
    }

    /// Whether an expression is a reference or a call as a whole, so that it need not be evaluated.
    fn is_named(&self, expr: ExprAt) -> bool {
        let ExprAt::Native(source, id) = expr else { return false };
        let kind = self.forest.native(source).map(|tree| tree.expr(id).kind);
        matches!(kind, Some(ExprKind::Traversal(_) | ExprKind::Call(_)))
    }
}
