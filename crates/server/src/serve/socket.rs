//! The socket of a connection with its timeouts, as the HTTP library sees it.
//!
//! - If a request head or the next request takes too long to arrive, reading ends as if the client had closed the
//!   connection.
//! - If a client takes too little of its answer, writing fails, and the client gets no more of it.
//! - A client that will send nothing more may still read (RFC 9112, 9.6), and so it gets the answer to its last request. The
//!   library would drop the request, so it is told only when nothing is left to answer or the client is gone.
//! - What the HTTP library writes while no request is being answered does not reach the client. The library does so
//!   only to refuse a head that it cannot parse, and then sends nothing but the status; see [`super::refusal`].

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

use super::stream::Stream;
use crate::watch::{EndOfRequests, Watch};

/// The bytes that a client must take of its answer within each [`crate::watch::Timeouts::write`], unless less is left.
/// A limit on pauses alone would let it take a byte now and then, and so hold an answer for days.
const MIN_READ_BYTES: u64 = 64 << 10;
/// The same as a part of the whole answer, if that is more: one in this many. The more memory an answer holds, the faster it
/// has to be read.
const LEAST_PART: u64 = 10;

/// Returns the bytes that a client must take within each timeout while `held` bytes of answers are for it.
pub(super) const fn least_read(held: u64) -> u64 {
    let part = held / LEAST_PART;
    if part > MIN_READ_BYTES { part } else { MIN_READ_BYTES }
}

/// How much is kept of a refusal by the HTTP library, in bytes: more than its status line.
const MAX_REFUSAL_BYTES: usize = 64;

/// How often a connection is examined whose client will send nothing more.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long work goes on after that without asking whether anybody still reads.
const ASK_AFTER: Duration = Duration::from_millis(100);
/// How long an answer that arrives in pieces may pause after that: in the middle of an answer nobody can be asked.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// An interim answer, which says nothing, and which every client of HTTP/1.1 must accept (RFC 9110, 15.2). If nobody reads any
/// more, the system refuses it, and that is noticed; the end of what the client sends looks the same in both cases.
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A socket with its timeouts.
pub(super) struct Socket {
    stream: Stream,
    watch: Watch,
    /// Runs while nothing arrives and it is the client's turn.
    silence: Timer,
    /// Runs while there is data that the client does not take.
    blocked: Timer,
    /// Bytes taken since `blocked` was last started.
    taken: u64,
    /// The beginning of a refusal by the HTTP library.
    refusal: Vec<u8>,
    /// Since when the client has closed its side, or has been gone.
    ended: Option<Instant>,
    /// Whether the client has been sent [`INTERIM`] since.
    asked: bool,
    /// When the client last took something.
    last_write: Option<Instant>,
    /// Runs until the next look at a connection whose client has closed its side.
    look: Timer,
    /// Whether a timeout has expired.
    slow: bool,
}

impl Socket {
    pub(super) fn new(stream: Stream, watch: Watch) -> Self {
        Self {
            stream,
            watch,
            silence: Timer::default(),
            blocked: Timer::default(),
            taken: 0,
            refusal: Vec::new(),
            ended: None,
            asked: false,
            last_write: None,
            look: Timer::default(),
            slow: false,
        }
    }

    /// Returns what the HTTP library wrote by itself, as far as it was kept.
    pub(super) fn refusal(&self) -> &[u8] {
        &self.refusal
    }

