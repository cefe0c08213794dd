//! Checks of a module after its override files have been merged.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod interpolations;
mod merged;
mod provider_names;
mod check_merged;

pub use check_merged::check_merged;
