//! What another version does, as text for people.

use foldhash::HashSet;

use super::super::super::text::{MAX_TEXT, push};
use super::super::text::hints;
use super::{ReportedFinding, UpgradeChange, UpgradeDifference, UpgradeKind, UpgradeVerdict};
use crate::bounded::Bounded;
use crate::comment::counts;
use crate::diagnostics::{Placed, in_order};
use crate::difference::DifferenceKind;
use crate::excerpt::distinct;
use crate::redaction::Redaction;
use crate::view::VersionObstacle;
use overfold_base::account::{self, ChargedIterator as _, List};
use overfold_base::diag::{Diagnostic, Severity};
use overfold_dialect::{DialectSpec, Difference as VersionRow, Release, When};

/// The maximum number of characters of a value.
const MAX: usize = 80;

pub(super) fn write(difference: &UpgradeDifference<'_>, ready: &[VersionObstacle<'_>]) -> String {
    let mut text = Bounded::new(MAX_TEXT);
    add(difference, ready, &mut text);
    text.finish()
}

/// Adds everything that is said of a difference.
pub(super) fn add(difference: &UpgradeDifference<'_>, ready: &[VersionObstacle<'_>], text: &mut Bounded) {
    text.entry(&format!("{}\n", difference.headline()));
    let mut lines = List::new();
    if exactly(difference.before.dialect) == exactly(difference.after.dialect) {
        push(&mut lines, "both are the same version, so nothing can change; --from names the one in use");
    }
    for (obstacle, edits) in ready.iter().map(|obstacle| (obstacle, obstacle_edits(obstacle))) {
        push(&mut lines, &format!("! {} ({})", obstacle.summary, obstacle_place(obstacle)));
        for edit in edits {
            push(&mut lines, &format!("    write {edit} instead"));
        }
    }
    for (sign, list) in ['+', '-'].into_iter().zip(difference.finding_lines()) {
        for FindingLine { line, place, rule } in list {
            let place = place.map_or_else(String::new, |(file, line)| format!(" ({file}:{line})"));
            push(&mut lines, &format!("{sign} {line}{place}{}", because(rule)));
        }
    }
    for line in difference.shared_errors() {
        push(&mut lines, &format!("with both: {line}"));
    }
    for change in &difference.changes {
        push(&mut lines, &format!("{}{}", change.line(MAX, str::to_owned), because(change.rule)));
    }
    if !difference.shared_errors().is_empty() {
        for hint in hints([difference.compared[1], difference.after]) {
            push(&mut lines, hint);
        }
    }
    let rules = difference.rules();
    if !rules.is_empty() {
        push(&mut lines, "Behind this:");
    }
    for rule in rules {
        push(&mut lines, &format!("    {}: {} {} ({})", rule.id, rule.summary, releases(rule), rule.source));
    }
    for line in lines {
        text.entry(&line);
    }
}

/// Returns a verdict in words.
pub(super) const fn in_words(verdict: UpgradeVerdict) -> &'static str {
    match verdict {
        UpgradeVerdict::Same => "nothing changes",
        UpgradeVerdict::Changes => "something changes",
        UpgradeVerdict::Breaks => "breaks",
    }
}

fn because(rule: Option<&VersionRow>) -> String {
    rule.map_or_else(String::new, |rule| format!(" [{}]", rule.id))
}

/// Names a tool with its version in full, also if the request names a release line.
pub(super) fn exactly(dialect: &DialectSpec) -> String {
    format!("{} {}", dialect.tool, dialect.version)
}

/// Returns the place of what stands in the way.
pub(super) fn obstacle_place(obstacle: &VersionObstacle<'_>) -> String {
    format!("{}:{}", obstacle.range.filename, obstacle.range.start.line)
}

/// Returns what is to be written in place of what stands in the way.
pub(super) fn obstacle_edits(obstacle: &VersionObstacle<'_>) -> Vec<String> {
    obstacle.edits.iter().map(|edit| edit.text.clone()).collect()
}

/// A finding for people.
pub(super) struct FindingLine<'r> {
    /// Severity, title and code.
    pub(super) line: String,
    /// The file and the line.
    pub(super) place: Option<(&'r str, u32)>,
    /// The row that explains it.
    pub(super) rule: Option<&'static VersionRow>,
}

/// Says in which releases a row holds.
pub(super) fn releases(rule: &VersionRow) -> String {
    let release = |Release(major, minor, patch): Release| format!("{major}.{minor}.{patch}");
    let range = |When { since, until }: &When| match (*since == When::ALWAYS.since, until) {
        (true, None) => "always".to_owned(),
        (true, Some(until)) => format!("before {}", release(*until)),
        (false, None) => format!("since {}", release(*since)),
        (false, Some(until)) => format!("from {} until before {}", release(*since), release(*until)),
    };
    let tools = rule.ranges.iter().map(|(dialect, ranges)| {
        let mut texts: Vec<String> = Vec::new();
        let mut last: Option<Release> = None;
        for own in ranges {
            // A range that goes on where another one ends: what holds there is another form of the same.
            match (texts.last_mut(), last) {
                (Some(text), Some(until)) if until == own.since => {
                    let end = own
                        .until
                        .map_or_else(|| " on".to_owned(), |until| format!(" until before {}", release(until)));
                    *text = format!("{text}, in another form from {}{end}", release(until));
                }
                _ => texts.push(range(own)),
            }
            last = own.until;
        }
        format!("{dialect}: {}", texts.join(", "))
    });
    let tools: Vec<String> = tools.collect();
    format!("{}.", tools.join("; "))
}

