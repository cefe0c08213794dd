//! Conditions: preconditions, postconditions, assertions and validations (plan.md, section 9).

use std::cell::Cell;
use std::sync::Arc;

use super::codes;
use super::scope::Site;
use super::walk::{VisitOutcome, Walk};
use overfold_base::account::{ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Severity};
use overfold_check::validate::codes::DEPRECATED_VALUE;
use overfold_check::validate::conditions as shared;
use overfold_check::validate::deprecated::without_deprecated_in_condition;
use overfold_check::validate::nodes::NodeId;
pub(crate) use overfold_check::validate::rules::{RuleCheck, RuleMessage, RuleResult};
use overfold_check::validate::walker::meta_blocks;
use overfold_dialect::{Behaviour, words};
use overfold_load::plan::CheckStatus;
use overfold_model::config::{Block, Element};
use overfold_value::{Marks, Value};

/// What a condition belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Precondition,
    Postcondition,
    Output,
    Assertion,
}

impl Role {
    const fn title(self) -> &'static str {
        match self {
            Self::Precondition => "Resource precondition failed",
            Self::Postcondition => "Resource postcondition failed",
            Self::Output => "Module output value precondition failed",
            Self::Assertion => "Check block assertion failed",
        }
    }
}

/// The results of several conditions of one object.
#[derive(Debug)]
pub(super) struct ConditionResults {
    /// The worst of them.
    pub(super) status: CheckStatus,
    /// The messages of those that fail, with the marks of what they quote.
    pub(super) problems: Vec<Value>,
}

impl ConditionResults {
    pub(super) const fn passed() -> Self {
        Self { status: CheckStatus::Pass, problems: Vec::new() }
    }

    /// Adds the result of a condition. Of its message, blanks around it are left out, and all of an empty one.
    fn add(&mut self, status: CheckStatus, problem: Option<Value>) {
        self.status = self.status.max(status);
        self.problems.extend(problem.and_then(|problem| {
            let text = problem.as_text()?.trim();
            (!text.is_empty()).then(|| Value::text(text.touched()).with_marks(problem.marks()))
        }));
    }

    /// Records that conditions are not judged.
    pub(super) fn not_reached<'b, 'f: 'b>(&mut self, mut conditions: impl Iterator<Item = &'b Block<'f>>) {
        if conditions.next().is_some() {
            self.status = self.status.max(CheckStatus::Unknown);
        }
    }

    /// Whether what the conditions belong to can be used.
    pub(super) const fn holds(&self) -> bool {
        matches!(self.status, CheckStatus::Pass | CheckStatus::Unknown)
    }
}

/// Returns the conditions of one kind in the lifecycle of a resource.
pub(super) fn resource_conditions<'b, 'f>(
    block: &'b Block<'f>,
    keyword: &'static str,
) -> impl Iterator<Item = &'b Block<'f>> {
    meta_blocks(block, words::LIFECYCLE).flat_map(move |lifecycle| meta_blocks(lifecycle, keyword))
}

