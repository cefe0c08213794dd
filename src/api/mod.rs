//! The HTTP door: axum and utoipa live here and nowhere else.
//!
//! An unusable request is a problem (RFC 9457) with a status of its own; a broken configuration is a 200 with
//! diagnostics; a failure of ours is a 500 with the request's id and nothing of the inside.

#![deny(clippy::disallowed_types)]

mod accept;
mod answer;
mod error;
mod form;
mod json;
mod layers;
mod openapi;
mod plan;
mod query;
mod router;
mod routes;
mod serve;
mod state;
mod upload;
pub mod v1;

pub use router::{openapi_json, router};
pub use serve::serve;
pub use state::AppState;
