//! The problems that routes share, described once.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::IntoResponses;
use utoipa::openapi::response::Response;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};

use crate::api::wire::kind;
use crate::settings::BodySettings;
use overfold_server::error::{ApiError, Kind};
use overfold_server::problem::{PROBLEM_JSON, Problem};

/// A kind of problem for each status, with the detail of its example, and what it says where any route may answer it.
pub(super) const PROBLEMS: &[(Kind, &str, Option<&str>)] = &[
    (
        kind::MALFORMED_BODY,
        "EOF while parsing an object at line 1 column 11",
        Some("The request is not valid, or does not say which host it is for."),
    ),
    (
        kind::TOKEN_NEEDED,
        "this service requires a token: `Authorization: Bearer …`",
        Some("The service requires a token, and the request has no valid one."),
    ),
    (
        kind::CROSS_ORIGIN,
        "a browser sent this request for a page of another origin",
        Some(
            "A web page of another origin sent the request, it is addressed to another host, or the token does not have the scope that the route needs.",
        ),
    ),
    (kind::NOT_FOUND, "no route has this path; GET /docs lists the routes", None),
    (
        kind::METHOD_NOT_ALLOWED,
        "the Allow header lists the methods of this path",
        Some("The path does not support the method; `Allow` lists those it supports."),
    ),
    (kind::NOT_ACCEPTABLE, "this route can answer only with: application/json", None),
    (
        kind::TIMEOUT,
        "no answer within 30 seconds, the time limit for a request",
        Some("The request did not arrive, or was not answered, within the time that it may take."),
    ),
    (kind::OVER_LIMIT, "", None),
    (
        kind::TARGET_TOO_LONG,
        "the path and query of a request must fit into 65534 bytes",
        Some("The path and query are longer than 65,534 bytes."),
    ),
    (kind::UNSUPPORTED_MEDIA_TYPE, "the Content-Type is \"text/csv\"; this route reads: application/json, …", None),
    (
        kind::EXPECTATION_FAILED,
        "the only expectation that this service can meet is 100-continue",
        Some("The request expects something other than `100-continue`."),
    ),
    (
        kind::UNKNOWN_VERSION,
        "dialect terraform has no version \"0.9\"; the known versions are 1.0.0 to 1.0.11, …",
        None,
    ),
    (
        kind::CALLER_RATE,
        "this caller sends more requests than it may (--caller-rate); try again in 1 s",
        Some(
            "The caller sends more requests than it may, or holds more than its share; `Retry-After` says when to try again.",
        ),
    ),
    (
        kind::HEAD_TOO_LARGE,
        "the head of a request can have at most 65536 bytes and 100 header fields",
        Some("The head of the request is over 64 KiB or has more than 100 fields."),
    ),
    (kind::INTERNAL, "", Some("The service failed internally. The log has details under the request id.")),
    (
        kind::UNSUPPORTED_TRANSFER_CODING,
        "the only Transfer-Encoding that this service understands is chunked",
        Some("The body has a transfer coding other than `chunked`."),
    ),
    (
        kind::OVERLOADED,
        "requests of this size would wait too long for their turn; try again in 1 s",
        Some("The service is overloaded or shutting down; `Retry-After` says when to try again."),
    ),
];

/// Statuses and descriptions. Each route describes 400 and 422 itself.
const SHARED: &[(&str, &str)] = &[
    ("406", "The service offers no format that `Accept` allows."),
    ("408", "There was no answer within the time that a request may take."),
    ("413", "A limit is exceeded; `limit` says which one."),
    ("415", "The Content-Type or Content-Encoding is not supported."),
    ("500", "The service failed internally."),
    ("503", "The service is overloaded; `Retry-After` says when to try again."),
];

/// Adds the problems to the document: a line `WorkProblems` among the `responses` of a route.
pub(super) struct WorkProblems;

impl IntoResponses for WorkProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let response =
            |about: &str| ResponseBuilder::new().description(about).content(PROBLEM_JSON, problem.clone()).build();
        SHARED.iter().map(|(status, about)| ((*status).to_owned(), response(about).into())).collect()
    }
}

/// Returns an example of a problem with this status.
pub(super) fn example(status: &str) -> Option<Value> {
    let (kind, detail, _) = *PROBLEMS.iter().find(|(kind, _, _)| kind.status().as_str() == status)?;
    let error = match kind {
        kind::OVER_LIMIT => {
            ApiError::over_limit("the request body as sent", "max-request-bytes", BodySettings::MAX_REQUEST_BYTES)
        }
        kind::INTERNAL => ApiError::internal(),
        kind::UNKNOWN_VERSION => ApiError::new(kind, detail).at("/version"),
        _ => ApiError::new(kind, detail),
    };
    serde_json::to_value(Problem::new(&error, kind.status().as_u16(), "5f0c2f9a77b0c1de-2a")).ok()
}
