//! Dialects as data: plain types, and one table of rows per dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod spec;

pub use spec::*;
