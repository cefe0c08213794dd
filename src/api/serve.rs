//! Running the service: listen, answer, leave in good order.
//!
//! The loop is our own, over hyper: `axum::serve` knows no cap and no time-out but one. HTTP/1.1 alone is spoken; a
//! proxy that wants HTTP/2 translates.

mod connection;
mod descriptors;
mod doorman;
mod exchange;
mod places;
mod refusal;
mod signals;
mod socket;
mod stopping;
mod watch;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::time::{sleep, timeout};

pub(super) use self::exchange::{BodyStalled, spare_the_reserve};
pub(super) use self::watch::Watch;

use self::doorman::Doorman;
use self::signals::Signals;
use super::router::router;
use super::state::AppState;
use crate::settings::Settings;

/// After the grace: for the last answers to leave.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// After that: for the connections to be dropped, each with its line in the log.
const LAST_LINES: Duration = Duration::from_millis(250);

/// Connections that the system may hold until they are accepted; it may allow fewer. Where they do not fit, the first
/// bytes of a client are lost and sent again seconds later, and a probe of the service would fail.
const BACKLOG: u32 = 4096;

/// How a service stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// As asked: what was under way was answered, or refused.
    InGoodOrder,
    /// At once, because it was asked twice.
    AtOnce,
}

/// Serves until SIGTERM or SIGINT. Then `/readyz` says no while new requests are still answered; after the drain time
/// nothing new is let in, requests under way have the grace, and this returns at the latest a second after that. Work
/// that goes on nevertheless is the runtime's: it must not be waited for.
///
/// # Errors
/// When the settings contradict each other, the token file cannot be used, or the address cannot be listened on.
pub async fn serve(settings: Settings) -> io::Result<Stopped> {
    settings.check().map_err(io::Error::other)?;
    let state = AppState::new(settings.clone());
    state.load_tokens()?;
    let mut signals = Signals::catch()?;
    let listener = listen(settings.listen.listen)?;
    let drain = Duration::from_secs(settings.listen.drain_seconds);
    let grace = Duration::from_secs(settings.listen.grace_seconds);
    let address = listener.local_addr()?;
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
    let connections = descriptors::fit(settings.connections.max_connections);
    tracing::info!(connections, reserve = places::RESERVE, "connections at a time");
    let watched = state.clone();
    tokio::spawn(async move { watched.access().watch().await });
    let mut doorman = Doorman::new(router(&state), state.clone(), connections, grace);

    tokio::select! {
        never = doorman.let_in(&listener) => match never {},
        () = signals.next() => {}
    }
    tracing::info!(seconds = drain.as_secs(), "stopping: not ready any more");
    state.start_draining();
    tokio::select! {
        never = doorman.let_in(&listener) => match never {},
        () = sleep(drain) => {}
        () = signals.next() => return Ok(at_once()),
    }
    doorman.let_in_who_waits(&listener).await;
    drop(listener);
    tracing::info!(connections = doorman.count(), seconds = grace.as_secs(), "stopping: the door is closed");
    doorman.close();
    tokio::select! {
        () = doorman.all_have_left() => {}
        () = sleep(grace + LAST_WORDS) => {
            tracing::warn!(connections = doorman.count(), "stopping with connections open: the grace is over");
            doorman.turn_out();
            let _ = timeout(LAST_LINES, doorman.all_have_left()).await;
        }
        () = signals.next() => return Ok(at_once()),
    }
    tracing::info!("stopped");
    Ok(Stopped::InGoodOrder)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Another service may have left the port just now.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn at_once() -> Stopped {
    tracing::warn!("stopped at once: a second signal");
    Stopped::AtOnce
}
