//! The body of an answer that says why a request was not answered (RFC 9457).

use std::sync::Arc;

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{Array, ArrayBuilder};

use crate::error::{ApiError, ExceededLimit};

/// The media type of problems, RFC 9457.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// A request problem, RFC 9457 (`application/problem+json`).
#[derive(Serialize, ToSchema, Debug)]
pub struct Problem {
    /// The URI that identifies the kind of problem: `urn:overfold:problem:` followed by the code.
    #[serde(rename = "type")]
    #[schema(example = "urn:overfold:problem:over-limit")]
    type_: String,
    /// The title of the kind of problem, the same text for every occurrence.
    #[schema(example = "The request is over a limit")]
    title: &'static str,
    /// The HTTP status.
    #[schema(example = 413)]
    status: u16,
    /// What is wrong with this request.
    #[schema(example = "the request body as sent is over the limit max-request-bytes of 67108864 bytes")]
    detail: String,
    /// The id of the request, as in the header `x-request-id` and in the log.
    #[schema(example = "5f0c2f9a77b0c1de-2a")]
    instance: String,
    /// The stable name of the kind of problem.
    #[schema(example = "over-limit")]
    code: &'static str,
    /// JSON pointer (RFC 6901) to the place in the request object, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/variables/args/0")]
    pointer: Option<String>,
    /// The limit that was exceeded, with status 413.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    limit: Option<Limit>,
    /// Always `false`; present together with `diagnostics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = diagnostics)]
    diagnostics: Option<Arc<RawValue>>,
}

/// A limit of the service.
#[derive(Serialize, ToSchema, Debug)]
pub(crate) struct Limit {
    /// The name of the limit, which is also the name of the service's flag.
    #[schema(example = "max-request-bytes")]
    name: &'static str,
    /// The value of the limit.
    #[schema(example = 67_108_864)]
    value: u64,
}

/// Describes the diagnostics of a problem, which are written where they are known.
fn diagnostics() -> Array {
    ArrayBuilder::new()
        .items(Ref::from_schema_name("Diagnostic"))
        .description(Some("The diagnostics, with codes `var-file-not-found` and `no-plan`."))
        .build()
}

impl Problem {
    /// Returns the problem of a request with this id, to be sent with this status.
    pub fn new(error: &ApiError, status: u16, instance: &str) -> Self {
        Self {
            type_: format!("urn:overfold:problem:{}", error.kind.code()),
            title: error.kind.title(),
            status,
            detail: error.detail.clone().into_owned(),
            instance: instance.to_owned(),
            code: error.kind.code(),
            pointer: error.pointer.clone(),
            limit: error.limit.map(|ExceededLimit { name, value }| Limit { name, value }),
            valid: error.diagnostics.as_ref().map(|_| false),
            diagnostics: error.diagnostics.clone(),
        }
    }
}

/// Returns the body of a problem; `instance` is the request's id.
pub fn problem_body(error: &ApiError, status: StatusCode, instance: &str) -> Vec<u8> {
    serde_json::to_vec(&Problem::new(error, status.as_u16(), instance)).unwrap_or_default()
}
