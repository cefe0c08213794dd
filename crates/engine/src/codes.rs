//! The registry of codes: every code of every stage, once, with an example where a recorded case shows it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(feature = "program")]
mod examples;
#[cfg(test)]
mod tests;

use overfold_base::diag::Code;
use overfold_eval as eval;
use overfold_model::body;
use overfold_model::language;
use overfold_model::scope;
use overfold_module::codes as module;
use overfold_module::vars;
use overfold_output as output;
use overfold_syntax as syntax;

#[cfg(feature = "program")]
pub use examples::{CodeCases, Example, dialects_with, example};

/// The code tables of the stages, in the order in which the stages run.
static TABLES: &[&[&Code]] = &[
    syntax::codes::ALL,
    syntax::json::codes::ALL,
    syntax::hcl1::codes::ALL,
    body::content::codes::ALL,
    body::codes::ALL,
    language::codes::ALL,
    scope::codes::ALL,
    module::DISCOVER,
    module::DECODE,
    module::TOOL_VERSION,
    module::BLOCK_LIST,
    module::MERGE,
    module::MODULE_CHECKS,
    eval::codes::ALL,
    module::EARLY_EVAL,
    vars::codes::ALL,
    module::CALLS,
    module::VALIDATE,
    module::BODIES,
    module::PLANNING,
    overfold_model::schema::codes::ALL,
    output::codes::ALL,
];

/// The number of code tables in the registry; a test compares it with the tables in the sources.
pub const TABLE_COUNT: usize = TABLES.len();

/// Every code, stage by stage, in the order of the stages' tables.
pub fn all() -> impl Iterator<Item = &'static Code> {
    TABLES.iter().flat_map(|table| table.iter().copied())
}

/// Returns the code with this id, such as `load/duplicate`.
pub fn find(id: &str) -> Option<&'static Code> {
    all().find(|code| code.id == id)
}
