//! `POST /v1/diff` and `POST /v1/diff/report`: the effective changes from one configuration to another.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sha2::{Digest as _, Sha256};

use crate::api::http::accept::Coding;
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::packing::hexadecimal;
use crate::api::http::problem::Problem;
use crate::api::http::state::AppState;
use crate::api::routes::answer::{Answer, Desk, Watching, run_work};
use crate::api::routes::kept::Asked;
use crate::api::routes::problems::WorkProblems;
use crate::api::wire::fingerprint;
use crate::api::wire::formats::diff_content_type;
use crate::api::wire::sides::{SIDES, of_side, read_sides};
use crate::api::wire::upload::{DiffCall, DiffReportCall, Payload};
use crate::api::wire::v1::{DiffAnswer, DiffForm, DiffRequest};
use crate::task::{self, Facts, Input};
use overfold_module::repository::SideError;
use overfold_output::DifferenceForm;

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
        (status = 200, description = "Both sides could be read, whatever they contain.", body = DiffAnswer,
            headers(
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "The body, an archive, a path or an option is not valid; `pointer` begins with \
                                      the side.", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
                                      `fail_on`, that side has such a finding: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_diff(State(state): State<AppState>, call: DiffCall) -> Result<Response, ApiError> {
    let DiffCall { call, format, coding } = call;
    run_work(&state, call, move |payload, desk| make(payload, format, coding, desk)).await
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
                ("etag" = String, description = "Strong; a digest of the normalised request and the program's version."),
                ("repr-digest" = String, description = "RFC 9530: `sha-256=:…:` of the body as sent."),
                ("content-encoding" = String, description = "zstd or gzip, if Accept-Encoding allows it."),
                ("x-request-id" = String, description = "The id of the request."),
            )),
        (status = 400, description = "`format` is missing or unknown; or the body, an archive, a path or an option is not valid: \
                                      `pointer` then begins with the side.", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "A limit is exceeded; `limit` says which one.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The request is well-formed but impossible, or not implemented yet: a problem. Or, with \
                                      `fail_on`, that side has such a finding: the answer as with 200.", body = Problem,
            content_type = "application/problem+json"),
        WorkProblems,
    ),
)]
pub(crate) async fn post_diff_report(
    State(state): State<AppState>,
    DiffReportCall(DiffCall { call, format, coding }): DiffReportCall,
) -> Result<Response, ApiError> {
    let make = move |payload, desk: &_| make(payload, format, coding, desk).map(Answer::into_report);
    run_work(&state, call, make).await
}

/// Does the work for one comparison.
///
/// # Errors
/// Any problem with the request that only reading its body reveals, with the side in its pointer.
pub(crate) fn make(
    payload: Payload,
    format: DifferenceForm,
    coding: Coding,
    desk: &Desk,
) -> Result<Answer, ApiError> {
    let Desk { limits, metrics, .. } = desk;
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let [before, after] = read_sides(payload, limits)?;
    let was = before.files.unwrap_or_default();
    let is = after.files.as_ref().unwrap_or(&was);
    let sides = [(&was, &before.prepared), (is, &after.prepared)];
    let mut digest = Sha256::new();
    for (files, prepared) in sides {
        digest.update(fingerprint::of(files, prepared, diff_content_type(format), limits).as_bytes());
        metrics.read(files.files().len(), files.content_bytes());
    }
    if before.prepared.tree.is_some() != after.prepared.tree.is_some() {
        let why = "recursive: must be set for both sides or for neither";
        return Err(of_side(ApiError::new(Kind::BadOption, why).at("/recursive"), SIDES[1]));
    }
    let fingerprint = hexadecimal(&digest.finalize());
    let content_type = diff_content_type(format);
    let reveals = sides.iter().any(|(_, prepared)| prepared.request.reveal_sensitive);
    let asked = Asked { task: "diff", fingerprint: &fingerprint, content_type, coding, reveals };
    desk.answer(asked, || {
        let sides = sides.map(|(files, prepared)| Input { files, prepared, root: &prepared.request.root });
        let name = |side: usize| SIDES.get(side).copied().unwrap_or_default();
        let mut watch = Watching::of(sides.to_vec(), metrics, |stage| clock.begin(stage));
        let compared = task::diff(sides, format, limits.syntax(), &mut watch)
            .map_err(|SideError { side, error }| of_side(error.into(), name(side)))?;
        watch.finish().map_err(|(side, problem)| of_side(problem, name(side)))?;
        let [one, other] = compared.facts;
        let fails = sides.iter().zip(compared.facts).any(|(input, facts)| input.fails(facts.tally));
        let status = if fails { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let mut facts = Facts { valid: one.valid && other.valid, files: one.files + other.files, ..one };
        facts.tally += other.tally;
        Answer::of(compared.bytes, coding, status, content_type.to_owned(), fingerprint.clone(), facts)
    })
}
