//! Arguments whose values are keywords: `when`, `on_failure`, `language`, `experiments`.

use std::borrow::Cow;

use crate::body::traversal;
use crate::body::traversal::{Quoted, error};
use crate::language::codes;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, Span};
use overfold_dialect::{ExperimentRule, KeywordRule};
use overfold_syntax::{ExprAt, Forest, statics};

/// Returns the keyword that an expression represents, from a closed set; a quoted one is a warning (`Quoted keywords
/// are deprecated`). Anything else is an error at the expression with the rule's title, and the result is `None`.
pub fn one_of(forest: &Forest, expr: ExprAt, rule: KeywordRule, out: &mut Diagnostics) -> Option<&'static str> {
    let word = match traversal::unquote_keyword(forest, expr, out) {
        Quoted::Text(found) => found.filter(|found| found.steps.is_empty()).map(|found| found.root),
        Quoted::No => statics::keyword(forest, expr),
    };
    check_keyword(forest.expr_span(expr), word, rule, out)
}

/// Like [`one_of`], but does not accept quoted keywords.
pub fn unquoted(forest: &Forest, expr: ExprAt, rule: KeywordRule, out: &mut Diagnostics) -> Option<&'static str> {
    unquoted_at(forest, expr, forest.expr_span(expr), rule, out)
}

/// Like [`unquoted`], but reports the error at `argument`.
pub fn unquoted_at(
    forest: &Forest,
    expr: ExprAt,
    argument: Span,
    rule: KeywordRule,
    out: &mut Diagnostics,
) -> Option<&'static str> {
    check_keyword(argument, statics::keyword(forest, expr), rule, out)
}

fn check_keyword(
    at: Span,
    word: Option<Cow<'_, str>>,
    rule: KeywordRule,
    out: &mut Diagnostics,
) -> Option<&'static str> {
    let found = word.and_then(|word| rule.words.iter().copied().find(|known| **known == *word));
    if found.is_none() {
        let detail = format!("This must be one of these keywords: {}.", rule.words.join(", "));
        out.push(Diagnostic::tool(&codes::KEYWORD, at, detail).titled(rule.title));
    }
    found
}

/// Checks `language = TF2021`: the edition must be one of `editions`, as a keyword.
pub fn edition(forest: &Forest, expr: ExprAt, editions: &[&str], out: &mut Diagnostics) {
    let span = forest.expr_span(expr);
    match statics::keyword(forest, expr) {
        None => error(out, &codes::EDITION, span, "The language edition must be a bare keyword, without quotes."),
        Some(word) if editions.contains(&&*word) => {}
        Some(word) => error(
            out,
            &codes::EDITION_UNSUPPORTED,
            span,
            format!(
                "The version followed here does not support the language edition {word}. It supports: {}.",
                editions.join(", ")
            ),
        ),
    }
}

/// Reads `experiments`; `name` is the location of the argument's name. Returns the active experiments.
pub fn experiments(
    forest: &Forest,
    expr: ExprAt,
    name: Span,
    rule: ExperimentRule,
    out: &mut Diagnostics,
) -> Vec<String> {
    let (active, concluded, exception): (&[&str], &[&str], _) = match rule {
        ExperimentRule::Listed { active, concluded } => (active, concluded, None),
        ExperimentRule::RefusedUnless { only, concluded } => (&[], concluded, Some(only)),
        ExperimentRule::Refused => {
            refuse(name, out);
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    let mut excepted = false;
    let ((), own) = out.collect(|out| {
        for item in statics::static_list(forest, expr, out) {
            let span = forest.expr_span(item);
            let Some(word) = statics::keyword(forest, item) else {
                error(out, &codes::EXPERIMENT_KEYWORD, span, "The name of an experiment must be a bare keyword, without quotes.");
                continue;
            };
            if active.contains(&&*word) {
                out.push(
                    Diagnostic::tool(
                        &codes::EXPERIMENT_ACTIVE,
                        span,
                        "The feature can change or disappear in any release, so do not rely on it.",
                    )
                    .titled(format!("Experimental feature {word:?} is active")),
                );
                found.push(word.into());
            } else if concluded.contains(&&*word) {
                error(
                    out,
                    &codes::EXPERIMENT_CONCLUDED,
                    span,
                    format!("The experiment {word} has concluded. Remove it from the list."),
                );
                excepted |= exception.is_some_and(|only| *only == *word);
            } else {
                error(out, &codes::EXPERIMENT_UNKNOWN, span, format!("The version followed here has no experiment named {word}. Check the spelling, or use the version that has it."));
            }
        }
    });
    if exception.is_some() && !excepted {
        refuse(name, out);
        return Vec::new();
    }
    out.extend(own);
    found
}

fn refuse(name: Span, out: &mut Diagnostics) {
    error(
        out,
        &codes::EXPERIMENTS,
        name,
        "Only development builds support experiments, and a release is followed here. Remove the argument.",
    );
}
