//! One connection, from being accepted to being closed.

use std::time::{Duration, Instant};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::exchange::Exchanges;
use super::places::Place;
use super::refusal::{self, MAX_HEAD_BYTES, MAX_HEADERS};
use super::socket::Socket;
use super::stopping::Stopping;
use crate::api::http::state::AppState;

/// How much of a body a connection may buffer, in each direction, in bytes.
const BUFFER_BYTES: usize = 128 << 10;

/// How long a client has to notice that the connection has been closed.
const LINGER: Duration = Duration::from_secs(1);
/// The same, when the service stops.
const LINGER_AT_SHUTDOWN: Duration = Duration::from_millis(200);

/// Answers requests until the client or the service ends the connection.
pub(super) async fn run(stream: TcpStream, place: Place, routes: Router, state: AppState, stopping: Stopping) {
    let accepted = Instant::now();
    // Small answers are sent at once; otherwise they might wait until the client acknowledges the previous one.
    let _ = stream.set_nodelay(true);
    let watch = &place.watch;
    let socket = TokioIo::new(Socket::new(stream, watch.clone()));
    let counts = state.connections().clone();
    let exchanges = Exchanges { routes, state, watch: watch.clone(), reserve: place.reserve };
    let mut connection = http1::Builder::new()
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES)
        // The socket has its own timeout, which is answered with a problem.
        .header_read_timeout(None)
        .keep_alive(!place.reserve)
        .serve_connection(socket, exchanges);
    let begun = stopping.begun.clone();
    let ended = tokio::select! {
        biased;
        result = &mut connection => Some(result),
        // A request in progress is dropped, which cancels its work and writes its log line.
        () = stopping.overdue(watch) => None,
    };
    if let Some(result) = ended {
        let mut socket = connection.into_parts().io.into_inner();
        let linger = if *begun.borrow() { LINGER_AT_SHUTDOWN } else { LINGER };
        if socket.timed_out() {
            counts.timed_out();
        }
        refusal::refuse(&result, &mut socket, watch, accepted).await;
        socket.close(linger).await;
    }
}
