//! `POST /v1/diff`: the effective changes from one configuration to another.

use axum::extract::State;
use axum::response::Response;

use super::super::diff;
use super::super::error::ApiError;
use super::super::state::AppState;
use super::super::upload::DiffCall;
use super::super::v1::{DiffAnswer, DiffForm, DiffRequest, Problem};
use super::merge;
use super::problems::OfWork;

/// Compare two merged configurations.
///
/// Both sides are loaded and merged as by `POST /v1/merge`. The answer lists the objects, arguments and nested blocks
/// that were added, removed or changed in effect, each with both expressions and ranges, and with the override file
/// that caused the change. Formatting, comments, the order of arguments, and the distribution over files make no
/// difference. The two sides may be the same files in two dialects or versions: `after` without `files` uses those of
/// `before`. With `recursive` on both sides, every module directory is compared with the one at the same path below
/// `root`. The limits on files, work and memory apply to both sides together.
#[utoipa::path(
    post, path = "/v1/diff", tag = "merge",
    request_body(
        description = "The two sides. A query string is a 400. `Content-Encoding` gzip, zstd, br or deflate is understood.",
        content(
            (DiffRequest<'static> = "application/json"),
            (DiffForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "Both sides could be read, whatever is in them. As `text/markdown`: a comment for a \
                                      pull request of at most 65,536 characters; as `text/plain`: for terminals, at most 1,000,000 \
                                      characters. Both say how many entries are left out.",
            content(
                (DiffAnswer = "application/json"),
                (String = "text/markdown"),
                (String = "text/plain"),
            ),
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the product's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, where Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, an archive, a path or an option cannot be read; `pointer` begins with \
                                      the side.", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Over a size or count limit; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Well-formed but impossible, or not built yet. With `fail_on`, where that side has such a \
                                      finding: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        OfWork,
    ),
)]
pub(crate) async fn post_diff(State(state): State<AppState>, call: DiffCall) -> Result<Response, ApiError> {
    let DiffCall { call, format, coding } = call;
    merge::answered(&state, call, move |payload, limits, metrics| {
        diff::make(payload, format, coding, limits, metrics)
    })
    .await
}
