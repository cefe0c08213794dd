//! The HTTP layer: axum and utoipa are used here and nowhere else.
//!
//! An unusable request is answered with a problem (RFC 9457) and a suitable status; a broken configuration with 200 and
//! diagnostics; an internal failure with 500 and the request's id, without details.
//!
//! Three layers, of which each uses only those above it, and within which each module uses only those above it in the
//! list of the layer.

#![deny(clippy::disallowed_types)]

mod wire;
mod routes;

use std::io;

use overfold_server::state::ServerState;

use crate::settings::Settings;

pub use crate::state::AppState;
pub use overfold_server::auth::{AccessFileError, NewToken, is_token_name};
pub use overfold_server::gate::MemoryNeed;
pub use overfold_server::metrics::{Connections, OpenConnection};
pub use overfold_server::serve::Stopped;
pub use overfold_server::tls::TlsFileError;
#[cfg(feature = "nats")]
pub use routes::jobs::{JobAnswer, JobRequest, JobRoute, Jobs, Room, serve_beside};
pub use routes::router::{openapi_json, router};
pub use wire::v1;

/// Serves until SIGTERM or SIGINT. Then `/readyz` reports "not ready" while new requests are still answered; after the
/// drain time no new connections are accepted, requests in progress have the grace period, and this returns at most a
/// second after that. Work that continues nevertheless belongs to the runtime and must not be waited for.
///
/// # Errors
/// Fails if the settings contradict each other, the token file cannot be used, or the address cannot be listened on.
pub async fn serve(settings: Settings) -> io::Result<Stopped> {
    settings.check().map_err(io::Error::other)?;
    let state = AppState::new(settings);
    state.report_schema_problems();
    let router = router(&state);
    overfold_server::serve::serve(ServerState::clone(&state), router).await
}
