//! Many requests in one connection: lines in, lines out, in the order in which the work on them ends.
//!
//! The answer is a stream that is driven by whoever sends it. While the client takes nothing, the stream is not polled, so
//! nothing is read and the client's own sending comes to a stop: back-pressure needs no counting. The work on lines has
//! tasks of its own, so that a place for work is never held by a client that does not read. Dropping the stream cancels
//! them all.
//!
//! One piece of the body is read ahead, so that it shows when the client leaves. Where more than that has been sent, its end
//! is behind what nobody reads, and shows when the next answer cannot be written: until then no more goes on than the lines
//! in work.

mod answer;
mod lines;

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, VARY};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use mime::Mime;
use tokio::task::JoinSet;
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;

use self::answer::Answered;
use self::lines::{Broken, Line, Lines, Step};
use super::accept;
use super::access_log::LineFacts;
use super::error::{ApiError, Kind};
use super::layers::{RequestId, Unpacked};
use super::query;
use super::serve::{BodyStalled, Watch};
use super::state::AppState;
use crate::echo::short;

/// The path of the route: the limit of a whole body is not meant for it.
pub(crate) const PATH: &str = "/v1/batch";
/// The media type of requests and answers.
pub(crate) const MEDIA_TYPE: &str = "application/x-ndjson";

/// Lines in work at a time, for each place for work: while one is at work the next one is at hand.
const FOR_EACH_PLACE: usize = 2;

/// The answer to a batch. Returns when the first line has arrived whole, or the body has ended without one.
///
/// # Errors
/// Where that is not possible.
pub(crate) async fn respond(state: AppState, request: Request) -> Result<Response, ApiError> {
    accept::negotiate_alone(request.headers(), MEDIA_TYPE)?;
    check_media(request.headers())?;
    query::none(request.uri().query())?;
    let extensions = request.extensions();
    let packed = extensions.get::<Unpacked>().is_some();
    let watch = extensions.get::<Watch>().cloned();
    let instance = extensions.get::<RequestId>().map_or("", RequestId::as_str).to_owned();
    let mut lines = Lines::new(request.into_body(), packed, state.gate(), state.settings());
    let first = lines.next().await.map_err(|broken| broken.problem)?;
    if let Some(watch) = &watch {
        watch.reader_has_a_clock();
    }
    let facts = LineFacts::default();
    let mut batch = Batch {
        most: state.settings().work.concurrency() * FOR_EACH_PLACE,
        gap: Duration::from_secs(state.settings().connections.body_gap_seconds),
        state,
        lines,
        watch,
        instance,
        facts: facts.clone(),
        work: JoinSet::new(),
        stop: CancellationToken::new(),
        reading: first.is_some(),
        failure: None,
        quiet_since: Instant::now(),
        line_since: Instant::now(),
    };
    if let Some(line) = first {
        batch.begin(line);
    }
    let body = Body::from_stream(unfold(batch, |mut batch| async move {
        let piece = batch.next().await?;
        Some((Ok::<_, Infallible>(piece), batch))
    }));
    let headers = [(CONTENT_TYPE, MEDIA_TYPE), (VARY, "accept")];
    Ok((Extension(facts), headers, body).into_response())
}

/// Whether the body is one of lines.
fn check_media(headers: &HeaderMap) -> Result<(), ApiError> {
    let sent = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    let mime = sent.and_then(|text| text.parse::<Mime>().ok());
    let utf8 = |mime: &Mime| mime.get_param("charset").is_none_or(|charset| charset == "utf-8");
    if mime.is_some_and(|mime| mime.essence_str() == MEDIA_TYPE && utf8(&mime)) {
        return Ok(());
    }
    let what = match sent {
        Some(sent) => format!("the Content-Type is {:?}", short(sent)),
        None => "the request has no Content-Type".to_owned(),
    };
    Err(ApiError::new(Kind::UnsupportedMediaType, format!("{what}; this route reads: {MEDIA_TYPE}, as UTF-8")))
}

