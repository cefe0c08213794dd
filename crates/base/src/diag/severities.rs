//! The severities with which findings are shown, where a request changes those of some codes. What the tool would do
//! with a finding, and with that whether a configuration is valid, depends on the severity of the finding itself.

use std::collections::BTreeMap;

use super::{Diagnostic, Diagnostics, Severity};
use crate::account;

/// The changed severities, by code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Severities {
    /// By the id of a code; `None` for findings that are not shown.
    by_code: BTreeMap<&'static str, Option<Severity>>,
}

/// The number of findings of each severity.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub infos: u64,
}

impl Severities {
    /// Takes the ids of codes with the severity of their findings; `None` for findings that are not to be shown. The
    /// last one for a code counts.
    pub fn new(changes: impl IntoIterator<Item = (&'static str, Option<Severity>)>) -> Self {
        Self { by_code: changes.into_iter().collect() }
    }

    /// Iterates over the changes, sorted by code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<Severity>)> + '_ {
        self.by_code.iter().map(|(code, severity)| (*code, *severity))
    }

    /// Returns the severity with which a finding is shown; `None` if it is not shown.
    pub fn of(&self, finding: &Diagnostic) -> Option<Severity> {
        self.of_code(finding.code.id, finding.severity)
    }

    /// Returns the severity with which a finding with this code and this severity of its own is shown; `None` if it is
    /// not shown.
    pub fn of_code(&self, code: &str, own: Severity) -> Option<Severity> {
        if self.by_code.is_empty() { Some(own) } else { self.by_code.get(code).copied().unwrap_or(Some(own)) }
    }

    /// Counts the findings that are shown, and those that would be if there were not so many.
    pub fn tally(&self, found: &Diagnostics) -> Tally {
        account::work(found.list.len() as u64);
        let mut tally = Tally::default();
        for finding in found {
            tally.add(self.of(finding), 1);
        }
        for ((code, own), count) in &found.dropped {
            tally.add(self.of_code(code, *own), *count as u64);
        }
        tally
    }

    /// Returns the number of findings that are not listed because there are too many, without those that would not be
    /// shown anyway.
    pub fn dropped(&self, found: &Diagnostics) -> usize {
        let shown = found.dropped.iter().filter(|((code, own), _)| self.of_code(code, *own).is_some());
        shown.map(|(_, count)| *count).sum()
    }
}

impl Tally {
    /// Counts findings of this severity; `None` for those that are not shown.
    pub fn add(&mut self, severity: Option<Severity>, count: u64) {
        match severity {
            Some(Severity::Error) => self.errors += count,
            Some(Severity::Warning) => self.warnings += count,
            Some(Severity::Info) => self.infos += count,
            None => {}
        }
    }

    /// Whether there are findings of this severity or a worse one.
    pub const fn reaches(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors > 0,
            Severity::Warning => self.errors + self.warnings > 0,
            Severity::Info => self.errors + self.warnings + self.infos > 0,
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
    }
}
