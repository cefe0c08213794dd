//! Determines which files of a directory make up the module, in which role and order.

pub mod codes;
mod directories;
mod near_misses;
mod roles;

pub use directories::directories;
pub(crate) use near_misses::note_near_misses;
pub(crate) use roles::{NOT_READ, hidden, leave_out_tests, only_when_alone, path_in};
pub(crate) use roles::{SingleFileError, check_special_entries, entries, report_empty, single_file};
