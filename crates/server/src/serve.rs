//! Runs the service: listens, answers, and shuts down gracefully.
//!
//! The accept loop is our own, over hyper: `axum::serve` has no connection limit and only one timeout. HTTP/2 is
//! spoken where the client asks for it in the TLS handshake, otherwise HTTP/1.1.

mod connection;
mod descriptors;
mod acceptor;
mod exchange;
mod http2;
mod places;
mod refusal;
mod signals;
mod socket;
mod stopping;
mod stream;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::{Instant, sleep, timeout};

use self::acceptor::Acceptor;
use self::signals::Signals;
use crate::state::ServerState;

/// After the grace period: time for the last answers to be sent.
const LAST_ANSWERS_TIMEOUT: Duration = Duration::from_millis(500);
/// After that: time for the connections to be dropped, each with its log line.
const LAST_LOG_LINES_TIMEOUT: Duration = Duration::from_millis(250);
/// After that: time for the last traces to be sent.
const LAST_TRACES_TIMEOUT: Duration = Duration::from_millis(200);
/// The longest time that the last traces take, even if the grace period is longer.
const TRACES_TIMEOUT: Duration = Duration::from_secs(3);

/// The number of connections that the system may hold until they are accepted; it may allow fewer. When it is exceeded,
/// the first bytes of a client are lost and sent again seconds later, and a probe of the service would fail.
const BACKLOG: u32 = 4096;

/// How a service stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Gracefully: work in progress was answered or refused.
    Graceful,
    /// Immediately, because a second signal arrived.
    AtOnce,
}

/// Returns the address to open in a browser on this machine.
fn page(address: SocketAddr, has_tls: bool) -> String {
    let scheme = if has_tls { "https" } else { "http" };
    let host = if address.ip().is_unspecified() {
        "localhost".to_owned()
    } else {
        SocketAddr::new(address.ip(), 0).to_string()
    };
    let host = host.strip_suffix(":0").unwrap_or(&host);
    format!("{scheme}://{host}:{}/", address.port())
}

/// Serves until SIGTERM or SIGINT. Then `/readyz` reports "not ready" while new requests are still answered; after the
/// drain time no new connections are accepted, requests in progress have the grace period, and this returns at most a
/// second after that. Work that continues nevertheless belongs to the runtime and must not be waited for.
///
/// # Errors
/// Fails if a file that the settings name cannot be used, or the address cannot be listened on.
pub async fn serve(state: ServerState, router: Router) -> io::Result<Stopped> {
    let settings = state.settings();
    state.load_files()?;
    let mut signals = Signals::catch()?;
    let listener = listen(settings.listen.listen)?;
    let drain = Duration::from_secs(settings.listen.drain_seconds);
    let grace = Duration::from_secs(settings.listen.grace_seconds);
    let address = listener.local_addr()?;
    let open = page(address, state.tls().is_some());
    tracing::info!(%address, open, version = env!("CARGO_PKG_VERSION"), "listening");
    let connections = descriptors::raise_limit(settings.connections.max_connections);
    tracing::info!(connections, reserve = places::RESERVE, "connections at a time");
    state.traces().start()?;
    let watched = state.clone();
    tokio::spawn(async move { watched.access().watch().await });
    if let Some(tls) = state.tls().cloned() {
        tokio::spawn(tls.watch());
    }
    let mut acceptor = Acceptor::new(router, state.clone(), connections, grace);

    tokio::select! {
        never = acceptor.accept_forever(&listener) => match never {},
        () = signals.next() => {}
    }
    tracing::info!(seconds = drain.as_secs(), "stopping: no longer ready");
    state.start_draining();
    tokio::select! {
        never = acceptor.accept_forever(&listener) => match never {},
        () = sleep(drain) => {}
        () = signals.next() => return Ok(stop_at_once()),
    }
    acceptor.accept_pending(&listener).await;
    drop(listener);
    tracing::info!(
        connections = acceptor.count(),
        seconds = grace.as_secs(),
        "stopping: no longer accepting connections"
    );
    acceptor.close();
    let end = Instant::now() + grace + LAST_ANSWERS_TIMEOUT + LAST_LOG_LINES_TIMEOUT + LAST_TRACES_TIMEOUT;
    tokio::select! {
        () = acceptor.drained() => {}
        () = sleep(grace + LAST_ANSWERS_TIMEOUT) => {
            tracing::warn!(connections = acceptor.count(), "stopping with open connections: the grace period is over");
            acceptor.evict_all();
            let _ = timeout(LAST_LOG_LINES_TIMEOUT, acceptor.drained()).await;
        }
        () = signals.next() => return Ok(stop_at_once()),
    }
    state.traces().stop(end.min(Instant::now() + TRACES_TIMEOUT)).await;
    tracing::info!("stopped");
    Ok(Stopped::Graceful)
}

/// Waits for a further signal that asks to stop, once [`serve`] has returned.
///
/// # Errors
/// Fails if the system does not allow this.
#[cfg(feature = "jobs")]
pub async fn signalled_again() -> io::Result<()> {
    Signals::catch()?.next().await;
    Ok(())
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Another service may have released the port only just now.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn stop_at_once() -> Stopped {
    tracing::warn!("stopped immediately: second signal");
    Stopped::AtOnce
}
