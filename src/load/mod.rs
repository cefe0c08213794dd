//! Trees to elements: file choice and order, the schema-driven reader, every decode rule, duplicates.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod conditions;
pub mod content;
pub mod dependencies;
mod element;
mod hostname;
pub mod keywords;
pub mod leaf_codes;
pub mod module_source;
pub mod names;
pub mod provider_refs;
pub mod references;
pub mod required_providers;
pub mod targets;
pub mod tool_version;
mod traversal;
mod traversal_text;

pub use crate::dialect::FileSyntax;
pub use element::{
    Address, Argument, Block, BlockLabel, Decoded, Element, FileEntry, FileRole, Loaded, Module, OverrideFile,
    Payload, Variable,
};
