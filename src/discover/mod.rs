//! Determines which files of a directory make up the module, in which role and order.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod directories;
mod near_misses;
mod roles;

pub use directories::directories;
pub use near_misses::note_near_misses;
pub(crate) use roles::{NOT_READ, hidden, inside, only_when_alone};
pub use roles::{OnlyProblem, entries, only, report_empty, special};
