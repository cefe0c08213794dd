//! The merged configuration in the forms that a request can ask for.

mod arrangement;
mod expr;
mod hcl1;
mod hcl2json;
mod locator;
mod native;
mod quoting;
mod sink;
mod tf_json;
mod type_text;
mod unfolding;

#[cfg(test)]
mod tests;

/// The keyword of blocks that generate other blocks from a collection.
const DYNAMIC: &str = "dynamic";

pub(super) use expr::Form;
pub(super) use hcl2json::write as write_hcl2json;
pub(super) use locator::Pointers;
pub(super) use native::{is_identifier, text as native_text, write_files};
pub(super) use quoting::{quoted, quoted_literal};
pub(super) use sink::{ArgumentOrigin, ArgumentValue, ConfigSink, JsonSink};
pub(super) use tf_json::{each as each_as_tf_json, locate, walk};
pub(super) use type_text::{bare as bare_type, declared as declared_type};
