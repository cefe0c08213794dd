//! Arguments that take a bare word: `when`, `on_failure`, `language`, `experiments`.

use super::leaf_codes as codes;
use super::traversal::{self, Quoted, error};
use crate::diag::{Code, Diagnostic, Diagnostics, Span};
use crate::syntax::statics;
use crate::syntax::{ExprAt, Forest};

/// The bare word that an expression is, from a closed set; a quoted one warns (`Quoted keywords are deprecated`).
/// Anything else is an error with `code` at the expression and gives `None`.
pub fn one_of(
    forest: &Forest,
    expr: ExprAt,
    words: &[&'static str],
    code: &'static Code,
    out: &mut Diagnostics,
) -> Option<&'static str> {
    let word = match traversal::unquote_keyword(forest, expr, out) {
        Quoted::Text(found) => found.filter(|found| found.steps.is_empty()).map(|found| found.root),
        Quoted::No => statics::keyword(forest, expr),
    };
    let found = word.and_then(|word| words.iter().copied().find(|known| **known == *word));
    if found.is_none() {
        error(out, code, forest.expr_span(expr), format!("This takes one of the words {}.", words.join(", ")));
    }
    found
}

/// A provisioner's `when`.
pub fn when(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<&'static str> {
    one_of(forest, expr, &["create", "destroy"], &codes::WHEN_KEYWORD, out)
}

/// A provisioner's `on_failure`.
pub fn on_failure(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<&'static str> {
    one_of(forest, expr, &["continue", "fail"], &codes::ON_FAILURE_KEYWORD, out)
}

/// `language = TF2021`: the edition has to be one of `editions`, as a bare word.
pub fn edition(forest: &Forest, expr: ExprAt, editions: &[&str], out: &mut Diagnostics) {
    let span = forest.expr_span(expr);
    match statics::keyword(forest, expr) {
        None => error(out, &codes::EDITION, span, "The language edition is a bare word."),
        Some(word) if editions.contains(&&*word) => {}
        Some(word) => error(
            out,
            &codes::EDITION_UNSUPPORTED,
            span,
            format!("This version knows no language edition {word}; it knows {}.", editions.join(", ")),
        ),
    }
}

/// What a release makes of `experiments` (terraform.md, section 10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentRule {
    /// Each item is judged; active ones work, with a warning.
    Listed {
        /// Experiments of this release.
        active: &'static [&'static str],
        /// Experiments that are over.
        concluded: &'static [&'static str],
    },
    /// Any argument is refused; except that a list whose only known item is this one is judged item by item.
    RefusedUnless(&'static str),
    /// Any argument is refused, an empty list too.
    Refused,
}

/// Reads `experiments`; `name` is where the argument's name stands. Gives the active ones.
pub fn experiments(
    forest: &Forest,
    expr: ExprAt,
    name: Span,
    rule: ExperimentRule,
    out: &mut Diagnostics,
) -> Vec<String> {
    let (active, concluded, exception): (&[&str], &[&str], _) = match rule {
        ExperimentRule::Listed { active, concluded } => (active, concluded, None),
        ExperimentRule::RefusedUnless(exception) => (&[], &[], Some(exception)),
        ExperimentRule::Refused => {
            refuse(name, out);
            return Vec::new();
        }
    };
    let mut own = Diagnostics::new();
    let mut found = Vec::new();
    let mut excepted = false;
    for item in statics::static_list(forest, expr, &mut own).unwrap_or_default() {
        let span = forest.expr_span(item);
        let Some(word) = statics::keyword(forest, item) else {
            error(&mut own, &codes::EXPERIMENT_KEYWORD, span, "An experiment is a bare word.");
            continue;
        };
        if active.contains(&&*word) {
            own.push(
                Diagnostic::tool(
                    &codes::EXPERIMENT_ACTIVE,
                    span,
                    "What an experiment does may change in any release, or go.",
                )
                .titled(format!("Experimental feature {word:?} is active")),
            );
            found.push(word.into());
        } else if concluded.contains(&&*word) || exception == Some(&*word) {
            excepted |= exception == Some(&*word);
            error(
                &mut own,
                &codes::EXPERIMENT_CONCLUDED,
                span,
                format!("The experiment {word} is over; leave it out of the list."),
            );
        } else {
            error(&mut own, &codes::EXPERIMENT_UNKNOWN, span, format!("This version knows no experiment {word}."));
        }
    }
    if exception.is_some() && !excepted {
        refuse(name, out);
        return Vec::new();
    }
    out.append(own);
    found
}

fn refuse(name: Span, out: &mut Diagnostics) {
    error(out, &codes::EXPERIMENTS, name, "Releases take no experiments, only builds made for them.");
}
