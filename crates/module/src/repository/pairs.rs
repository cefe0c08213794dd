//! Two trees of modules side by side: each directory is paired with the directory of the other tree that has the same
//! path below the root.
//!
//! Each tree is run directory by directory, as a single one would be, with both sides of a pair at a time. A pair is
//! run again if its calls look wrong on either side, or if only some pairs were requested and it is one of them. Two
//! repositories therefore cost the memory of one pair.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::{DIRECTORY, DirectoryResult, Outcome, Request, Tree, shown};
use crate::pipeline::{self, Report, RequestError, Stage};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::files::FileSet;
use overfold_syntax::{Forest, SyntaxLimits};

/// Two directories with the same path, or one without a partner.
pub struct Pair<'p> {
    /// The path below the root of either side, `.` for the root itself.
    pub path: &'p str,
    /// The sides before and after.
    pub sides: [PairSide<'p>; 2],
}

/// One side of a pair.
pub struct PairSide<'p> {
    /// Whether the directory exists and has been run.
    pub presence: Presence,
    /// The report: empty if the directory does not exist, and with a single finding that explains it if the directory
    /// could not be run.
    pub report: &'p Report<'p>,
    /// The calls that lead to directories of this side: the name of the call, and the path below the root as in
    /// [`Pair::path`].
    pub calls: Vec<(&'p str, &'p str)>,
}

/// Whether a directory exists on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// There is no such module directory on this side.
    Absent,
    /// The directory cannot be run.
    Refused,
    /// The directory has been run.
    Run,
}

/// An error that makes a request impossible, and the side that it belongs to.
#[derive(Debug)]
pub struct SideError {
    /// 0 for before, 1 for after.
    pub side: usize,
    /// The error.
    pub error: RequestError,
}

