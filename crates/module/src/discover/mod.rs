//! Determines which files of a directory make up the module, in which role and order.

pub(crate) mod codes;
mod directories;
mod near_misses;
mod roles;

pub(crate) use directories::directories;
pub(crate) use near_misses::note_near_misses;
pub(crate) use roles::{NOT_READ, hidden, only_when_alone, path_in};
pub(crate) use roles::{SingleFileError, check_special_entries, entries, report_empty, single_file};
