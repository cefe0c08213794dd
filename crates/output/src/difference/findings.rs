//! Finds the diagnostics that exist on one side only.

use std::sync::Arc;

use foldhash::HashMap;

use super::super::redaction::Redaction;
use super::diagnostics::{Placed, in_order};
use overfold_base::account;
use overfold_base::diag::Severity;
use overfold_base::echo;
use overfold_module::pipeline::Report;

/// Indexes into the lists of diagnostics, 0-based and ascending.
pub(super) struct Findings {
    /// In the second list: diagnostics that were not there before.
    pub(super) appeared: Vec<u32>,
    /// In the first list: diagnostics that are no longer there.
    pub(super) vanished: Vec<u32>,
}

/// What identifies a diagnostic, wherever it is: everything that is shown of it except its position.
type Finding = (Severity, &'static str, String, String, Option<Arc<str>>);

impl Findings {
    pub(super) fn of(reports: [&Report<'_>; 2], redactions: [&Redaction<'_>; 2]) -> Self {
        let [before, after] = reports;
        let [was, is] = redactions;
        let (before, after) = (findings(before, was), findings(after, is));
        Self { appeared: unmatched(&after, &before), vanished: unmatched(&before, &after) }
    }
}

fn findings(report: &Report<'_>, redaction: &Redaction<'_>) -> Vec<Finding> {
    let finding = |placed: &Placed<'_>| {
        let diagnostic = placed.diagnostic;
        let texts = redaction.texts(diagnostic);
        account::grow((texts.summary.len() + texts.detail.len() + 64) as u64);
        let address = texts.address.cloned();
        account::touch(address.as_deref().map_or(0, str::len));
        (placed.severity, diagnostic.code.id, texts.summary.to_owned(), texts.detail.into_owned(), address)
    };
    let list = in_order(&report.diagnostics, &report.severities, &report.forest.sources);
    list.iter().map(finding).collect()
}

/// Returns the indexes of the diagnostics in `list` that `other` has fewer times. The first occurrences are matched
/// with those in `other`.
fn unmatched(list: &[Finding], other: &[Finding]) -> Vec<u32> {
    let mut left: HashMap<&Finding, usize> = HashMap::default();
    for finding in other {
        *left.entry(finding).or_default() += 1;
    }
    let mut places = Vec::new();
    for (at, finding) in (0..).zip(list) {
        match left.get_mut(finding) {
            Some(count) if *count > 0 => *count -= 1,
            _ => places.push(at),
        }
    }
    places
}

/// Returns the given diagnostics of a report as one line each, for people: severity, title, code, object and position, and
/// the first further place that belongs to it, such as what is lost.
pub(super) fn lines<'a>(report: &'a Report<'a>, places: &'a [u32]) -> Vec<String> {
    let redaction = Redaction::of(report);
    let list = in_order(&report.diagnostics, &report.severities, &report.forest.sources);
    let line = |at: &u32| {
        let placed = list.get(*at as usize)?;
        let texts = redaction.texts(placed.diagnostic);
        let address = texts.address.map(|address| format!(" in {}", echo::line(address))).unwrap_or_default();
        let related = placed.diagnostic.related.first().map(|related| {
            let sources = &report.forest.sources;
            let name = sources.name(related.span.source);
            format!("; {}: {}:{}", texts.label(related), echo::line(name), sources.range(related.span).start.line)
        });
        let related = related.unwrap_or_default();
        account::grow((texts.summary.len() + address.len() + related.len() + 128) as u64);
        let severity = placed.severity.word();
        let place = placed.at.filter(|(name, _)| !name.is_empty());
        let place = place.map(|(name, range)| format!(" ({name}:{})", range.start.line)).unwrap_or_default();
        Some(format!("{severity}: {} [{}]{address}{place}{related}", texts.summary, placed.diagnostic.code.id))
    };
    places.iter().filter_map(line).collect()
}

/// Returns the errors of a report that are not among the given diagnostics, in ascending order.
pub(super) fn other_errors(report: &Report<'_>, places: &[u32]) -> Vec<u32> {
    let list = in_order(&report.diagnostics, &report.severities, &report.forest.sources);
    let mut places = places.iter().peekable();
    let mut others = Vec::new();
    for (at, placed) in (0..).zip(&list) {
        account::work(2);
        if places.next_if(|place| **place == at).is_none() && placed.severity == Severity::Error {
            others.push(at);
        }
    }
    others
}

/// Returns how many of the given diagnostics of a report are errors.
pub(super) fn errors(report: &Report<'_>, places: &[u32]) -> usize {
    let list = in_order(&report.diagnostics, &report.severities, &report.forest.sources);
    let is_error = |at: &&u32| list.get(**at as usize).is_some_and(|placed| placed.severity == Severity::Error);
    places.iter().filter(is_error).count()
}