    /// Sends an answer to something that could not be parsed as a request.
    ///
    /// # Errors
    /// Fails if the client is gone, or does not take it in time.
    pub(super) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        timeout(self.watch.timeouts().write, self.stream.write_all(bytes)).await?
    }

    /// Ends the connection such that the last answer arrives: closing a socket with unread data would discard it (RFC
    /// 9112, 9.6). So the client is told that nothing more will come, and then has a moment to close.
    pub(super) async fn close(mut self, moment: Duration) {
        if self.stream.shutdown().await.is_err() || self.ended.is_some() {
            return;
        }
        let silence = async {
            let mut rest = [0; 8 << 10];
            while self.stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
        };
        // Either way, the socket is closed now.
        let _ = timeout(moment, silence).await;
    }

    /// Whether a timeout for reading or for writing has expired.
    pub(super) const fn timed_out(&self) -> bool {
        self.slow
    }

    /// Counts what was written; fails if it is too little for too long.
    fn written(&mut self, cx: &mut Context<'_>, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match polled {
            Poll::Ready(Ok(bytes)) => {
                self.watch.sent(bytes);
                self.last_write = Some(Instant::now());
                self.taken = self.taken.saturating_add(bytes as u64);
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let deadline = Instant::now() + self.watch.timeouts().write;
                if !self.blocked.is_running() {
                    self.taken = 0;
                }
                while self.blocked.is_over(cx, deadline) {
                    if self.taken < least_read(self.watch.held()) {
                        self.slow = true;
                        return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                    }
                    self.taken = 0;
                    self.blocked.stop();
                }
                Poll::Pending
            }
        }
    }

    /// Returns the end of what the client sends as soon as the library may know: when no request is left that could be
    /// answered.
    fn poll_end(&mut self, cx: &mut Context<'_>, since: Instant) -> Poll<io::Result<()>> {
        let passed = since.elapsed();
        let is_over = match self.watch.end_of_requests() {
            EndOfRequests::Everything => true,
            // What has arrived may be on its way to the reader of the body.
            EndOfRequests::CutOff => passed >= LOOK_EVERY,
            EndOfRequests::Answering => {
                let pause = self.last_write.map_or(passed, |at| at.elapsed().min(passed));
                self.is_refused() || !self.blocked.is_running() && pause >= LONGEST_PAUSE
            }
            // The rest of an earlier answer may have to be written first.
            EndOfRequests::Working { .. } if self.asked || passed < ASK_AFTER || self.blocked.is_running() => {
                self.is_refused()
            }
            EndOfRequests::Working { interim_is_known } => !interim_is_known || self.ask_is_refused(cx),
        };
        if is_over {
            return Poll::Ready(Ok(()));
        }
        let next = Instant::now() + LOOK_EVERY;
        if self.look.is_over(cx, next) {
            self.look.stop();
            // This starts it again.
            let _ = self.look.is_over(cx, next);
        }
        Poll::Pending
    }

    /// Sends [`INTERIM`]; returns whether that is refused at once.
    fn ask_is_refused(&mut self, cx: &mut Context<'_>) -> bool {
        let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(cx, INTERIM) else { return false };
        self.asked = true;
        // Encrypted, it may still be here; if it cannot leave now, it leaves with the answer.
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        written.ok() != Some(INTERIM.len()) || matches!(flushed, Poll::Ready(Err(_)))
    }

    /// Whether the client has refused data.
    fn is_refused(&self) -> bool {
        self.stream.is_refused()
    }

    fn keep_refusal(&mut self, bytes: &[u8]) {
        let room = MAX_REFUSAL_BYTES.saturating_sub(self.refusal.len());
        self.refusal.extend(bytes.iter().take(room));
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.watch.closed();
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Some(since) = this.ended {
            return this.poll_end(cx, since);
        }
        let before = buf.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buf) {
            Poll::Ready(result) => {
                this.silence.stop();
                match buf.filled().get(before..) {
                    Some(arrived) if !arrived.is_empty() => this.watch.arrived(arrived),
                    _ => {
                        let now = Instant::now();
                        this.ended = Some(now);
                        if result.is_ok() {
                            return this.poll_end(cx, now);
                        }
                    }
                }
                Poll::Ready(result)
            }
            Poll::Pending => match this.watch.read_deadline() {
                Some(deadline) if this.silence.is_over_at(cx, deadline) => {
                    this.watch.read_overdue();
                    this.slow = true;
                    Poll::Ready(Ok(()))
                }
                Some(_) => Poll::Pending,
                None => {
                    this.silence.stop();
                    Poll::Pending
                }
            },
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !self.watch.is_answering() {
            self.keep_refusal(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if !self.watch.is_answering() {
            for piece in pieces {
                self.keep_refusal(piece);
            }
            return Poll::Ready(Ok(pieces.iter().map(|piece| piece.len()).sum()));
        }
        let polled = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.written(cx, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called by the HTTP library when it has written everything that it has.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(cx);
        if polled.is_pending() {
            // What has been encrypted and not sent.
            return self.written(cx, Poll::Pending).map_ok(|_| ());
        }
        if matches!(polled, Poll::Ready(Ok(()))) {
            self.blocked.stop();
            if self.watch.flushed() {
                // The library may not read again before something arrives; it has to, so that the timeout starts.
                cx.waker().wake_by_ref();
            }
        }
        polled
    }

    /// Does nothing: left to [`Socket::close`].
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A timer that is created when it is first needed.
#[derive(Default)]
struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    running: bool,
}

impl Timer {
    fn is_running(&self) -> bool {
        self.running
    }

    fn stop(&mut self) {
        self.running = false;
    }

    /// Whether the timer has expired; starts it if it is not running. The task is woken when it expires.
    fn is_over(&mut self, cx: &mut Context<'_>, deadline: Instant) -> bool {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if !self.running {
            self.running = true;
            sleep.as_mut().reset(deadline);
        }
        sleep.as_mut().poll(cx).is_ready()
    }

    /// Like [`Self::is_over`], but for a deadline that may have moved.
    fn is_over_at(&mut self, cx: &mut Context<'_>, deadline: Instant) -> bool {
        if self.sleep.as_ref().is_some_and(|sleep| sleep.deadline() != deadline) {
            self.stop();
        }
        self.is_over(cx, deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_an_answer_is_the_faster_it_has_to_be_read() {
        assert_eq!(least_read(0), MIN_READ_BYTES);
        assert_eq!(least_read(655_360), MIN_READ_BYTES);
        assert_eq!(least_read(73 << 20), (73 << 20) / 10);
    }
}
