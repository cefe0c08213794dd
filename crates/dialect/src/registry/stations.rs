//! The way from one version to another: releases between which rows change, and tables in which a single row has been
//! changed already, or not yet. That shows which row is behind a difference between two versions.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::eras::{compared_tables, edges};
use super::{Moment, MovedRow, Table, flatten, release};
use crate::behaviours::{BEHAVIOURS, ShowsIn};
use crate::differences::{Difference, differences};
use crate::spec::{DialectSpec, Release};

/// Consecutive releases of a tool that read and plan alike.
#[derive(Debug)]
pub struct Station {
    /// The first of them.
    first: Release,
    /// Their table. In it, every version meets the constraints of a module (`rules.required_version.always_met`): the
    /// constraints are no row.
    pub spec: &'static DialectSpec,
    table: &'static Table,
}

/// Returns the stations of a tool, oldest first. They are computed once and kept.
fn stations(table: &'static Table) -> &'static [Station] {
    static CACHE: OnceLock<Mutex<BTreeMap<&'static str, &'static [Station]>>> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry(table.spec.name).or_insert_with(|| Box::leak(list(table).into_boxed_slice()))
}

fn list(table: &'static Table) -> Vec<Station> {
    let edges = edges(&table.spec, ShowsIn::Plan);
    let mut firsts: Vec<(Release, String)> = Vec::new();
    let mut last: Option<Release> = None;
    for line in table.lines {
        for patch in line.patches() {
            let own = Release(line.major, line.minor, patch);
            let changes = last.is_none_or(|last| last < own && edges.range(last..=own).any(|edge| *edge != last));
            if changes {
                firsts.push((own, line.text(patch)));
            }
            last = Some(own);
        }
    }
    let station = |(first, text): (Release, String)| Station {
        first,
        spec: always_met(flatten(&table.spec, &Moment::at_release(first), Box::leak(text.into_boxed_str()))),
        table,
    };
    firsts.into_iter().map(station).collect()
}

/// Keeps a table whose version meets all constraints.
fn always_met(mut spec: DialectSpec) -> &'static DialectSpec {
    spec.rules.required_version.always_met = true;
    Box::leak(Box::new(spec))
}

/// Returns the table of a version with which all constraints on the version are met. It is made once and kept.
pub fn without_constraints(spec: &'static DialectSpec) -> &'static DialectSpec {
    static CACHE: OnceLock<Mutex<BTreeMap<(&'static str, &'static str), &'static DialectSpec>>> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry((spec.name, spec.version)).or_insert_with(|| always_met(*spec))
}

/// Returns the way from one version to another, both included: the stations of the tool between them, forwards or backwards.
/// If the tools differ, the way leads to the same minor version of the other tool first, or to the one that is nearest.
/// Empty if one of the tables is not of a tool whose versions are compared, or not of a known version.
pub fn stations_between(from: &DialectSpec, to: &DialectSpec) -> Vec<&'static Station> {
    let found = |spec: &DialectSpec| {
        let table = compared_tables().find(|table| table.spec.name == spec.name)?;
        let (line, patch) = release(table.lines, spec.version)?;
        let all = stations(table);
        let own = Release(line.major, line.minor, patch);
        Some((all, all.partition_point(|station| station.first <= own).checked_sub(1)?, own))
    };
    let (Some((old, start, own)), Some((new, end, _))) = (found(from), found(to)) else { return Vec::new() };
    let mut way: Vec<&'static Station> = Vec::new();
    let mut walk = |all: &'static [Station], start: usize, end: usize| {
        let steps = start.min(end)..=start.max(end);
        if start <= end {
            way.extend(steps.filter_map(|at| all.get(at)));
        } else {
            way.extend(steps.rev().filter_map(|at| all.get(at)));
        }
    };
    if from.name == to.name {
        walk(old, start, end);
    } else {
        walk(old, start, start);
        let line = Release(own.0, own.1, u16::MAX);
        walk(new, new.partition_point(|station| station.first <= line).saturating_sub(1), end);
    }
    way
}

impl Station {
    /// Whether the station is of the same tool as another one.
    fn is_of_tool(&self, other: &Self) -> bool {
        self.table.spec.name == other.table.spec.name
    }

    /// Returns which of its ranges a difference is in.
    fn forms(&self, row: &Difference) -> Vec<bool> {
        let ranges = row.ranges.get(self.table.spec.name).into_iter().flatten();
        ranges.map(|when| when.holds(self.first)).collect()
    }

