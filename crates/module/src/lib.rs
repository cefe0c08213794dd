//! Everything about one module directory, and every module directory of an upload: the stages in their order.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod pipeline;
pub mod repository;

pub use overfold_load::module_checks::missing_names;
pub use overfold_load::{meant_version, plan, provider_schemas, replacement, tool_version, vars};
pub use overfold_tree::version_search;

/// The tables of the codes that the stages report.
pub mod codes {
    pub use overfold_check::validate::body::codes::ALL as BODIES;
    pub use overfold_check::validate::codes::ALL as VALIDATE;
    pub use overfold_load::block_list::codes::ALL as BLOCK_LIST;
    pub use overfold_load::decode::codes::ALL as DECODE;
    pub use overfold_load::discover::codes::ALL as DISCOVER;
    pub use overfold_load::early_eval::codes::ALL as EARLY_EVAL;
    pub use overfold_load::merge::codes::ALL as MERGE;
    pub use overfold_load::module_checks::codes::ALL as MODULE_CHECKS;
    pub use overfold_load::tool_version::codes::ALL as TOOL_VERSION;
    pub use overfold_plan::planning::codes::ALL as PLANNING;
    pub use overfold_tree::calls::codes::ALL as CALLS;
}
