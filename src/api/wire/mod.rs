//! What requests and answers look like, and how a request becomes files and options for [`crate::task`].
//!
//! A module uses only those above it in this list.

pub(super) mod problems;
pub(super) mod json;
pub mod v1;
pub(super) mod query;
pub(super) mod formats;
pub(super) mod severity;
pub(super) mod prepare;
pub(super) mod planning;
pub(super) mod fingerprint;
pub(super) mod form;
pub(super) mod upload;
pub(super) mod reading;
pub(super) mod sides;
