//! State shared by all requests: the server's, and how large what a request asks about may be.

use std::ops::Deref;
use std::sync::Arc;

use overfold_server::state::ServerState;

use crate::build_info::COMMIT;
use crate::settings::{LimitSettings, Settings};
use overfold_model::schema::SchemaStore;

/// State shared by all requests: a handle to the server's, the limits of this program, and the schemas of providers. Clones share both.
#[derive(Clone, Debug)]
pub struct AppState {
    server: ServerState,
    limits: Arc<LimitSettings>,
    schemas: Option<SchemaStore>,
}

impl AppState {
    /// Creates the state of a service with these settings.
    pub fn new(settings: Settings) -> Self {
        let (server, schemas) = (ServerState::new(settings.server(), COMMIT), settings.schemas.store());
        Self { server, limits: Arc::new(settings.limits), schemas }
    }

    /// Returns the state for requests that nobody sends over a connection: everyone who can fill the queue that they come
    /// from may ask, and their answers are stored. Places for work, memory and counts are those of this state.
    #[cfg(feature = "nats")]
    pub(crate) fn for_jobs(&self) -> Self {
        Self { server: self.server.for_jobs(), limits: Arc::clone(&self.limits), schemas: self.schemas.clone() }
    }

    /// Returns the schemas of providers that are kept between requests.
    pub fn schemas(&self) -> Option<&SchemaStore> {
        self.schemas.as_ref()
    }

    /// Logs what cannot be used of the schemas that are kept.
    pub fn report_schema_problems(&self) {
        let listing = self.schemas.as_ref().map(SchemaStore::now);
        for problem in listing.iter().flat_map(|stored| &stored.listing().problems) {
            tracing::warn!("provider schemas: {problem}");
        }
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
