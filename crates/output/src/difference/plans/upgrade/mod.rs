//! Compares what two versions of a tool make of the same files: what they report, and what they plan.
//!
//! Diagnostics are compared with their places (`findings`). Planned values are compared as between any two plans (`plans`); what
//! else the documents have is compared member by member (`documents`), so that no difference between the documents is lost.
//! Each difference has a key that does not depend on the run, by which it is found again in other runs.

mod documents;
mod findings;
mod json;
mod markdown;
mod ready;
mod roots;
mod text;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use foldhash::{HashMap, HashSet};

pub use roots::UpgradeDifferences;

use super::values::hash_of;
use super::{ComparedPlans, InstanceChangeKind, OutputChange, ValueSide};
use crate::comment::LinkBase;
use crate::diagnostics::Placed;
use crate::difference::{DifferenceForm, DifferenceKind};
use crate::json::JsonText;
use crate::plan::{check_status, value_line, value_text};
use crate::view::{Range, VersionObstacle};
use overfold_base::account::{self, List};
use overfold_base::diag::{Secrecy, Severity, Span};
use overfold_base::named;
use overfold_dialect::Difference as VersionRow;
use overfold_module::pipeline::Report;
use overfold_module::plan::CheckedObject;
use overfold_value::Value;

/// The greatest weight of a value that answers show whole.
const MAX_WEIGHT: u64 = 2_000;

/// The number of bytes of a value that texts for people are made from.
const MAX_LINE: usize = 400;

named! {
    /// The kind of difference.
    pub enum UpgradeKind {
        /// A planned value, or the result of a condition.
        Value = "value",
        /// Whether something counts as sensitive.
        Sensitive = "sensitive",
        /// Whether something is known when the plan is made.
        Unknown = "unknown",
        /// The type of an output.
        Type = "type",
        /// Whether there is an instance, or its address.
        Instance = "instance",
        /// Another part of the plan document.
        Document = "document",
    }
}

named! {
    /// What another version does to a configuration.
    pub enum UpgradeVerdict {
        /// Nothing that a reader would notice.
        Same = "same",
        /// Values, marks, messages or warnings change.
        Changes = "changes",
        /// Errors appear, or the new version cannot be used.
        Breaks = "breaks",
    }
}

/// What is different under another version.
pub struct UpgradeDifference<'r> {
    /// The runs as they are.
    before: &'r Report<'r>,
    after: &'r Report<'r>,
    /// The runs that are compared: the same, or those of versions that no constraint excludes.
    compared: [&'r Report<'r>; 2],
    /// The constraints that exclude only the old version, and those that exclude only the new one, if other runs than those
    /// are compared.
    constraints: [List<ReportedFinding<'r>>; 2],
    /// What the new version does not report any more.
    removed: List<ReportedFinding<'r>>,
    /// What only the new version reports.
    added: List<ReportedFinding<'r>>,
    changes: List<UpgradeChange<'r>>,
    /// Whether a row was looked for behind every difference.
    is_searched: bool,
}

/// A finding of one version.
struct ReportedFinding<'r> {
    key: u64,
    placed: Placed<'r>,
    rule: Option<&'static VersionRow>,
}

/// A difference between two plans.
struct UpgradeChange<'r> {
    key: u64,
    /// Differences of the same shape are shown as one.
    shape: u64,
    kind: UpgradeKind,
    address: Box<str>,
    pointer: Box<str>,
    change: DifferenceKind,
    sides: [Option<ShownSide<'r>>; 2],
    /// The number of differences of this shape.
    count: u32,
    /// Whether the results of conditions differ.
    is_of_conditions: bool,
    rule: Option<&'static VersionRow>,
}

/// What stands on one side of a difference, as it may be shown.
struct ShownSide<'r> {
    value: Option<JsonText<'static>>,
    is_unknown: bool,
    is_redacted: bool,
    range: Option<Range<'r>>,
    /// The value for people.
    line: String,
}

