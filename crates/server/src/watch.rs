//! The state of a connection: the single place that its socket, its requests and its shutdown consult.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::Version;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::record::Record;
use crate::settings::ConnectionSettings;

/// The timeouts of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// From the first byte of a request head to the last.
    pub(super) head: Duration,
    /// Between two pieces of a request body.
    pub(super) gap: Duration,
    /// For the least part of an answer to be sent, see `serve::socket::least_read`.
    pub(super) write: Duration,
    /// Between two requests.
    pub(super) idle: Duration,
}

impl Timeouts {
    /// Returns the timeouts in the settings.
    pub(super) fn from_settings(settings: &ConnectionSettings) -> Self {
        Self {
            head: Duration::from_secs(settings.header_seconds),
            gap: Duration::from_secs(settings.body_gap_seconds),
            write: Duration::from_secs(settings.write_seconds),
            idle: Duration::from_secs(settings.idle_seconds),
        }
    }

    /// Returns the same timeouts, each at most `max`.
    pub(super) fn at_most(self, max: Duration) -> Self {
        Self {
            head: self.head.min(max),
            gap: self.gap.min(max),
            write: self.write.min(max),
            idle: self.idle.min(max),
        }
    }
}

/// What a connection is doing. HTTP/1.1: one request at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Nothing of the next request has arrived.
    Idle,
    /// A part of the request's head has arrived.
    Head,
    /// The request's body has not arrived completely.
    Body,
    /// The request is being processed, or its answer is being sent.
    Work,
    /// The answer has been handed out completely, but the socket has not taken the last of it.
    Leaving,
}

/// What it means that a client will send nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndOfRequests {
    /// All requests have been answered.
    Everything,
    /// A request is not complete.
    CutOff,
    /// A request is being processed; `interim_is_known` says whether the client understands an interim answer.
    Working { interim_is_known: bool },
    /// An answer is being sent.
    Answering,
}

/// The state shared by everything that is concerned with one connection. Clones share it.
#[derive(Clone, Debug)]
pub struct Watch(Arc<SharedWatch>);

#[derive(Debug)]
struct SharedWatch {
    state: Mutex<State>,
    timeouts: Timeouts,
    /// The bytes of the answers for this connection that have not been sent completely.
    held: AtomicU64,
    cut_off: Notify,
    evicted: Notify,
    /// The connection of a request that has a state of its own because there are several at a time.
    connection: Option<Watch>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Since when the connection has been idle or has been sending a head.
    since: Instant,
    /// Whether no request has been read yet.
    fresh: bool,
    /// The number of bytes in the first line of the head so far.
    line: usize,
    line_ended: bool,
    /// Whether the head did not arrive in time.
    head_overdue: bool,
    /// Whether the reader of this request's body has its own timeout.
    read_timeout_disabled: bool,
    /// Whether the reader of this request's body has taken all of it that has arrived, and waits for more.
    starving: bool,
    /// Whether this request may be answered with an interim answer first (HTTP/1.1).
    interim_is_known: bool,
    /// Whether the answer has begun, so that nothing else may be written.
    answer_began: bool,
    /// The number of bytes that the socket has taken since the request began.
    sent: u64,
    /// The record of a request whose answer is being sent.
    record: Option<Record>,
    /// Whether the socket is gone.
    closed: bool,
}

impl Watch {
    /// Creates the state of a connection that has just been accepted.
    pub(super) fn new(timeouts: Timeouts) -> Self {
        Self::with(timeouts, None)
    }

    /// Creates the state of one of several requests at a time on this connection.
    pub(super) fn of_request(&self, timeouts: Timeouts) -> Self {
        Self::with(timeouts, Some(self.clone()))
    }

