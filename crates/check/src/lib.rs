//! What `validate` says of a tree of modules, with everything unknown.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod validate;
pub mod self_contained;
