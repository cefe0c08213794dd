//! Arguments that must be constants of a given type (terraform.md, section 5). Like the tool, this reports an
//! unsuitable value at the first token of the expression.

use crate::language::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_base::versions::Constraints;
use overfold_dialect::LiteralShape;
use overfold_eval as eval;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Type, Value, convert};
use std::sync::Arc;

/// What is reported about an expression that cannot be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureReport {
    /// The reason, and that the value is unsuitable.
    ReasonAndUnsuitable,
    /// Only the reason.
    ReasonOnly,
}

/// Returns the boolean if the expression is a boolean, or a string that represents one. Anything else is reported.
pub fn boolean(forest: &Forest, expr: ExprAt, on_failure: FailureReport, out: &mut Diagnostics) -> Option<bool> {
    known(forest, expr, &Type::Bool, on_failure, out)?.as_bool()
}

/// Returns the string if the expression is a string or can be converted to one. Anything else, including null, is
/// reported.
pub fn text(forest: &Forest, expr: ExprAt, on_failure: FailureReport, out: &mut Diagnostics) -> Option<Arc<str>> {
    known(forest, expr, &Type::String, on_failure, out)?.as_shared_text().cloned()
}

fn known(
    forest: &Forest,
    expr: ExprAt,
    want: &Type,
    on_failure: FailureReport,
    out: &mut Diagnostics,
) -> Option<Value> {
    let (value, verdict) = out.watch(|out| eval::constant(forest, expr, out));
    if on_failure == FailureReport::ReasonOnly && verdict.failed() {
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

/// The value of an argument that is read only if it is constant.
pub enum Literal {
    /// A string.
    Text(Arc<str>),
    /// A value of the required shape, or an expression that is not constant.
    Kept,
    /// A constant of a different shape, which has been reported.
    Wrong,
}

/// Checks whether a constant has the shape that its argument requires; anything that would have to be evaluated is not
/// checked.
pub fn literal(forest: &Forest, expr: ExprAt, shape: LiteralShape, out: &mut Diagnostics) -> Literal {
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut discarded);
    if discarded.has_errors() || !value.is_wholly_known() {
        return Literal::Kept;
    }
    let text = || convert(&value, &Type::String).ok().and_then(|text| text.as_shared_text().cloned());
    let (found, wanted) = match shape {
        _ if value.is_null() => (None, "a value other than null"),
        LiteralShape::Text | LiteralShape::OneOf(_) => (text().map(Literal::Text), "a text"),
        LiteralShape::Map => (value.as_entries().map(|_| Literal::Kept), "a map"),
        LiteralShape::TextMap => {
            let texts = value.as_entries().is_some() && convert(&value, &Type::map(Type::String)).is_ok();
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

/// Returns a version constraint as a string. Null is silently treated as no constraint; anything unreadable is
/// reported.
pub fn version_constraint(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Arc<str>> {
    let (value, verdict) = out.watch(|out| eval::constant(forest, expr, out));
    // The result of a syntax error is unknown, and has been reported.
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
