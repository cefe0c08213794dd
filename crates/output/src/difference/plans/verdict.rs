//! What a difference between plans comes to, in a few words.

use foldhash::{HashSet, HashSetExt as _};

use super::super::findings::errors;
use super::super::overridden;
use super::super::tree::ModuleChangeKind;
use super::super::verdict::state;
use super::{DifferenceKind, InstanceChange, InstanceChangeKind, OutputChange, PlanDifference, ValueChange};
use crate::comment::{code, counted};
use overfold_base::account::{self, ChargedIterator};
use overfold_module::plan::{CheckStatus, ResourceMode};

/// The maximum number of characters of the name of a backend.
const MAX: usize = 40;

/// Counts of what weighs most in a difference between plans.
#[derive(Default)]
pub(super) struct PlanVerdict {
    /// Why nothing was compared.
    not_compared: Option<&'static str>,
    /// Objects that a suggested `moved` block would keep.
    kept: usize,
    /// Other objects that are gone.
    destroyed: usize,
    /// Objects that are dropped from the state without being destroyed.
    forgotten: usize,
    /// Other objects that are new.
    created: usize,
    changed: usize,
    /// Values that are gone from objects that are still there, those of objects that have moved included.
    values_lost: usize,
    /// Outputs that are gone.
    outputs_lost: usize,
    moved: usize,
    /// Calls of modules that were not given which are not the same.
    calls: usize,
    /// Data sources and ephemeral resources that are not the same.
    read: usize,
    outputs: usize,
    /// Conditions that hold no longer.
    failing: usize,
    /// Other conditions whose results are not the same.
    conditions: usize,
    /// Edits without an effect.
    overridden: usize,
    /// Errors that were not there before.
    errors: usize,
    /// Where the state is now, of each root module in which that has changed.
    states: Vec<String>,
    /// Root modules that are gone; nothing would destroy their objects.
    roots_removed: usize,
    /// Root modules that were not compared.
    roots_not_compared: usize,
}

