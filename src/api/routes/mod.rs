//! The routes, one file each: request, answer, documentation and handler; and the document that describes them all.
//!
//! A module uses only those above it in this list.

mod paths;
mod problems;
mod answer;
mod cached;
mod respond;
mod merge;
mod diff;
mod compatibility;
mod plan;
mod plan_diff;
mod upgrade;
mod batch;
mod diagnostics;
mod dialects;
mod health;
mod metrics;
mod version;
mod versions;
mod explorer;
mod needs;
mod openapi;
mod docs;
pub(super) mod router;
#[cfg(feature = "nats")]
pub(super) mod jobs;