/// A difference between two plans while it is found.
struct FoundChange<'a> {
    kind: UpgradeKind,
    address: &'a str,
    pointer: &'a str,
    change: DifferenceKind,
    sides: [Option<FoundSide<'a>>; 2],
    is_hidden: bool,
    /// What the difference is about, besides kind, address and pointer: addresses where the pointer has positions.
    place: u64,
    shape: u64,
}

/// What stands on one side of a difference while it is found.
#[derive(Clone, Copy)]
enum FoundSide<'a> {
    /// A planned value.
    Planned(&'a Value, Option<Span>),
    /// An instance, with the header of its block.
    Instance(Option<Span>),
    /// A part of the document.
    Part(&'a Value),
    /// The results of conditions.
    Conditions(&'a CheckedObject),
    /// The address of an instance before it moved.
    Address(&'a str),
}

/// Takes the differences between two plans, one by one.
type Sink<'s> = &'s mut dyn FnMut(&FoundChange<'_>);

/// The keys of the differences between two runs.
pub type UpgradeKeys = std::collections::BTreeSet<u64>;

/// Returns the keys of everything that is different between two runs.
pub fn upgrade_keys(before: &Report<'_>, after: &Report<'_>) -> UpgradeKeys {
    let [removed, added] = findings::unmatched(before, after);
    let mut keys: UpgradeKeys = removed.iter().chain(&added).map(|finding| finding.key).collect();
    compare(before, after, &mut |found| {
        account::build(4, 64);
        keys.insert(key_of(found));
    });
    keys
}

impl<'r> UpgradeDifference<'r> {
    /// Compares two runs of the same files, which were asked for their origins.
    pub fn of(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let [removed, added] = findings::unmatched(before, after);
        let mut changes: List<UpgradeChange<'r>> = List::new();
        let shown = shown(before, after);
        compare(before, after, &mut |found| {
            let [was, is] = found.sides;
            let sides = [show(before, was, found, shown), show(after, is, found, shown)];
            account::build(8, (size_of::<UpgradeChange<'_>>() + found.address.len() + found.pointer.len()) as u64);
            changes.push(UpgradeChange {
                key: key_of(found),
                shape: found.shape,
                kind: found.kind,
                address: found.address.into(),
                pointer: found.pointer.into(),
                change: found.change,
                sides,
                count: 1,
                is_of_conditions: found.sides.iter().flatten().any(|side| matches!(side, FoundSide::Conditions(_))),
                rule: None,
            });
        });
        let constraints = [List::new(), List::new()];
        Self { before, after, compared: [before, after], constraints, removed, added, changes, is_searched: true }
    }

    /// Says which runs are those of the versions as they are, if a constraint excludes one of them and others are compared in
    /// their place.
    pub fn instead_of(&mut self, before: &'r Report<'r>, after: &'r Report<'r>) {
        let mut constraints = findings::unmatched(before, after);
        for list in &mut constraints {
            list.retain(|finding| finding.placed.diagnostic.code == ready::unsupported());
        }
        (self.before, self.after, self.constraints) = (before, after, constraints);
    }

    /// Returns the findings of one side with the runs that they are of.
    fn findings_of(&self, side: usize) -> [(&'r Report<'r>, &List<ReportedFinding<'r>>); 2] {
        let [old, new] = &self.constraints;
        let [was, is] = self.compared;
        if side == 0 { [(self.before, old), (was, &self.removed)] } else { [(self.after, new), (is, &self.added)] }
    }

    /// Returns the keys of the differences.
    pub fn keys(&self) -> UpgradeKeys {
        let findings = self.removed.iter().chain(&self.added).map(|finding| finding.key);
        account::work((self.removed.len() + self.added.len() + self.changes.len()) as u64);
        findings.chain(self.changes.iter().map(|change| change.key)).collect()
    }

    /// Says which rows of the version tables are behind the differences, by key, and whether one was looked for behind each of
    /// them.
    pub fn explain(&mut self, rules: &BTreeMap<u64, &'static VersionRow>, is_searched: bool) {
        account::work((self.removed.len() + self.added.len() + self.changes.len()) as u64);
        for finding in self.removed.iter_mut().chain(&mut self.added) {
            finding.rule = rules.get(&finding.key).copied();
        }
        for change in &mut self.changes {
            change.rule = rules.get(&change.key).copied();
        }
        self.is_searched = is_searched;
    }

    /// Returns what the new version does to the configuration. What is only a note of ours makes no difference.
    pub fn verdict(&self) -> UpgradeVerdict {
        let is_error = |finding: &&ReportedFinding<'_>| finding.placed.diagnostic.severity == Severity::Error;
        // An error that is only told in other words was there before.
        let mut left: HashMap<(&str, Option<Span>), usize> = HashMap::default();
        let place =
            |finding: &ReportedFinding<'_>| (finding.placed.diagnostic.code.id, finding.placed.diagnostic.span);
        for finding in self.removed.iter().filter(is_error) {
            account::work(1);
            *left.entry(place(finding)).or_default() += 1;
        }
        let breaks = self.added.iter().filter(is_error).any(|finding| match left.get_mut(&place(finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        let shows = |finding: &ReportedFinding<'_>| finding.placed.diagnostic.severity != Severity::Info;
        let is_excluded = self.constraints.iter().skip(1).any(|list| !list.is_empty());
        if breaks || is_excluded {
            UpgradeVerdict::Breaks
        } else if !self.changes.is_empty()
            || !self.constraints[0].is_empty()
            || self.removed.iter().chain(&self.added).any(shows)
        {
            UpgradeVerdict::Changes
        } else {
            UpgradeVerdict::Same
        }
    }

    /// Returns the difference in the given form, as bytes, with what stands in the way. In a comment, places are links below
    /// `base`.
    pub fn write(&mut self, form: DifferenceForm, ready: &[VersionObstacle<'_>], base: Option<&LinkBase>) -> Vec<u8> {
        self.group();
        match form {
            DifferenceForm::Json => json::write(self, ready).into_bytes(),
            DifferenceForm::Markdown => markdown::write(self, ready, base).into_bytes(),
            DifferenceForm::Text => text::write(self, ready).into_bytes(),
        }
    }

    /// Shows differences between documents that have the same shape as one.
    fn group(&mut self) {
        type Shape<'s> = (u64, &'static str, Option<&'static str>, [Option<&'s str>; 2]);
        let mut firsts: HashMap<Shape<'_>, usize> = HashMap::default();
        let mut counts: HashMap<usize, u32> = HashMap::default();
        let mut others: HashSet<usize> = HashSet::default();
        for (at, change) in self.changes.iter().enumerate().filter(|(_, change)| change.kind == UpgradeKind::Document)
        {
            account::build(8, 64);
            let [was, is] = change.sides.each_ref().map(|side| side.as_ref().map(|side| &*side.line));
            let texts = if was.is_some() && is.is_some() { [was, is] } else { [None, None] };
            let shape = (change.shape, change.change.name(), change.rule.map(|rule| &*rule.id), texts);
            let first = *firsts.entry(shape).or_insert(at);
            if first != at {
                *counts.entry(first).or_default() += 1;
                others.insert(at);
            }
        }
        let changes = std::mem::take(&mut self.changes);
        for (at, mut change) in changes.into_iter().enumerate() {
            change.count += counts.get(&at).copied().unwrap_or(0);
            if !others.contains(&at) {
                self.changes.push(change);
            }
        }
    }

    /// Returns the rows that explain something, in order of name.
    fn rules(&self) -> Vec<&'static VersionRow> {
        let findings = self.removed.iter().chain(&self.added).filter_map(|finding| finding.rule);
        let mut rules: Vec<_> = findings.chain(self.changes.iter().filter_map(|change| change.rule)).collect();
        account::work(16 * rules.len() as u64);
        rules.sort_unstable_by(|own, other| own.id.cmp(&other.id));
        rules.dedup_by(|own, other| own.id == other.id);
        rules
    }

    /// Whether there is nothing to say.
    fn is_empty(&self) -> bool {
        self.changes.is_empty() && (0..2).all(|side| self.findings_of(side).iter().all(|(_, list)| list.is_empty()))
    }

    /// Returns the number of differences that no row explains. A constraint on the version explains itself.
    fn unexplained(&self) -> u32 {
        let is_open = |finding: &&ReportedFinding<'_>| {
            finding.rule.is_none() && finding.placed.diagnostic.code != ready::unsupported()
        };
        let findings = self.removed.iter().chain(&self.added).filter(is_open).count();
        let changes = self.changes.iter().filter(|change| change.rule.is_none()).count();
        u32::try_from(findings + changes).unwrap_or(u32::MAX)
    }
}

/// Returns the highest secrecy of values that may be shown.
fn shown(before: &Report<'_>, after: &Report<'_>) -> Secrecy {
    if before.reveal_sensitive && after.reveal_sensitive { Secrecy::Sensitive } else { Secrecy::Open }
}

/// Finds the differences between two plans.
fn compare(before: &Report<'_>, after: &Report<'_>, sink: Sink<'_>) {
    let shown = shown(before, after);
    let mut listed = HashSet::default();
    // What an error has kept out of a plan would count as removed.
    if let (Some(was), Some(is)) = (&before.plan, &after.plan)
        && was.errored == is.errored
    {
        let plans = ComparedPlans::of(was, is, shown, true);
        instances(&plans, &mut listed, sink);
        for output in &plans.outputs {
            self::output(output, &mut listed, sink);
        }
        conditions(&plans, &mut listed, sink);
    }
    documents::compare(before, after, &listed, sink);
}

fn instances(plans: &ComparedPlans<'_>, listed: &mut HashSet<Box<str>>, sink: Sink<'_>) {
    for instance in &plans.instances {
        account::build(8, instance.address.len() as u64 + 64);
        listed.insert(instance.address.clone());
        let [was, is] = instance.origins.map(|origin| origin.and_then(|origin| origin.header));
        let found = |change, sides| FoundChange {
            kind: UpgradeKind::Instance,
            address: &instance.address,
            pointer: "",
            change,
            sides,
            is_hidden: false,
            place: 0,
            shape: 0,
        };
        match (instance.change, &instance.previous_address) {
            (InstanceChangeKind::Added, _) => {
                sink(&found(DifferenceKind::Added, [None, Some(FoundSide::Instance(is))]));
            }
            (InstanceChangeKind::Removed, _) => {
                sink(&found(DifferenceKind::Removed, [Some(FoundSide::Instance(was)), None]));
            }
            (InstanceChangeKind::Moved, Some(from)) => {
                listed.insert(from.clone());
                let sides = [Some(FoundSide::Address(from)), Some(FoundSide::Address(&instance.address))];
                sink(&found(DifferenceKind::Moved, sides));
            }
            (InstanceChangeKind::Moved | InstanceChangeKind::Changed, _) => {}
        }
        for value in &instance.values {
            let change = value_change(&value.sides, value.is_hidden);
            sink(&FoundChange {
                address: &instance.address,
                pointer: &value.pointer,
                change: value.change,
                ..change
            });
        }
    }
}

fn output(output: &OutputChange<'_>, listed: &mut HashSet<Box<str>>, sink: Sink<'_>) {
    let address = format!("output.{}", output.name);
    account::text(address.len() * 2);
    let change = value_change(&output.sides, output.is_hidden);
    sink(&FoundChange { address: &address, change: output.change, ..change });
    listed.insert(address.into());
}

fn conditions(plans: &ComparedPlans<'_>, listed: &mut HashSet<Box<str>>, sink: Sink<'_>) {
    for check in &plans.checks {
        account::build(8, check.address.len() as u64 + 64);
        let sides = check.sides.map(|side| side.map(FoundSide::Conditions));
        sink(&FoundChange {
            kind: UpgradeKind::Value,
            address: &check.address,
            pointer: "",
            change: change_of(&sides),
            sides,
            is_hidden: false,
            place: 0,
            shape: 0,
        });
        listed.insert(check.address.clone());
    }
}

/// Returns the difference between two planned values; its place is still missing.
fn value_change<'a>(sides: &[Option<ValueSide<'a>>; 2], is_hidden: bool) -> FoundChange<'a> {
    let is_unknown = sides.each_ref().map(|side| side.is_some_and(|side| !side.value.is_wholly_known()));
    let kind = if is_unknown[0] == is_unknown[1] { UpgradeKind::Value } else { UpgradeKind::Unknown };
    let sides = sides
        .each_ref()
        .map(|side| side.map(|side| FoundSide::Planned(side.value, side.origin.and_then(|origin| origin.span))));
    FoundChange { kind, address: "", pointer: "", change: change_of(&sides), sides, is_hidden, place: 0, shape: 0 }
}

fn change_of<T>(sides: &[Option<T>; 2]) -> DifferenceKind {
    match sides {
        [None, _] => DifferenceKind::Added,
        [_, None] => DifferenceKind::Removed,
        _ => DifferenceKind::Changed,
    }
}

/// Returns what identifies a difference: what it is about, and what stands on the second side.
fn key_of(found: &FoundChange<'_>) -> u64 {
    account::touch(found.address.len() + found.pointer.len());
    let mut hasher = DefaultHasher::new();
    (found.kind.name(), found.address, found.change.name(), found.place).hash(&mut hasher);
    // Positions in a document differ from run to run.
    if found.place == 0 {
        found.pointer.hash(&mut hasher);
    }
    for side in found.sides {
        match side {
            None => 0_u8.hash(&mut hasher),
            Some(FoundSide::Planned(value, _) | FoundSide::Part(value)) => hash_of(value).hash(&mut hasher),
            Some(FoundSide::Instance(_)) => 1_u8.hash(&mut hasher),
            Some(FoundSide::Conditions(object)) => {
                check_status(object.status).hash(&mut hasher);
                for problem in object.instances.iter().flat_map(|instance| &instance.problems) {
                    hash_of(problem).hash(&mut hasher);
                }
            }
            Some(FoundSide::Address(address)) => address.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Returns the hash of a place one step further in.
fn key_hash<T: Hash + ?Sized>(outer: u64, step: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    (outer, 1_u8).hash(&mut hasher);
    step.hash(&mut hasher);
    hasher.finish()
}

/// Returns what may be shown of one side of a difference.
fn show<'r>(
    report: &'r Report<'r>,
    side: Option<FoundSide<'_>>,
    found: &FoundChange<'_>,
    shown: Secrecy,
) -> Option<ShownSide<'r>> {
    let range = |span: Option<Span>| span.map(|span| Range::of(&report.forest.sources, span));
    let hidden = "(sensitive)";
    let plain = |line: &str, range| {
        account::copy(line.len());
        ShownSide { value: None, is_unknown: false, is_redacted: false, range, line: line.to_owned() }
    };
    Some(match side? {
        FoundSide::Planned(_, span) if found.is_hidden => {
            ShownSide { is_redacted: true, ..plain(hidden, range(span)) }
        }
        FoundSide::Part(_) if found.is_hidden => ShownSide { is_redacted: true, ..plain(hidden, None) },
        FoundSide::Planned(value, span) => ShownSide {
            value: (value.is_known() && value.weight() <= MAX_WEIGHT)
                .then(|| JsonText::streamed(|json| value_text(json, report, value, shown))),
            is_unknown: !value.is_wholly_known(),
            ..plain(&value_line(value, shown, MAX_LINE), range(span))
        },
        FoundSide::Part(value) => ShownSide {
            value: if value.weight() <= MAX_WEIGHT { JsonText::of(value) } else { None },
            ..plain(&value_line(value, shown, MAX_LINE), None)
        },
        FoundSide::Instance(header) => plain("", range(header)),
        FoundSide::Address(address) => ShownSide { value: Some(JsonText::of_view(address)), ..plain(address, None) },
        FoundSide::Conditions(object) => {
            let status = check_status(object.status);
            let problems = object.instances.iter().flat_map(|instance| &instance.problems);
            let messages: Vec<&str> = problems
                .map(|problem| match problem.as_text() {
                    Some(text) if problem.marks().secrecy() <= shown => text,
                    _ => hidden,
                })
                .collect();
            let line =
                if messages.is_empty() { status.to_owned() } else { format!("{status} ({})", messages.join("; ")) };
            account::text(line.len());
            ShownSide { value: Some(JsonText::of_view(&line)), ..plain(&line, None) }
        }
    })
}
