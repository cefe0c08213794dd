//! Repetitions: how often `count`, `for_each` or a `dynamic` block repeats something, and what each instance sees.
//!
//! - [`Repetition`]: how often, from the value of a `count` or `for_each`. What is wrong with the value is data
//!   ([`CountFault`], [`ForEachFault`]): the caller determines what is accepted ([`ForEachRules`]), and words a fault or
//!   suppresses it.
//! - [`Instance`]: one of them, with its key in an address and the names that its expressions see, on top of the names
//!   around it.
//! - [`DynamicBlock`]: a `dynamic` block, whose parts are read in the order in which the tools report mistakes.

mod dynamic;
mod for_each;
mod repetition;
#[cfg(test)]
mod tests;

pub use dynamic::{DynamicBlock, DynamicFault, Template};
pub use for_each::{ForEachFault, ForEachRules, TypeCheck, has_known_keys};
pub use repetition::{CountFault, Instance, Repetition};
