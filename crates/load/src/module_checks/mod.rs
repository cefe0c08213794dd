//! Checks of a module after its override files have been merged.

mod built_in;
mod check_merged;
pub mod codes;
mod import_providers;
mod interpolations;
mod merged;
mod provider_instances;
pub mod provider_names;
mod test_files;

pub use built_in::missing_names;
pub(crate) use check_merged::check_merged;
