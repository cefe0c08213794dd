//! Dialects as data: plain types, and one table of rows per dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod registry;
mod spec;
mod terraform;

pub use registry::{NotFound, find, names, versions};
pub use spec::*;
