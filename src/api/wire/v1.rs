//! Wire types, version 1: what requests and answers look like, field by field. The options of requests are those of the
//! engine.

mod answer;
mod batch;
mod codes;
mod compatibility;
mod diff;
mod examples;
mod plan;
mod rows;
mod tables;
mod uploads;
mod version_from;
mod versions;

pub use answer::*;
pub use batch::{BatchAnswer, Operation};
pub(crate) use batch::{BatchLine, LineHead};
pub use codes::*;
pub use compatibility::*;
pub use diff::*;
pub(crate) use examples::example_requests;
pub use plan::*;
pub use tables::*;
pub use uploads::*;
pub use version_from::{VersionFrom, VersionSource};
pub use versions::*;

pub use overfold_engine::options::{
    Assumed, ConfigFormat, Dialect, FileContent, Level, MergeOptions, MergeRequest, MissingFiles, ModuleSource, Part,
    PlanOptions, PlanPart, PlanRequest, ProviderChecks, UnavailableOption, UnsetVariables, VariableArg, Variables,
};
pub use overfold_module::pipeline::ToolStage;

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
