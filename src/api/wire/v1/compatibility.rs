//! The content of a compatibility answer. `compatibility` writes it; these types document it.

use super::VersionFrom;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Diagnostic, Dialect, Range, ToolStage};

/// The answer of `POST /v1/compatibility`.
#[derive(Serialize, ToSchema, Debug)]
pub struct CompatibilityAnswer {
    /// The dialect whose `required_version` is checked.
    pub dialect: Dialect,
    /// The version of that dialect: as requested, or the newest known one.
    #[schema(example = "1.11")]
    pub version: String,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom>,
    /// How far problems are looked for, as requested. With `validate`, a version loads the module only if `validate`
    /// reports no error either.
    pub stage: ToolStage,
    /// Whether that version loads the module: it reports no error, and meets the module's constraints on the version.
    pub loads: bool,
    /// The versions of each dialect that is compared.
    pub tools: Vec<ToolVersions>,
    /// The module's own constraints on the version.
    pub required_version: RequiredVersion,
}

/// The versions of one dialect.
#[derive(Serialize, ToSchema, Debug)]
pub struct ToolVersions {
    /// The dialect.
    pub dialect: Dialect,
    /// All known releases, oldest first: consecutive releases for which `loads` and `excluded` are the same form one
    /// range.
    pub ranges: Vec<LoadRange>,
    /// Errors and warnings of the oldest known release. Applying the findings that appear and vanish at each boundary
    /// yields those of every other release.
    pub diagnostics: Vec<Diagnostic>,
    /// Releases at which something changes, oldest first.
    pub boundaries: Vec<Boundary>,
}

/// Consecutive releases that all load the module, or all do not for the same reason.
#[derive(Serialize, ToSchema, Debug)]
pub struct LoadRange {
    /// The oldest release.
    #[schema(example = "1.10.0")]
    pub from: String,
    /// The newest release, which is included in the range.
    #[schema(example = "1.15.9")]
    pub to: String,
    /// Whether these releases report no error, and the module's own constraints allow these releases.
    pub loads: bool,
    /// Whether nothing but the module's own constraints keeps these releases from loading it.
    pub excluded: bool,
    /// How far problems are looked for, as in the answer.
    pub stage: ToolStage,
}

/// Consecutive releases.
#[derive(Serialize, ToSchema, Debug)]
pub struct ReleaseRange {
    /// The oldest release.
    #[schema(example = "1.5.0")]
    pub from: String,
    /// The newest release, which is included in the range.
    #[schema(example = "1.9.8")]
    pub to: String,
}

/// A release at which something changes.
#[derive(Serialize, ToSchema, Debug)]
pub struct Boundary {
    /// The first release with the new behaviour.
    #[schema(example = "1.10.0")]
    pub at: String,
    /// The findings that are reported from this release on. Differences in wording alone are not listed.
    pub appear: Vec<Diagnostic>,
    /// The findings that it no longer reports, as the previous release reported them.
    pub vanish: Vec<Diagnostic>,
    /// Objects whose effective configuration differs.
    pub differs: Vec<ObjectDifference>,
}

/// An object whose effective configuration differs between two releases.
#[derive(Serialize, ToSchema, Debug)]
pub struct ObjectDifference {
    /// The address of the object.
    #[schema(example = "ephemeral.random_password.db")]
    pub address: String,
    /// Its body before, as in `config` in the form `tf-json`; `null` if the object did not exist.
    #[schema(value_type = Option<Object>)]
    pub before: Value,
    /// Its body from this release on; `null` if the object no longer exists.
    #[schema(value_type = Option<Object>)]
    pub after: Value,
}

/// The module's constraints on the version, compared with the versions that load it.
#[derive(Serialize, ToSchema, Debug)]
pub struct RequiredVersion {
    /// Each constraint that the requested version reads; all of them have to be met.
    pub constraints: Vec<VersionConstraint>,
    /// Releases that the constraints allow although they do not load the module.
    pub too_wide: Vec<ReleaseRange>,
    /// Releases that the constraints exclude although they would load the module, if they are newer than every release
    /// that the constraints allow.
    pub too_narrow: Vec<ReleaseRange>,
    /// Other releases that the constraints exclude although they would load the module. This may be what the author
    /// wants.
    pub could_include: Vec<ReleaseRange>,
    /// A summary in words.
    #[schema(example = "The constraint allows exactly the known versions of terraform that load this module.")]
    pub summary: String,
    /// How the constraints could be relaxed, if they exclude releases in `could_include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        example = "The constraint could be relaxed to \">= 1.9.0\": terraform 1.9.0 to 1.11.4 can load this module as well."
    )]
    pub note: Option<String>,
}

/// A constraint on the version of Terraform or OpenTofu.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionConstraint {
    /// The constraint as written.
    #[schema(example = ">= 1.5")]
    pub constraint: String,
    /// The place of the whole argument.
    pub range: Range,
}
