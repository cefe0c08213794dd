//! HTTP itself: connections, layers, admission, bodies and problems. Nothing here knows what a request asks or what its
//! answer says.
//!
//! A module uses only those above it in this list.

pub(super) mod build;
pub(super) mod paths;
pub(super) mod error;
pub(super) mod problem;
pub(super) mod accept;
pub(super) mod packing;
pub(super) mod documents;
pub(super) mod request_id;
pub(super) mod body;
mod framing;
mod decoding;
mod hardening;
mod reserve;
mod watched_files;
pub(super) mod class;
pub(super) mod work;
pub(super) mod traces;
pub(super) mod metrics;
pub(super) mod cache;
pub(super) mod tls;
pub(super) mod quota;
pub(super) mod auth;
pub(super) mod record;
pub(super) mod watch;
pub(super) mod gate;
pub(super) mod reading;
pub(super) mod state;
mod access_log;
pub(super) mod layers;
pub(super) mod serve;
