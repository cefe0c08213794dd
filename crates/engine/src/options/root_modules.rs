//! Which root modules of a tree are planned.

use overfold_base::openapi::ToSchema;
use serde::Deserialize;
use serde::de::Deserializer;

use crate::json::Object;
use crate::options::{Variables, bounded, present_object};

/// A root module of a tree.
#[derive(Deserialize, ToSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"path": "live/prod", "variables": {"args": [{"var_file": "prod.tfvars"}]}, "workspace": "prod"}))]
pub struct RootModule {
    /// Its directory, from the top of the files; one that is not there is an error (status 422).
    #[serde(deserialize_with = "bounded::required")]
    #[schema(value_type = String)]
    pub path: String,
    /// Values for its input variables. Default: those of the request.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Option<Variables>, nullable = false)]
    pub variables: Option<Variables>,
    /// Its workspace. Default: that of the request.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub workspace: Option<String>,
}

/// Deserializes a list that may be missing, but not `null`. At most [`bounded::MAX_PATHS`] plus one are kept.
pub(crate) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<RootModule>>, D::Error> {
    bounded::at_most(deserializer, bounded::MAX_PATHS, "a list of root modules", |Object(root)| root).map(Some)
}
