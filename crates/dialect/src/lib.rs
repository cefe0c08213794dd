//! Dialects as data: plain types, and one table of rows per dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod behaviours;
mod differences;
mod evaluation;
mod likely_version;
mod opentofu;
mod plan_document;
mod registry;
mod sentinel;
mod spec;
mod variables;
pub mod words;
mod terraform;
mod terraform_0_11;
mod tflint;

pub use behaviours::{BEHAVIOURS, Behaviour, BehaviourRow, Behaviours, ShowsIn};
pub use differences::{Difference, differences, is_read, read_rows};
pub use plan_document::PlanDocument;
pub use registry::{
    Era, NotFound, ReleaseLine, Station, block_types, compared, eras, find, functions, is_recorded, lines, may_read,
    names, rows, stations_between, tool_words, version_files, versions, with_older_grammar, with_row_of,
    without_constraints,
};
pub use spec::*;
pub use variables::{TextRule, Undeclared, Unset, ValueModel, ValueSource, VariableRules};
