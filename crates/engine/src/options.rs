//! The options of a request: what JSON, a query string, a form and the command line have in common.
//!
//! Unknown fields, repeated names, `null` and wrong types are errors, never ignored.

mod declare;
mod bounded;
#[cfg(feature = "program")]
mod name_parser;
mod schema_text;
mod choices;
mod variables;
mod severities;
mod assumed;
mod module_sources;
mod root_modules;
mod merge;
mod plan;
#[cfg(feature = "program")]
mod upgrade;
mod query_value;
mod prepare;
mod prepare_plan;
#[cfg(feature = "program")]
mod compared;

use serde::de::{Deserialize, Deserializer};

use crate::json::Object;

pub use assumed::Assumed;
pub use choices::{Level, Part};
pub use declare::{FileContent, RequestOptions};
pub use merge::{MergeOptions, MergeRequest};
pub use module_sources::ModuleSource;
#[cfg(feature = "program")]
pub use name_parser::names;
pub use overfold_module::pipeline::{Dialect, ProviderChecks};
pub use overfold_module::plan::{EmulatedDataSource, ProviderDefaults};
pub use overfold_output::ConfigFormat;
pub use plan::{MissingFiles, POLICY_MOCK, PlanOptions, PlanPart, PlanRequest, UnsetVariables};
pub use root_modules::RootModule;
pub use schema_text::SchemaText;
pub use severities::{SeverityRule, similar_code};
#[cfg(feature = "program")]
pub use upgrade::{TargetVersion, UpgradeOptions, UpgradeRequest};
pub use variables::{Env, VariableArg, Variables};

#[cfg(feature = "program")]
pub(crate) use compared::{check_target, for_comparison, refuse_parts};
pub(crate) use prepare::prepare;
pub(crate) use prepare_plan::prepare_plan;

use declare::options;
use module_sources::list as module_sources;
use root_modules::list as root_modules;
use severities::{present_rules, severities, severity_rules};

/// Deserializes a field that may be missing, but not `null`.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Deserializes an object that may be missing, but not `null`.
fn present_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| Some(value))
}
