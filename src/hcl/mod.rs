//! The parts of HCL that every dialect shares: the content of bodies by a schema, and traversals that stand for themselves.
//! Knows trees and schemas, and no dialect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
pub mod content;
pub(crate) mod traversal;
