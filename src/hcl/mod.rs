//! The parts of HCL that all dialects share: reading the content of bodies by a schema, and traversals that are read
//! as names instead of being evaluated. Knows trees and schemas, but no dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
pub mod content;
pub(crate) mod traversal;
