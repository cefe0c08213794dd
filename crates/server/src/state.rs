//! State shared by all requests: settings, gates, metrics, and whether the service is shutting down.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio_util::sync::CancellationToken;

use crate::auth::Access;
use crate::cache::Cache;
use crate::gate::{Gate, MemoryNeed, SHED_REASONS};
use crate::metrics::{Connections, Metrics};
use crate::quota::{LIMIT_REASONS, Quotas};
use crate::reading::most_room;
#[cfg(feature = "jobs")]
use crate::settings::AccessSettings;
use crate::settings::Settings;
use crate::tls::Tls;
use crate::traces::Traces;

/// State shared by all requests. Clones share it.
#[derive(Clone, Debug)]
pub struct ServerState(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    access: Arc<Access>,
    tls: Option<Arc<Tls>>,
    gate: Gate,
    metrics: Metrics,
    cache: Option<Cache>,
    traces: Traces,
    /// Whether answers go to a place where others read them later.
    stores_answers: bool,
    /// Why the service is not ready, although it is neither stopping nor saturated.
    obstacle: Mutex<Option<&'static str>>,
    draining: CancellationToken,
}

impl ServerState {
    /// Creates the state of a service with these settings, built from a commit.
    pub fn new(settings: Settings, commit: &'static str) -> Self {
        let metrics = Metrics::new(&settings, commit, &SHED_REASONS, &LIMIT_REASONS);
        metrics.set_memory_need(MemoryNeed::from_settings(&settings).total());
        let traces = metrics.traces(&settings);
        let gate = Gate::new(&settings, metrics.clone());
        let quotas = Quotas::new(&settings, most_room(settings.body), &metrics);
        let access = Arc::new(Access::new(&settings, quotas, &metrics));
        let cache = Cache::new(&settings.cache, &metrics);
        let tls = Tls::unloaded(&settings.tls, &metrics).map(Arc::new);
        Self(Arc::new(Inner {
            access,
            tls,
            gate,
            metrics,
            cache,
            traces,
            stores_answers: false,
            obstacle: Mutex::default(),
            draining: CancellationToken::new(),
            settings,
        }))
    }

    /// Returns the state for requests that nobody sends over a connection: everyone who can fill the queue that they come
    /// from may ask, and their answers are stored. Places for work, memory and counts are those of this state.
    #[cfg(feature = "jobs")]
    #[must_use]
    pub fn for_jobs(&self) -> Self {
        let settings = Settings { access: AccessSettings::default(), ..self.settings().clone() };
        Self(Arc::new(Inner {
            access: Arc::new(Access::new(&settings, None, self.metrics())),
            tls: None,
            gate: self.0.gate.clone(),
            metrics: self.0.metrics.clone(),
            cache: self.0.cache.clone(),
            traces: self.0.traces.clone(),
            stores_answers: true,
            obstacle: Mutex::default(),
            draining: self.0.draining.clone(),
            settings,
        }))
    }

    /// Whether answers are stored where others read them later: then none may show sensitive values.
    pub fn stores_answers(&self) -> bool {
        self.0.stores_answers
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Reads the files that the settings name: who may call, and the certificates. Until then, nobody may.
    ///
    /// # Errors
    /// Fails if a file cannot be read or used.
    pub fn load_files(&self) -> io::Result<()> {
        self.access().load()?;
        if let Some(ca) = &self.settings().cache.cache_redis_ca {
            let readable = fs::read(ca).map_err(|error| format!("{}: {error}", ca.display()));
            let certificates = readable.and_then(|text| {
                let first = CertificateDer::pem_slice_iter(&text).next();
                first.and_then(Result::ok).ok_or_else(|| format!("{}: there is no certificate in it", ca.display()))
            });
            certificates.map_err(io::Error::other)?;
        }
        self.tls().map_or(Ok(()), |tls| tls.load().map_err(io::Error::other))
    }

    /// Returns the TLS of the service, if it has any.
    pub(crate) fn tls(&self) -> Option<&Arc<Tls>> {
        self.0.tls.as_ref()
    }

    /// Returns who may call.
    pub(crate) fn access(&self) -> &Arc<Access> {
        &self.0.access
    }

    /// Returns the gates: what requests may hold, and which works next.
    pub fn gate(&self) -> &Gate {
        &self.0.gate
    }

    /// Returns the metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Counts a request from a queue: `stored` if its answer is stored now, `known` if it already had one, `retried` if it is
    /// tried again, `lost` if no worker answered it.
    #[cfg(feature = "jobs")]
    pub fn job(&self, outcome: &'static str) {
        self.0.metrics.job(outcome);
    }

    /// Returns the cache of answers, if the service has one.
    pub fn cache(&self) -> Option<&Cache> {
        self.0.cache.as_ref()
    }

    pub(crate) fn traces(&self) -> &Traces {
        &self.0.traces
    }

    /// Returns the counters for the code that accepts connections.
    pub fn connections(&self) -> &Connections {
        self.0.metrics.connections()
    }

    /// Makes `/readyz` report "not ready" as long as there is an obstacle.
    #[cfg(feature = "jobs")]
    pub fn set_obstacle(&self, obstacle: Option<&'static str>) {
        *self.0.obstacle.lock().unwrap_or_else(PoisonError::into_inner) = obstacle;
    }

    /// Returns why the service is not ready, although it is neither stopping nor saturated.
    pub fn obstacle(&self) -> Option<&'static str> {
        *self.0.obstacle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes `/readyz` report "not ready" from now on; work in progress continues.
    pub fn start_draining(&self) {
        self.0.draining.cancel();
    }

    /// Waits until the service is told to stop.
    pub async fn told_to_stop(&self) {
        self.0.draining.cancelled().await;
    }

    /// Whether the service is shutting down.
    pub fn is_draining(&self) -> bool {
        self.0.draining.is_cancelled()
    }
}
