//! What every stage stands on: what a request may cost, diagnostics, paths and sources, versions. No module here knows
//! what a configuration is.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod account;
pub mod echo;
pub mod nearest;
pub mod slots;
pub mod diag;
pub mod versions;
pub mod stack;
pub mod files;
