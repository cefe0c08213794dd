//! One connection, from being accepted to being closed.

use std::io;
use std::time::{Duration, Instant};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::exchange::Exchanges;
use super::http2;
use super::places::ConnectionSlot;
use super::refusal::{self, MAX_HEAD_BYTES, MAX_HEADERS};
use super::socket::Socket;
use super::stopping::Shutdown;
use super::stream::Stream;
use crate::state::ServerState;
use crate::tls::{ClientSubject, Tls, TlsConnection};

/// How much of a body a connection may buffer, in each direction, in bytes.
const BUFFER_BYTES: usize = 128 << 10;

/// How long a client has to notice that the connection has been closed.
const LINGER: Duration = Duration::from_secs(1);
/// The same, when the service stops.
const LINGER_AT_SHUTDOWN: Duration = Duration::from_millis(200);

/// The first byte of a TLS connection: the type of the record with the client's first message (RFC 8446, 5.1).
const HANDSHAKE: u8 = 22;

/// Answers requests until the client or the service ends the connection.
pub(super) async fn run(
    stream: TcpStream,
    place: ConnectionSlot,
    routes: Router,
    state: ServerState,
    stopping: Shutdown,
) {
    let accepted = Instant::now();
    // Small answers are sent at once; otherwise they might wait until the client acknowledges the previous one.
    let _ = stream.set_nodelay(true);
    let Some(tls) = state.tls().cloned() else {
        return one_at_a_time(Stream::Plain(stream), None, place, routes, state, stopping, accepted).await;
    };
    let counts = state.connections().clone();
    let secured = tokio::select! {
        biased;
        secured = timeout(place.watch.timeouts().head, begin(&tls, stream)) => secured,
        () = stopping.clone().overdue(&place.watch) => return,
    };
    match secured {
        Ok(Handshake::Secured(TlsConnection { stream, is_http2, subject })) => {
            let stream = Stream::Secured(stream);
            if is_http2 {
                http2::run(stream, &place, &http2::Service { routes, state, stopping, subject }).await;
            } else {
                one_at_a_time(stream, subject, place, routes, state, stopping, accepted).await;
            }
        }
        Ok(Handshake::Plain(stream)) => {
            let watch = &place.watch;
            let mut socket = Socket::new(Stream::Plain(stream), watch.clone());
            refusal::refuse_plain(&mut socket, accepted).await;
            socket.close(LINGER).await;
        }
        Ok(Handshake::Failed(error)) => {
            counts.handshake_failed();
            tracing::debug!(%error, "the TLS handshake failed");
        }
        Err(_) => counts.timed_out(),
    }
}

/// What a client of TLS turns out to be.
enum Handshake {
    Secured(TlsConnection),
    /// It speaks HTTP without TLS.
    Plain(TcpStream),
    Failed(io::Error),
}

async fn begin(tls: &Tls, stream: TcpStream) -> Handshake {
    let mut first = [HANDSHAKE];
    match stream.peek(&mut first).await {
        Ok(1..) if first[0].is_ascii_uppercase() => return Handshake::Plain(stream),
        Ok(_) => {}
        Err(error) => return Handshake::Failed(error),
    }
    match tls.accept(stream).await {
        Ok(secured) => Handshake::Secured(secured),
        Err(error) => Handshake::Failed(error),
    }
}

/// Answers the requests of a connection with HTTP/1.1.
async fn one_at_a_time(
    stream: Stream,
    subject: Option<ClientSubject>,
    place: ConnectionSlot,
    routes: Router,
    state: ServerState,
    stopping: Shutdown,
    accepted: Instant,
) {
    let watch = &place.watch;
    let socket = TokioIo::new(Socket::new(stream, watch.clone()));
    let counts = state.connections().clone();
    let exchanges = Exchanges { routes, state, watch: watch.clone(), reserve: place.reserve, subject };
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
