//! What every stage stands on: what a request may cost, diagnostics, paths and sources, versions. No module here knows
//! what a configuration is.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub use overfold_account as account;
pub use overfold_account::{echo, stack};

pub mod openapi;
pub mod written;
pub mod nearest;
pub mod choice;
pub mod slots;
pub mod diag;
pub mod versions;
pub mod schema_files;
pub mod files;
