//! One module directory from a file set to a report: which files are read, what they declare, how override files are
//! merged, what is checked and evaluated while a module is loaded.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod instance;
pub mod discover;
pub mod wording;
pub mod meant_version;
pub mod tool_version;
pub mod decode;
pub mod block_list;
pub mod merge;
pub mod module_checks;
pub mod provider_schemas;
pub mod vars;
pub mod early_eval;
pub mod plan;
pub mod replacement;
pub mod loading;
