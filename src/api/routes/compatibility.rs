//! `POST /v1/compatibility`: which versions load a module.

use axum::extract::State;
use axum::response::Response;

use crate::api::routes::problems::WorkProblems;
use crate::api::routes::respond::respond;
use crate::api::wire::endpoint::Call;
use crate::api::wire::v1::{Archive, CompatibilityAnswer, MergeForm, MergeOptions, MergeRequest};
use crate::state::AppState;
use overfold_engine::Compatibility;
use overfold_server::error::ApiError;
use overfold_server::problem::Problem;

/// Compare which versions load a module.
///
/// Reads one module directory as every known version of Terraform and OpenTofu would. The answer lists the ranges of
/// versions that load it, what changes from one version to the next, and whether the module's own `required_version`
/// fits. The request is that of `POST /v1/merge`; `dialect` and `version` say for which product `required_version` is
/// read, and options about the parts of a merge answer are refused. Only what Terraform or OpenTofu reports is considered
/// (`origin` `tool`), except for unmet constraints on the version. `stage` is `load` by default; with `validate`,
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
        WorkProblems,
        (status = 200, description = "The files could be read, whatever they contain.", body = CompatibilityAnswer<'_>,
            headers(("etag"), ("repr-digest"), ("content-encoding"), ("x-request-id"))),
        (status = 400, description = "The body, the archive, a path or an option is not valid, or the versions of the dialect \
                                      cannot be compared.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one. The limits of one request apply to all \
                                      versions together.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet (`recursive`): a problem. Or, with \
                                      `fail_on`, the requested version does not load the module or, for `warning`, has warnings: the \
                                      answer as with 200. The media type distinguishes the two.",
            content((Problem = "application/problem+json"), (CompatibilityAnswer<'_> = "application/json"))),
    ),
)]
pub(crate) async fn post_compatibility(
    State(state): State<AppState>,
    call: Call<Compatibility, 1>,
) -> Result<Response, ApiError> {
    respond(&state, call).await
}
