//! `POST /v1/plan` and `POST /v1/plan/report`: what the tool would plan without a state.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::{respond, respond_with_report};
use crate::api::wire::endpoint::{Call, ReportCall};
use crate::api::wire::v1::{Archive, PlanAnswer, PlanForm, PlanOptions, PlanRequest};
use crate::state::AppState;
use overfold_engine::Plan;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Plan a root module without a state.
///
/// Loads the root module and every module that it calls, and evaluates them as Terraform or OpenTofu does when it plans a
/// configuration that has never been applied. The answer has the shape of `terraform show -json`, and lists what would
/// have to be known for a plan that is exactly theirs. State, drift, and the options for targets, replacements and
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
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (PlanForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = PlanAnswer<'_>,
            headers(("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"))),
        (status = 400, description = "The body, the archive, a path, an address, a time or an option is not valid.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or there are \
            diagnostics that `fail_on` names: the body is then that of a 200. The media type distinguishes the \
            two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan(State(state): State<AppState>, call: Call<Plan, 1>) -> Result<Response, ApiError> {
    respond(&state, call).await
}

/// Get a plan as a document alone, or its diagnostics in another format.
///
/// Does what `POST /v1/plan` does with the same request, and answers in the format that `format` names: `document`, the
/// bare plan document on one line, as `show -json` prints it; `sentinel-mock`, the file `mock-tfplan-v2.sentinel`, with which
/// Sentinel policies that import `tfplan/v2` are tested; `text`, the plan and the diagnostics for people; or the
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
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
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
                ("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, the archive, a path, an address, a time or an \
            option is not valid.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet, or there is no plan document (`no-plan`, with the `diagnostics`): a problem. Or there are \
            diagnostics that `fail_on` names: the body is then that of a 200. The media type distinguishes the \
            two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_plan_report(
    State(state): State<AppState>,
    call: ReportCall<Plan, 1>,
) -> Result<Response, ApiError> {
    respond_with_report(&state, call).await
}
