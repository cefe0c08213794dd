//! Metrics of connections.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Counters of connections, for the code that accepts them. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    open: Gauge,
    accepted: Counter,
    refused: Counter,
    timed_out: Counter,
}

/// A connection; it counts as open until this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Gauge);

impl Connections {
    /// Counts an accepted connection.
    pub fn opened(&self) -> OpenConnection {
        self.accepted.inc();
        self.open.inc();
        OpenConnection(self.open.clone())
    }

    /// Counts a connection that was refused because as many are open as allowed.
    pub fn refused(&self) {
        self.refused.inc();
    }

    /// Counts a connection that was closed because its client took too long to send or to read.
    pub fn timed_out(&self) {
        self.timed_out.inc();
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("connections_open", "Connections that are open", self.open.clone());
        registry.register("connections_accepted", "Connections accepted", self.accepted.clone());
        registry.register("connections_refused", "Connections over the cap", self.refused.clone());
        registry.register("connections_timed_out", "Connections closed for slowness", self.timed_out.clone());
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}
