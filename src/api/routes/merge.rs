//! `POST /v1/merge` and `POST /v1/merge/report`: the main task, and its diagnostics alone in other formats.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::{respond, respond_with_report};
use crate::api::wire::endpoint::{Call, ReportCall};
use crate::api::wire::v1::{Archive, MergeAnswer, MergeForm, MergeOptions, MergeRequest};
use crate::state::AppState;
use overfold_engine::Merge;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Merge a module directory.
///
/// Loads one module directory by the rules of a dialect, merges its override files, resolves its input variables if
/// values are requested, and answers with the merged configuration and every diagnostic. A broken configuration is a
/// normal result: status 200 and `"valid": false`. For the diagnostics in the formats of other tools, see
/// `POST /v1/merge/report`.
#[utoipa::path(
    post, path = "/v1/merge", tag = "merge",
    params(MergeOptions),
    request_body(
        description = "The files and the options. With an archive, the options are query parameters; with JSON or a form, they \
                       are in the body, and a query string is an error (status 400). `Content-Encoding` may be gzip, zstd, \
                       br or deflate with every format.",
        content(
            (MergeRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (MergeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = MergeAnswer<'_>,
            headers(("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"))),
        (status = 400, description = "The body, the archive, a path or an option is not valid.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or \
            there are diagnostics that `fail_on` names: the body is then that of a 200. The media type distinguishes \
            the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_merge(State(state): State<AppState>, call: Call<Merge, 1>) -> Result<Response, ApiError> {
    respond(&state, call).await
}

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
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
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
                ("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, the archive, a path or an option is not valid.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or \
            there are diagnostics that `fail_on` names: the body is then that of a 200. The media type distinguishes \
            the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_merge_report(
    State(state): State<AppState>,
    call: ReportCall<Merge, 1>,
) -> Result<Response, ApiError> {
    respond_with_report(&state, call).await
}
