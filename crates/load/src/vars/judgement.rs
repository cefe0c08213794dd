//! What the values of the two expressions of a validation rule come to (plan.md, section 9; validate.md, section 5).

use super::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_dialect::{Behaviour, DialectSpec};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Type, Value, convert};

/// What a rule comes to. Whether its expressions could be evaluated at all is another question: the tool reports each
/// error there, and judges the values all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The condition is no truth value, for this reason.
    NoBool(String),
    /// It is not known yet whether the rule holds; before a plan, neither whether it matters.
    Unknown,
    /// It holds.
    Holds,
    /// It does not hold, and its message is not known.
    MessageUnknown,
    /// It does not hold.
    Broken,
}

/// What becomes of a rule that does not hold if its message is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownMessage {
    /// Whether the rule holds counts as unknown, too.
    Waits,
    /// The message is an error.
    IsWrong,
    /// The rule is broken, and its message is not shown.
    IsLeftOut,
}

impl UnknownMessage {
    /// Returns what becomes of it in a release; `planning` if values are known, and not only types.
    pub fn for_dialect(dialect: &DialectSpec, planning: bool) -> Self {
        if dialect.has(Behaviour::UnknownRuleMessagesLeftOut) {
            Self::IsLeftOut
        } else if planning || dialect.has(Behaviour::UnknownRuleMessagesWrong) {
            Self::IsWrong
        } else {
            Self::Waits
        }
    }
}

impl Judgement {
    /// Judges the value of a condition beside that of the message.
    pub fn from_result(condition: &Value, message: Option<&EvaluatedMessage>, unknown: UnknownMessage) -> Self {
        let condition = condition.unmarked_deep();
        if !condition.is_known() {
            return Self::Unknown;
        }
        if condition.is_null() {
            return Self::NoBool("The condition is null, but it must be true or false.".to_owned());
        }
        match convert(&condition, &Type::Bool).map(|holds| holds.as_bool()) {
            Err(error) => Self::NoBool(format!("The condition is not a boolean: {error}.")),
            Ok(Some(true)) => Self::Holds,
            Ok(None) => Self::Unknown,
            Ok(Some(false)) if message.is_some_and(EvaluatedMessage::is_unknown) => match unknown {
                UnknownMessage::IsWrong => Self::MessageUnknown,
                UnknownMessage::Waits => Self::Unknown,
                UnknownMessage::IsLeftOut => Self::Broken,
            },
            Ok(Some(false)) => Self::Broken,
        }
    }
}

/// The message of a rule, evaluated.
pub struct EvaluatedMessage {
    expr: ExprAt,
    pub(crate) text: Value,
    /// Whether the evaluation failed, which has been reported.
    pub(crate) failed: bool,
}

impl EvaluatedMessage {
    /// Evaluates a message, as the tool does whether the rule is met or not (plan.md, section 9). A string in JSON syntax that
    /// cannot be evaluated is the message as it is written.
    pub fn new(
        forest: &Forest,
        expr: ExprAt,
        evaluate: impl FnOnce(&mut Diagnostics) -> Value,
        out: &mut Diagnostics,
    ) -> Self {
        let mut found = Diagnostics::new();
        let text = evaluate(&mut found);
        let failed = found.has_errors();
        if failed && let Some(written) = forest.json_text(expr) {
            let detail = "The error message cannot be evaluated, so its text is used as it is written.";
            out.push(Diagnostic::tool(&codes::RULE_MESSAGE_TEXT, forest.expr_span(expr), detail));
            return Self { expr, text: Value::text(written), failed: false };
        }
        out.append(found);
        Self { expr, text, failed }
    }

    /// Whether it is not known, and not for want of something that only the tool knows.
    fn is_unknown(&self) -> bool {
        !self.text.unmarked_deep().is_known() && !self.text.deep_marks().is_inexact()
    }

    /// Whether it is a string that must not be shown.
    pub fn is_secret(&self) -> bool {
        let marks = self.text.deep_marks();
        let is_text = || !self.failed && !self.text.is_null() && convert(&self.text, &Type::String).is_ok();
        (marks.is_sensitive() || marks.is_ephemeral()) && is_text()
    }

    /// Whether it refers to ephemeral values, and not to sensitive ones.
    pub fn is_only_ephemeral(&self) -> bool {
        let marks = self.text.deep_marks();
        marks.is_ephemeral() && !marks.is_sensitive()
    }

    /// Words that the message is known only after the plan.
    pub fn not_known(&self, forest: &Forest) -> Diagnostic {
        let detail = "The error message refers to something that is known only during a plan or apply.";
        Diagnostic::tool(&codes::RULE_MESSAGE, forest.expr_span(self.expr), detail)
    }

    /// Returns the message as a string, or why it cannot be shown (nothing if the tool has nothing more to say).
    pub fn shown(&self, forest: &Forest) -> Result<String, Option<Box<Diagnostic>>> {
        shown(&self.text, self.failed, forest.expr_span(self.expr))
    }
}

/// Returns the message as a string, or why there is none (nothing if the tool has nothing more to say).
fn shown(text: &Value, broken: bool, span: Span) -> Result<String, Option<Box<Diagnostic>>> {
    let wrong = |why: &'static str| Diagnostic::tool(&codes::RULE_MESSAGE, span, why);
    // What is wrong has been reported, and nothing more is said about null.
    if broken || text.is_null() {
        return Err(None);
    }
    let Ok(value) = convert(text, &Type::String) else {
        let why = "The error message is not a string and cannot be converted to one.";
        return Err(Some(Box::new(wrong(why))));
    };
    let marks = text.deep_marks();
    if marks.is_sensitive() {
        let found = wrong("The error message refers to a sensitive value, so it is not shown.");
        return Err(Some(Box::new(found.titled("Error message refers to sensitive values"))));
    }
    if marks.is_ephemeral() {
        let found = wrong("The error message refers to an ephemeral value, so it is not shown.");
        return Err(Some(Box::new(found.titled("Error message refers to ephemeral values"))));
    }
    value.as_text().map(str::to_owned).ok_or(None)
}
