//! The single evaluator of names: the values of `var.NAME`, `local.NAME`, `path.NAME` and `terraform.NAME` in a merged
//! module, for every stage that evaluates its expressions.
//!
//! - [`Definitions`]: the input variables and local values that the module declares.
//! - [`References`]: the references in an expression, each with the definition that it names.
//! - [`Evaluator`]: evaluates definitions, each once, after everything to which it refers. Only here is a local value
//!   detected that depends on itself. It uses an explicit stack, because chains of definitions may be as long as a
//!   file.
//! - [`DefinitionResults`]: the results so far, and the root names in them that an expression sees.
//! - [`LocalSecrecy`]: how secret local values are because of what they are computed from, whatever marks their values
//!   have.
//!
//! What differs between stages is a row of [`EvaluationRules`]: the value of a variable that is not set, its marks, what
//! is known about the run, and whether faults are reported once, for every use, or not at all. [`ByRules`] is the
//! [`Policy`] of a stage that keeps nothing but values.

pub mod codes;
mod definitions;
mod evaluator;
mod known;
mod language;
mod references;
mod secrecy;
mod stages;
#[cfg(test)]
mod tests;

pub use definitions::{Definitions, LocalId, LocalValue, Variable, VariableId};
pub use evaluator::{Evaluator, Policy};
pub use known::{DefinitionResults, HasValue, RunContext, VisibleRoots};
pub use language::{Language, logic_rule, provider_functions};
pub use references::{Definition, Fault, Reference, References};
pub use secrecy::LocalSecrecy;
pub use stages::{ByRules, CALLS, EARLY, EXPANSION, EvaluationRules, FaultRule, VARIABLE_RULES, evaluate_quoting};
