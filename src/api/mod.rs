//! The HTTP layer: axum and utoipa are used here and nowhere else.
//!
//! An unusable request is answered with a problem (RFC 9457) and a suitable status; a broken configuration with 200 and
//! diagnostics; an internal failure with 500 and the request's id, without details.

#![deny(clippy::disallowed_types)]

mod accept;
mod access_log;
mod answer;
mod auth;
mod batch;
mod build;
mod compatibility;
mod decoding;
mod diff;
mod documents;
mod error;
mod fingerprint;
mod form;
mod framing;
mod gate;
mod hardening;
mod json;
mod layers;
mod metrics;
mod openapi;
mod prepare;
mod query;
mod report;
mod router;
mod routes;
mod serve;
mod severity;
mod state;
mod upload;
pub mod v1;
mod work;

pub use auth::{NewToken, TokenFileError, is_token_name};
pub(crate) use compatibility::check as check_compatibility;
pub use gate::MemoryNeed;
pub use metrics::{Connections, OpenConnection};
pub(crate) use prepare::{prepare, refuse_parts};
pub use router::{openapi_json, router};
pub use serve::{Stopped, serve};
pub(crate) use severity::similar_code;
pub use state::AppState;
