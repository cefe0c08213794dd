//! Errors that a plan tells once, however many instances have them.
//!
//! The tool compares severity, title, text and place. It does not compare what it knows more about: failed conditions,
//! what is deprecated, errors in calls of functions, and numbers of instances that are unknown or secret.

use std::borrow::Cow;

use foldhash::{HashSet, HashSetExt};

use super::codes;
use overfold_base::account;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Origin, Phase, Severity, Span};
use overfold_check::validate::codes as validate_codes;
use overfold_eval as eval;

/// What is never compared.
const TOLD_EACH_TIME: [&Code; 12] = [
    &codes::CONDITION_FAILED,
    &codes::CHECK_UNKNOWN,
    &codes::DEPRECATED_ROOT_VARIABLE,
    &validate_codes::DEPRECATED_VALUE,
    &validate_codes::DEPRECATED_VARIABLE,
    &validate_codes::COUNT,
    &validate_codes::FOR_EACH,
    &eval::codes::INVALID_ARGUMENT,
    &eval::codes::CALL_FAILED,
    &eval::codes::NOT_ENOUGH_ARGUMENTS,
    &eval::codes::TOO_MANY_ARGUMENTS,
    &eval::codes::INVALID_EXPANSION,
];

/// Leaves out what has been told before at the same place.
pub fn told_once(found: &mut Diagnostics) {
    let mut told: HashSet<(Severity, Span, Cow<'static, str>, Cow<'static, str>)> = HashSet::new();
    found.retain(|finding| {
        account::work(2);
        let Some(span) = finding.span.filter(|_| is_compared(finding)) else { return true };
        account::touch(finding.summary.len() + finding.detail.len());
        told.insert((finding.severity, span, finding.summary.clone(), finding.detail.clone()))
    });
}

fn is_compared(finding: &Diagnostic) -> bool {
    finding.origin == Origin::Tool
        && matches!(finding.phase, Some(Phase::Planning | Phase::Tree))
        && !TOLD_EACH_TIME.contains(&finding.code)
}
