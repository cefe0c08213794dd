//! `POST /v1/plan` and `POST /v1/plan/report`: what the tool would plan without a state.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::value::RawValue;

use crate::api::http::accept::Coding;
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::problem::Problem;
use crate::api::http::state::AppState;
use crate::api::routes::answer::{Answer, Desk, Watching, run_work};
use crate::api::routes::kept::Asked;
use crate::api::routes::problems::WorkProblems;
use crate::api::wire::fingerprint;
use crate::api::wire::formats::PlanFormat;
use crate::api::wire::planning::prepare_plan;
use crate::api::wire::reading::read_with;
use crate::api::wire::upload::{Payload, PlanCall, PlanReportCall};
use crate::api::wire::v1::{Archive, PlanAnswer, PlanForm, PlanOptions, PlanRequest};
use crate::task::{self, Input, Planned};

/// Plan a root module without a state.
///
/// Loads the root module and every module that it calls, and evaluates them as the tool does when it plans a
/// configuration that has never been applied. The answer has the shape of `terraform show -json`, and lists what would
/// have to be known for a plan that is exactly the tool's. State, drift, and the options for targets, replacements and
/// destruction are out of scope. No provider is started, and nothing is fetched. For the bare document, or the
/// diagnostics in the formats of other tools, see `POST /v1/plan/report`.
#[utoipa::path(
    post, path = "/v1/plan", tag = "plan",
    params(PlanOptions),
    request_body(
        description = "The files and the options. With an archive, the options are query parameters; with JSON or a form, they \
                       are in the body, and a query string is an error (status 400). `Content-Encoding` may be gzip, zstd, \
                       br or deflate with every format.",
        content(
            (PlanRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (PlanForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = PlanAnswer,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, the archive, a path, an address, a time or an option is not valid.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet (`recursive`, `roots`, \
            `emulate`): a problem. Or there are findings that `fail_on` names: the body is then that of a 200. The media type \
            distinguishes the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan(State(state): State<AppState>, call: PlanCall) -> Result<Response, ApiError> {
    let PlanCall { call, format, coding } = call;
    run_work(&state, call, move |payload, desk| make(payload, format, coding, desk)).await
}

/// Get a plan as a document alone, or its diagnostics in another format.
///
/// Does what `POST /v1/plan` does with the same request, and answers in the format that `format` names: `document`, the
/// bare plan document on one line, as the tool prints it; `text`, the plan and the diagnostics for people; or the
/// diagnostics alone in a format of other tools. `Accept` makes no difference here.
#[utoipa::path(
    post, path = "/v1/plan/report", tag = "plan",
    params(
        ("format" = String, Query, description = "The format of the report."),
        PlanOptions,
    ),
    request_body(
        description = "The files and the options, in any format that `POST /v1/plan` accepts. With an archive, the options are \
                       query parameters beside `format`; with JSON or a form, they are in the body.",
        content(
            (PlanRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (PlanForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain. The media type is that of the format.",
            body = String, content_type = "text/plain",
            headers(
                ("overfold-valid" = String, description = "What `valid` says in the answer of `POST /v1/plan`."),
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, the archive, a path, an address, a time or an \
            option is not valid.",
            body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet, or there is no plan document (`no-plan`, with the `diagnostics`): a problem. Or there are \
            findings that `fail_on` names: the body is then that of a 200. The media type distinguishes the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan_report(
    State(state): State<AppState>,
    PlanReportCall(PlanCall { call, format, coding }): PlanReportCall,
) -> Result<Response, ApiError> {
    let make = move |payload, desk: &_| make(payload, format, coding, desk).map(Answer::into_report);
    run_work(&state, call, make).await
}

/// Does the work for one plan.
///
/// # Errors
/// Any problem with the request that only reading its body reveals; 422 if the plan document is wanted and there is none.
pub(crate) fn make(
    payload: Payload<PlanOptions>,
    format: PlanFormat,
    coding: Coding,
    desk: &Desk,
) -> Result<Answer, ApiError> {
    let Desk { limits, metrics, .. } = desk;
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let (files, prepared) = read_with(payload, limits, &prepare_plan)?;
    metrics.read(files.files().len(), files.content_bytes());
    let fingerprint = fingerprint::of(&files, &prepared, format.digested(), limits);
    let content_type = format.content_type();
    let reveals = prepared.request.reveal_sensitive;
    let asked = Asked { task: "plan", fingerprint: &fingerprint, content_type: &content_type, coding, reveals };
    desk.answer(asked, || {
        let input = Input { files: &files, prepared: &prepared, root: &prepared.request.root };
        let mut watch = Watching::of(vec![input], metrics, |stage| clock.begin(stage));
        let beside = matches!(format, PlanFormat::Text);
        let planned = task::plan(input, format.form(), beside, limits.syntax(), &mut watch)?;
        watch.finish().map_err(|(_, problem)| problem)?;
        let Planned { bytes, facts, findings, diagnostics, is_empty: _ } = planned;
        let Some(mut bytes) = bytes else { return Err(no_plan(diagnostics)) };
        if !findings.is_empty() {
            bytes.push(b'\n');
            bytes.extend_from_slice(findings.as_bytes());
        }
        let status = if input.fails(facts.tally) { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        // This frees their memory before the answer is compressed.
        drop(files);
        Answer::of(bytes, coding, status, content_type.clone(), fingerprint.clone(), facts)
    })
}

/// Returns the problem of a configuration for which the tool makes no plan.
fn no_plan(diagnostics: Option<Vec<u8>>) -> ApiError {
    let list = diagnostics.and_then(|list| RawValue::from_string(String::from_utf8(list).ok()?).ok());
    let problem = ApiError::new(Kind::NoPlan, "there is no plan of this configuration; diagnostics say why");
    ApiError { diagnostics: list.map(Arc::from), ..problem }
}
