//! Metrics of connections.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::counted;

/// Counters of connections, for the code that accepts them. Clones share them.
#[derive(Clone, Debug)]
pub struct Connections {
    open: Gauge,
    accepted: Counter,
    refused: Counter,
    timed_out: Counter,
    handshakes_failed: Counter,
}

/// A connection; it counts as open until this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Gauge);

impl Connections {
    /// Registers the counters, and returns them.
    pub(super) fn registered(registry: &mut Registry) -> Self {
        Self {
            open: counted(registry, "connections_open", "Connections that are open"),
            accepted: counted(registry, "connections_accepted", "Connections accepted"),
            refused: counted(registry, "connections_refused", "Connections over the cap"),
            timed_out: counted(registry, "connections_timed_out", "Connections closed for slowness"),
            handshakes_failed: counted(registry, "tls_handshakes_failed", "TLS handshakes that failed"),
        }
    }

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
}

impl Connections {
    /// Counts a connection whose TLS handshake failed.
    pub(crate) fn handshake_failed(&self) {
        self.handshakes_failed.inc();
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}
