//! Validation rules of variables, with everything but the variable itself unknown (validate.md, section 5).

use super::names::{NameScope, Steps, later_unless};
use super::nodes::is_error;
use super::walker::{ModuleNodes, Visit, meta_blocks};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Span};
use overfold_dialect::{Behaviour, DialectSpec, words};
use overfold_load::vars::{EvaluatedMessage, Judgement, UnknownMessage, codes};
use overfold_model::config::{Argument, Block, Element};
use overfold_model::scope::{Definition, Language, References, Variable};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Value};

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

impl<'a> ModuleNodes<'a> {
    /// Returns the variable that an element declares.
    pub fn variable(&self, element: &'a Element<'a>) -> Option<Variable<'a>> {
        Variable::from_element(&self.module.report.module, element)
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
        let dialect = self.module.report.dialect;
        let blocks = meta_blocks(element.block, words::VALIDATION);
        if !dialect.has(Behaviour::RulesEndAtFirstError) {
            let mut steps = Steps::default();
            let mut rules = Vec::new();
            for block in blocks.charged(8) {
                rules.extend(self.rule(block, &mut steps, visit));
            }
            self.judge_rules(element, &rules, (value, given_at), &mut steps);
            steps.finish(&mut visit.out);
            return;
        }
        let mut failed = false;
        for block in blocks.charged(8) {
            let mut steps = Steps::default();
            if let Some(rule) = self.rule(block, &mut steps, visit) {
                self.judge_rules(element, &[rule], (value, given_at), &mut steps);
            }
            let mut found = Diagnostics::new();
            steps.finish(&mut found);
            let fails = found.iter().any(is_error);
            visit.out.append(later_unless(!failed, found));
            failed |= fails;
        }
    }

    /// Judges rules whose names have been looked up.
    fn judge_rules(
        &self,
        element: &'a Element<'a>,
        rules: &[Rule<'a>],
        (value, given_at): (&Value, Option<Span>),
        steps: &mut Steps,
    ) {
        let dialect = self.module.report.dialect;
        // A sensitive variable is not sensitive in its own rules, but what is said about them may quote it.
        let secrecy = value.deep_marks().secrecy();
        let own = self.evaluation.evaluator.known.definitions.variable_named(element.address.name());
        let is_declared = self.variable(element).is_some_and(|variable| variable.marks.is_sensitive());
        let own_marks = if is_declared { Marks::SENSITIVE } else { Marks::NONE };
        let value = value.unmarked().with_marks(value.marks().without(own_marks));
        for rule in rules {
            let own = own.map(Definition::Variable);
            let replaced = |definition: Definition| (Some(definition) == own).then(|| value.clone());
            let evaluate = |expr: ExprAt, out: &mut Diagnostics| match rule.references_of(expr) {
                Some(references) => self.evaluation.value_with(expr, references, None, replaced, out),
                None => Value::dynamic(),
            };
            let language = &self.evaluation.evaluator.known.language;
            let check =
                RuleCheck { language, evaluate: &evaluate, element, given_at, secrecy, planning: false, dialect };
            let mut found = Diagnostics::new();
            check.rule(rule.condition, rule.message.as_ref().map(|(expr, _)| *expr), &mut found);
            let quoting = |finding: Diagnostic| match finding.quotes {
                Quotes::Values(own) => finding.quoting(Quotes::Values(own.max(secrecy))),
                _ => finding.quoting(Quotes::Values(secrecy)),
            };
            steps.evaluation.extend(found.into_vec().into_iter().map(quoting));
        }
    }

    fn rule(&mut self, block: &'a Block<'a>, steps: &mut Steps, visit: &mut Visit) -> Option<Rule<'a>> {
        let mut look_up = |argument: &Argument<'a>| {
            self.evaluation.look_up(argument.expr, &NameScope::default(), &[], steps, &mut visit.dependencies)
        };
        let condition = block.usable_argument(words::CONDITION)?;
        let references = look_up(condition);
        let message = block.usable_argument(words::ERROR_MESSAGE).map(|message| (message.expr, look_up(message)));
        Some(Rule { condition: condition.expr, references, message })
    }
}

