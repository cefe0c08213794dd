//! The version that a repository means (`version: "auto"`): what a request says of it, and where it was found.

use std::sync::Arc;

use bytes::Bytes;
use overfold_base::files::Range;
use overfold_base::named;

/// What a request says in place of a version to follow the one that the repository means.
pub const AUTO: &str = "auto";

/// Where a version that was looked for was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionFrom {
    /// What says so.
    pub source: VersionSource,
    /// The file, with its path from the top of the upload, and where in it; `None` for the default.
    pub place: Option<(String, Range)>,
    /// What is named there if no such version is known.
    pub unknown: Option<Arc<str>>,
    /// The module directory of the request.
    pub root: String,
}

named! {
    /// What says which version is meant, in the order in which it is looked for.
    pub enum VersionSource {
        /// `.terraform-version` or `.opentofu-version`, in the module directory or the nearest above it.
        VersionFile = "version-file",
        /// `.tool-versions`, likewise.
        ToolVersions = "tool-versions",
        /// The table `tools` of `mise.toml`, likewise.
        Mise = "mise",
        /// `required_version`: the newest known version that all modules of the tree allow.
        RequiredVersion = "required-version",
        /// None of these: the default version of the dialect.
        Default = "default",
    }
}

/// A file that may name a version, from a folder above those of a request.
#[derive(Clone, Debug)]
pub struct VersionFile {
    /// Its name, without folders.
    pub name: String,
    /// Its path as it is shown.
    pub path: String,
    /// Its content.
    pub content: Bytes,
}
