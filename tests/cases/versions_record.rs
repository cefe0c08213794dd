//! The rows of the dialects against the record of versions: wherever the answer to a case changes between neighbouring
//! versions recorded for it, a row that the case proves has a boundary there; and every row with a boundary in the recorded
//! range is proven by a case, or listed as read.
//!
//! `tests/data/version_proofs.txt` lists the cases that prove each row. It is made by taking a row from the version before
//! the boundary and looking for answers that change: `OVERFOLD_GOLDEN=write cargo test --test cases -- version-record`
//! makes it anew. From `version_changes_unexplained.txt`, the changes that no row explains yet, and from the rows that no
//! case shows (`crates/dialect/src/read_rows.txt`, which are built into the program), it only removes what is explained or
//! proven now. Whatever else belongs there fails the trial until somebody adds it by hand: a change with its reason behind
//! ` # `, a row with its `source` in the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use overfold_cli::dialect::{Difference, Release, compared, differences, find, read_rows, with_row_of};
use overfold_cli::output::{PlanAnswerOptions, answer, plan_answer};
use overfold_cli::pipeline::run_with_table;
use overfold_cli::syntax::Forest;

use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::{EVERYTHING, request_at};
use super::plan;
use super::runner::Trial;
use super::validate::lines;
use super::versions::{Kind, SUITES, as_asked, plan_members};

/// Adds the trial.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(Trial::test("version-record", record));
}

fn record() -> Result<(), Failed> {
    let changes = changes();
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|value| value == "write") {
        write(&changes)?;
    }
    let (proofs, read) = (proofs()?, read_rows().map(str::to_owned).collect::<BTreeSet<_>>());
    let text = fs::read_to_string(data("version_changes_unexplained.txt"))?;
    let listed: BTreeSet<String> = text.lines().map(|line| without_reason(line).to_owned()).collect();
    let mut wrong = Vec::new();
    let unexplained = unexplained(&changes, &proofs);
    for line in unexplained.difference(&listed) {
        wrong.push(format!("{line}: no row that the case proves has a boundary there"));
    }
    for line in listed.difference(&unexplained) {
        wrong.push(format!("{line}: is explained, and has to leave the list"));
    }
    for row in differences() {
        match (lacks_proof(row, &changes, &proofs), read.contains(&row.id)) {
            (true, false) => wrong.push(format!("{}: no case shows it: {}", row.id, row.summary)),
            (false, true) => {
                wrong.push(format!("{}: is proven, or not in the recorded range, and not to be read", row.id));
            }
            _ => {}
        }
    }
    for id in proofs.keys().chain(&read).filter(|id| !differences().iter().any(|row| row.id == **id)) {
        wrong.push(format!("{id}: there is no such row"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n    {}", wrong.len(), wrong.join("\n    ")).into()) }
}

/// Returns a line of the list of changes without the reason that stands behind it.
fn without_reason(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(change, _)| change)
}

type Proofs = BTreeMap<String, BTreeSet<String>>;

/// Returns the changes that no row explains, a line each.
fn unexplained(changes: &[Change], proofs: &Proofs) -> BTreeSet<String> {
    let is_explained = |change: &&Change| {
        differences().iter().any(|row| {
            change.is_at_boundary_of(row) && proofs.get(&row.id).is_some_and(|cases| cases.contains(&change.case))
        })
    };
    let line = |Change { case, dialect, before, after }: &Change| format!("{case} {dialect} {before} {after}");
    changes.iter().filter(|change| !is_explained(change)).map(line).collect()
}

/// Whether a row has a boundary in the recorded range, and no case that proves it.
fn lacks_proof(row: &Difference, changes: &[Change], proofs: &Proofs) -> bool {
    let is_inside = |dialect| row.boundaries(dialect).iter().any(|&at| is_recorded(changes, dialect, at));
    compared().any(is_inside) && !proofs.contains_key(&row.id)
}

/// An answer that changes between neighbouring versions of those recorded for a case.
struct Change {
    case: String,
    dialect: String,
    before: String,
    after: String,
}

impl Change {
    fn is_at_boundary_of(&self, row: &Difference) -> bool {
        let (before, after) = (release(&self.before), release(&self.after));
        row.boundaries(&self.dialect).iter().any(|at| before < *at && *at <= after)
    }
}

/// Whether a boundary lies between two recorded versions of a dialect.
fn is_recorded(changes: &[Change], dialect: &str, at: Release) -> bool {
    let of_dialect = || changes.iter().filter(|change| change.dialect == dialect);
    of_dialect().any(|change| release(&change.before) < at) && of_dialect().any(|change| at <= release(&change.after))
}

pub(crate) fn release(version: &str) -> Release {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse().ok());
    let mut next = || numbers.next().unwrap_or(0);
    Release(next(), next(), next())
}

