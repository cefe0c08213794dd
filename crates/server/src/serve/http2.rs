//! HTTP/2: one connection, several requests at a time, each with its own place and timeouts.
//!
//! The library keeps the streams apart and holds the protocol's own attacks within bounds: streams that are reset as soon
//! as they are opened, heads without end. What a client takes of its answer, how long it may be silent in the middle of a
//! body, and how many requests it may have at a time is decided here, stream by stream: one that is too slow is reset, and
//! the others go on.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use axum::http::{HeaderValue, Request, StatusCode, Version};
use axum::response::Response;
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use http_body_util::BodyExt as _;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::exchange::{Exchanges, Http2Body};
use super::places::ConnectionSlot;
use super::refusal::MAX_HEAD_BYTES;
use super::socket::least_read;
use super::stopping::Shutdown;
use super::stream::Stream;
use crate::metrics::Connections;
use crate::state::ServerState;
use crate::tls::ClientSubject;
use crate::watch::Watch;

/// The most requests at a time on a connection. Each but the first takes a place of its own among all connections.
const MAX_STREAMS: u32 = 100;
/// The bytes of a body that may arrive before the service has taken any of them.
const STREAM_WINDOW: u32 = 128 << 10;
/// The same for all bodies of a connection together.
const CONNECTION_WINDOW: u32 = 256 << 10;
/// The bytes of an answer that are handed over before the client has taken them.
const SEND_BUFFER: usize = 64 << 10;
/// How long the client has to take the last of what it was told when the connection ends.
const LINGER: Duration = Duration::from_millis(200);

/// What serves a connection.
pub(super) struct Service {
    pub(super) routes: Router,
    pub(super) state: ServerState,
    pub(super) stopping: Shutdown,
    pub(super) subject: Option<ClientSubject>,
}

/// Answers requests until the client or the service ends the connection.
pub(super) async fn run(stream: Stream, place: &ConnectionSlot, service: &Service) {
    let counts = service.state.connections().clone();
    let timeouts = place.watch.timeouts();
    let first_request = Instant::now() + timeouts.head;
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(u32::try_from(MAX_HEAD_BYTES).unwrap_or(u32::MAX))
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buffer_size(SEND_BUFFER)
        .handshake(stream);
    let mut connection = tokio::select! {
        biased;
        begun = timeout_at(first_request, handshake) => match begun {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) => return tracing::debug!(%error, "the connection ended"),
            Err(_) => return counts.timed_out(),
        },
        () = service.stopping.clone().overdue(&place.watch) => return,
    };
    let mut begun = service.stopping.begun.clone();
    let mut streams = JoinSet::new();
    // Held by the request that uses the connection's own place.
    let own_place = Arc::new(());
    // While there is no request: when the connection ends. It is given the last moment once the client has been told.
    let mut idle_until = first_request;
    let mut is_closing = false;
    loop {
        tokio::select! {
            biased;
            () = place.watch.is_evicted() => return,
            _ = begun.wait_for(|begun| *begun), if !is_closing => {
                is_closing = true;
                idle_until = Instant::now() + LINGER;
                connection.graceful_shutdown();
            }
            Some(_) = streams.join_next(), if !streams.is_empty() => {
                if streams.is_empty() {
                    idle_until = Instant::now() + if is_closing { LINGER } else { timeouts.idle };
                    place.watch.rests();
                }
            }
            accepted = connection.accept() => match accepted {
                Some(Ok((request, mut respond))) => {
                    let is_first = Arc::strong_count(&own_place) == 1;
                    let (holder, extra) = if is_first { (Some(Arc::clone(&own_place)), None) } else { (None, place.another()) };
                    if !is_first && extra.is_none() {
                        counts.refused();
                        respond.send_reset(Reason::REFUSED_STREAM);
                        continue;
                    }
                    let taken = extra.as_ref().unwrap_or(place);
                    place.watch.works();
                    taken.watch.works();
                    let watch = place.watch.of_request(taken.watch.timeouts());
                    let exchanges = Exchanges {
                        routes: service.routes.clone(),
                        state: service.state.clone(),
                        watch,
                        reserve: taken.reserve,
                        subject: service.subject.clone(),
                    };
                    let (stopping, counts) = (service.stopping.clone(), counts.clone());
                    streams.spawn(async move {
                        let _held = (holder, extra);
                        exchange(request, respond, &exchanges, stopping, &counts).await;
                    });
                    if service.state.is_draining() && !is_closing {
                        // This makes the client send its next request elsewhere.
                        is_closing = true;
                        connection.graceful_shutdown();
                    }
                }
                Some(Err(error)) => return tracing::debug!(%error, "the connection ended"),
                None => return,
            },
            () = sleep_until(idle_until), if streams.is_empty() => {
                if is_closing {
                    return;
                }
                counts.timed_out();
                is_closing = true;
                idle_until = Instant::now() + LINGER;
                connection.graceful_shutdown();
            }
        }
    }
}

