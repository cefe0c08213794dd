//! The single evaluator of names: the values of `var.NAME`, `local.NAME`, `path.NAME` and `terraform.NAME` in a merged
//! module, for every stage that evaluates its expressions.
//!
//! - [`Definitions`]: the input variables and local values that the module declares.
//! - [`References`]: the references in an expression, each with the definition that it names.
//! - [`Evaluator`]: evaluates definitions, each once, after everything to which it refers. Only here is a local value
//!   detected that depends on itself. It uses an explicit stack, because chains of definitions may be as long as a
//!   file.
//! - [`Known`]: the results so far, and the root names in them that an expression sees.
//! - [`LocalSecrecy`]: how secret local values are because of what they are computed from, whatever marks their values
//!   have.
//!
//! The caller's [`Policy`] determines what differs between stages: the value of a variable that is not set, whether
//! values are converted, which subjects are refused, and whether faults are reported once, for every use, or not at
//! all.

pub mod codes;
mod definitions;
mod evaluator;
mod known;
mod language;
mod references;
mod secrecy;
#[cfg(test)]
mod tests;

pub use definitions::{Definitions, LocalId, LocalValue, Variable, VariableId};
pub use evaluator::{Evaluator, Policy};
pub use known::{HasValue, Known, RunContext};
pub use language::{Language, provider_functions};
pub use references::{Definition, Fault, Reference, References};
pub use secrecy::LocalSecrecy;
