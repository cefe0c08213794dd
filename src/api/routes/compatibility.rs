//! `POST /v1/compatibility`: which versions load a module.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::api::http::error::ApiError;
use crate::api::http::problem::Problem;
use crate::api::http::state::AppState;
use crate::api::routes::answer::{Answer, Desk, missing_var_files, run_work};
use crate::api::routes::kept::Asked;
use crate::api::routes::problems::WorkProblems;
use crate::api::wire::fingerprint;
use crate::api::wire::formats::Format;
use crate::api::wire::prepare::{for_comparison, prepare};
use crate::api::wire::reading::read_with;
use crate::api::wire::upload::{AnswerForm, JsonCall, MergeCall, Payload};
use crate::api::wire::v1::{Archive, CompatibilityAnswer, MergeForm, MergeOptions, MergeRequest};
use crate::compatibility;
use crate::task::{Facts, Input};
use overfold_base::diag::Tally;
use overfold_module::pipeline;
use overfold_syntax::Forest;

/// Compare which tool versions load a module.
///
/// Reads one module directory as every known version of Terraform and OpenTofu would. The answer lists the ranges of
/// versions that load it, what changes from one version to the next, and whether the module's own `required_version`
/// fits. The request is that of `POST /v1/merge`; `dialect` and `version` say for which tool `required_version` is
/// read, and options about the parts of a merge answer are refused. Only what the tools themselves report is considered
/// (`origin` `tool`), except for unmet constraints on the tool's version. `stage` is `load` by default; with `validate`,
/// a version loads the module only if it also finds no error when it validates it.
#[utoipa::path(
    post, path = "/v1/compatibility", tag = "merge",
    params(MergeOptions),
    request_body(
        description = "The files and the options, in any format that `POST /v1/merge` accepts.",
        content(
            (MergeRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (MergeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = CompatibilityAnswer,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, the archive, a path or an option is not valid, or the versions of the dialect \
                                      cannot be compared.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one. The limits of one request apply to all \
                                      versions together.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet (`recursive`): a problem. Or, with \
                                      `fail_on`, the requested version does not load the module or, for `warning`, has warnings: the \
                                      answer as with 200. The media type distinguishes the two.",
            content((Problem = "application/problem+json"), (CompatibilityAnswer = "application/json"))),
        WorkProblems,
    ),
)]
pub(crate) async fn post_compatibility(
    State(state): State<AppState>,
    JsonCall(call): JsonCall,
) -> Result<Response, ApiError> {
    let MergeCall { call, wanted } = call;
    run_work(&state, call, move |payload, desk| make(payload, wanted, desk)).await
}

/// Does the work for one compatibility request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn make(payload: Payload, wanted: AnswerForm, desk: &Desk) -> Result<Answer, ApiError> {
    let Desk { limits, metrics, .. } = desk;
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let (files, prepared) = read_with(payload, limits, &|options, limits| prepare(for_comparison(options)?, limits))?;
    metrics.read(files.files().len(), files.content_bytes());
    let format = Format::Json;
    let fingerprint = fingerprint::of(&files, &prepared, format.media_type(), limits);
    let content_type = format.content_type();
    let asked = Asked {
        task: "compatibility",
        fingerprint: &fingerprint,
        content_type: &content_type,
        coding: wanted.coding,
        reveals: prepared.request.reveal_sensitive,
    };
    clock.begin("load");
    desk.answer(asked, || {
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
        Answer::of(plain, wanted.coding, status, content_type.clone(), fingerprint.clone(), facts)
    })
}
