//! Validation rules of variables, with everything but the variable itself unknown (validate.md, section 5).

use super::names::{Place, Steps};
use super::nodes::is_error;
use super::walker::{Visit, Walked, meta_blocks};
use crate::vars::{EvaluatedMessage, codes};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Span};
use overfold_dialect::words;
use overfold_eval as eval;
use overfold_model::config::{Argument, Block, Element};
use overfold_model::scope::{Definition, Language, References, Variable};
use overfold_syntax::{ExprAt, statics};
use overfold_value::{Marks, Type, Value, convert};

/// A rule whose names have been looked up.
struct Rule<'f> {
    condition: ExprAt,
    references: References<'f>,
    message: Option<(ExprAt, References<'f>)>,
}

impl Rule<'_> {
    /// Returns the references of one of its expressions.
    fn references_of(&self, expr: ExprAt) -> Option<&References<'_>> {
        if expr == self.condition {
            return Some(&self.references);
        }
        self.message.as_ref().filter(|(message, _)| *message == expr).map(|(_, references)| references)
    }
}

impl<'a> Walked<'a> {
    /// Returns the variable that an element declares.
    pub(super) fn variable(&self, element: &'a Element<'a>) -> Option<Variable<'a>> {
        Variable::of(&self.module.report.module, element)
    }

    /// Checks the rules of a variable that has this value: references of all rules first, then each rule. The tool
    /// reports a value that breaks a rule at `given_at`, which may be no place.
    pub(super) fn rules(
        &mut self,
        element: &'a Element<'a>,
        value: &Value,
        given_at: Option<Span>,
        visit: &mut Visit,
    ) {
        let mut steps = Steps::default();
        let mut rules = Vec::new();
        for block in meta_blocks(element.block, words::VALIDATION) {
            account::work(8);
            rules.extend(self.rule(block, &mut steps, visit));
        }
        // A sensitive variable is not sensitive in its own rules, but what is said about them may quote it.
        let secrecy = value.deep_marks().secrecy();
        let own = self.evaluation.evaluator.known.definitions.variable_named(element.address.name());
        let value = value.unmarked().with_marks(value.marks().without(Marks::SENSITIVE));
        for rule in &rules {
            let own = own.map(Definition::Variable);
            let replaced = |definition: Definition| (Some(definition) == own).then(|| value.clone());
            let evaluate = |expr: ExprAt, out: &mut Diagnostics| match rule.references_of(expr) {
                Some(references) => self.evaluation.value_with(expr, references, None, replaced, out),
                None => Value::dynamic(),
            };
            let language = &self.evaluation.evaluator.known.language;
            let check = RuleCheck { language, evaluate: &evaluate, element, given_at, secrecy, planning: false };
            let mut found = Diagnostics::new();
            check.rule(rule.condition, rule.message.as_ref().map(|(expr, _)| *expr), &mut found);
            let quoting = |finding: Diagnostic| match finding.quotes {
                Quotes::Values(own) => finding.quoting(Quotes::Values(own.max(secrecy))),
                _ => finding.quoting(Quotes::Values(secrecy)),
            };
            steps.evaluation.extend(found.into_vec().into_iter().map(quoting));
        }
        steps.finish(&mut visit.out);
    }

    fn rule(&mut self, block: &'a Block<'a>, steps: &mut Steps, visit: &mut Visit) -> Option<Rule<'a>> {
        let argument = |name: &str| block.arguments.iter().find(|found| found.name == name && !found.broken);
        let mut look_up = |argument: &Argument<'a>| {
            self.evaluation.look_up(argument.expr, &Place::default(), &[], steps, &mut visit.dependencies)
        };
        let condition = argument(words::CONDITION)?;
        let references = look_up(condition);
        let message = argument(words::ERROR_MESSAGE).map(|message| (message.expr, look_up(message)));
        Some(Rule { condition: condition.expr, references, message })
    }
}

/// What documents of the tool have in place of a message that refers to something secret.
const SECRET_MESSAGE: &str = "The error message included a sensitive value, so it will not be displayed.";

/// What documents of the tool have in place of a message that is null, or no text.
const NO_MESSAGE: &str = "Failed to evaluate condition error message.";

