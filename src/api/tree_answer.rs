//! The answer about every module directory of an upload.

use std::collections::BTreeMap;

use super::accept::Format;
use super::access_log::MergeFacts;
use super::answer::{facts, missing_var_files, name};
use super::error::ApiError;
use super::metrics::Metrics;
use super::plan::Plan;
use crate::files::FileSet;
use crate::output::{RepositoryAnswer, Shape};
use crate::repository;
use crate::settings::LimitSettings;

/// Runs every module and writes the answer.
///
/// # Errors
/// When the request cannot be met whatever the files hold.
pub(super) fn write(
    files: &FileSet,
    plan: Plan,
    format: Format,
    limits: &LimitSettings,
    metrics: &Metrics,
    mut begins: impl FnMut(&'static str),
) -> Result<(Vec<u8>, MergeFacts), ApiError> {
    let Plan { request: module, answer: options, tree, .. } = plan;
    let (paths, with_calls) = tree.map_or((None, false), |tree| (tree.paths, tree.calls));
    let request = repository::Request { module, paths, top: String::new() };
    let mut answer = match format {
        Format::Json => RepositoryAnswer::new(options, Shape::Answer, with_calls),
    };
    // By module, since one may come a second time.
    let mut counted: BTreeMap<Box<str>, MergeFacts> = BTreeMap::new();
    let mut missing = Ok(());
    let outcome = repository::run(files, &request, limits.syntax(), &mut |stage| begins(name(stage)), &mut |done| {
        let counts = facts(done.report, files);
        if counted.insert(done.path.into(), counts).is_none() {
            metrics.found(&done.report.diagnostics);
        }
        if done.report.variables.is_some() && missing.is_ok() {
            missing = missing_var_files(done.report, files, &request.module);
        }
        answer.take(done);
    })?;
    missing?;
    let mut sum = MergeFacts {
        valid: true,
        errors: outcome.left_out.len() as u64,
        warnings: 0,
        infos: 0,
        files: files.files().len() as u64,
    };
    for counts in counted.values() {
        sum.errors += counts.errors;
        sum.warnings += counts.warnings;
        sum.infos += counts.infos;
    }
    sum.valid = answer.is_valid(&outcome);
    begins("output");
    Ok((answer.finish(&outcome), sum))
}
