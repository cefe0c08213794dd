//! The work for a compatibility request: the body becomes files, which are read with the table of every version, and
//! the comparison becomes bytes. No async code here.

use axum::http::StatusCode;

use super::accept::Format;
use super::answer::{Answer, missing_var_files, read_with};
use super::error::ApiError;
use super::fingerprint;
use super::metrics::Metrics;
use super::prepare::refuse_parts;
use super::upload::{AnswerForm, Payload};
use super::v1::MergeOptions;
use crate::compatibility;
use crate::settings::LimitSettings;
use crate::task::{Facts, Input};
use overfold_base::diag::Tally;
use overfold_module::pipeline;
use overfold_syntax::Forest;

/// Does the work for one compatibility request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn make(
    payload: Payload,
    wanted: AnswerForm,
    limits: &LimitSettings,
    metrics: &Metrics,
) -> Result<Answer, ApiError> {
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let (files, prepared) = read_with(payload, limits, &check)?;
    metrics.read(files.files().len(), files.content_bytes());
    let format = Format::Json;
    let fingerprint = fingerprint::of(&files, &prepared, format.media_type(), limits);
    clock.begin("load");
    let input = Input { files: &files, prepared: &prepared, root: &prepared.request.root };
    let names_files = prepared.request.variables.iter().flat_map(|variables| &variables.args);
    if names_files.into_iter().any(|arg| matches!(arg, pipeline::VariableArg::VarFile(_))) {
        let forest = Forest::new(limits.syntax());
        missing_var_files(&pipeline::run(&forest, &files, &prepared.request)?, &files, &prepared.request)?;
    }
    let compared = compatibility::of(&files, &prepared.request, &input.folder(), limits.syntax())?;
    clock.begin("output");
    let status = if input.fails(compared.tally) { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let files_read = files.files().len() as u64;
    let facts = Facts { valid: compared.loads, tally: Tally::default(), files: files_read };
    let plain = compatibility::json(&compared);
    // This frees their memory before the answer is compressed.
    drop(compared);
    drop(files);
    Answer::of(plain, wanted.coding, status, format.content_type(), fingerprint, facts)
}

/// Refuses the options that have no meaning in a comparison of versions.
///
/// # Errors
/// 400 for those about the parts of a merged module; 422 for many modules at once, which is not implemented yet.
pub(crate) fn check(options: &MergeOptions) -> Result<(), ApiError> {
    refuse_parts(options, "a comparison of versions")?;
    if options.recursive {
        return Err(ApiError::not_implemented("the option recursive for a comparison of versions").at("/recursive"));
    }
    Ok(())
}
