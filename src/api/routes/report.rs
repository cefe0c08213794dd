//! `POST /v1/merge/report` and `POST /v1/diff/report`: the same answers in formats for people and for other tools.

use axum::extract::State;
use axum::response::Response;

use super::super::answer::{self, Answer};
use super::super::diff;
use super::super::error::ApiError;
use super::super::state::AppState;
use super::super::upload::{DiffCall, DiffReportCall, MergeCall, ReportCall};
use super::super::v1::{Archive, DiffForm, DiffRequest, MergeForm, MergeOptions, MergeRequest, Problem};
use super::merge::run_work;
use super::problems::WorkProblems;

/// Report the diagnostics of a merge in another format.
///
/// Does what `POST /v1/merge` does with the same request, and answers only with the diagnostics, in the format that
/// `format` names: for code scanning, for reviews, for the log of a job, or for people. `Accept` makes no difference
/// here.
#[utoipa::path(
    post, path = "/v1/merge/report", tag = "merge",
    params(
        ("format" = String, Query, description = "The format of the report."),
        MergeOptions,
    ),
    request_body(
        description = "The files and the options, in any format that `POST /v1/merge` accepts. With an archive, the options are \
                       query parameters beside `format`; with JSON or a form, they are in the body.",
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
        (status = 200, description = "The files could be read, whatever they contain. The media type is that of the format.",
            body = String, content_type = "text/plain",
            headers(
                ("overfold-valid" = String, description = "What `valid` says in the answer of `POST /v1/merge`."),
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, the archive, a path or an option is not valid.",
            body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or \
            there are findings that `fail_on` names: the body is then that of a 200. The media type distinguishes the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_merge_report(
    State(state): State<AppState>,
    ReportCall(MergeCall { call, wanted }): ReportCall,
) -> Result<Response, ApiError> {
    let make = move |payload, limits: &_, metrics: &_| {
        answer::make(payload, wanted, limits, metrics).map(Answer::into_report)
    };
    run_work(&state, call, make).await
}

/// Report what a change really changes, for people.
///
/// Does what `POST /v1/diff` does with the same request, and answers in the format that `format` names: `markdown`, a
/// comment for a pull request, at most 65,536 characters long; or `text`, for terminals, at most 1,000,000 characters
/// long. Both say how many entries are left out. `Accept` makes no difference here.
#[utoipa::path(
    post, path = "/v1/diff/report", tag = "merge",
    params(("format" = String, Query, description = "The format of the report.")),
    request_body(
        description = "The two sides, as for `POST /v1/diff`.",
        content(
            (DiffRequest<'static> = "application/json"),
            (DiffForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "Both sides could be read, whatever they contain. The media type is that of the format.",
            content(
                (String = "text/markdown"),
                (String = "text/plain"),
            ),
            headers(
                ("overfold-valid" = String, description = "Whether both sides are valid."),
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, an archive, a path or an option is not valid: \
                                      `pointer` then begins with the side.", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
                                      `fail_on`, that side has such a finding: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_diff_report(
    State(state): State<AppState>,
    DiffReportCall(DiffCall { call, format, coding }): DiffReportCall,
) -> Result<Response, ApiError> {
    let make = move |payload, limits: &_, metrics: &_| {
        diff::make(payload, format, coding, limits, metrics).map(Answer::into_report)
    };
    run_work(&state, call, make).await
}
