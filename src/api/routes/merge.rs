//! `POST /v1/merge`: the main job.

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::super::answer;
use super::super::error::ApiError;
use super::super::state::AppState;
use super::super::upload::MergeCall;
use super::super::v1::{MergeAnswer, MergeForm, MergeQuery, MergeRequest, Problem};
use crate::stack;

/// Merge a module directory.
///
/// Loads one module directory as the tool would, merges its override files, resolves its input variables when values
/// are asked for, and answers with the merged configuration and every finding. A broken configuration is a normal
/// result: status 200 and `"valid": false`.
#[utoipa::path(
    post, path = "/v1/merge", tag = "merge",
    params(MergeQuery),
    request_body(
        description = "The files and the options. `Content-Encoding` gzip, zstd, br or deflate is understood on all.",
        content(
            (MergeRequest<'static> = "application/json"),
            (Vec<u8> = "application/x-tar"),
            (Vec<u8> = "application/gzip"),
            (Vec<u8> = "application/zstd"),
            (Vec<u8> = "application/zip"),
            (MergeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever is in them.", body = MergeAnswer,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the product's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, where Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, the archive, a path or an option cannot be read.", body = Problem,
            content_type = "application/problem+json"),
        (status = 406, description = "No accepted format is offered.", body = Problem,
            content_type = "application/problem+json"),
        (status = 408, description = "No answer within the time a request may take.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "Over a size or count limit; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "The Content-Type or Content-Encoding is not supported.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Well-formed but impossible, or not built yet.", body = Problem,
            content_type = "application/problem+json"),
        (status = 500, description = "A failure of the service.", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Too much to do; `Retry-After` says when to try again.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post_merge(State(state): State<AppState>, call: MergeCall) -> Result<Response, ApiError> {
    let MergeCall { admitted, wanted, payload } = call;
    let turn = state.turn(admitted).await?;
    let limits = state.settings().limits.clone();
    let work = tokio::task::spawn_blocking(move || {
        // Dropped when the work is over, not when the client leaves.
        let _turn = turn;
        stack::with_room(|| answer::make(payload, wanted, &limits))
    });
    work.await.map_err(|_panicked| ApiError::internal())?.map(IntoResponse::into_response)
}
