//! `POST /v1/diff` and `POST /v1/diff/report`: the effective changes from one configuration to another.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::{respond, respond_with_report};
use crate::api::wire::endpoint::{Call, ReportCall};
use crate::api::wire::v1::{DiffAnswer, DiffForm, DiffRequest};
use crate::state::AppState;
use overfold_engine::Diff;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Compare two merged configurations.
///
/// Both sides are loaded and merged as by `POST /v1/merge`. The answer lists the objects, arguments and nested blocks
/// that were added, removed or changed in effect, each with both expressions and ranges, and with the override file
/// that caused the change. Formatting, comments, the order of arguments, and the distribution over files make no
/// difference. The two sides may be the same files in two dialects or versions: `after` without `files` uses those of
/// `before`. With `recursive` on both sides, every module directory is compared with the one at the same path below
/// `root`. The limits on files, work and memory apply to both sides together. For a comment on a pull request or a
/// text for people, see `POST /v1/diff/report`.
#[utoipa::path(
    post, path = "/v1/diff", tag = "merge",
    request_body(
        description = "The two sides. A query string is an error (status 400). `Content-Encoding` may be gzip, zstd, br or deflate.",
        content(
            (DiffRequest<'static> = "application/json"),
            (DiffForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "Both sides could be read, whatever they contain.", body = DiffAnswer<'_>,
            headers(("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"))),
        (status = 400, description = "The body, an archive, a path or an option is not valid; `pointer` begins with \
                                      the side.", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
            `fail_on`, that side has such a diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_diff(State(state): State<AppState>, call: Call<Diff, 2>) -> Result<Response, ApiError> {
    respond(&state, call).await
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
                ("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, an archive, a path or an option is not valid: \
                                      `pointer` then begins with the side.", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
            `fail_on`, that side has such a diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_diff_report(
    State(state): State<AppState>,
    call: ReportCall<Diff, 2>,
) -> Result<Response, ApiError> {
    respond_with_report(&state, call).await
}
