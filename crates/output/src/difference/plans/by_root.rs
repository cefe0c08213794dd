//! What is kept of root modules that are compared one after the other, in order of their paths.

use super::super::text::MAX_TEXT;
use super::super::tree::DifferenceForm;
use crate::bounded::Bounded;
use crate::plan::AnswersByPath;
use overfold_base::account::{self, ChargedIterator, ChargedSort};
use overfold_base::diag::{Diagnostic, Severity};
use overfold_module::repository::RootModules;

/// Room for the lines at the end of a text that say how much differs, in characters.
const TOTALS: usize = 400;

/// What is kept, in the form that was asked for.
pub(super) enum ByRoot<P> {
    /// Whole answers.
    Json(AnswersByPath),
    /// What is said of each root module, with its path.
    Markdown(Vec<(Box<str>, P)>),
    Text(Bounded),
}

impl<P> ByRoot<P> {
    /// Starts without root modules.
    pub(super) fn new(form: DifferenceForm) -> Self {
        match form {
            DifferenceForm::Json => Self::Json(AnswersByPath::new()),
            DifferenceForm::Markdown => Self::Markdown(Vec::new()),
            DifferenceForm::Text => {
                let mut text = Bounded::new(MAX_TEXT);
                text.reserve_characters(TOTALS);
                Self::Text(text)
            }
        }
    }
}

/// A directory that could not be loaded, and how the finding that explains it is shown.
pub(super) struct LeftOut<'r> {
    path: &'r str,
    finding: &'r Diagnostic,
    severity: Severity,
}

impl<'r> LeftOut<'r> {
    /// Returns those that are shown, in order of their paths.
    pub(super) fn of(found: &'r RootModules) -> Vec<Self> {
        let shown = |(path, finding): &'r (String, Diagnostic)| {
            account::grow(size_of::<Self>() as u64);
            Some(Self { path, finding, severity: found.module.severities.of(finding)? })
        };
        let mut list: Vec<Self> = found.left_out.iter().charged(4).filter_map(shown).collect();
        list.charged_sort_by_key(8, |own| own.path);
        list
    }

    /// Returns its path and the finding.
    pub(super) const fn parts(&self) -> (&'r str, &'r Diagnostic) {
        (self.path, self.finding)
    }

    /// Describes it in a line for people.
    pub(super) fn line(&self) -> String {
        let Self { path, finding, severity } = self;
        format!("{}: {} [{}] ({path})", severity.word(), finding.summary, finding.code.id)
    }
}

/// Returns the positions in a list of what another one lacks.
pub(super) fn left_out_alone(list: &[LeftOut<'_>], other: &[LeftOut<'_>]) -> Vec<u32> {
    let mut other = other.iter().charged(2).peekable();
    let mut places = Vec::new();
    for (at, own) in (0..).zip(list) {
        while other.next_if(|theirs| theirs.path < own.path).is_some() {}
        if !other.peek().is_some_and(|theirs| theirs.path == own.path && theirs.finding.code == own.finding.code) {
            places.push(at);
        }
    }
    places
}
