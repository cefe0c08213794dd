//! Groups of releases of a tool that read a module alike, derived from the rows: far fewer tables than releases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Moment, TABLES, Table, flatten, opentofu, terraform};
use crate::behaviours::{BEHAVIOURS, ShowsIn};
use crate::spec::{BlockSpec, DialectSpec, Kinds, ReferenceRule, Release, Rule, When};

/// Consecutive releases whose flattened tables are the same.
#[derive(Debug)]
pub struct Era {
    /// The releases in full (`1.11.4`), oldest first; never empty.
    pub releases: Vec<String>,
    /// Their table, under the version of the newest of them. In this table, every version meets the constraints of a
    /// module (`rules.required_version.always_met`), because those constraints are the only thing in which the
    /// releases can differ.
    pub spec: &'static DialectSpec,
}

/// The tools between whose versions a module may be moved; each has [`eras`].
static COMPARED: &[&Table] = &[&terraform::TABLE, &opentofu::TABLE];

/// Returns the names of the dialects whose versions are compared with each other, in the order of the tables.
pub fn compared() -> impl Iterator<Item = &'static str> {
    COMPARED.iter().map(|table| table.spec.name)
}

/// Returns the tables of these dialects.
pub(crate) fn compared_tables() -> impl Iterator<Item = &'static Table> {
    COMPARED.iter().copied()
}

/// Returns the second names of the object `terraform` in any version of the compared tools.
pub fn tool_words() -> impl Iterator<Item = &'static str> {
    let rows = COMPARED.iter().flat_map(|table| table.spec.rule_rows);
    rows.filter_map(|row| match row.rule {
        Rule::References(ReferenceRule::ToolWord(word)) => Some(word),
        _ => None,
    })
}

/// Returns all releases of a dialect, oldest first, grouped by what they read alike. Empty for an unknown dialect. The
/// result is computed once and kept.
pub fn eras(name: &str) -> &'static [Era] {
    static CACHE: OnceLock<Mutex<BTreeMap<&'static str, &'static [Era]>>> = OnceLock::new();
    let Some(table) = TABLES.iter().find(|table| table.spec.name == name) else { return &[] };
    // The map remains consistent even if a thread panics while it holds the lock, so poisoning is ignored.
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry(table.spec.name).or_insert_with(|| Box::leak(list(table).into_boxed_slice()))
}

fn list(table: &'static Table) -> Vec<Era> {
    let releases = table
        .lines
        .iter()
        .flat_map(|line| line.patches().map(|patch| (Release(line.major, line.minor, patch), line.text(patch))));
    let edges = edges(&table.spec, ShowsIn::Validate);
    let mut groups: Vec<(Release, Vec<String>)> = Vec::new();
    for (release, text) in releases {
        match groups.last_mut() {
            Some((last, group)) if *last >= release || edges.range(*last..=release).all(|edge| edge == last) => {
                *last = release;
                group.push(text);
            }
            _ => groups.push((release, vec![text])),
        }
    }
    let era = |(release, releases): (Release, Vec<String>)| {
        let version = Box::leak(releases.last().cloned().unwrap_or_default().into_boxed_str());
        let mut spec = flatten(&table.spec, &Moment::at_release(release), version);
        spec.rules.required_version.always_met = true;
        Era { releases, spec: Box::leak(Box::new(spec)) }
    };
    groups.into_iter().map(era).collect()
}

/// Returns all releases in which a row begins or ceases to hold, of those behaviours that can show in this kind of answer or
/// an earlier one.
pub(super) fn edges(all: &DialectSpec, latest: ShowsIn) -> BTreeSet<Release> {
    let mut edges = Edges(BTreeSet::new());
    let files = &all.files;
    files.suffixes.iter().for_each(|row| edges.row(row.when));
    files.alone.iter().chain(files.by_request).for_each(|row| edges.row(row.when));
    if let Some(tests) = &files.tests {
        edges.block(&tests.file);
    }
    all.blocks.iter().for_each(|row| edges.block(row));
    all.rule_rows.iter().for_each(|row| edges.row(row.when));
    all.builtins.iter().for_each(|row| edges.row(row.when));
    all.titles.iter().for_each(|row| edges.row(row.when));
    let read = BEHAVIOURS.iter().filter(|row| row.shows_in <= latest);
    read.flat_map(|row| row.ranges(all.name)).for_each(|&when| edges.row(when));
    edges.0
}

struct Edges(BTreeSet<Release>);

impl Edges {
    fn row(&mut self, when: When) {
        self.0.insert(when.since);
        self.0.extend(when.until);
    }

    /// Visits a row and its nested rows.
    fn block(&mut self, row: &BlockSpec) {
        self.row(row.when);
        row.attrs.iter().for_each(|attr| self.row(attr.when));
        row.checks.iter().for_each(|check| self.row(check.when));
        row.titles.iter().for_each(|title| self.row(title.when));
        row.blocks.iter().for_each(|inner| self.block(inner));
        if let Kinds::ByFirstLabel { rows, .. } = row.kinds {
            for kind in rows {
                self.block(&kind.spec);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{compared, eras};
    use crate::{BEHAVIOURS, Behaviours, DialectSpec, ShowsIn, find, functions, versions};

    /// Returns the whole content of a table except its version and what shows in plans alone.
    fn content_of(spec: &DialectSpec) -> String {
        let shown = BEHAVIOURS.iter().filter(|row| row.shows_in < ShowsIn::Plan && spec.has(row.behaviour));
        let shown: Vec<&str> = shown.map(|row| row.id).collect();
        format!("{:?} {shown:?}", DialectSpec { version: "", behaviours: Behaviours::NONE, ..*spec })
    }

    /// Whatever the tables contain, now or later: the releases of one era have the same table and functions, and every
    /// release is in exactly one era.
    #[test]
    fn releases_of_one_era_have_one_table() {
        for name in compared() {
            let all: Vec<&String> = eras(name).iter().flat_map(|era| &era.releases).collect();
            assert_eq!(all, versions(name).unwrap().0.iter().collect::<Vec<_>>());
            for era in eras(name) {
                let mut rules = era.spec.rules;
                rules.required_version.always_met = false;
                let of_era = content_of(&DialectSpec { rules, ..*era.spec });
                for release in &era.releases {
                    let table = find(name, Some(release)).unwrap();
                    assert!(content_of(table) == of_era, "{name} {release} is not like {}", era.spec.version);
                    assert!(functions(table) == functions(era.spec), "{name} {release}");
                }
            }
        }
    }

    /// There are far fewer tables than releases, and neighbouring eras differ.
    #[test]
    fn neighbouring_eras_differ() {
        for name in compared() {
            let all = eras(name);
            assert!(all.len() * 2 < versions(name).unwrap().0.len(), "{name}: {}", all.len());
            for pair in all.windows(2) {
                let [before, after] = pair else { continue };
                let same = content_of(before.spec) == content_of(after.spec)
                    && functions(before.spec) == functions(after.spec);
                assert!(!same, "{name} {} and {}", before.spec.version, after.spec.version);
            }
        }
        assert!(eras("pulumi").is_empty());
    }
}
