//! Metrics of the cache of answers.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::registry::Registry;

use super::counted;

/// Counters of the cache. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct CacheCounts {
    hits: Counter,
    misses: Counter,
    stored: Counter,
    failed: Counter,
}

impl CacheCounts {
    /// Registers the counters, and returns them.
    pub(super) fn registered(registry: &mut Registry) -> Self {
        Self {
            hits: counted(registry, "cache_hits", "Answers taken from the cache"),
            misses: counted(registry, "cache_misses", "Answers that were not in the cache"),
            stored: counted(registry, "cache_stored", "Answers stored in the cache"),
            failed: counted(registry, "cache_failures", "Times that the cache did not answer"),
        }
    }

    /// Counts an answer that was there.
    pub(crate) fn hit(&self) {
        self.hits.inc();
    }

    /// Counts an answer that was not there.
    pub(crate) fn miss(&self) {
        self.misses.inc();
    }

    /// Counts an answer that was stored.
    pub(crate) fn stored(&self) {
        self.stored.inc();
    }

    /// Counts a failure of the store.
    pub(crate) fn failed(&self) {
        self.failed.inc();
    }
}
