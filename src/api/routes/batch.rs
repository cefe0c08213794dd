//! `POST /v1/batch`: many modules in one connection.

use axum::extract::{Request, State};
use axum::response::Response;

use super::super::batch;
use super::super::error::ApiError;
use super::super::state::AppState;
use super::super::v1::Problem;

/// Merge many modules in one connection.
///
/// Each line of the body is one request: the object that `POST /v1/merge` takes, with an `id` of your choice (a string or a
/// number; without one it is the number of the line). Each line of the answer is one `BatchAnswer`, written when it is
/// there: in the order of completion, not that of the lines. A line that cannot be answered costs itself and nothing else.
///
/// Send and read at the same time: while you do not read answers, no further lines are read. Limits, time and place in the
/// queue are those of a single request, for each line; where the service is busy a line waits for its turn, behind requests
/// that come by themselves, for as long as a request may take (`--timeout-seconds`), and only then is a 503. At most twice as
/// many lines as requests are worked on at a time (`--concurrency`) are taken on. The whole has no limit but silence: while
/// nothing is worked on, something must come within `--body-gap-seconds` and a whole line within `--timeout-seconds`. What
/// ends a batch early is said in a last line, with `id` null. Blank lines are skipped.
#[utoipa::path(
    post, path = "/v1/batch", tag = "merge",
    request_body(
        description = "Requests, one JSON object a line. `Content-Encoding` gzip, zstd, br or deflate is understood. \
                       `max-request-bytes` is the limit of one line, without its encoding.",
        content((String = "application/x-ndjson")),
    ),
    responses(
        (status = 200, description = "The first line has come. Each line of the answer has the status of its own request.",
            body = String, content_type = "application/x-ndjson",
            headers(("x-request-id" = String, description = "The id of the request."))),
        (status = 400, description = "The body cannot be read up to the end of the first line.", body = Problem,
            content_type = "application/problem+json"),
        (status = 406, description = "No accepted format is offered.", body = Problem,
            content_type = "application/problem+json"),
        (status = 408, description = "No line came within the time that a request may take.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "More blank lines than are read.", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "The Content-Type or Content-Encoding is not supported.", body = Problem,
            content_type = "application/problem+json"),
        (status = 500, description = "A failure of the service.", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Too much to do; `Retry-After` says when to try again.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post_batch(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    batch::respond(state, request).await
}
