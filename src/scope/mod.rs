//! The one evaluator of names: what `var.NAME`, `local.NAME`, `path.NAME` and `terraform.NAME` come to in a merged module,
//! for every stage that evaluates expressions of it.
//!
//! - [`Definitions`]: the input variables and local values that the module declares.
//! - [`References`]: what an expression refers to, each reference with the definition that it names.
//! - [`Evaluator`]: values of definitions, each evaluated once, after everything that it refers to; a local value that depends
//!   on itself is found here and nowhere else. It keeps a stack of its own, since chains of definitions may be as long as
//!   a file.
//! - [`Known`]: what has been evaluated so far, and the root names that an expression sees of it.
//! - [`LocalSecrecy`]: how secret local values are for what they are made of, whatever marks their values have.
//!
//! What differs from stage to stage is the caller's [`Policy`]: the value of a variable that is not set, whether values are
//! converted, which subjects are refused, and whether faults are reported once, for every use, or not at all.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

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
pub use known::{HasValue, Known, Surroundings};
pub use language::Language;
pub use references::{Definition, Fault, Reference, References};
pub use secrecy::LocalSecrecy;
