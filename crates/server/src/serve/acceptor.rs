//! Accepts connections, up to the cap and its reserve, and knows when the last one has ended.

use std::convert::Infallible;
use std::io;
use std::time::{Duration, Instant};

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

use super::connection;
use super::places::Places;
use super::stopping::Shutdown;
use crate::state::ServerState;
use crate::watch::Timeouts;

/// The pause between two attempts while the system provides no socket. Meanwhile, connections wait in the system's
/// queue.
const NO_SOCKET_PAUSE: Duration = Duration::from_millis(100);
/// The pause after room was made.
const EVICTION_PAUSE: Duration = Duration::from_millis(10);
/// The shortest interval between log lines about events that may occur with every connection.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Accepts connections.
pub(super) struct Acceptor {
    routes: Router,
    state: ServerState,
    places: Places,
    stopping: Shutdown,
    begin: watch::Sender<bool>,
    /// Each connection holds a receiver.
    present: watch::Sender<()>,
    refused: LogThrottle,
    failed: LogThrottle,
}

impl Acceptor {
    pub(super) fn new(routes: Router, state: ServerState, connections: usize, grace: Duration) -> Self {
        let places = Places::new(connections, Timeouts::from_settings(&state.settings().connections));
        let (begin, begun) = watch::channel(false);
        Self {
            routes,
            state,
            places,
            stopping: Shutdown { begun, grace },
            begin,
            present: watch::Sender::new(()),
            refused: LogThrottle::default(),
            failed: LogThrottle::default(),
        }
    }

    /// Accepts connections indefinitely.
    pub(super) async fn accept_forever(&mut self, listener: &TcpListener) -> Infallible {
        loop {
            let accepted = listener.accept().await;
            self.handle_accepted(accepted).await;
        }
    }

    /// Accepts the connections that are already waiting.
    pub(super) async fn accept_pending(&mut self, listener: &TcpListener) {
        loop {
            let accepted = tokio::select! {
                biased;
                accepted = listener.accept() => accepted,
                () = std::future::ready(()) => return,
            };
            if accepted.is_err() {
                return;
            }
            self.handle_accepted(accepted).await;
        }
    }

    async fn handle_accepted(&mut self, accepted: io::Result<(TcpStream, std::net::SocketAddr)>) {
        match accepted {
            Ok((stream, _)) => match self.places.take() {
                Some(place) => {
                    let running = connection::run(
                        stream,
                        place,
                        self.routes.clone(),
                        self.state.clone(),
                        self.stopping.clone(),
                    );
                    let present = self.present.subscribe();
                    let open = self.state.connections().opened();
                    tokio::spawn(async move {
                        let (_present, _open) = (present, open);
                        running.await;
                    });
                }
                None => {
                    self.state.connections().refused();
                    if let Some(count) = self.refused.record() {
                        tracing::warn!(count, "connections closed immediately: too many are open");
                    }
                }
            },
            // The client was gone before it was accepted.
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                let ended = self.places.make_room();
                if let Some(count) = self.failed.record() {
                    let open = self.places.count();
                    tracing::error!(%error, count, open, ended, "connections cannot be accepted");
                }
                sleep(if ended > 0 { EVICTION_PAUSE } else { NO_SOCKET_PAUSE }).await;
            }
        }
    }

    /// Returns the number of connections.
    pub(super) fn count(&self) -> usize {
        self.places.count()
    }

    /// From now on, connections end as described in [`Shutdown`].
    pub(super) fn close(&self) {
        self.begin.send_replace(true);
    }

    /// Ends all connections, whatever they are doing.
    pub(super) fn evict_all(&self) {
        self.places.clear();
    }

    /// Returns when no connection is left.
    pub(super) async fn drained(&self) {
        self.present.closed().await;
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(error.kind(), K::ConnectionAborted | K::ConnectionRefused | K::ConnectionReset | K::Interrupted)
}

/// An event that may happen too often to log it each time.
#[derive(Default)]
struct LogThrottle {
    logged: Option<Instant>,
    since: u64,
}

impl LogThrottle {
    /// Records the event; returns how often it has happened since the last log line, if it is time for another one.
    fn record(&mut self) -> Option<u64> {
        self.since += 1;
        if self.logged.is_some_and(|logged| logged.elapsed() < LOG_EVERY) {
            return None;
        }
        self.logged = Some(Instant::now());
        Some(std::mem::take(&mut self.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_events_are_logged_rarely() {
        let mut throttle = LogThrottle::default();
        assert_eq!(throttle.record(), Some(1));
        assert_eq!((throttle.record(), throttle.record()), (None, None));
        throttle.logged = None;
        assert_eq!(throttle.record(), Some(3));
    }
}
