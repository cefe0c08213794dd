//! The tree of modules below a root module: where calls lead, what is called, and in which order its nodes depend on each
//! other. What validates a tree and what plans it stand on this.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod graph;
pub mod calls;
pub mod version_search;
pub mod installed;
pub mod module_tree;
