//! Where the followed version was found.

use serde::Serialize;
use utoipa::ToSchema;

use super::Range;

/// With `version: "auto"`: where the followed version was found.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionFrom {
    /// What says which version is meant.
    pub source: VersionSource,
    /// The place; absent for the default. The file is named from the top of what was sent, and on the command line as it is
    /// found from the working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range>,
}

/// What says which version is meant, in the order in which it is looked for.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum VersionSource {
    /// `.terraform-version` or `.opentofu-version`, in the module directory or the nearest above it.
    VersionFile,
    /// `.tool-versions`, likewise.
    ToolVersions,
    /// The table `tools` of `mise.toml`, likewise.
    Mise,
    /// `required_version`: the newest known version that all modules of the tree allow.
    RequiredVersion,
    /// None of these: the default version of the dialect.
    Default,
}
