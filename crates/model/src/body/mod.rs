//! The parts of HCL that all dialects share: reading the content of bodies by a schema, and traversals that are read
//! as names instead of being evaluated. Knows trees and schemas, but no dialect.

pub mod codes;
pub mod content;
pub mod traversal;