/// What documents of the tool have in place of a message that refers to something secret.
const SECRET_MESSAGE: &str = "The error message included a sensitive value, so it will not be displayed.";

/// What documents of a tool that tells them apart have in place of a message that refers to something ephemeral.
const EPHEMERAL_MESSAGE: &str = "The error message included an ephemeral value, so it will not be displayed.";

/// What documents of the tool have in place of a message that is null, or no text.
const NO_MESSAGE: &str = "Failed to evaluate condition error message.";

/// The message of a rule in a document.
pub enum RuleMessage {
    /// Its own, which may be as secret as what it quotes.
    Own(String),
    /// What the tool has in place of it.
    Replacement(&'static str),
}

/// What came of a rule.
pub enum RuleResult {
    /// Its result is no truth value, which has been reported.
    Wrong,
    /// It does not hold, and its message is not known, which has been reported.
    WithoutMessage,
    /// It is not known yet whether it holds, or cannot be, which has been reported.
    Unknown,
    /// It holds.
    Holds,
    /// It does not hold, which has been reported; its message, if there is one.
    Broken(Option<RuleMessage>),
}

/// The check of a value against the rules of its variable.
pub struct RuleCheck<'w, 'a> {
    /// The table of the dialect.
    pub dialect: &'static DialectSpec,
    /// The language of the expressions.
    pub language: &'w Language<'a>,
    /// Evaluates an expression of a rule.
    pub evaluate: &'w dyn Fn(ExprAt, &mut Diagnostics) -> Value,
    /// The variable.
    pub element: &'a Element<'a>,
    /// Where a value that breaks a rule is reported.
    pub given_at: Option<Span>,
    /// How secret the value is.
    pub secrecy: Secrecy,
    /// Whether it is checked while a plan is made, rather than before.
    pub planning: bool,
}

impl RuleCheck<'_, '_> {
    /// Judges one rule.
    pub fn judge(&self, block: &Block<'_>, out: &mut Diagnostics) -> RuleResult {
        let Some(condition) = block.usable_argument(words::CONDITION) else { return RuleResult::Wrong };
        self.rule(condition.expr, block.usable_argument(words::ERROR_MESSAGE).map(|message| message.expr), out)
    }

    fn rule(&self, condition: ExprAt, message: Option<ExprAt>, out: &mut Diagnostics) -> RuleResult {
        account::work(64);
        let result = (self.evaluate)(condition, out);
        let evaluated =
            |expr| EvaluatedMessage::new(self.language.forest, expr, |out| (self.evaluate)(expr, out), out);
        let message = message.map(evaluated);
        let at = self.language.forest.expr_span(condition);
        match Judgement::from_result(
            &result,
            message.as_ref(),
            UnknownMessage::for_dialect(self.dialect, self.planning),
        ) {
            Judgement::NoBool(why) => {
                out.push(Diagnostic::tool(&codes::RULE_RESULT, at, why).about(self.element.address));
                RuleResult::Wrong
            }
            Judgement::Unknown => RuleResult::Unknown,
            Judgement::Holds => RuleResult::Holds,
            Judgement::MessageUnknown => {
                let unknown = message.map(|message| message.not_known(self.language.forest));
                out.extend(unknown.map(|found| found.about(self.element.address)));
                RuleResult::WithoutMessage
            }
            Judgement::Broken => RuleResult::Broken(self.broken(message.as_ref(), at, out)),
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
                Ok(text) if text.trim().is_empty() => replacement = Some(NO_MESSAGE),
                Ok(text) => message = Some(text),
                Err(problem) => {
                    let is_ephemeral =
                        evaluated.is_only_ephemeral() && self.dialect.has(Behaviour::MessagesNameEphemeralValues);
                    replacement = Some(match evaluated.is_secret() {
                        true if is_ephemeral => EPHEMERAL_MESSAGE,
                        true => SECRET_MESSAGE,
                        false => NO_MESSAGE,
                    });
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
