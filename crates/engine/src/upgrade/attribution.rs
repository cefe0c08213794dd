//! Which rows of the version tables are behind the differences between two versions.
//!
//! Between the two versions lie releases at which rows change. For each difference, the release with which it appears is
//! found by halving the way. There, every row that changes with that release is switched alone: a row explains a difference
//! that vanishes when the row is as it was before, or that appears when the row alone is as it is after. A run that shows
//! something that neither neighbour shows says nothing, since then the row was not all that changed. Of several rows, the one
//! counts that takes the least with it. What no row explains stays unexplained.

use std::collections::BTreeMap;

use overfold_base::account::{self, Usage};
use overfold_base::files::FileSet;
use overfold_dialect::{DialectSpec, Difference as VersionRow, Station, stations_between};
use overfold_module::pipeline::{self, Report, Request};
use overfold_output::{UpgradeDifference, UpgradeKeys, upgrade_keys};
use overfold_syntax::{Forest, SyntaxLimits};

/// What all runs have in common.
#[derive(Clone, Copy)]
pub(super) struct Runs<'r> {
    pub(super) files: &'r FileSet,
    /// The request; its dialect and version are not followed.
    pub(super) request: &'r Request,
    /// What the names of files are prefixed with, `""` for nothing.
    pub(super) folder: &'r str,
    pub(super) limits: SyntaxLimits,
    /// The units of work that have to be left for what is still to be done after the search.
    pub(super) kept: u64,
}

/// The rows behind differences, by the keys of those.
type Rules = BTreeMap<u64, &'static VersionRow>;

/// Why the search ended early: the account could not afford another run.
struct OverBudget;

/// Returns the rows behind the differences between two runs, and whether one was looked for behind every difference.
pub(super) fn rules(
    runs: &Runs<'_>,
    before: &Report<'_>,
    after: &Report<'_>,
    difference: &UpgradeDifference<'_>,
) -> (Rules, bool) {
    let keys = difference.keys();
    let way = stations_between(before.dialect, after.dialect);
    let mut rules = Rules::new();
    if keys.is_empty() || way.len() < 2 {
        return (rules, true);
    }
    let forest = Forest::new(runs.limits);
    let Some(first) = way.first() else { return (rules, true) };
    let mut search = Search { runs, way: &way, base: None, seen: BTreeMap::new(), dearest: Usage::default() };
    let Ok(Some(base)) = search.run(first.spec, &forest) else { return (rules, false) };
    search.base = Some(&base);
    let is_searched = search.explain(&keys, &mut rules).is_ok();
    (rules, is_searched)
}

struct Search<'s> {
    runs: &'s Runs<'s>,
    way: &'s [&'static Station],
    /// The run with which all others are compared: that of the first station.
    base: Option<&'s Report<'s>>,
    /// What is different at stations that were run.
    seen: BTreeMap<usize, UpgradeKeys>,
    /// What the dearest run so far has cost.
    dearest: Usage,
}

impl Search<'_> {
    fn explain(&mut self, keys: &UpgradeKeys, rules: &mut Rules) -> Result<(), OverBudget> {
        let last = self.way.len() - 1;
        self.seen.insert(0, UpgradeKeys::new());
        self.look(last)?;
        // By the station with which they appear.
        let mut appearing: BTreeMap<usize, UpgradeKeys> = BTreeMap::new();
        for &key in keys {
            account::build(8, 64);
            if !self.has(last, key) {
                // It is no matter of rows: a constraint on the version, for one.
                continue;
            }
            let (mut low, mut high) = (0, last);
            while high - low > 1 {
                let middle = usize::midpoint(low, high);
                self.look(middle)?;
                if self.has(middle, key) { high = middle } else { low = middle }
            }
            appearing.entry(high).or_default().insert(key);
        }
        for (at, keys) in appearing {
            self.switch(at, &keys, rules)?;
        }
        Ok(())
    }

    /// Finds the rows behind differences that appear with a station.
    fn switch(&mut self, at: usize, keys: &UpgradeKeys, rules: &mut Rules) -> Result<(), OverBudget> {
        let (Some(old), Some(new)) = (self.way.get(at - 1).copied(), self.way.get(at).copied()) else {
            return Ok(());
        };
        self.look(at - 1)?;
        let none = UpgradeKeys::new();
        let [was, is] = [at - 1, at].map(|at| self.seen.get(&at).unwrap_or(&none).clone());
        // The number of differences that a row takes with it.
        let mut fewest: BTreeMap<u64, usize> = BTreeMap::new();
        for (station, other, appears) in [(new, old, false), (old, new, true)] {
            let open = keys.iter().copied().filter(|key| !rules.contains_key(key));
            let open: UpgradeKeys = open.collect();
            if open.is_empty() {
                break;
            }
            for row in station.rows_unlike(other) {
                account::work(1);
                let Some(table) = station.with_row_of(row, other) else { continue };
                let forest = Forest::new(self.runs.limits);
                let Some(report) = self.run(table, &forest)? else { continue };
                let Some(base) = self.base else { continue };
                let found = upgrade_keys(base, &report);
                account::work(8 * (found.len() + is.len()) as u64);
                if !found.iter().all(|key| was.contains(key) || is.contains(key)) {
                    continue;
                }
                let own = if appears { &was } else { &is };
                let differs = own.symmetric_difference(&found).count();
                for &key in open.iter().filter(|key| found.contains(key) == appears) {
                    if fewest.get(&key).is_none_or(|fewest| differs < *fewest) {
                        fewest.insert(key, differs);
                        rules.insert(key, row);
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a station, unless that has been done.
    fn look(&mut self, at: usize) -> Result<(), OverBudget> {
        if self.seen.contains_key(&at) {
            return Ok(());
        }
        let (Some(station), Some(base)) = (self.way.get(at), self.base) else { return Ok(()) };
        let forest = Forest::new(self.runs.limits);
        if let Some(report) = self.run(station.spec, &forest)? {
            let found = upgrade_keys(base, &report);
            self.seen.insert(at, found);
        }
        Ok(())
    }

    fn has(&self, at: usize, key: u64) -> bool {
        account::work(1);
        self.seen.get(&at).is_some_and(|keys| keys.contains(&key))
    }

    /// Runs the files with a table, if the account can afford twice what the dearest run has cost: a run is followed by a
    /// comparison.
    fn run<'f>(&mut self, table: &'static DialectSpec, forest: &'f Forest) -> Result<Option<Report<'f>>, OverBudget> {
        let Usage { work, memory } = self.dearest;
        let work = work.saturating_mul(2).saturating_add(self.runs.kept);
        if !account::can_afford(Usage { work, memory: memory.saturating_mul(2) }) {
            return Err(OverBudget);
        }
        let before = account::spent();
        forest.sources.set_folder(self.runs.folder);
        let report = pipeline::run_with_table(table, forest, self.runs.files, self.runs.request, &mut |_| {});
        let after = account::spent();
        self.dearest.work = self.dearest.work.max(after.work - before.work);
        self.dearest.memory = self.dearest.memory.max(after.memory.saturating_sub(before.memory));
        if account::evaluation_is_over() {
            return Err(OverBudget);
        }
        Ok(report.ok())
    }
}
