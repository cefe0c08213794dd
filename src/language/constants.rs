//! Arguments that have to be constants of a given type (terraform.md, section 5; what is unsuitable is reported at the
//! expression's first token, as the tool does).

use crate::diag::{Diagnostic, Diagnostics, Reporting};
use crate::dialect::LiteralShape;
use crate::eval;
use crate::language::codes;
use crate::syntax::{ExprAt, Forest};
use crate::value::{Type, Value, convert};
use crate::versions::Constraints;
use std::sync::Arc;

/// What is reported about an expression that cannot be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failing {
    /// Why, and that its value is unsuitable.
    UnsuitableToo,
    /// Why.
    ReportedOnce,
}

/// A boolean, where the expression is one or a text that spells one. Anything else is reported.
pub(crate) fn truth(forest: &Forest, expr: ExprAt, failing: Failing, out: &mut Diagnostics) -> Option<bool> {
    known(forest, expr, &Type::Bool, failing, out)?.as_bool()
}

/// A text, where the expression is one or converts to one. Anything else, also null, is reported.
pub(crate) fn text(forest: &Forest, expr: ExprAt, failing: Failing, out: &mut Diagnostics) -> Option<Arc<str>> {
    known(forest, expr, &Type::String, failing, out)?.as_shared_text().cloned()
}

fn known(forest: &Forest, expr: ExprAt, want: &Type, failing: Failing, out: &mut Diagnostics) -> Option<Value> {
    let (value, verdict) = out.watch(|out| eval::constant(forest, expr, out));
    if failing == Failing::ReportedOnce && verdict.failed() {
        return None;
    }
    let problem = match convert(&value, want) {
        Err(error) => error.to_string(),
        Ok(value) if !value.is_known() => String::from("the value must be a constant"),
        Ok(value) if value.is_null() => String::from("null is not allowed here"),
        Ok(value) => return Some(value),
    };
    let detail = format!("The value is not valid for this argument: {problem}.");
    out.push(Diagnostic::tool(&codes::UNSUITABLE_VALUE, forest.start_span(expr), detail));
    None
}

/// What there is of an argument that is read only where it is a constant.
pub(crate) enum Literal {
    /// A text.
    Text(Arc<str>),
    /// Of the right shape, or no constant.
    Kept,
    /// A constant of another shape; that has been reported.
    Wrong,
}

/// Holds a constant against the shape that its argument takes; anything that would have to be evaluated is not looked
/// at.
pub(crate) fn literal(forest: &Forest, expr: ExprAt, shape: LiteralShape, out: &mut Diagnostics) -> Literal {
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut discarded);
    if discarded.has_errors() || !value.is_wholly_known() {
        return Literal::Kept;
    }
    let text = || convert(&value, &Type::String).ok().and_then(|text| text.as_shared_text().cloned());
    let (found, wanted) = match shape {
        _ if value.is_null() => (None, "a value other than null"),
        LiteralShape::Text | LiteralShape::OneOf(_) => (text().map(Literal::Text), "a text"),
        LiteralShape::Map => (value.entries().map(|_| Literal::Kept), "a map"),
        LiteralShape::TextMap => {
            let texts = value.entries().is_some() && convert(&value, &Type::map(Type::String)).is_ok();
            (texts.then_some(Literal::Kept), "a map of strings")
        }
        LiteralShape::List => {
            let list = matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
            (list.then_some(Literal::Kept), "a list")
        }
    };
    found.unwrap_or_else(|| {
        let detail = format!("The value is not valid for this argument, which expects {wanted}.");
        out.push(Diagnostic::tool(&codes::UNSUITABLE_VALUE, forest.expr_span(expr), detail));
        Literal::Wrong
    })
}

/// The text of a version constraint. A null counts as none, silently; anything unreadable is reported.
pub(crate) fn version_constraint(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Arc<str>> {
    let (value, verdict) = out.watch(|out| eval::constant(forest, expr, out));
    // What a syntax error leaves behind is not known, and has been reported.
    if verdict.failed() || !value.is_known() {
        return None;
    }
    let text = match convert(&value, &Type::String) {
        Ok(value) if value.is_null() => return None,
        Ok(value) => value.as_shared_text().cloned(),
        Err(_) => None,
    };
    let readable = text.filter(|text| Constraints::parse(text).is_some());
    if readable.is_none() {
        let detail = "A version constraint must be a constant string such as \">= 1.2, < 2.0\".";
        out.push(Diagnostic::tool(&codes::VERSION_CONSTRAINT, forest.expr_span(expr), detail));
    }
    readable
}
