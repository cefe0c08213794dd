//! The merged configuration in the forms that a request can ask for.

mod arrangement;
mod expr;
mod hcl1;
mod tf_json;
mod type_text;
mod unfolding;

#[cfg(test)]
mod tests;

/// The word that makes blocks of a type from a collection.
const DYNAMIC: &str = "dynamic";

pub(super) use tf_json::{each as each_as_tf_json, locate, write as write_tf_json};
pub(super) use type_text::declared as declared_type;
