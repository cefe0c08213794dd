//! One module directory from a file set to a report, and every module directory of an upload: which files are read, what
//! they declare, how override files are merged, what is checked and evaluated.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod instance;
mod discover;
mod wording;
pub mod tool_version;
mod decode;
mod block_list;
mod merge;
mod module_checks;
pub mod vars;
mod early_eval;
pub mod plan;
pub mod replacement;
mod loading;
mod graph;
mod calls;
mod installed;
mod module_tree;
mod validate;
mod planning;
pub mod pipeline;
pub mod repository;

pub use module_checks::missing_names;

/// The tables of the codes that the stages report.
pub mod codes {
    pub use crate::block_list::codes::ALL as BLOCK_LIST;
    pub use crate::calls::codes::ALL as CALLS;
    pub use crate::decode::codes::ALL as DECODE;
    pub use crate::discover::codes::ALL as DISCOVER;
    pub use crate::early_eval::codes::ALL as EARLY_EVAL;
    pub use crate::merge::codes::ALL as MERGE;
    pub use crate::module_checks::codes::ALL as MODULE_CHECKS;
    pub use crate::planning::codes::ALL as PLANNING;
    pub use crate::tool_version::codes::ALL as TOOL_VERSION;
    pub use crate::validate::body::codes::ALL as BODIES;
    pub use crate::validate::codes::ALL as VALIDATE;
}
