//! The configuration model: the content of bodies by a schema, references and other texts with a form of their own,
//! objects with typed addresses, and the evaluator of names.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod body;
pub mod language;
pub mod schema;
pub mod config;
pub mod scope;
