//! What a connection is doing: the one thing that its socket, its requests and its end look at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::super::access_log::Record;
use crate::settings::ConnectionSettings;

/// How long a connection may be silent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// From the first byte of a request head to its last.
    pub(super) head: Duration,
    /// Between two pieces of a request body.
    pub(super) gap: Duration,
    /// For [`super::socket::LEAST_TAKEN`] bytes of an answer to leave.
    pub(super) write: Duration,
    /// Between two requests.
    pub(super) idle: Duration,
}

impl Patience {
    /// As the settings say.
    pub(super) fn of(settings: &ConnectionSettings) -> Self {
        Self {
            head: Duration::from_secs(settings.header_seconds),
            gap: Duration::from_secs(settings.body_gap_seconds),
            write: Duration::from_secs(settings.write_seconds),
            idle: Duration::from_secs(settings.idle_seconds),
        }
    }

    /// The same, but nowhere longer than `most`.
    pub(super) fn at_most(self, most: Duration) -> Self {
        Self {
            head: self.head.min(most),
            gap: self.gap.min(most),
            write: self.write.min(most),
            idle: self.idle.min(most),
        }
    }
}

/// Where a connection is. HTTP/1.1: one request at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Nothing has come of the next request.
    Idle,
    /// Some of its head has come.
    Head,
    /// Its body has not come whole.
    Body,
    /// It is worked on, or its answer is being sent.
    Work,
    /// The answer has been handed out whole; the socket has not taken the last of it.
    Leaving,
}

/// Shared by everything that has to do with one connection; clones share.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    patience: Patience,
    cut_off: Notify,
    evicted: Notify,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Since when it is idle, or has been sending a head.
    since: Instant,
    /// No request has been read yet.
    fresh: bool,
    /// Bytes of the first line of the head so far.
    line: usize,
    /// That line has ended.
    line_ended: bool,
    /// The head did not come in time.
    head_overdue: bool,
    /// The one who reads the body of this request has a clock of its own.
    own_clock: bool,
    /// Bytes that the socket has taken since the request began.
    sent: u64,
    /// The record of a request whose answer is leaving.
    record: Option<Record>,
    /// The socket is gone.
    closed: bool,
}

impl Watch {
    /// Of a connection that has just been accepted.
    pub(super) fn new(patience: Patience) -> Self {
        let state = State {
            phase: Phase::Idle,
            since: Instant::now(),
            fresh: true,
            line: 0,
            line_ended: false,
            head_overdue: false,
            own_clock: false,
            sent: 0,
            record: None,
            closed: false,
        };
        Self(Arc::new(Shared { state: Mutex::new(state), patience, cut_off: Notify::new(), evicted: Notify::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock can panic half-way.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn patience(&self) -> Patience {
        self.0.patience
    }

    pub(super) fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Whether a request is being answered: what is written now belongs to its answer.
    pub(super) fn is_answering(&self) -> bool {
        matches!(self.phase(), Phase::Body | Phase::Work | Phase::Leaving)
    }

    /// Bytes have arrived.
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

    /// Until when something must arrive, where it is the client's turn. Bodies have a watch of their own.
    pub(super) fn read_deadline(&self) -> Option<Instant> {
        let state = self.state();
        let patience = self.patience();
        match state.phase {
            Phase::Idle if !state.fresh => Some(state.since + patience.idle),
            Phase::Idle | Phase::Head => Some(state.since + patience.head),
            Phase::Body | Phase::Work | Phase::Leaving => None,
        }
    }

    /// That deadline is over.
    pub(super) fn read_overdue(&self) {
        let mut state = self.state();
        state.head_overdue = state.phase == Phase::Head;
    }

    /// Whether a head was begun and did not end in time.
    pub(super) fn head_is_overdue(&self) -> bool {
        self.state().head_overdue
    }

    /// Bytes of the first line of the head, as far as it has come.
    pub(super) fn line(&self) -> usize {
        self.state().line
    }

    /// A request has been read, up to its body.
    pub(super) fn request_began(&self) {
        let mut state = self.state();
        state.phase = Phase::Body;
        state.fresh = false;
        state.own_clock = false;
        state.sent = 0;
    }

    /// From now on whoever reads the body of the request under way decides how long its sender may be silent.
    pub(crate) fn reader_has_a_clock(&self) {
        self.state().own_clock = true;
    }

    /// Whether the body of the request under way is to be given up where nothing comes of it.
    pub(super) fn times_body(&self) -> bool {
        !self.state().own_clock
    }

    /// Its body has been read whole, or nobody will read on.
    pub(super) fn body_is_over(&self) {
        let mut state = self.state();
        if state.phase == Phase::Body {
            state.phase = Phase::Work;
        }
    }

    /// The answer has been handed to the connection whole.
    pub(super) fn answer_is_over(&self) {
        self.state().phase = Phase::Leaving;
    }

    /// Keeps the record of a request until its answer has left.
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

    /// The socket has taken so many bytes.
    pub(super) fn sent(&self, bytes: usize) {
        let mut state = self.state();
        state.sent = state.sent.saturating_add(bytes as u64);
    }

    /// The socket has taken everything so far. Says whether that ends a request.
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

    /// The socket is gone.
    pub(super) fn closed(&self) {
        let mut state = self.state();
        state.closed = true;
        let (record, sent) = (state.record.take(), state.sent);
        drop(state);
        if let Some(record) = record {
            record.aborted(sent);
        }
    }

    /// The request under way is not waited for any longer.
    pub(super) fn cut_off(&self) {
        self.0.cut_off.notify_one();
    }

    /// Returns when the request under way is not waited for any longer: the service stops.
    pub(crate) async fn is_cut_off(&self) {
        self.0.cut_off.notified().await;
    }

    /// The connection is to end, whatever it does.
    pub(super) fn evict(&self) {
        self.0.evicted.notify_one();
    }

    /// Returns when the connection is to end.
    pub(super) async fn is_evicted(&self) {
        self.0.evicted.notified().await;
    }
}
