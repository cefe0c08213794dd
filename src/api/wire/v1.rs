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
mod options;
mod plan;
mod query_value;
mod request;
mod rows;
mod schema_text;
mod tables;

pub use answer::*;
pub use batch::{BatchAnswer, Operation};
pub(crate) use batch::{BatchLine, LineHead};
pub use codes::*;
pub use compatibility::*;
pub use diff::*;
pub(crate) use examples::example_requests;
pub(crate) use name_parser::likely;
pub(crate) use options::UploadOptions;
pub use plan::*;
pub use request::*;
pub(crate) use schema_text::SchemaText;
pub use tables::*;

use serde::Serialize;
use utoipa::ToSchema;

/// The build that is running.
#[derive(Serialize, ToSchema, Debug)]
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
#[derive(Serialize, ToSchema, Debug)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    pub status: String,
}