/// Runs two trees.
///
/// Calls `done` for each pair; a later call for the same path replaces an earlier one. Files that limit the pairs may
/// be given in either request and apply to both. The bare root, which is the only module of a tree without module
/// directories, is returned only if both trees have nothing else. Pure: the same input yields the same calls in the
/// same order.
///
/// # Errors
/// [`SideError`] if the request cannot be met, whatever the files contain.
pub fn run(
    sides: [(&FileSet, &Request); 2],
    limits: SyntaxLimits,
    on_stage: &mut dyn FnMut(Stage),
    done: &mut dyn FnMut(&Pair<'_>),
) -> Result<[Outcome; 2], SideError> {
    let of = |side: usize| move |error: RequestError| SideError { side, error };
    let [first, second] = sides;
    account::raise(|limits| limits.for_tree(first.0.content_bytes() + second.0.content_bytes()));
    let first = (first.0, &*first.1.with_meant_version(first.0).map_err(of(0))?);
    let second = (second.0, &*second.1.with_meant_version(second.0).map_err(of(1))?);
    let mut before = Tree::new(first.0, first.1, limits).map_err(of(0))?;
    let mut after = Tree::new(second.0, second.1, limits).map_err(of(1))?;
    let on_stage = RefCell::new(on_stage);
    // Both sides share one clock, and the second begins while the first is still open.
    let watch = |stage| {
        if let Ok(mut on_stage) = on_stage.try_borrow_mut() {
            on_stage(stage);
        }
    };
    let paths: Vec<_> = [first.1, second.1].iter().filter_map(|request| request.paths.clone()).collect();
    let pairs = paired(&before, &after);
    // The side being worked on, for its errors.
    let at = Cell::new(0);
    let failed = |error| SideError { side: at.get(), error };
    let sides = [first, second].map(|(_, request)| Side { request: &request.module, limits });
    let is_whole = paths.is_empty();
    for (path, &[a, b]) in &pairs {
        at.set(0);
        let result = before.visit(a, &mut |stage| watch(stage), |was| {
            at.set(1);
            after.visit(b, &mut |stage| watch(stage), |is| {
                if is_whole { pass_pair(path, sides, [&was, &is], done) } else { Ok(()) }
            })
        });
        result.map_err(failed)?;
    }
    before.visit_rest(&mut |stage| watch(stage)).map_err(of(0))?;
    after.visit_rest(&mut |stage| watch(stage)).map_err(of(1))?;
    let (outcomes, outcomes_after) = (before.finalize(&paths), after.finalize(&paths));
    for (path, &[a, b]) in &pairs {
        let again = [(a, &outcomes), (b, &outcomes_after)].into_iter().any(|(at, outcomes)| {
            at.is_some_and(|at| {
                outcomes.wanted.as_ref().map_or_else(|| outcomes.is_suspect(at), |all| all.contains(&at))
            })
        });
        if !again {
            continue;
        }
        at.set(0);
        let result = before.rerun(a, &outcomes, &mut |stage| watch(stage), |was| {
            at.set(1);
            after.rerun(b, &outcomes_after, &mut |stage| watch(stage), |is| pass_pair(path, sides, [&was, &is], done))
        });
        result.map_err(failed)?;
    }
    Ok([before.outcome(), after.outcome()])
}

/// Pairs the numbers of the directories on both sides by path below the root.
fn paired(before: &Tree<'_>, after: &Tree<'_>) -> BTreeMap<String, [Option<usize>; 2]> {
    let mut pairs: BTreeMap<String, [Option<usize>; 2]> = BTreeMap::new();
    for (side, (tree, other)) in [(before, after), (after, before)].into_iter().enumerate() {
        for (number, directory) in tree.directories.iter().enumerate() {
            let is_bare = tree.has_bare_root && directory.path == tree.root;
            if directory.listed
                && (!is_bare || other.has_bare_root)
                && let Some(slot) =
                    pairs.entry(shown(&directory.path, &tree.root).to_owned()).or_default().get_mut(side)
            {
                *slot = Some(number);
            }
        }
    }
    pairs
}

/// Passes a pair to `done`.
fn pass_pair(
    path: &str,
    sides: [Side<'_>; 2],
    results: [&DirectoryResult<'_>; 2],
    done: &mut dyn FnMut(&Pair<'_>),
) -> Result<(), RequestError> {
    let [one, other] = sides;
    let [was, is] = results;
    one.with_side(was, |was| {
        other.with_side(is, |is| {
            done(&Pair { path, sides: [was, is] });
            Ok(())
        })
    })
}

/// The settings for the report of a directory that was not run.
#[derive(Clone, Copy)]
struct Side<'a> {
    request: &'a pipeline::Request,
    limits: SyntaxLimits,
}

impl Side<'_> {
    /// Passes one side to `then`, with an empty report if it does not exist.
    fn with_side<T>(
        self,
        result: &DirectoryResult<'_>,
        then: impl FnOnce(PairSide<'_>) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        match result {
            DirectoryResult::Run(done) => {
                let root = &self.request.root;
                let calls = done
                    .calls
                    .iter()
                    .charged_at_once(4)
                    .filter_map(|call| Some((call.name, shown(call.target.directory()?, root))));
                then(PairSide { presence: Presence::Run, report: done.report, calls: calls.collect() })
            }
            DirectoryResult::Absent => {
                let presence = Presence::Absent;
                self.with_empty_report(None, |report| then(PairSide { presence, report, calls: Vec::new() }))
            }
            DirectoryResult::Refused(finding) => {
                let presence = Presence::Refused;
                self.with_empty_report(Some(finding), |report| then(PairSide { presence, report, calls: Vec::new() }))
            }
        }
    }

    /// Creates a report about no files, with this finding alone.
    fn with_empty_report<T>(
        self,
        finding: Option<&Diagnostic>,
        then: impl FnOnce(&Report<'_>) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        account::work(DIRECTORY);
        let request = pipeline::Request { root: String::new(), variables: None, ..self.request.clone() };
        let forest = Forest::new(self.limits);
        let mut report = pipeline::run(&forest, &FileSet::default(), &request)?;
        report.diagnostics = Diagnostics::new();
        report.diagnostics.extend(finding.cloned());
        then(&report)
    }
}
