//! Where the followed version was found.

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::Range;
use overfold_module::meant_version;
pub use overfold_module::meant_version::VersionSource;

/// With `version: "auto"`: where the followed version was found.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionFrom<'a> {
    /// What says which version is meant.
    pub source: VersionSource,
    /// The place; absent for the default. The file is named from the top of what was sent, and on the command line as it is
    /// found from the working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range<'a>>,
}

impl<'a> VersionFrom<'a> {
    /// Returns the view of where a version was found.
    pub fn new(from: &'a meant_version::VersionFrom) -> Self {
        let range = from.place.as_ref().map(|(file, range)| Range::new(file, range.widened()));
        Self { source: from.source, range }
    }
}
