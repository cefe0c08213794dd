//! `POST /v1/upgrade` and `POST /v1/upgrade/report`: what another version of the tool would do with a configuration.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::{respond, respond_with_report};
use crate::api::wire::endpoint::{Call, ReportCall};
use crate::api::wire::v1::{Archive, UpgradeAnswer, UpgradeForm, UpgradeOptions, UpgradeRequest};
use crate::state::AppState;
use overfold_engine::Upgrade;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Find out what another version of Terraform or OpenTofu would do.
///
/// The request is that of `POST /v1/plan`, whose `dialect` and `version` are the old version, plus `to`, the new
/// version. The root module is loaded, validated and planned under both. The answer says what is reported only under
/// one of them, what is different in the plan, and, as far as it can be found, which row of the version tables is
/// behind each difference: rows that differ between the two versions are switched one at a time, and a row explains
/// what vanishes with it. `ready` lists what stands in the way in the configuration itself. All runs together are
/// subject to the limits of one request; if they end the search before every difference is explained, `searched` is
/// `false`. With `recursive`, each root module has an answer of its own in `plans`. For a comment on a pull request or
/// a text for people, see `POST /v1/upgrade/report`.
#[utoipa::path(
    post, path = "/v1/upgrade", tag = "plan",
    params(UpgradeOptions),
    request_body(
        description = "The files and the options. With an archive, the options are query parameters; with JSON or a form, they \
                       are in the body, and a query string is an error (status 400). `Content-Encoding` may be gzip, zstd, \
                       br or deflate with every format.",
        content(
            (UpgradeRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (UpgradeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = UpgradeAnswer<'_>,
            headers(("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"))),
        (status = 400, description = "The body, the archive, a path, an address, a time or an option is not valid, or `to` is \
                                      missing.", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a \
            problem; `pointer` begins with `to` if that version is not known. Or, with `fail_on`, the new version has such a \
            diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_upgrade(
    State(state): State<AppState>,
    call: Call<Upgrade, 1>,
) -> Result<Response, ApiError> {
    respond(&state, call).await
}

/// Report what another version would do, for people.
///
/// Does what `POST /v1/upgrade` does with the same request, and answers in the format that `format` names: `markdown`, a
/// comment for a pull request, at most 65,536 characters long; or `text`, for terminals, at most 1,000,000 characters
/// long. Both say how many entries are left out. `Accept` makes no difference here.
#[utoipa::path(
    post, path = "/v1/upgrade/report", tag = "plan",
    params(
        ("format" = String, Query, description = "The format of the report."),
        UpgradeOptions,
    ),
    request_body(
        description = "The files and the options, in any format that `POST /v1/upgrade` accepts. With an archive, the options \
                       are query parameters beside `format`; with JSON or a form, they are in the body.",
        content(
            (UpgradeRequest<'static> = "application/json"),
            (Archive = "application/x-tar"),
            (Archive = "application/gzip"),
            (Archive = "application/x-gzip"),
            (Archive = "application/x-tar+gzip"),
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (UpgradeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain. The media type is that of the format.",
            content(
                (String = "text/markdown"),
                (String = "text/plain"),
            ),
            headers(
                ("overfold-valid" = String, description = "Whether the configuration is valid under the new version."),
                ("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, the archive, a path, an address, a time or an \
            option is not valid.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
            `fail_on`, the new version has such a diagnostic: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_upgrade_report(
    State(state): State<AppState>,
    call: ReportCall<Upgrade, 1>,
) -> Result<Response, ApiError> {
    respond_with_report(&state, call).await
}