/// Writes the log line of a request that is given up, like the socket of a connection with one request at a time.
struct Closed<'w>(&'w Watch);

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.closed();
    }
}

/// Why an answer does not arrive.
enum DeliveryFailure {
    /// The client has left, or wants no more of it.
    Gone,
    /// The client takes too little of it.
    Slow,
    /// The service gives it up: it fails in the middle, others need its place, or the service stops.
    GivenUp,
}

/// Answers one request.
async fn exchange(
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    exchanges: &Exchanges,
    stopping: Shutdown,
    counts: &Connections,
) {
    let watch = &exchanges.watch;
    let _closed = Closed(watch);
    let answered = exchanges.answer(request.map(Http2Body), Version::HTTP_2);
    let response = tokio::select! {
        biased;
        // Its work is dropped with it, and thereby cancelled.
        _ = poll_fn(|cx| respond.poll_reset(cx)) => return,
        response = answered => response,
        () = stopping.clone().overdue(watch) => return respond.send_reset(Reason::CANCEL),
    };
    let (mut head, body) = response.into_parts();
    complete(&mut head, &body);
    let is_over = body.is_end_stream();
    let Ok(mut sending) = respond.send_response(Response::from_parts(head, ()), is_over) else { return };
    let sent = if is_over {
        Ok(())
    } else {
        tokio::select! {
            biased;
            sent = send(&mut sending, body, watch) => sent,
            () = stopping.overdue(watch) => Err(DeliveryFailure::GivenUp),
        }
    };
    match sent {
        Ok(()) => {
            watch.answer_is_over();
            watch.flushed();
        }
        Err(DeliveryFailure::Gone) => {}
        Err(DeliveryFailure::Slow) => {
            counts.timed_out();
            sending.send_reset(Reason::CANCEL);
        }
        // The client must notice that this is not the end.
        Err(DeliveryFailure::GivenUp) => sending.send_reset(Reason::CANCEL),
    }
}

/// Adds the header fields that a server adds, and removes those that HTTP/2 does not have (RFC 9113, 8.2.2).
fn complete(head: &mut axum::http::response::Parts, body: &Body) {
    head.version = Version::HTTP_2;
    head.headers.remove(CONNECTION);
    head.headers.remove(TRANSFER_ENCODING);
    let now = httpdate::HttpDate::from(SystemTime::now()).to_string();
    if let Ok(now) = HeaderValue::try_from(now) {
        head.headers.entry(DATE).or_insert(now);
    }
    let has_body =
        !(head.status.is_informational() || matches!(head.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED));
    if let Some(length) = body.size_hint().exact().filter(|length| has_body && *length > 0) {
        head.headers.entry(CONTENT_LENGTH).or_insert_with(|| length.into());
    }
}

/// Sends a body as fast as the client takes it.
async fn send(sending: &mut SendStream<Bytes>, mut body: Body, watch: &Watch) -> Result<(), DeliveryFailure> {
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Err(DeliveryFailure::GivenUp) };
        let Ok(mut data) = frame.into_data() else { continue };
        let mut pace = Pace::new(watch);
        while !data.is_empty() {
            sending.reserve_capacity(data.len().min(SEND_BUFFER));
            let room = pace.room(sending).await?;
            let piece = data.split_to(room.min(data.len()));
            watch.sent(piece.len());
            pace.taken += piece.len() as u64;
            let is_last = data.is_empty() && body.is_end_stream();
            sending.send_data(piece, is_last).map_err(|_| DeliveryFailure::Gone)?;
            if is_last {
                return Ok(());
            }
        }
    }
    sending.send_data(Bytes::new(), true).map_err(|_| DeliveryFailure::Gone)
}

/// How fast a client takes an answer: as much within each timeout as the socket of a connection with one request demands.
struct Pace<'w> {
    watch: &'w Watch,
    /// The bytes taken since the timeout was last started.
    taken: u64,
    /// When the timeout ends.
    until: Instant,
}

impl<'w> Pace<'w> {
    fn new(watch: &'w Watch) -> Self {
        Self { watch, taken: 0, until: Instant::now() + watch.timeouts().write }
    }

    /// Waits until the client takes more, and returns how many bytes.
    async fn room(&mut self, sending: &mut SendStream<Bytes>) -> Result<usize, DeliveryFailure> {
        loop {
            match timeout_at(self.until, poll_fn(|cx| sending.poll_capacity(cx))).await {
                Ok(Some(Ok(0))) => {}
                Ok(Some(Ok(room))) => return Ok(room),
                Ok(Some(Err(_)) | None) => return Err(DeliveryFailure::Gone),
                Err(_) if self.taken < least_read(self.watch.held()) => return Err(DeliveryFailure::Slow),
                Err(_) => {
                    self.taken = 0;
                    self.until = Instant::now() + self.watch.timeouts().write;
                }
            }
        }
    }
}
