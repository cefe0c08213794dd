//! State shared by all requests: the server's, and how large what a request asks about may be.

use std::ops::Deref;
use std::sync::Arc;

use overfold_server::state::ServerState;

use crate::build_info::COMMIT;
use crate::settings::{LimitSettings, Settings};

/// State shared by all requests: a handle to the server's, and the limits of this program. Clones share both.
#[derive(Clone, Debug)]
pub struct AppState {
    server: ServerState,
    limits: Arc<LimitSettings>,
}

impl AppState {
    /// Creates the state of a service with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { server: ServerState::new(settings.server(), COMMIT), limits: Arc::new(settings.limits) }
    }

    /// Returns the state for requests that nobody sends over a connection: everyone who can fill the queue that they come
    /// from may ask, and their answers are stored. Places for work, memory and counts are those of this state.
    #[cfg(feature = "nats")]
    pub(crate) fn for_jobs(&self) -> Self {
        Self { server: self.server.for_jobs(), limits: Arc::clone(&self.limits) }
    }

    /// Returns how large what a request asks about may be.
    pub fn limits(&self) -> &Arc<LimitSettings> {
        &self.limits
    }
}

impl Deref for AppState {
    type Target = ServerState;

    fn deref(&self) -> &ServerState {
        &self.server
    }
}
