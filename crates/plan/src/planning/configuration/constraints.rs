//! Constraints on the versions of providers in the normal form of the document (plan.md, section 16):
//! without duplicates, in order of version, each version with three numbers (with two after `~>` if it was written with at
//! most two).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use overfold_base::account::{self, ChargedSort, Text};
use overfold_base::versions::{Constraint, Constraints, Operator, Version};

/// Adds the constraints in a text. Of a text that is not valid for providers, there are none.
pub(super) fn add(text: &str, to: &mut Vec<Constraint>) {
    let Some(parsed) = Constraints::parse(text).filter(|parsed| parsed.are_valid_for_providers(text)) else { return };
    account::grow((parsed.list.len() * size_of::<Constraint>()) as u64);
    to.extend(parsed.list);
}

/// Writes constraints; `None` if there are none.
pub(super) fn text(constraints: &[Constraint]) -> Option<Box<str>> {
    let mut sorted: Vec<&Constraint> = constraints.iter().collect();
    sorted.charged_sort_by(8, |a, b| compare(a, b));
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut text = Text::new();
    for constraint in sorted {
        let written = written(constraint);
        if !seen.contains(&written) {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(&written);
            seen.insert(written);
        }
    }
    (!text.is_empty()).then(|| text.finish().into())
}

/// Whether `~>` lets the second number grow.
fn is_minor(constraint: &Constraint) -> bool {
    constraint.operator == Operator::Pessimistic && constraint.version.written() < 3
}

fn compare(a: &Constraint, b: &Constraint) -> Ordering {
    let rank = |constraint: &Constraint| match constraint.operator {
        Operator::Greater => 0,
        Operator::GreaterOrEqual => 1,
        Operator::Pessimistic if is_minor(constraint) => 2,
        Operator::Pessimistic => 3,
        Operator::LessOrEqual => 4,
        Operator::Less => 5,
        Operator::Equal => 6,
        Operator::NotEqual => 7,
    };
    let order = a.version.cmp(&b.version);
    order.then_with(|| rank(a).cmp(&rank(b))).then_with(|| a.version.metadata().cmp(b.version.metadata()))
}

fn written(constraint: &Constraint) -> String {
    let operator = match constraint.operator {
        Operator::Equal => "",
        Operator::NotEqual => "!= ",
        Operator::Greater => "> ",
        Operator::GreaterOrEqual => ">= ",
        Operator::Less => "< ",
        Operator::LessOrEqual => "<= ",
        Operator::Pessimistic => "~> ",
    };
    let numbers = if is_minor(constraint) { 2 } else { 3 };
    let mut text = operator.to_owned();
    let version: &Version = &constraint.version;
    for (at, number) in version.segments().iter().take(numbers).enumerate() {
        // Writing to a string never fails.
        let _ = write!(text, "{}{number}", if at == 0 { "" } else { "." });
    }
    for (sign, part) in [('-', version.pre_release()), ('+', version.metadata())] {
        if !part.is_empty() {
            text.push(sign);
            text.push_str(part);
        }
    }
    text
}
