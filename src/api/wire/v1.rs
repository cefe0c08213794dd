//! Wire types, version 1: what requests and answers look like, field by field. The options of requests are those of the
//! engine.

mod batch;
mod codes;
mod diff;
mod rows;
mod tables;
mod uploads;
mod versions;

pub use batch::{BatchAnswer, Operation};
pub(crate) use batch::{BatchLine, LineHead};
pub use codes::*;
pub use diff::*;
pub use tables::*;
pub use uploads::*;
pub use versions::*;

pub use overfold_engine::compatibility::json::{
    Boundary, CompatibilityAnswer, LoadRange, ObjectDifference, ReleaseRange, RequiredVersion, ToolVersions,
    VersionConstraint,
};
pub use overfold_engine::options::{
    Assumed, ConfigFormat, Dialect, EmulatedDataSource, FileContent, Level, MergeOptions, MergeRequest, MissingFiles,
    ModuleSource, Part, PlanOptions, PlanPart, PlanRequest, ProviderChecks, ProviderDefaults, TargetVersion,
    UnavailableOption, UnsetVariables, UpgradeOptions, UpgradeRequest, VariableArg, Variables,
};
pub use overfold_module::pipeline::ToolStage;
pub use overfold_output::view::*;

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
