//! What requests and answers look like, and how a request becomes files and options for a use case.
//!
//! A module uses only those above it in this list.

pub(super) mod kind;
pub(super) mod problems;
pub mod v1;
pub(super) mod query;
pub(super) mod formats;
pub(super) mod form;
pub(super) mod upload;
mod one_pass;
pub(super) mod reading;
pub(super) mod sides;
pub(super) mod endpoint;
#[cfg(test)]
mod one_pass_tests;
