//! Wire types, version 1: what requests and answers look like, field by field. Inner types never appear on the wire;
//! these are kept separate so that both can change.

mod answer;
mod batch;
mod bounded;
mod codes;
mod compatibility;
mod diff;
mod examples;
mod name_parser;
mod request;
mod rows;
mod tables;

pub use answer::*;
pub use batch::BatchAnswer;
pub(crate) use batch::{BatchLine, LineId};
pub use codes::*;
pub use compatibility::*;
pub use diff::*;
pub(crate) use examples::example_requests;
pub(crate) use name_parser::likely;
pub use request::*;
pub use tables::*;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::error::{ApiError, ExceededLimit};

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
    /// The findings that the tool itself would report, with code `var-file-not-found`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Diagnostic>>, nullable = false)]
    diagnostics: Option<Arc<RawValue>>,
}

/// A limit of the service.
#[derive(Serialize, ToSchema, Debug)]
pub struct Limit {
    /// The name of the limit, which is also the name of the service's flag.
    #[schema(example = "max-request-bytes")]
    name: &'static str,
    /// The value of the limit.
    #[schema(example = 67_108_864)]
    value: u64,
}

impl Problem {
    pub(crate) fn new(error: &ApiError, status: u16, instance: &str) -> Self {
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

/// The build that is running.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
pub struct Version {
    /// The name of the product.
    #[schema(example = "overfold")]
    pub name: String,
    /// The version of the product.
    #[schema(example = "0.1.0")]
    pub version: String,
    /// The commit it was built from; `unknown` if the build was not told.
    #[schema(example = "950ccfc0a3b1d2e4f5061728394a5b6c7d8e9f00")]
    pub commit: String,
    /// The profile and the target of the build.
    #[schema(example = "release x86_64-unknown-linux-musl")]
    pub build: String,
}

/// The health of the service.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    pub status: String,
}
