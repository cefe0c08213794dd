//! What all requests share: settings, the two gates in front of the work, and whether the service is leaving.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{ApiError, Kind};
use crate::settings::Settings;

/// Shared by all requests; cloning shares.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    /// One permit per request that holds memory: at work or waiting.
    admission: Arc<Semaphore>,
    /// One permit per request at work.
    work: Arc<Semaphore>,
    draining: AtomicBool,
}

/// The right to work on one request. Held by the work itself, so that work whose client has left still counts.
#[derive(Debug)]
pub(crate) struct Admitted {
    _admission: OwnedSemaphorePermit,
}

/// The right to use a processor for one request.
#[derive(Debug)]
pub(crate) struct AtWork {
    _admitted: Admitted,
    _work: OwnedSemaphorePermit,
}

impl AppState {
    /// The state of a service with these settings.
    pub fn new(settings: Settings) -> Self {
        let concurrency = settings.work.concurrency();
        let admission = concurrency.saturating_add(settings.work.queue).min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Inner {
            admission: Arc::new(Semaphore::new(admission)),
            work: Arc::new(Semaphore::new(concurrency.min(Semaphore::MAX_PERMITS))),
            draining: AtomicBool::new(false),
            settings,
        }))
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// From now on `/readyz` says no; what is under way goes on.
    pub fn start_draining(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Whether the service is leaving.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// Lets a request in, before its body is read.
    ///
    /// # Errors
    /// 503 when as many requests are at work or waiting as the settings allow.
    pub(crate) fn admit(&self) -> Result<Admitted, ApiError> {
        let permit = Arc::clone(&self.0.admission).try_acquire_owned();
        let work = &self.settings().work;
        permit.map(|permit| Admitted { _admission: permit }).map_err(|_| {
            ApiError::new(
                Kind::Overloaded,
                format!("{} requests are at work and {} are waiting; try again soon", work.concurrency(), work.queue),
            )
        })
    }

    /// Waits for the turn of a request that has been let in.
    ///
    /// # Errors
    /// 500 if the gate has been closed, which nothing does.
    pub(crate) async fn turn(&self, admitted: Admitted) -> Result<AtWork, ApiError> {
        let permit = Arc::clone(&self.0.work).acquire_owned().await;
        permit.map(|permit| AtWork { _admitted: admitted, _work: permit }).map_err(|_| ApiError::internal())
    }
}
