//! One module directory from a file set to a report, and every module directory of an upload: which files are read, what
//! they declare, how override files are merged, what is checked and evaluated.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod instance;
pub mod discover;
pub mod decode;
pub mod block_list;
pub mod merge;
pub mod module_checks;
pub mod vars;
pub mod early_eval;
pub mod pipeline;
pub mod repository;