impl UpgradeDifference<'_> {
    /// Says in one line what the other version does.
    pub(super) fn headline(&self) -> String {
        let [from, to] = [self.before, self.after].map(|report| exactly(report.dialect));
        let verdict = in_words(self.verdict());
        let shared = match self.shared_errors().len() {
            0 => String::new(),
            1 => "1 error with both".to_owned(),
            count => format!("{count} errors with both"),
        };
        let parts: Vec<String> = [self.counted(), shared].into_iter().filter(|text| !text.is_empty()).collect();
        let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
        format!("{from} -> {to}: {verdict}{parts}")
    }

    /// Returns the errors of the new version that the old one reports, too, as lines.
    pub(super) fn shared_errors(&self) -> Vec<String> {
        let report = self.compared[1];
        account::build(self.added.len() as u64, 16 * self.added.len() as u64);
        let own: HashSet<*const Diagnostic> =
            self.added.iter().map(|finding| std::ptr::from_ref(finding.placed.diagnostic)).collect();
        let redaction = Redaction::of(report);
        let list = in_order(&report.diagnostics, &report.severities, &report.forest.sources);
        let shared = list.into_iter().charged(8).filter(|placed| {
            placed.severity == Severity::Error && !own.contains(&std::ptr::from_ref(placed.diagnostic))
        });
        let line = |placed| {
            let FindingLine { line, place, .. } = line(&redaction, &placed, None);
            let place = place.map_or_else(String::new, |(file, line)| format!(" ({file}:{line})"));
            line + &place
        };
        shared.map(line).collect()
    }

    /// Says how many differences there are; what is zero is left out.
    pub(super) fn counted(&self) -> String {
        let number = |side: usize| self.findings_of(side).iter().map(|(_, list)| list.len()).sum();
        let findings = counts("diagnostic", &[(number(1), "more"), (number(0), "gone")]);
        let changes = counts("difference", &[(self.changes.len(), "in the plan")]);
        let open = match self.unexplained() {
            0 => String::new(),
            number if self.is_searched => format!("{number} unexplained"),
            number => format!("{number} unexplained, since the limits ended the search"),
        };
        let parts = [findings, changes, open].into_iter().filter(|text| !text.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Returns the findings that are new, and those that are gone, errors first.
    pub(super) fn finding_lines(&self) -> [Vec<FindingLine<'_>>; 2] {
        [1, 0].map(|side| {
            let mut lines = Vec::new();
            for (report, list) in self.findings_of(side) {
                let redaction = Redaction::of(report);
                let mut own: Vec<&ReportedFinding<'_>> = list.iter().collect();
                own.sort_by_key(|finding| finding.placed.severity);
                lines.extend(own.into_iter().map(|finding| line(&redaction, &finding.placed, finding.rule)));
            }
            lines
        })
    }
}

fn line<'r>(redaction: &Redaction<'_>, placed: &Placed<'r>, rule: Option<&'static VersionRow>) -> FindingLine<'r> {
    let texts = redaction.texts(placed.diagnostic);
    let place = placed.at.filter(|(name, _)| !name.is_empty());
    FindingLine {
        line: format!("{}: {} [{}]", placed.severity.word(), texts.summary, placed.diagnostic.code.id),
        place: place.map(|(name, range)| (name, range.start.line)),
        rule,
    }
}

impl UpgradeChange<'_> {
    /// Describes a difference in one line; `shown` returns what a reader will see of a value.
    pub(super) fn line(&self, most: usize, shown: impl Fn(&str) -> String) -> String {
        let is_whole = self.kind == UpgradeKind::Document && self.pointer.is_empty();
        let line = |at: usize| {
            self.sides.get(at).and_then(|side| side.as_ref()).filter(|_| !is_whole).map(|side| &*side.line)
        };
        let [was, is] = [line(0), line(1)];
        let [old, new] = distinct([was.unwrap_or_default(), is.unwrap_or_default()], most, shown);
        let both: Vec<String> = [was.map(|_| old), is.map(|_| new)].into_iter().flatten().collect();
        let both = both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" -> ");
        let colon = if both.is_empty() { "" } else { ": " };
        let times = if self.count > 1 { format!(" ({} times)", self.count) } else { String::new() };
        format!("{} {}{times}{colon}{both}", self.change.sign(), self.subject())
    }

    /// Names what is different.
    pub(super) fn subject(&self) -> String {
        let about = match self.kind {
            UpgradeKind::Value if self.is_of_conditions => ", conditions",
            UpgradeKind::Value | UpgradeKind::Instance => "",
            UpgradeKind::Sensitive => ", sensitive",
            UpgradeKind::Unknown => ", known when planned",
            UpgradeKind::Type => ", type",
            UpgradeKind::Document if self.pointer.is_empty() => {
                let is_written = self.change == DifferenceKind::Added;
                let word = if is_written { "is written" } else { "is not written any more" };
                return format!("the plan document {word}");
            }
            UpgradeKind::Document => return format!("the plan document, {}", self.pointer),
        };
        let moved = if self.change == DifferenceKind::Moved { ", address" } else { "" };
        let space = if self.pointer.is_empty() { "" } else { " " };
        format!("{}{space}{}{about}{moved}", self.address, self.pointer)
    }
}
