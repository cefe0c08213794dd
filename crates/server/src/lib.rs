//! HTTP itself: connections, layers, admission, bodies, access, TLS, the cache, metrics and problems. Nothing here knows
//! what a request asks or what its answer says: routes, and what their work has found, come from the program above.
//!
//! A module uses only those above it in this list.

#![deny(clippy::disallowed_types)]

/// The name of this crate, with which the targets of its log events begin.
pub const NAME: &str = env!("CARGO_CRATE_NAME");

pub mod settings;
pub mod paths;
pub mod error;
pub mod problem;
pub mod accept;
pub mod packing;
pub mod documents;
pub mod request_id;
pub mod body;
mod framing;
mod decoding;
mod hardening;
mod reserve;
pub mod class;
mod oversight;
pub mod work;
pub mod traces;
pub mod metrics;
mod watched_files;
pub mod cache;
pub mod tls;
pub mod quota;
pub mod auth;
pub mod record;
pub mod watch;
pub mod gate;
pub mod reading;
pub mod state;
mod access_log;
mod lingering;
pub mod layers;
pub mod serve;

/// The tests count what work holds, as the program does.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: overfold_account::Allocator = overfold_account::Allocator;
