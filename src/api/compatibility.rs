//! The work behind a request about versions: body to files, files through every table, comparison to bytes. No async here.

use axum::http::StatusCode;

use super::accept::Format;
use super::access_log::MergeFacts;
use super::answer::{Answer, fingerprint, missing_var_files, read};
use super::error::ApiError;
use super::metrics::Metrics;
use super::upload::{Payload, Wanted};
use crate::compatibility;
use crate::pipeline;
use crate::settings::LimitSettings;
use crate::syntax::Forest;

/// Does the work of one request about versions.
///
/// # Errors
/// Any request problem that only reading the body shows.
pub(crate) fn make(
    payload: Payload,
    wanted: Wanted,
    limits: &LimitSettings,
    metrics: &Metrics,
) -> Result<Answer, ApiError> {
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let (files, plan) = read(payload, limits)?;
    metrics.read(files.files().len(), files.files().iter().map(|file| file.bytes.len() as u64).sum());
    let format = Format::Json;
    let fingerprint = fingerprint(&files, &plan, format.media_type(), limits.syntax());
    clock.begin("load");
    let names_files = plan.request.variables.iter().flat_map(|variables| &variables.args);
    if names_files.into_iter().any(|arg| matches!(arg, pipeline::VariableArg::VarFile(_))) {
        let forest = Forest::new(limits.syntax());
        missing_var_files(&pipeline::run(&forest, &files, &plan.request)?, &files, &plan.request)?;
    }
    let compared = compatibility::of(&files, &plan.request, limits.syntax())?;
    clock.begin("output");
    let facts =
        MergeFacts { valid: compared.loads, errors: 0, warnings: 0, infos: 0, files: files.files().len() as u64 };
    let plain = compatibility::json(&compared);
    // Their memory is free for packing.
    drop(compared);
    drop(files);
    Answer::of(plain, wanted.coding, StatusCode::OK, format.content_type(), fingerprint, facts)
}