/// A batch whose answer is under way.
struct Batch {
    state: AppState,
    lines: Lines,
    watch: Option<Watch>,
    /// The id of the request.
    instance: String,
    facts: LineFacts,
    /// Lines in work, or answered and not handed out.
    work: JoinSet<Answered>,
    /// The most of them.
    most: usize,
    /// Gives up all of them.
    stop: CancellationToken,
    /// More lines may come.
    reading: bool,
    /// Why the batch ends early, said when all work is done.
    failure: Option<ApiError>,
    /// How long the client may send nothing while nothing is in work for it.
    gap: Duration,
    /// Since when nothing has been in work, and nothing to be sent.
    quiet_since: Instant,
    /// When the last line came, or the last answer left.
    line_since: Instant,
}

impl Batch {
    fn begin(&mut self, line: Line) {
        let answered = answer::answer(line, self.state.clone(), self.stop.clone(), self.instance.clone());
        self.work.spawn(answered);
    }

    /// The next piece of the answer.
    async fn next(&mut self) -> Option<Bytes> {
        // Only now has the client taken what was there before.
        self.quiet_since = Instant::now();
        self.line_since = self.quiet_since;
        loop {
            if !self.reading && self.work.is_empty() {
                let failure = self.failure.take()?;
                let last = answer::last(self.lines.number(), &failure, &self.instance);
                return Some(self.counted(last));
            }
            let more = self.reading && self.work.len() < self.most;
            let overdue = self.overdue();
            tokio::select! {
                biased;
                Some(done) = self.work.join_next() => {
                    // The tasks catch their panics.
                    let Ok(Answered { status, is_problem, text }) = done else { continue };
                    self.state.metrics().line(status);
                    self.facts.count(is_problem);
                    return Some(self.counted(text));
                }
                step = self.lines.step(more), if self.reading => match step {
                    Ok(Step::Line(line)) => {
                        self.line_since = Instant::now();
                        self.begin(line);
                    }
                    Ok(Step::LookedAhead) => {}
                    Ok(Step::End) => self.reading = false,
                    Err(broken) => self.broken(broken),
                },
                () = sleep_until(overdue.unwrap_or(self.quiet_since).into()), if overdue.is_some() => self.check_time(),
                () = cut_off(self.watch.as_ref()) => self.cut_off(),
            }
        }
    }

    fn counted(&self, piece: Bytes) -> Bytes {
        self.state.metrics().streamed(piece.len());
        piece
    }

    /// When the client is to be given up if nothing comes; `None` while it may wait for us.
    fn overdue(&self) -> Option<Instant> {
        (self.reading && self.work.is_empty()).then(|| self.silent_until().min(self.line_until()))
    }

    /// Until when something must come.
    fn silent_until(&self) -> Instant {
        self.quiet_since.max(self.lines.arrived()) + self.gap
    }

    /// Until when a line must have come whole.
    fn line_until(&self) -> Instant {
        self.line_since + self.state.settings().work.timeout()
    }

    fn check_time(&mut self) {
        let now = Instant::now();
        if self.lines.wait_for_room() {
            // It is not the client who is slow.
            self.quiet_since = now;
            self.line_since = now;
            return;
        }
        let problem = if now >= self.silent_until() {
            BodyStalled::after(self.gap).problem()
        } else if now >= self.line_until() {
            let seconds = self.state.settings().work.timeout().as_secs_f64();
            ApiError::new(Kind::Timeout, format!("no whole line came within {seconds} seconds"))
        } else {
            return;
        };
        self.end(problem);
    }

    fn broken(&mut self, Broken { problem, left }: Broken) {
        if left {
            // An answer to half a request has no reader.
            self.work = JoinSet::new();
        }
        self.end(problem);
    }

    /// The service waits no longer: for the rest of the lines the first time, for the work the second.
    fn cut_off(&mut self) {
        if self.reading {
            self.end(answer::draining());
        } else {
            self.stop.cancel();
        }
    }

    /// Reads no further; what is in work is answered.
    fn end(&mut self, problem: ApiError) {
        self.reading = false;
        self.lines.close();
        self.failure.get_or_insert(problem);
    }
}

/// Returns when the service does not wait for the request any longer.
async fn cut_off(watch: Option<&Watch>) {
    match watch {
        Some(watch) => watch.is_cut_off().await,
        None => std::future::pending().await,
    }
}
