//! The routes, one file each: request, answer, documentation and handler.

pub(crate) mod batch;
pub(crate) mod compatibility;
pub(crate) mod diagnostics;
pub(crate) mod dialects;
pub(crate) mod diff;
pub(crate) mod docs;
pub(crate) mod explorer;
pub(crate) mod health;
pub(crate) mod merge;
pub(crate) mod metrics;
mod problems;
pub(crate) mod report;
pub(crate) mod version;
