//! `POST /v1/batch`: many modules over one connection.

use axum::extract::{Request, State};
use axum::response::Response;

use super::super::batch;
use super::super::error::ApiError;
use super::super::state::AppState;
use super::super::v1::Problem;

/// Merge many modules over one connection.
///
/// Each line of the body is one request: the object that `POST /v1/merge` takes, with an `id` of your choice (a string
/// or a number; the default is the number of the line). Each line of the answer is one `BatchAnswer`, written as soon
/// as it is ready: in order of completion, not in the order of the requests. A line that cannot be answered affects no
/// other line.
///
/// Send and read at the same time: while you do not read answers, no further lines are read. The limits and the timeout
/// of a single request apply to each line. When the service is busy, a line waits for its turn, after requests that
/// come individually, for as long as a request may take (`--timeout-seconds`), and only then gets a 503. At most twice
/// as many lines as requests processed at the same time (`--concurrency`) are in progress. The batch as a whole is
/// limited only by inactivity: while no line is in progress, some data must arrive within `--body-gap-seconds`, and a
/// whole line within `--timeout-seconds`. If a batch ends early, a last line with `id` null says why. Blank lines are
/// skipped.
#[utoipa::path(
    post, path = "/v1/batch", tag = "merge",
    request_body(
        description = "Requests, one JSON object per line. `Content-Encoding` may be gzip, zstd, br or deflate. \
                       `max-request-bytes` limits each line, after decoding.",
        content((String = "application/x-ndjson")),
    ),
    responses(
        (status = 200, description = "The first line has arrived. Each line of the answer has the status of its own request.",
            body = String, content_type = "application/x-ndjson",
            headers(("x-request-id" = String, description = "The id of the request."))),
        (status = 400, description = "The body is not valid up to the end of the first line.", body = Problem,
            content_type = "application/problem+json"),
        (status = 406, description = "The service offers no format that `Accept` allows.", body = Problem,
            content_type = "application/problem+json"),
        (status = 408, description = "No line arrived within the time that a request may take.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "The body begins with too many blank lines.", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "The Content-Type or Content-Encoding is not supported.", body = Problem,
            content_type = "application/problem+json"),
        (status = 500, description = "The service failed internally.", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "The service is overloaded; `Retry-After` says when to try again.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post_batch(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    batch::respond(state, request).await
}