    /// Returns the rows that are not the same here as at another station.
    pub fn rows_unlike(&self, other: &Self) -> impl Iterator<Item = &'static Difference> {
        let is_one = |row: &&Difference| {
            let (own, others) = (self.forms(row), other.forms(row));
            if self.is_of_tool(other) { own != others } else { own.contains(&true) != others.contains(&true) }
        };
        differences().iter().filter(is_one)
    }

    /// Returns the table of this station with one row as it is at another one. Tables are made once and kept; there are not
    /// many, since only neighbours on a way are asked about. Its version is that of the station with the name of the row, so
    /// that nothing that is kept by version is mistaken for it. `None` if the row cannot be told apart from the tool that
    /// has it.
    pub fn with_row_of(&self, row: &Difference, other: &Self) -> Option<&'static DialectSpec> {
        type Made = BTreeMap<(&'static str, Release, String, &'static str, Release), Option<&'static DialectSpec>>;
        static CACHE: OnceLock<Mutex<Made>> = OnceLock::new();
        let key = (self.spec.name, self.first, row.id.clone(), other.spec.name, other.first);
        let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        *cache.entry(key).or_insert_with(|| self.make_with_row_of(row, other))
    }

    fn make_with_row_of(&self, row: &Difference, other: &Self) -> Option<&'static DialectSpec> {
        let moved = if self.is_of_tool(other) {
            MovedRow::AsIn(other.first)
        } else {
            let is_held = other.forms(row).contains(&true);
            let is_behaviour = BEHAVIOURS.iter().any(|behaviour| behaviour.id == row.id);
            let forms = row.ranges.get(self.spec.name).map_or(0, Vec::len);
            if !is_behaviour && (forms == 0 || is_held && forms > 1) {
                return None;
            }
            MovedRow::Held(is_held)
        };
        let version = format!("{}~{}@{}", self.spec.version, row.id, other.spec.version);
        let moment = Moment { release: self.first, moved: Some((&row.id, moved)) };
        Some(always_met(flatten(&self.table.spec, &moment, Box::leak(version.into_boxed_str()))))
    }
}

#[cfg(test)]
mod tests {
    use super::{stations, stations_between};
    use crate::differences::differences;
    use crate::registry::eras::compared_tables;
    use crate::registry::find;

    fn way(from: (&str, &str), to: (&str, &str)) -> Vec<&'static str> {
        let table = |(name, version)| find(name, Some(version)).unwrap();
        stations_between(table(from), table(to)).iter().map(|station| station.spec.version).collect()
    }

    #[test]
    fn a_way_leads_from_one_version_to_another() {
        let up = way(("terraform", "1.2.9"), ("terraform", "1.4.7"));
        let mut down = way(("terraform", "1.4.7"), ("terraform", "1.2.9"));
        down.reverse();
        assert_eq!(up, down);
        assert!(up.len() > 2 && up.contains(&"1.3.0"), "{up:?}");
        assert_eq!(way(("terraform", "1.5.6"), ("terraform", "1.5.7")).len(), 1);
        let across = way(("terraform", "1.9.8"), ("opentofu", "1.10.0"));
        assert!(across.len() > 2 && across.first() < Some(&"1.9.9"), "{across:?}");
        assert!(stations_between(find("tflint", None).unwrap(), find("terraform", None).unwrap()).is_empty());
    }

    /// Every row changes between two neighbours somewhere, and there it can be switched alone.
    #[test]
    fn every_row_can_be_switched_where_it_changes() {
        let mut switched = 0;
        for table in compared_tables() {
            let all = stations(table);
            for pair in all.windows(2) {
                let rows: Vec<_> = pair[1].rows_unlike(&pair[0]).collect();
                assert!(!rows.is_empty(), "{} {}", table.spec.name, pair[1].spec.version);
                switched += rows.len();
            }
            for row in differences().iter().filter(|row| !row.boundaries(table.spec.name).is_empty()) {
                let changes = |pair: &[super::Station]| pair[0].forms(row) != pair[1].forms(row);
                // What changes before the first known release has no place on any way.
                let first = all.first().unwrap().first;
                let is_late = row.boundaries(table.spec.name).iter().any(|edge| *edge > first);
                assert_eq!(all.windows(2).any(changes), is_late, "{}: {}", table.spec.name, row.id);
            }
        }
        assert!(switched < 1_000, "{switched} tables may be kept");
    }
}
