//! What the document says of one expression (plan.md, section 16).

use super::references;
use crate::plan::configuration::Expression;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_eval as eval;
use overfold_model::language::references::AddressWords;
use overfold_syntax::tree::ExprKind;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Marks, Value};

/// The expressions of one module.
#[derive(Clone, Copy)]
pub(super) struct Reading<'f> {
    pub(super) forest: &'f Forest,
    pub(super) words: AddressWords,
}

impl Reading<'_> {
    /// Describes an expression. `marks` are those of what it is given to.
    pub(super) fn expression(&self, expr: ExprAt, marks: Marks) -> Expression {
        account::work(8);
        Expression {
            constant: self.constant(expr).map(|value| value.with_marks(marks)),
            references: references::shown(self.forest, expr, self.words),
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
        let value = eval::constant(self.forest, expr, &mut Diagnostics::new());
        value.is_wholly_known().then_some(value)
    }

    /// Whether an expression is a reference or a call as a whole, so that it need not be evaluated.
    fn is_named(&self, expr: ExprAt) -> bool {
        let ExprAt::Native(source, id) = expr else { return false };
        let kind = self.forest.native(source).map(|tree| tree.expr(id).kind);
        matches!(kind, Some(ExprKind::Traversal(_) | ExprKind::Call(_)))
    }
}
