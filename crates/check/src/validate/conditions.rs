//! Results and messages of conditions (validate.md, section 5).

use super::codes;
use super::deprecated::without_deprecated_in_condition;
use super::evaluation::Evaluation;
use super::nodes::is_error;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_model::scope::References;
use overfold_syntax::ExprAt;
use overfold_value::{Type, Value, convert};

/// The error message of a condition.
pub(crate) struct Message<'w, 'a> {
    pub(crate) evaluation: &'w Evaluation<'a>,
    pub(crate) expr: ExprAt,
}

impl Message<'_, '_> {
    /// Evaluates the message, and returns it if it is known and may be shown. With `nameless`, the tool does not know
    /// any names.
    pub(crate) fn check(&self, references: &References<'_>, nameless: bool, out: &mut Diagnostics) -> Option<String> {
        let mut own = Diagnostics::new();
        let value = if nameless {
            self.evaluation.without_names(self.expr, &mut own)
        } else {
            let value = self.evaluation.value(self.expr, &references.well_formed(), None, &mut own);
            let names = self.evaluation.names();
            without_deprecated_in_condition(names.module.report.dialect, (names.forest, self.expr), value, &mut own)
        };
        let failed = own.iter().any(is_error);
        out.append(own);
        if failed {
            return None;
        }
        message(&value, self.evaluation.span(self.expr), out)
    }
}

/// Returns the text of an error message if it is known and may be shown; `at` is its expression.
pub fn message(value: &Value, at: Span, out: &mut Diagnostics) -> Option<String> {
    let text = match convert(value, &Type::String) {
        Ok(text) => text,
        Err(problem) => {
            let detail = format!("The error message cannot be converted to a string: {problem}.");
            let quotes = Quotes::Values(value.deep_marks().secrecy());
            out.push(Diagnostic::tool(&codes::MESSAGE, at, detail).quoting(quotes));
            return None;
        }
    };
    if text.is_null() {
        let detail = "The error message is null, but it must be a string.";
        out.push(Diagnostic::tool(&codes::MESSAGE, at, detail));
        return None;
    }
    let text_of = text.as_shared_text().map(ToString::to_string);
    let marks = value.deep_marks();
    if text_of.is_some() && marks.is_sensitive() {
        let detail = "The error message refers to something sensitive, so it is not shown.";
        out.push(Diagnostic::tool(&codes::SENSITIVE_MESSAGE, at, detail));
        return None;
    }
    if text_of.is_some() && marks.is_ephemeral() {
        let detail = "The error message refers to something ephemeral, so it is not shown.";
        out.push(Diagnostic::tool(&codes::EPHEMERAL_MESSAGE, at, detail));
        return None;
    }
    text_of
}

/// Returns whether a condition holds; `None` if that is not known, or cannot be, which is then reported.
pub fn result(value: &Value, at: Span, out: &mut Diagnostics) -> Option<bool> {
    let quotes = Quotes::Values(value.deep_marks().secrecy());
    let value = value.unmarked_deep();
    if !value.is_known() {
        return None;
    }
    if value.is_null() {
        let detail = "The condition is null, but it must be true or false.";
        out.push(Diagnostic::tool(&codes::CONDITION, at, detail));
        return None;
    }
    match convert(&value, &Type::Bool) {
        Ok(value) => value.as_bool(),
        Err(problem) => {
            let detail = format!("The condition is not a boolean: {problem}.");
            out.push(Diagnostic::tool(&codes::CONDITION, at, detail).quoting(quotes));
            None
        }
    }
}
