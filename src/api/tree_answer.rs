//! Answers about every module directory of an upload.

use std::collections::BTreeMap;

use super::accept::Format;
use super::access_log::MergeFacts;
use super::answer::{facts, missing_var_files, name};
use super::error::ApiError;
use super::metrics::Metrics;
use super::prepare::PreparedRequest;
use crate::diag::Tally;
use crate::files::FileSet;
use crate::output::{DiagnosticsDocument, RepositoryAnswer, Shape};
use crate::repository;
use crate::settings::LimitSettings;

/// The document that grows while the modules are run.
enum Growing {
    Answer(RepositoryAnswer),
    Diagnostics(DiagnosticsDocument),
}

/// Runs every module and writes the answer.
///
/// # Errors
/// Returns a problem if the request is impossible whatever the files contain.
pub(super) fn write(
    files: &FileSet,
    prepared: PreparedRequest,
    format: Format,
    limits: &LimitSettings,
    metrics: &Metrics,
    mut on_stage: impl FnMut(&'static str),
) -> Result<(Vec<u8>, MergeFacts), ApiError> {
    let PreparedRequest { request: module, answer: options, reports, tree, .. } = prepared;
    let (paths, with_calls) = tree.map_or((None, false), |tree| (tree.paths, tree.calls));
    let prefix = reports.path_prefix.clone();
    let request = repository::Request { module, paths, top: String::new(), prefix };
    let mut growing = match format {
        Format::Json => Growing::Answer(RepositoryAnswer::new(options, Shape::Answer, with_calls)),
        Format::Diagnostics(format) => Growing::Diagnostics(DiagnosticsDocument::new(format, reports)),
    };
    // Keyed by module, since a module may come a second time.
    let mut counted: BTreeMap<Box<str>, MergeFacts> = BTreeMap::new();
    let mut missing = Ok(());
    let outcome =
        repository::run(files, &request, limits.syntax(), &mut |stage| on_stage(name(stage)), &mut |done| {
            let counts = facts(done.report, files);
            if counted.insert(done.path.into(), counts).is_none() {
                metrics.found(&done.report.diagnostics);
            }
            if done.report.variables.is_some() && missing.is_ok() {
                missing = missing_var_files(done.report, files, &request.module);
            }
            match &mut growing {
                Growing::Answer(answer) => answer.take(done),
                Growing::Diagnostics(document) => document.take(done.path, done.report),
            }
        })?;
    missing?;
    let valid = outcome.left_out.is_empty();
    let mut sum = MergeFacts { valid, tally: Tally::default(), files: files.files().len() as u64 };
    for (_, finding) in &outcome.left_out {
        sum.tally.add(outcome.severities.of(finding), 1);
    }
    for counts in counted.values() {
        sum.valid &= counts.valid;
        sum.tally += counts.tally;
    }
    on_stage("output");
    let plain = match growing {
        Growing::Answer(answer) => answer.finish(&outcome),
        Growing::Diagnostics(mut document) => {
            for (path, finding) in &outcome.left_out {
                document.add_skipped(path, finding, outcome.severities.of(finding));
            }
            document.finish()
        }
    };
    Ok((plain, sum))
}
