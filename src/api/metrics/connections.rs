//! What is counted about connections.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Counts of connections, for whoever accepts them. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    open: Gauge,
    accepted: Counter,
    refused: Counter,
    timed_out: Counter,
}

/// A connection that counts as open until this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Gauge);

impl Connections {
    /// A connection was accepted.
    pub fn opened(&self) -> OpenConnection {
        self.accepted.inc();
        self.open.inc();
        OpenConnection(self.open.clone())
    }

    /// A connection was refused since as many are open as may be.
    pub fn refused(&self) {
        self.refused.inc();
    }

    /// A connection was closed since its client took too long to send or to read.
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
