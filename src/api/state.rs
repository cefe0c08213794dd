//! What all requests share: settings, gates, metrics, and whether the service is leaving.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::auth::Access;
use super::gate::Gate;
use super::metrics::{Connections, Metrics};
use crate::settings::Settings;

/// Shared by all requests; cloning shares.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    access: Access,
    gate: Gate,
    metrics: Metrics,
    draining: AtomicBool,
}

impl AppState {
    /// The state of a service with these settings.
    pub fn new(settings: Settings) -> Self {
        let metrics = Metrics::new(&settings);
        let gate = Gate::new(&settings, metrics.clone());
        let access = Access::new(&settings);
        Self(Arc::new(Inner { access, gate, metrics, draining: AtomicBool::new(false), settings }))
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Reads the token file that the settings name, if they do; until then nobody may call.
    ///
    /// # Errors
    /// When the file cannot be read or holds no token.
    pub fn load_tokens(&self) -> io::Result<()> {
        self.access().load()
    }

    /// Who may call.
    pub(crate) fn access(&self) -> &Access {
        &self.0.access
    }

    /// What requests may hold and who works next.
    pub(crate) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    /// What is counted.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Where whoever accepts connections counts them.
    pub fn connections(&self) -> &Connections {
        self.0.metrics.connections()
    }

    /// From now on `/readyz` says no; what is under way goes on.
    pub fn start_draining(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is leaving.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }
}
