//! Compares two trees of modules.

use std::collections::BTreeMap;

use super::access_log::MergeFacts;
use super::answer::{facts, missing_var_files, name};
use super::diff::{SIDES, of_side};
use super::error::ApiError;
use super::metrics::Metrics;
use super::prepare::PreparedRequest;
use crate::diag::Tally;
use crate::files::FileSet;
use crate::output::{DifferenceForm, TreeDifference};
use crate::repository::{self, Presence, Request, SideError};
use crate::settings::LimitSettings;

/// Runs every module of both sides, pair by pair, and writes the differences; returns the facts of both sides, too.
///
/// # Errors
/// Returns the problem, with the side in its pointer, if the request is impossible whatever the files contain.
pub(super) fn write(
    sides: [(&FileSet, &PreparedRequest); 2],
    format: DifferenceForm,
    limits: &LimitSettings,
    metrics: &Metrics,
    mut on_stage: impl FnMut(&'static str),
) -> Result<(Vec<u8>, [MergeFacts; 2]), ApiError> {
    let requests = sides.map(|(_, prepared)| Request {
        module: prepared.request.clone(),
        paths: prepared.tree.as_ref().and_then(|tree| tree.paths.clone()),
        top: String::new(),
        prefix: prepared.reports.path_prefix.clone(),
    });
    let [(was, before), (is, after)] = sides;
    let [first, second] = &requests;
    let mut difference = TreeDifference::new(format);
    // Keyed by module, since a module may come a second time.
    let mut counted: [BTreeMap<Box<str>, MergeFacts>; 2] = Default::default();
    let mut missing = Ok(());
    let outcomes = repository::run_pairs(
        [(was, first), (is, second)],
        limits.syntax(),
        &mut |stage| on_stage(name(stage)),
        &mut |pair| {
            for (((side, (files, prepared)), counted), which) in
                pair.sides.iter().zip(sides).zip(&mut counted).zip(SIDES)
            {
                if side.presence == Presence::Absent {
                    continue;
                }
                if counted.insert(pair.path.into(), facts(side.report, files)).is_none() {
                    metrics.found(&side.report.diagnostics);
                }
                if side.report.variables.is_some() && missing.is_ok() {
                    missing = missing_var_files(side.report, files, &prepared.request)
                        .map_err(|problem| of_side(problem, which));
                }
            }
            difference.take(pair);
        },
    );
    let outcomes = outcomes
        .map_err(|SideError { side, error }| of_side(error.into(), SIDES.get(side).copied().unwrap_or_default()))?;
    missing?;
    on_stage("output");
    let [one, other] = counted;
    let facts = [(one, was), (other, is)].map(|(counted, files)| sum(&counted, files));
    Ok((difference.finish(&outcomes, [&before.request.root, &after.request.root]), facts))
}

/// Adds up the facts of all modules of one side.
fn sum(counted: &BTreeMap<Box<str>, MergeFacts>, files: &FileSet) -> MergeFacts {
    let mut sum = MergeFacts { valid: true, tally: Tally::default(), files: files.files().len() as u64 };
    for counts in counted.values() {
        sum.valid &= counts.valid;
        sum.tally += counts.tally;
    }
    sum
}
