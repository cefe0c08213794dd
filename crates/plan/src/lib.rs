//! The plan of a tree of modules that has never been applied.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod planning;
