//! `POST /v1/plan-diff` and `POST /v1/plan-diff/report`: what a change does to a plan, instance by instance.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::{respond, respond_with_report};
use crate::api::wire::endpoint::{Call, ReportCall};
use crate::api::wire::v1::{PlanDiffAnswer, PlanDiffForm, PlanDiffRequest};
use crate::state::AppState;
use overfold_engine::PlanDiff;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Compare two plans, instance by instance.
///
/// Both sides are planned as by `POST /v1/plan`. The answer lists the instances that were added, removed, changed or moved,
/// with the values that differ, the place of the argument that set each of them, and the override file that decided it; and
/// the outputs and conditions that differ. `moved` blocks of `after` are followed, and what seems to lack one is in
/// `suggested_moves`. Absent and null are the same; so are values that are not known on both sides and depend on the same.
/// Sets are compared as sets. Formatting, comments, the order of arguments, the names of variables and local values, and
/// the distribution over files make no difference, and neither do diagnostics. `after` without `files` uses those of
/// `before`. With `recursive` on both sides, each root module is compared with the one in the same directory, in `plans`.
/// The limits on files, work and memory apply to both sides together. For a comment on a pull request or a text
/// for people, see `POST /v1/plan-diff/report`.
#[utoipa::path(
    post, path = "/v1/plan-diff", tag = "plan",
    request_body(
        description = "The two sides. A query string is an error (status 400). `Content-Encoding` may be gzip, zstd, br or deflate.",
        content(
            (PlanDiffRequest<'static> = "application/json"),
            (PlanDiffForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "Both sides could be read, whatever they contain.", body = PlanDiffAnswer<'_>,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, an archive, a path, an address, a time or an option is not valid; `pointer` \
                                      begins with the side.", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
            `fail_on`, that side has such a diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan_diff(
    State(state): State<AppState>,
    call: Call<PlanDiff, 2>,
) -> Result<Response, ApiError> {
    respond(&state, call).await
}

/// Report what a change does to a plan, for people.
///
/// Does what `POST /v1/plan-diff` does with the same request, and answers in the format that `format` names: `markdown`, a
/// comment for a pull request, at most 65,536 characters long; or `text`, for terminals, at most 1,000,000 characters
/// long. Both have the `moved` blocks to paste, and say how many entries are left out. `Accept` makes no difference here.
#[utoipa::path(
    post, path = "/v1/plan-diff/report", tag = "plan",
    params(("format" = String, Query, description = "The format of the report.")),
    request_body(
        description = "The two sides, as for `POST /v1/plan-diff`.",
        content(
            (PlanDiffRequest<'static> = "application/json"),
            (PlanDiffForm = "multipart/form-data"),
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
        (status = 400, description = "`format` is missing or unknown; or the body, an archive, a path, an address, a time or an \
                                      option is not valid: `pointer` then begins with the side.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
            `fail_on`, that side has such a diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan_diff_report(
    State(state): State<AppState>,
    call: ReportCall<PlanDiff, 2>,
) -> Result<Response, ApiError> {
    respond_with_report(&state, call).await
}
