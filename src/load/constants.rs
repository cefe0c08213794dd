//! Arguments that have to be constants of a given type (terraform.md, section 5; what is unsuitable is told at the
//! expression's first token, as the tool does).

use std::sync::Arc;

use super::{codes, leaf_codes};
use crate::diag::{Diagnostic, Diagnostics};
use crate::eval;
use crate::syntax::{ExprAt, Forest};
use crate::value::{Type, Value, convert};
use crate::versions::Constraints;

/// A truth value, where the expression is one or a text that spells one. Anything else is told.
pub(super) fn truth(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<bool> {
    known(forest, expr, &Type::Bool, out)?.as_bool()
}

/// A text, where the expression is one or converts to one. Anything else, also null, is told.
pub(super) fn text(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Arc<str>> {
    known(forest, expr, &Type::String, out)?.as_shared_text().cloned()
}

fn known(forest: &Forest, expr: ExprAt, want: &Type, out: &mut Diagnostics) -> Option<Value> {
    let value = eval::constant(forest, expr, out);
    let problem = match convert(&value, want) {
        Err(error) => error.to_string(),
        Ok(value) if !value.is_known() => String::from("the value has to be known when the file is read"),
        Ok(value) if value.is_null() => String::from("null is no value here"),
        Ok(value) => return Some(value),
    };
    let detail = format!("The value does not suit this argument: {problem}.");
    out.push(Diagnostic::tool(&codes::UNSUITABLE_VALUE, forest.start_span(expr), detail));
    None
}

/// The text of a version constraint. A null counts as none, silently; anything unreadable is told.
pub(super) fn version_constraint(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Arc<str>> {
    let before = out.error_count();
    let value = eval::constant(forest, expr, out);
    // What a syntax error leaves behind is not known, and has been told.
    if out.error_count() > before || !value.is_known() {
        return None;
    }
    let text = match convert(&value, &Type::String) {
        Ok(value) if value.is_null() => return None,
        Ok(value) => value.as_shared_text().cloned(),
        Err(_) => None,
    };
    let readable = text.filter(|text| Constraints::parse(text).is_some());
    if readable.is_none() {
        let detail = "A version constraint is a constant text such as \">= 1.2, < 2.0\".";
        out.push(Diagnostic::tool(&leaf_codes::VERSION_CONSTRAINT, forest.expr_span(expr), detail));
    }
    readable
}