    fn with(timeouts: Timeouts, connection: Option<Self>) -> Self {
        let state = State {
            phase: Phase::Idle,
            since: Instant::now(),
            fresh: true,
            line: 0,
            line_ended: false,
            head_overdue: false,
            read_timeout_disabled: false,
            starving: false,
            interim_is_known: false,
            answer_began: false,
            sent: 0,
            record: None,
            closed: false,
        };
        Self(Arc::new(SharedWatch {
            state: Mutex::new(state),
            timeouts,
            held: AtomicU64::new(0),
            cut_off: Notify::new(),
            evicted: Notify::new(),
            connection,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing done under the lock can panic halfway.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.0.timeouts
    }

    pub(super) fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Whether a request is being answered, so that anything written now belongs to its answer.
    pub(super) fn is_answering(&self) -> bool {
        matches!(self.phase(), Phase::Body | Phase::Work | Phase::Leaving)
    }

    /// Records that bytes have arrived.
    pub(super) fn arrived(&self, bytes: &[u8]) {
        let mut state = self.state();
        match state.phase {
            Phase::Idle => {
                state.phase = Phase::Head;
                if !state.fresh {
                    state.since = Instant::now();
                }
            }
            Phase::Head => {}
            Phase::Body | Phase::Work | Phase::Leaving => return,
        }
        if !state.line_ended {
            let end = memchr::memchr(b'\n', bytes);
            state.line += end.unwrap_or(bytes.len());
            state.line_ended = end.is_some();
        }
    }

    /// Returns the time by which something must arrive, if it is the client's turn. Bodies have a separate timeout.
    pub(super) fn read_deadline(&self) -> Option<Instant> {
        let state = self.state();
        let timeouts = self.timeouts();
        match state.phase {
            Phase::Idle if !state.fresh => Some(state.since + timeouts.idle),
            Phase::Idle | Phase::Head => Some(state.since + timeouts.head),
            Phase::Body | Phase::Work | Phase::Leaving => None,
        }
    }

    /// Records that this deadline has passed.
    pub(super) fn read_overdue(&self) {
        let mut state = self.state();
        state.head_overdue = state.phase == Phase::Head;
    }

    /// Whether a head was begun and did not end in time.
    pub(super) fn head_is_overdue(&self) -> bool {
        self.state().head_overdue
    }

    /// Returns the number of bytes in the first line of the head, as far as it has arrived.
    pub(super) fn request_line_bytes(&self) -> usize {
        self.state().line
    }

    /// Records that a request of this version has been read, up to its body.
    pub(super) fn request_began(&self, version: Version) {
        let mut state = self.state();
        state.phase = Phase::Body;
        state.fresh = false;
        state.read_timeout_disabled = false;
        state.starving = false;
        state.interim_is_known = version >= Version::HTTP_11;
        state.answer_began = false;
        state.sent = 0;
    }

    /// Records whether the reader of the body waits for more of it.
    pub(super) fn body_starves(&self, starving: bool) {
        self.state().starving = starving;
    }

    /// Records that from now on the answer is written.
    pub(super) fn answer_began(&self) {
        self.state().answer_began = true;
    }

    /// Returns what it means that the client will send nothing more.
    pub(super) fn end_of_requests(&self) -> EndOfRequests {
        let state = self.state();
        match state.phase {
            Phase::Idle | Phase::Head => EndOfRequests::Everything,
            Phase::Body if state.starving => EndOfRequests::CutOff,
            Phase::Body | Phase::Work | Phase::Leaving if state.answer_began => EndOfRequests::Answering,
            Phase::Body | Phase::Work | Phase::Leaving => {
                EndOfRequests::Working { interim_is_known: state.interim_is_known }
            }
        }
    }

    /// From now on, the reader of the current request's body decides how long its sender may be silent.
    pub fn disable_read_timeout(&self) {
        self.state().read_timeout_disabled = true;
    }

    /// Whether to give up the body of the current request if nothing of it arrives.
    pub(super) fn has_body_timeout(&self) -> bool {
        !self.state().read_timeout_disabled
    }

    /// Records that the body has been read completely, or will not be read any further.
    pub(super) fn body_is_over(&self) {
        let mut state = self.state();
        if state.phase == Phase::Body {
            state.phase = Phase::Work;
        }
    }

    /// Records that the answer has been handed to the connection completely.
    pub(super) fn answer_is_over(&self) {
        self.state().phase = Phase::Leaving;
    }

    /// Keeps the record of a request until its answer has been sent.
    pub(crate) fn keep(&self, record: Record) {
        let mut state = self.state();
        if state.closed {
            let sent = state.sent;
            drop(state);
            record.aborted(sent);
        } else {
            state.record = Some(record);
        }
    }

    /// Records that the socket has taken this many bytes.
    pub(super) fn sent(&self, bytes: usize) {
        let mut state = self.state();
        state.sent = state.sent.saturating_add(bytes as u64);
    }

    /// Returns the number of bytes that the socket has taken since the request began.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.state().sent
    }

    /// Records that an answer of this many bytes is to be sent.
    pub(crate) fn holds(&self, bytes: u64) {
        self.0.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Records that this answer has been sent, or is no longer wanted.
    pub(crate) fn releases(&self, bytes: u64) {
        self.0.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns the bytes of the answers that are to be sent, including what has been sent of them.
    pub(super) fn held(&self) -> u64 {
        self.0.held.load(Ordering::Relaxed)
    }

    /// Records that the socket has taken everything so far. Returns whether that ends a request.
    pub(super) fn flushed(&self) -> bool {
        let mut state = self.state();
        if state.phase != Phase::Leaving {
            return false;
        }
        state.phase = Phase::Idle;
        state.since = Instant::now();
        state.line = 0;
        state.line_ended = false;
        let record = state.record.take();
        drop(state);
        if let Some(record) = record {
            record.answered();
        }
        true
    }

    /// Records that the requests of a connection with several at a time, which have their own states, are being answered.
    pub(super) fn works(&self) {
        let mut state = self.state();
        state.phase = Phase::Work;
        state.fresh = false;
    }

    /// Records that none of them is left.
    pub(super) fn rests(&self) {
        self.state().phase = Phase::Idle;
    }

    /// Records that the socket is gone.
    pub(super) fn closed(&self) {
        let mut state = self.state();
        state.closed = true;
        let (record, sent) = (state.record.take(), state.sent);
        drop(state);
        if let Some(record) = record {
            record.aborted(sent);
        }
    }

    /// Stops waiting for the current request.
    pub(super) fn cut_off(&self) {
        self.0.cut_off.notify_one();
    }

    /// Returns when the current request is no longer waited for, because the service stops.
    pub async fn is_cut_off(&self) {
        self.0.cut_off.notified().await;
    }

    /// Asks the connection to end, whatever it is doing; of several requests at a time, only this one. If its answer has
    /// been handed over, nothing but the connection holds it any more.
    pub(crate) fn evict(&self) {
        self.0.evicted.notify_one();
        if let Some(connection) = self.0.connection.as_ref().filter(|_| self.phase() == Phase::Idle) {
            connection.evict();
        }
    }

    /// Returns when the connection is asked to end.
    pub(super) async fn is_evicted(&self) {
        self.0.evicted.notified().await;
    }
}
