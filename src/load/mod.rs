//! Trees to elements: file choice and order, the schema-driven reader, every decode rule, duplicates.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod content;
mod element;

pub use crate::dialect::FileSyntax;
pub use element::{
    Address, Argument, Block, BlockLabel, Decoded, Element, FileEntry, FileRole, Loaded, Module, OverrideFile,
    Payload, Variable,
};