impl<'a> Walk<'_, '_, 'a> {
    /// Judges conditions, in order.
    pub(super) fn conditions<'b>(
        &self,
        blocks: impl Iterator<Item = &'b Block<'a>>,
        role: Role,
        site: Site<'_>,
        results: &mut ConditionResults,
        out: &mut Diagnostics,
    ) where
        'a: 'b,
    {
        for block in blocks.charged(16) {
            let (status, problem) = self.condition(block, role, site, out);
            results.add(status, problem);
        }
    }

    fn condition(
        &self,
        block: &Block<'_>,
        role: Role,
        site: Site<'_>,
        out: &mut Diagnostics,
    ) -> (CheckStatus, Option<Value>) {
        let Some(condition) = block.usable_argument(words::CONDITION) else { return (CheckStatus::Error, None) };
        let at = self.report.forest.expr_span(condition.expr);
        let mut own = Diagnostics::new();
        let (value, _) = self.evaluate_marked(condition.expr, site, None, &mut own);
        let value = if self.warns_of_deprecated {
            without_deprecated_in_condition(
                self.report.dialect,
                (self.report.forest, condition.expr),
                value,
                &mut own,
            )
        } else {
            value
        };
        let message = block.usable_argument(words::ERROR_MESSAGE).and_then(|message| {
            let (value, verdict) = self.evaluate(message.expr, site, &mut own);
            if verdict.failed() {
                return None;
            }
            let text = shared::message(&value, self.report.forest.expr_span(message.expr), &mut own)?;
            Some((text, value.deep_marks()))
        });
        let failed = own.has_errors();
        out.append(own);
        if failed {
            return (CheckStatus::Error, None);
        }
        let value = super::scope::settled(&value);
        if !value.is_known() {
            if role == Role::Assertion && !value.marks().is_inexact() {
                let detail = "This assertion depends on something that is known only when the plan is applied.";
                out.push(Diagnostic::tool(&codes::CHECK_UNKNOWN, at, detail));
            }
            return (CheckStatus::Unknown, None);
        }
        let mut own = Diagnostics::new();
        let holds = shared::result(&value, at, &mut own);
        out.append(own);
        match holds {
            None => (CheckStatus::Error, None),
            Some(true) => (CheckStatus::Pass, None),
            Some(false) => {
                let (shown, marks) = match &message {
                    Some((text, marks)) => (text.as_str(), *marks),
                    None => ("(the error message cannot be shown)", Marks::NONE),
                };
                let detail = format!("The condition does not hold: {shown}");
                let mut finding = Diagnostic::tool(&codes::CONDITION_FAILED, at, detail).titled(role.title());
                if role == Role::Assertion {
                    finding.severity = Severity::Warning;
                }
                out.push(finding.quoting(Quotes::Values(marks.secrecy())));
                (CheckStatus::Fail, message.map(|(text, marks)| Value::text(&*text).with_marks(marks)))
            }
        }
    }

    /// Evaluates the assertions of a check.
    pub(super) fn check(&mut self, path: usize, id: NodeId, block: &'a Block<'a>) -> VisitOutcome {
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut results = ConditionResults::passed();
            results.problems = self.check_problems(path, block, at);
            if !results.problems.is_empty() {
                results.status = CheckStatus::Fail;
            }
            let mut out = Diagnostics::new();
            // A check whose data source cannot be read has failed, whatever else it says.
            let has_data = results.problems.is_empty();
            let assertions = meta_blocks(block, words::ASSERT).filter(|_| has_data);
            self.conditions(assertions, Role::Assertion, Site::new(path, at), &mut results, &mut out);
            failed |= self.take(out, None);
            self.judge(path, id, at, None, results.status, results.problems);
        }
        VisitOutcome::from_failed(failed)
    }

    /// Judges the validations of a variable in every instance of its module.
    pub(super) fn rules(&mut self, path: usize, id: NodeId, element: &'a Element<'a>) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let name = element.address.name();
        let caller = self.instances.list.get(path).and_then(|instance| instance.caller);
        let mut failed = false;
        // What a variable is given may be sensitive in its rules; that it is declared so does not count in some releases.
        let is_declared = walked.variable(element).is_some_and(|variable| variable.marks.is_sensitive());
        let sees_own = self.report.dialect.has(Behaviour::RulesSeeOwnMark);
        let ends_early = self.report.dialect.has(Behaviour::RulesEndAtFirstError);
        let own_marks = if is_declared && !sees_own { Marks::SENSITIVE } else { Marks::NONE };
        for at in 0..self.instance_count(path) {
            let Some(value) = self.instance(Site::new(path, at)).and_then(|instance| instance.variables.get(name))
            else {
                continue;
            };
            let value = super::scope::settled(value);
            let secrecy = value.deep_marks().secrecy();
            // It is not sensitive in its own rules, but a message that quotes it is not shown.
            let own = if own_marks.is_empty() {
                value.clone()
            } else {
                let confidential = value.deep_marks().confidential();
                value.unmarked().with_marks(value.marks().without(own_marks).and(confidential))
            };
            let given_at = caller.and_then(|(caller, call)| {
                let argument = self.argument(caller, call, name)?;
                Some(self.report.forest.expr_span(argument.expr))
            });
            let site = Site { own: Some((name, &own)), ..Site::new(path, at) };
            let mut results = ConditionResults::passed();
            let mut out = Diagnostics::new();
            for block in meta_blocks(element.block, words::VALIDATION) {
                if ends_early && out.has_errors() {
                    break;
                }
                // Those of what was evaluated last, which is the message if a rule is broken.
                let marks = Cell::new(Marks::NONE);
                let check = RuleCheck {
                    dialect: self.report.dialect,
                    language: &walked.evaluation.evaluator.known.language,
                    evaluate: &|expr, out| {
                        let value = super::scope::settled(&self.evaluate(expr, site, out).0);
                        marks.set(value.deep_marks());
                        value
                    },
                    element,
                    given_at,
                    secrecy,
                    planning: true,
                };
                let (status, message) = match check.judge(block, &mut out) {
                    RuleResult::WithoutMessage if self.report.dialect.has(Behaviour::UnknownRuleMessageIsFailure) => {
                        (CheckStatus::Fail, None)
                    }
                    RuleResult::Wrong | RuleResult::WithoutMessage => (CheckStatus::Error, None),
                    RuleResult::Unknown => (CheckStatus::Unknown, None),
                    RuleResult::Holds => (CheckStatus::Pass, None),
                    RuleResult::Broken(message) => (CheckStatus::Fail, message),
                };
                let message = message.map(|message| match message {
                    RuleMessage::Own(text) => Value::text(&*text).with_marks(marks.get()),
                    RuleMessage::Replacement(text) => Value::text(text),
                });
                results.add(status, message);
            }
            // What is wrong with a variable of the root module was found when its value was resolved.
            let is_wrong = out.has_errors();
            failed |= is_wrong;
            if caller.is_none() {
                // But not what its rules use of modules.
                let mut used = Diagnostics::new();
                used.extend(out.into_vec().into_iter().filter(|found| found.code == &DEPRECATED_VALUE));
                out = used;
            }
            self.take(out, None);
            self.judge(path, id, at, None, results.status, results.problems);
        }
        VisitOutcome::from_failed(failed)
    }

    /// Returns what made the data sources of a check fail, in one instance of its module.
    fn check_problems(&self, path: usize, block: &Block<'_>, instance: usize) -> Vec<Value> {
        let inner = block.blocks.iter().charged_at_once(1).filter_map(overfold_model::config::ObjectAddr::of_nested);
        inner.filter_map(|address| self.scoped_failure(path, instance, address)).collect()
    }
}

/// A message as part of a plan.
pub(super) fn problem(text: impl Into<Arc<str>>) -> Value {
    Value::text(&*text.into())
}