/// The message of a rule in a document.
pub(crate) enum RuleMessage {
    /// Its own, which may be as secret as what it quotes.
    Own(String),
    /// What the tool has in place of it.
    Replacement(&'static str),
}

/// What came of a rule.
pub(crate) enum RuleResult {
    /// It cannot be evaluated, which has been reported.
    Wrong,
    /// It does not hold, and its message cannot be evaluated, which has been reported.
    WithoutMessage,
    /// It is not known yet whether it holds.
    Unknown,
    /// It holds.
    Holds,
    /// It does not hold, which has been reported; its message, if there is one.
    Broken(Option<RuleMessage>),
}

/// The check of a value against the rules of its variable.
pub(crate) struct RuleCheck<'w, 'a> {
    /// The language of the expressions.
    pub(crate) language: &'w Language<'a>,
    /// Evaluates an expression of a rule.
    pub(crate) evaluate: &'w dyn Fn(ExprAt, &mut Diagnostics) -> Value,
    /// The variable.
    pub(crate) element: &'a Element<'a>,
    /// Where a value that breaks a rule is reported.
    pub(crate) given_at: Option<Span>,
    /// How secret the value is.
    pub(crate) secrecy: Secrecy,
    /// Whether it is checked while a plan is made, rather than before.
    pub(crate) planning: bool,
}

impl RuleCheck<'_, '_> {
    /// Judges one rule.
    pub(crate) fn judge(&self, block: &Block<'_>, out: &mut Diagnostics) -> RuleResult {
        let argument = |name: &str| block.arguments.iter().find(|found| found.name == name && !found.broken);
        let Some(condition) = argument(words::CONDITION) else { return RuleResult::Wrong };
        self.rule(condition.expr, argument(words::ERROR_MESSAGE).map(|message| message.expr), out)
    }

    /// Reports functions that do not exist, in both expressions; nothing of such a rule is evaluated.
    fn are_functions_known(&self, condition: ExprAt, message: Option<ExprAt>, out: &mut Diagnostics) -> bool {
        let language = self.language;
        let expressions = [Some(condition), message].into_iter().flatten();
        let calls = expressions.flat_map(|expr| statics::calls(language.forest, expr));
        let mut all_exist = true;
        for call in calls {
            let unknown = eval::unknown_function(language.functions, language.providers, call.name, call.name_span);
            if let Some(unknown) = unknown {
                all_exist = false;
                out.push(unknown);
            }
        }
        all_exist
    }

    fn rule(&self, condition: ExprAt, message: Option<ExprAt>, out: &mut Diagnostics) -> RuleResult {
        account::work(64);
        if !self.are_functions_known(condition, message, out) {
            return RuleResult::Wrong;
        }
        let mut own = Diagnostics::new();
        let result = (self.evaluate)(condition, &mut own);
        let failed = own.iter().any(is_error);
        out.append(own);
        let evaluated =
            |expr| EvaluatedMessage::of(self.language.forest, expr, |out| (self.evaluate)(expr, out), out);
        let message = message.map(evaluated);
        if failed || !self.planning && message.as_ref().is_some_and(|message| message.failed) {
            return RuleResult::Wrong;
        }
        let result = result.unmarked_deep();
        let at = self.language.forest.expr_span(condition);
        let address = self.element.address;
        let wrong = |why: String| Diagnostic::tool(&codes::RULE_RESULT, at, why).about(address);
        if result.is_null() {
            out.push(wrong("The condition is null, but it must be true or false.".to_owned()));
            return RuleResult::Wrong;
        }
        match convert(&result, &Type::Bool) {
            Ok(holds) => match holds.as_bool() {
                Some(false) => match message {
                    Some(message) if message.failed => {
                        let problem = message.shown(self.language.forest).err().flatten();
                        out.extend(problem.map(|problem| (*problem).about(address)));
                        RuleResult::WithoutMessage
                    }
                    message => RuleResult::Broken(self.broken(message.as_ref(), at, out)),
                },
                Some(true) => RuleResult::Holds,
                None => RuleResult::Unknown,
            },
            Err(problem) => {
                out.push(wrong(format!("The condition is not a boolean: {problem}.")));
                RuleResult::Wrong
            }
        }
    }

    /// Reports a value that breaks a rule, with the message of the rule if it may be shown. Returns the message, or what
    /// documents of the tool have in place of it.
    fn broken(
        &self,
        evaluated: Option<&EvaluatedMessage>,
        condition: Span,
        out: &mut Diagnostics,
    ) -> Option<RuleMessage> {
        let (mut message, mut replacement) = (None, None);
        if let Some(evaluated) = evaluated {
            match evaluated.shown(self.language.forest) {
                Ok(text) => message = Some(text),
                Err(problem) => {
                    let marks = evaluated.text.deep_marks();
                    let is_secret = marks.is_sensitive() || marks.is_ephemeral();
                    replacement = Some(if is_secret { SECRET_MESSAGE } else { NO_MESSAGE });
                    out.extend(problem.map(|problem| (*problem).about(self.element.address)));
                }
            }
        }
        let address = self.element.address;
        let shown = message.as_deref().unwrap_or("(the error message cannot be shown)");
        let detail = format!("The value of {address} does not satisfy a validation rule: {shown}");
        out.push(
            Diagnostic::tool(&codes::RULE_FAILED, self.given_at, detail)
                .about(address)
                .quoting(Quotes::Values(self.secrecy))
                .and("the rule", condition),
        );
        message.map(RuleMessage::Own).or(replacement.map(RuleMessage::Replacement))
    }
}
