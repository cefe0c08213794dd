//! Trees to elements: file choice and order, the schema-driven reader, every decode rule, duplicates.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod element;

pub use element::{Address, Argument, Block, BlockLabel, Element, FileEntry, FileRole, FileSyntax, Module, Payload};
