//! Dialects as data: plain types, and one table of rows per dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

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

pub use plan_document::{PlanDocument, PlanPart};
pub use registry::{
    Era, NotFound, block_types, compared, eras, find, functions, may_read, names, rows, tool_words, versions,
    with_older_grammar,
};
pub use spec::*;
pub use variables::{TextRule, Undeclared, Unset, ValueModel, ValueSource, VariableRules};
