//! What an answer about versions holds. `compatibility` writes it; these types document it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Diagnostic, Dialect, Range};

/// The answer of `POST /v1/compatibility`.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct CompatibilityAnswer {
    /// From whose point of view `required_version` is looked at.
    pub dialect: Dialect,
    /// In which version: as asked for, or the newest known.
    #[schema(example = "1.11")]
    pub version: String,
    /// Whether that version loads the module, constraints on the version aside.
    pub loads: bool,
    /// Each tool whose versions are compared.
    pub tools: Vec<ToolVersions>,
    /// The module's own constraints on the tool's version.
    pub required_version: RequiredVersion,
}

/// The versions of one tool.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ToolVersions {
    /// The tool.
    pub dialect: Dialect,
    /// All known releases, oldest first: neighbours that all load the module, or all do not, are one range.
    pub ranges: Vec<LoadRange>,
    /// Errors and warnings of the oldest known release. With what appears and vanishes at each boundary they make those of
    /// every release.
    pub diagnostics: Vec<Diagnostic>,
    /// Releases at which something changes, oldest first.
    pub boundaries: Vec<Boundary>,
}

/// Releases next to each other that all load the module, or all do not.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct LoadRange {
    /// The oldest release.
    #[schema(example = "1.10.0")]
    pub from: String,
    /// The newest release; it belongs to the range.
    #[schema(example = "1.15.9")]
    pub to: String,
    /// Whether the tool reports no error.
    pub loads: bool,
}

/// Releases next to each other.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ReleaseRange {
    /// The oldest release.
    #[schema(example = "1.5.0")]
    pub from: String,
    /// The newest release; it belongs to the range.
    #[schema(example = "1.9.8")]
    pub to: String,
}

/// A release at which something changes.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// The first release of the new behaviour.
    #[schema(example = "1.10.0")]
    pub at: String,
    /// What the tool reports from here on. What is only worded differently is not among it.
    pub appear: Vec<Diagnostic>,
    /// What it reports no more, as the release before reported it.
    pub vanish: Vec<Diagnostic>,
    /// Objects whose effective configuration differs.
    pub differs: Vec<ObjectDifference>,
}

/// An object whose effective configuration differs between two releases.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ObjectDifference {
    /// Its address.
    #[schema(example = "ephemeral.random_password.db")]
    pub address: String,
    /// Its body before, as in `config` with the format `tf-json`; `null` where the object was not there.
    #[schema(value_type = Option<Object>)]
    pub before: Value,
    /// Its body from here on; `null` where the object is gone.
    #[schema(value_type = Option<Object>)]
    pub after: Value,
}

/// The module's constraints on the version of the tool, held against the versions that load it.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct RequiredVersion {
    /// Each constraint that the asked version reads; all have to be met.
    pub constraints: Vec<VersionConstraint>,
    /// Releases that the constraints allow although they do not load the module.
    pub too_wide: Vec<ReleaseRange>,
    /// Releases that the constraints exclude although they would load the module.
    pub too_narrow: Vec<ReleaseRange>,
    /// The same in words.
    #[schema(example = "The constraint allows exactly the known versions of terraform that load this module.")]
    pub summary: String,
}

/// A constraint on the version of the tool.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct VersionConstraint {
    /// As written.
    #[schema(example = ">= 1.5")]
    pub constraint: String,
    /// The whole argument.
    pub range: Range,
}