impl PlanVerdict {
    /// Counts what is in a difference; `exists` says which sides have the root module.
    pub(super) fn of(difference: &PlanDifference<'_>, exists: [bool; 2]) -> Self {
        let [was, is] = [difference.before, difference.after].map(state);
        let mut verdict = Self {
            not_compared: difference.not_compared(),
            overridden: difference.overridden.len(),
            errors: errors(difference.after, &difference.findings.appeared),
            // A root module that is new or gone has no state that could move.
            states: (exists == [true; 2] && was != is).then(|| is.to_owned()).into_iter().collect(),
            ..Self::default()
        };
        let Some(found) = &difference.compared else { return verdict };
        let mut kept = [HashSet::new(), HashSet::new()];
        for suggested in &found.suggested_moves {
            account::work(8);
            account::grow(64);
            kept[0].insert(&*suggested.from);
            kept[1].insert(&*suggested.to);
        }
        let is_kept = |change: &InstanceChange<'_>, side: usize| {
            let address = &*change.address;
            account::touch(2 * address.len());
            let key = change.resource.key.as_ref().map_or_else(String::new, ToString::to_string);
            let whole = address.strip_suffix(key.as_str()).unwrap_or(address);
            kept.get(side).is_some_and(|kept| kept.contains(address) || kept.contains(whole))
        };
        for change in &found.instances {
            if change.resource.mode != ResourceMode::Managed {
                verdict.read += 1;
                continue;
            }
            match change.change {
                InstanceChangeKind::Removed if change.is_forgotten => verdict.forgotten += 1,
                InstanceChangeKind::Removed if is_kept(change, 0) => verdict.kept += 1,
                InstanceChangeKind::Removed => verdict.destroyed += 1,
                InstanceChangeKind::Added if is_kept(change, 1) => {}
                InstanceChangeKind::Added => verdict.created += 1,
                InstanceChangeKind::Moved if change.values.is_empty() => verdict.moved += 1,
                InstanceChangeKind::Changed | InstanceChangeKind::Moved => {
                    let is_lost = |value: &&ValueChange<'_>| value.change == DifferenceKind::Removed;
                    verdict.values_lost += change.values.iter().charged(1).filter(is_lost).count();
                    verdict.changed += 1;
                }
            }
        }
        for change in &found.checks {
            let is_bad =
                change.sides[1].is_some_and(|object| matches!(object.status, CheckStatus::Fail | CheckStatus::Error));
            if is_bad { verdict.failing += 1 } else { verdict.conditions += 1 }
        }
        verdict.calls = found.calls.len();
        verdict.outputs = found.outputs.len();
        let is_lost = |output: &&OutputChange<'_>| output.change == DifferenceKind::Removed;
        verdict.outputs_lost = found.outputs.iter().charged(1).filter(is_lost).count();
        verdict
    }

    /// Adds that of another root module.
    pub(super) fn add(&mut self, act: ModuleChangeKind, other: Self) {
        match act {
            ModuleChangeKind::NotCompared => self.roots_not_compared += 1,
            ModuleChangeKind::Removed => self.roots_removed += 1,
            ModuleChangeKind::Added | ModuleChangeKind::Changed | ModuleChangeKind::Unchanged => {}
        }
        self.errors += other.errors;
        if act == ModuleChangeKind::Removed {
            return;
        }
        self.overridden += other.overridden;
        self.kept += other.kept;
        self.destroyed += other.destroyed;
        self.forgotten += other.forgotten;
        self.created += other.created;
        self.changed += other.changed;
        self.values_lost += other.values_lost;
        self.outputs_lost += other.outputs_lost;
        self.moved += other.moved;
        self.calls += other.calls;
        self.read += other.read;
        self.outputs += other.outputs;
        self.failing += other.failing;
        self.conditions += other.conditions;
        self.states.extend(other.states);
    }

    /// Returns it as Markdown, without an end.
    pub(super) fn sentence(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.not_compared.map(str::to_owned));
        let roots = [(self.roots_removed, "removed"), (self.roots_not_compared, "not compared")];
        let roots = roots.into_iter().filter(|(count, _)| *count > 0);
        words.extend(roots.map(|(count, what)| format!("{} {what}", counted(count, "root module"))));
        let lost = [(self.values_lost, "value"), (self.outputs_lost, "output")];
        let lost = lost.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what));
        let lost = lost.collect::<Vec<_>>().join(" and ");
        let lost = (!lost.is_empty()).then(|| format!("{lost} lost"));
        // What is destroyed is more than what is lost of something that stays.
        let (first, then) = if self.destroyed + self.kept == 0 { (lost, None) } else { (None, lost) };
        words.extend(first);
        let acts = [
            (self.destroyed, "destroy"),
            (self.created, "create"),
            (self.changed, "change"),
            (self.moved, "move"),
            (self.forgotten, "forget"),
        ];
        let mut acts: Vec<(usize, &str)> = acts.into_iter().filter(|(count, _)| *count > 0).collect();
        if self.kept > 0 {
            let blocks = if self.kept == 1 { "a `moved` block" } else { "`moved` blocks" };
            words.push(format!("would destroy and create {}: add {blocks}", counted(self.kept, "object")));
            let others: Vec<String> = acts.drain(..).map(|(count, act)| format!("{act} {count}")).collect();
            if !others.is_empty() {
                words.push(format!("would also {}", others.join(", ")));
            }
        } else if let [(count, "move")] = acts.as_slice() {
            words.push(format!("would only move {}", counted(*count, "object")));
        } else if let [(count, act), rest @ ..] = acts.as_slice() {
            let rest: Vec<String> = rest.iter().map(|(count, act)| format!(", {act} {count}")).collect();
            words.push(format!("would {act} {}{}", counted(*count, "object"), rest.concat()));
        }
        words.extend(then);
        match self.states.as_slice() {
            [] => {}
            [to] => words.push(format!("state moves to {}", code(to, MAX))),
            states => words.push(format!("state of {} moves", counted(states.len(), "root module"))),
        }
        match self.calls {
            0 => {}
            1 => words.push("1 call of a module that was not given differs".to_owned()),
            calls => words.push(format!("{calls} calls of modules that were not given differ")),
        }
        if self.failing > 0 {
            words.push(format!("{} not met", counted(self.failing, "condition")));
        }
        if words.is_empty() {
            let mut say = |count: usize, what: &str| {
                words.extend((count > 0).then(|| format!("{} changed", counted(count, what))));
            };
            say(self.read, "data source");
            say(self.outputs, "output");
            say(self.conditions, "condition");
        }
        if words.is_empty() {
            words.push(overridden::NOTHING.to_owned());
        }
        overridden::add_to_verdict(self.overridden, &mut words);
        if self.errors > 0 {
            words.push(counted(self.errors, "new error"));
        }
        words.join("; ")
    }
}
