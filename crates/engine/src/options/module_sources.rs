//! Where to find modules that are not local.

use overfold_base::openapi::ToSchema;
use serde::Deserialize;
use serde::de::Deserializer;

use crate::json::Object;
use crate::options::bounded;

/// The directory, among the files, of a module that calls name by a source that is not local.
#[derive(Deserialize, ToSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"source": "terraform-aws-modules/vpc/aws", "version": "5.1.2", "path": "vendor/vpc"}))]
pub struct ModuleSource {
    /// The source as calls name it. The default registry host may be left out; without `//SUB`, it stands for every
    /// directory of the package.
    #[serde(deserialize_with = "bounded::required")]
    #[schema(value_type = String)]
    pub source: String,
    /// The exact version, which the constraint of the call must allow.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub version: Option<String>,
    /// The directory among the files; one that is not there is an error (status 422).
    #[serde(deserialize_with = "bounded::required")]
    #[schema(value_type = String)]
    pub path: String,
}

/// Deserializes a list that may be missing, but not `null`. At most [`bounded::MAX_PATHS`] plus one are kept.
pub(crate) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<ModuleSource>>, D::Error> {
    bounded::at_most(deserializer, bounded::MAX_PATHS, "a list of module sources", |Object(source)| source).map(Some)
}