/// Returns all changes of the record.
fn changes() -> Vec<Change> {
    let mut changes = Vec::new();
    for suite in SUITES {
        for name in names(suite) {
            let case = read(suite, &name);
            for dialect in compared() {
                // The version, and its answer; none where the tool stopped early.
                let mut answers: Vec<(&str, Option<&Json>)> = Vec::new();
                for answer in case.expected.items() {
                    let stopped = answer.get("stopped") == &Json::Bool(true) && Kind::of(&case) == Kind::Validate;
                    for program in answer.get("programs").items() {
                        if let Some(version) =
                            program.text().strip_prefix(dialect).and_then(|rest| rest.strip_prefix(' '))
                        {
                            answers.push((version, (!stopped).then_some(answer)));
                        }
                    }
                }
                answers.sort_by_key(|(version, _)| release(version));
                for pair in answers.windows(2) {
                    let [(before, Some(old)), (after, Some(new))] = pair else { continue };
                    if !same(&case, old, new) {
                        changes.push(Change {
                            case: case.name.clone(),
                            dialect: dialect.to_owned(),
                            before: (*before).to_owned(),
                            after: (*after).to_owned(),
                        });
                    }
                }
            }
        }
    }
    changes
}

/// Whether two recorded answers are the same in what is compared. The installation tells some things twice, and its name
/// does not count.
pub(crate) fn same(case: &Case, left: &Json, right: &Json) -> bool {
    let is_set = [left, right].iter().any(|answer| answer.find("stage").is_some());
    let found = |answer: &Json| {
        let found: Vec<Json> = answer.get("diagnostics").items().iter().map(plan_members::without_address).collect();
        let mut found = lines(found.iter(), true);
        if is_set {
            found.dedup();
        }
        found
    };
    let document = |answer: &Json| plan_members::compared(case, answer.get("plan"));
    found(left) == found(right) && document(left) == document(right)
}

/// Returns what is compared of our answer, under a table.
fn ours(
    case: &Case,
    program: &str,
    table: &'static overfold_cli::dialect::DialectSpec,
) -> Option<(Vec<String>, Json)> {
    let kind = Kind::of(case);
    let case = as_asked(case, program);
    let forest = Forest::default();
    let request = if kind == Kind::Plan { plan::request(&case) } else { request_at(&case, kind.stage()) };
    let report = run_with_table(table, &forest, &case.file_set(), &request, &mut |_| {}).ok()?;
    let bytes = match kind {
        Kind::Plan => plan_answer(&report, PlanAnswerOptions { plan: true, instances: false }),
        Kind::Load | Kind::Validate => answer(&report, EVERYTHING),
    };
    let answer = Json::parse(std::str::from_utf8(&bytes).ok()?).ok()?;
    let found = answer.get("diagnostics").items().iter().filter(|found| found.get("origin").text() == "tool");
    let found: Vec<Json> = found.map(plan_members::without_address).collect();
    Some((lines(found.iter(), true), plan_members::compared(&case, answer.get("plan"))))
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Reads the cases that prove each row: the name of the row, and below it the cases, indented.
fn proofs() -> Result<Proofs, Failed> {
    let mut proofs = Proofs::new();
    let mut row = String::new();
    for line in fs::read_to_string(data("version_proofs.txt"))?.lines() {
        match line.strip_prefix("  ") {
            Some(case) => drop(proofs.entry(row.clone()).or_default().insert(case.to_owned())),
            None => line.clone_into(&mut row),
        }
    }
    Ok(proofs)
}

/// Finds the cases that prove each row, and writes the list. Of the cases that prove a row at one boundary, the first few
/// are listed, and those that no other row explains.
fn write(changes: &[Change]) -> Result<(), Failed> {
    let mut proofs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let found = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(change) = changes.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let rows = rows_behind(change);
                    found.lock().unwrap().extend(rows.into_iter().map(|row| (row, change)));
                }
            });
        }
    });
    for (row, change) in found.into_inner().unwrap() {
        proofs.entry(row).or_default().insert(&change.case);
    }
    let mut text = String::new();
    for (row, cases) in proofs {
        writeln!(text, "{row}")?;
        for case in cases {
            writeln!(text, "  {case}")?;
        }
    }
    fs::write(data("version_proofs.txt"), text)?;
    let proofs = self::proofs()?;
    let unexplained = unexplained(changes, &proofs);
    shorten(&data("version_changes_unexplained.txt"), |line| unexplained.contains(without_reason(line)))?;
    let read: BTreeSet<&str> =
        differences().iter().filter(|row| lacks_proof(row, changes, &proofs)).map(|row| &*row.id).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    shorten(&root.join("crates/dialect/src/read_rows.txt"), |line| read.contains(line))
}

/// Removes lines from a list. Only people add some.
fn shorten(path: &Path, stays: impl Fn(&str) -> bool) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let kept: String = text.lines().filter(|line| stays(line)).flat_map(|line| [line, "\n"]).collect();
    fs::write(path, kept)?;
    Ok(())
}

/// Returns the rows without which the answer would not change.
fn rows_behind(change: &Change) -> Vec<&'static str> {
    let (suite, name) = change.case.rsplit_once('/').expect("a suite and a case");
    let case = read(suite, name);
    let program = format!("{} {}", change.dialect, change.after);
    let Some(table) = find(&change.dialect, Some(&change.after)).ok() else { return Vec::new() };
    let Some(normal) = ours(&case, &program, table) else { return Vec::new() };
    let rows = differences().iter().filter(|row| change.is_at_boundary_of(row));
    let decisive = rows.filter(|row| {
        let without = with_row_of(&change.dialect, &change.after, &row.id, &change.before);
        without.and_then(|table| ours(&case, &program, table)).is_some_and(|other| other != normal)
    });
    decisive.map(|row| row.id.as_str()).collect()
}
