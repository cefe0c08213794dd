//! `POST /v1/merge`: the main task.

use axum::extract::State;
use axum::response::Response;

use super::super::answer::{self, Answer};
use super::super::error::ApiError;
use super::super::metrics::Metrics;
use super::super::state::AppState;
use super::super::upload::{MergeCall, Payload, Received};
use super::super::v1::{Archive, MergeAnswer, MergeForm, MergeOptions, MergeRequest, Problem};
use super::super::work::{self, CancelOnDrop};
use super::problems::WorkProblems;
use crate::settings::LimitSettings;
use overfold_base::account::{self, Cancel};

/// Merge a module directory.
///
/// Loads one module directory as the tool would, merges its override files, resolves its input variables if values are
/// requested, and answers with the merged configuration and every finding. A broken configuration is a normal result:
/// status 200 and `"valid": false`. For the diagnostics in the formats of other tools, see `POST /v1/merge/report`.
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
            (Archive = "application/zstd"),
            (Archive = "application/zip"),
            (MergeForm = "multipart/form-data"),
        ),
    ),
    responses(
        (status = 200, description = "The files could be read, whatever they contain.", body = MergeAnswer,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, the archive, a path or an option is not valid.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or \
            there are findings that `fail_on` names: the body is then that of a 200. The media type distinguishes the two.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_merge(State(state): State<AppState>, call: MergeCall) -> Result<Response, ApiError> {
    let MergeCall { call, wanted } = call;
    run_work(&state, call, move |payload, limits, metrics| answer::make(payload, wanted, limits, metrics)).await
}

/// Lets `make` do the work of a request whose body has arrived: in its turn, on a thread for work, under one account,
/// and cancelled when the answer is no longer awaited.
///
/// # Errors
/// Returns the error of `make`; 413 if a limit of the account is exceeded; 503 if there is no turn.
pub(super) async fn run_work(
    state: &AppState,
    call: Received,
    make: impl FnOnce(Payload, &LimitSettings, &Metrics) -> Result<Answer, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let Received { weight, share, deadline, payload, reader } = call;
    let mut turn = state.gate().turn(weight, share, deadline).await?;
    let (limits, metrics) = (state.settings().limits.clone(), state.metrics().clone());
    let cancel = Cancel::new();
    // Dropped with this future: when the answer is ready, when the deadline has passed, or when the client has left.
    let _unwanted = CancelOnDrop(cancel.clone());
    let done = work::run(weight.class, move || {
        turn.begin();
        // The turn ends with the work, not when the client leaves.
        let job = || make(payload, &limits, &metrics);
        match account::open(limits.account(), &cancel, job) {
            Ok(Ok(Answer { body, head })) => Ok((head, turn.finish(body, reader))),
            Ok(Err(problem)) => {
                turn.fail();
                Err(problem)
            }
            Err(stop) => {
                metrics.stopped(stop);
                Err(stop.into())
            }
        }
    });
    let (head, body) = done.await??;
    Ok(head.with(body.into_bytes()))
}
