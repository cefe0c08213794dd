//! `POST /v1/batch`: many requests over one connection: lines in, lines out, in the order in which they are finished.
//!
//! The answer is a stream driven by the code that sends it. While the client takes nothing, the stream is not polled,
//! so nothing is read and the client's own sending stops: back-pressure needs no counting. The lines are processed in
//! separate tasks, so that a client that does not read never holds a place for work. Dropping the stream cancels all of
//! them.
//!
//! One piece of the body is read ahead, so that a client that leaves is noticed. If the client has sent more than that,
//! its departure is hidden behind data that is not being read, and is noticed when the next answer cannot be written;
//! until then, only the lines already in progress are processed.

mod answer;
mod lines;

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, VARY};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use mime::Mime;
use tokio::task::JoinSet;
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;

use self::answer::{Answered, Sender};
use self::lines::{Broken, Line, LineRead, Lines};
use crate::api::wire::kind;
use crate::api::wire::query;
use crate::state::AppState;
use overfold_base::echo::short;
use overfold_server::accept;
use overfold_server::auth::Scopes;
use overfold_server::body::BodyStalled;
use overfold_server::error::ApiError;
use overfold_server::layers::Unpacked;
use overfold_server::problem::Problem;
use overfold_server::quota::Quota;
use overfold_server::record::LineFacts;
use overfold_server::request_id::RequestId;
use overfold_server::traces::Trace;
use overfold_server::watch::Watch;

/// The path of the route, to which the limit on a whole body does not apply.
pub(crate) const PATH: &str = "/v1/batch";
/// The media type of requests and answers.
pub(crate) const MEDIA_TYPE: &str = "application/x-ndjson";

/// The most bytes of problems for lines that cannot be used, in addition to [`PROBLEM_FACTOR`] times the bytes of all lines. A
/// problem has some three hundred bytes, a line that means nothing only one; no real request is shorter than a twentieth of a
/// problem, so a batch with an error in each line never reaches this.
const FREE_PROBLEM_BYTES: u64 = 64 << 10;
/// See [`FREE_PROBLEM_BYTES`].
const PROBLEM_FACTOR: u64 = 16;

/// The number of lines in progress for each place for work: while one is processed, the next one is ready.
const LINES_PER_PLACE: usize = 2;

/// Merge, compare or plan many modules over one connection.
///
/// Each line of the body is one request: the object that `POST /v1/merge` takes or, with `"operation": "diff"`, `"plan"`,
/// `"plan-diff"` or `"upgrade"`, that of `POST /v1/diff`, `POST /v1/plan`, `POST /v1/plan-diff` or `POST /v1/upgrade`; with an `id` of your choice (a string
/// or a number; the default is the number of the line). With an identity, a line with a plan needs the scope of plans, too. Each line of the answer is one `BatchAnswer`, written as soon
/// as it is ready: in order of completion, not in the order of the requests. A line that cannot be answered affects no
/// other line.
///
/// Send and read at the same time: while you do not read answers, no further lines are read. The limits and the timeout
/// of a single request apply to each line. When the service is busy, a line waits for its turn, after requests that
/// come individually, for as long as a request may take (`--timeout-seconds`), and only then gets a 503. At most twice
/// as many lines as requests processed at the same time (`--concurrency`) are in progress. The batch as a whole is
/// limited only by inactivity: while no line is in progress, some data must arrive within `--body-gap-seconds`, and a
/// whole line within `--timeout-seconds`. If a batch ends early, a last line with `id` null says why. Blank lines are
/// skipped.
#[utoipa::path(
    post, path = "/v1/batch", tag = "merge",
    request_body(
        description = "Requests, one JSON object per line. `Content-Encoding` may be gzip, zstd, br or deflate. \
                       `max-request-bytes` limits each line, after decoding.",
        content((String = "application/x-ndjson")),
    ),
    responses(
        (status = 200, description = "The first line has arrived. Each line of the answer has the status of its own request.",
            body = String, content_type = "application/x-ndjson",
            headers(("x-request-id" = String, description = "The id of the request."))),
        (status = 400, description = "The body is not valid up to the end of the first line.", body = Problem,
            content_type = "application/problem+json"),
        (status = 406, description = "The service offers no format that `Accept` allows.", body = Problem,
            content_type = "application/problem+json"),
        (status = 408, description = "No line arrived within the time that a request may take.", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "The body begins with too many blank lines.", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "The Content-Type or Content-Encoding is not supported.", body = Problem,
            content_type = "application/problem+json"),
        (status = 500, description = "The service failed internally.", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "The service is overloaded; `Retry-After` says when to try again.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post_batch(State(state): State<AppState>, request: Request) -> Result<Response, ApiError> {
    respond(state, request).await
}

/// Returns the answer to a batch, once the first line has arrived completely or the body has ended without one.
///
/// # Errors
/// Any problem that is known before the first line is processed.
async fn respond(state: AppState, request: Request) -> Result<Response, ApiError> {
    accept::negotiate_only(request.headers(), MEDIA_TYPE)?;
    check_media(request.headers())?;
    query::refuse_options(request.uri().query())?;
    let extensions = request.extensions();
    let packed = extensions.get::<Unpacked>().is_some();
    let watch = extensions.get::<Watch>().cloned();
    let instance = extensions.get::<RequestId>().map_or("", RequestId::as_str).to_owned();
    let caller = Sender {
        // Without identities, everyone may do everything.
        scopes: extensions.get::<Scopes>().copied().unwrap_or(Scopes::ALL),
        quota: extensions.get::<Quota>().cloned(),
        trace: Trace::of(extensions),
    };
    let mut lines = Lines::new(request.into_body(), packed, &state, caller.quota.clone());
    let first = lines.next().await.map_err(|broken| broken.problem)?;
    if let Some(watch) = &watch {
        watch.disable_read_timeout();
    }
    let facts = LineFacts::default();
    let mut batch = Batch {
        most: state.settings().work.concurrency() * LINES_PER_PLACE,
        gap: Duration::from_secs(state.settings().connections.body_gap_seconds),
        state,
        lines,
        watch,
        caller,
        instance,
        facts: facts.clone(),
        work: JoinSet::new(),
        stop: CancellationToken::new(),
        reading: first.is_some(),
        problem_bytes: 0,
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

/// Checks that the body has the media type for lines.
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
    Err(ApiError::new(kind::UNSUPPORTED_MEDIA_TYPE, format!("{what}; this route reads: {MEDIA_TYPE}, as UTF-8")))
}

/// A batch in progress.
struct Batch {
    state: AppState,
    lines: Lines,
    watch: Option<Watch>,
    caller: Sender,
    /// The id of the request.
    instance: String,
    facts: LineFacts,
    /// Lines in progress, or answered and not yet handed out.
    work: JoinSet<Answered>,
    /// The most lines in `work`.
    most: usize,
    /// Cancels all lines in `work`.
    stop: CancellationToken,
    /// Whether more lines may come.
    reading: bool,
    /// Bytes of problems for lines that cannot be used.
    problem_bytes: u64,
    /// Why the batch ends early; reported when all work is done.
    failure: Option<ApiError>,
    /// How long the client may send nothing while none of its lines is in progress.
    gap: Duration,
    /// Since when nothing has been in progress and nothing has been waiting to be sent.
    quiet_since: Instant,
    /// When the last line arrived, or the last answer was sent.
    line_since: Instant,
}

impl Batch {
    fn begin(&mut self, line: Line) {
        let (state, stop, instance) = (self.state.clone(), self.stop.clone(), self.instance.clone());
        let answered = answer::answer(line, state, stop, instance, self.watch.clone(), self.caller.clone());
        self.work.spawn(answered);
    }

    /// Returns the next piece of the answer.
    async fn next(&mut self) -> Option<Bytes> {
        // The client has only now taken the previous piece.
        self.quiet_since = Instant::now();
        self.line_since = self.quiet_since;
        loop {
            if !self.reading && self.work.is_empty() {
                let failure = self.failure.take()?;
                let last = answer::last(self.lines.number(), &failure, &self.instance);
                return Some(self.count_bytes(last));
            }
            let more = self.reading && self.work.len() < self.most;
            let deadline = self.read_deadline();
            tokio::select! {
                biased;
                Some(done) = self.work.join_next() => {
                    // The tasks catch their panics.
                    let Ok(Answered { status, is_problem, text }) = done else { continue };
                    self.state.metrics().line(status);
                    self.facts.count(is_problem);
                    if is_problem && (400..500).contains(&status) {
                        self.count_problem(text.len() as u64);
                    }
                    return Some(self.count_bytes(text));
                }
                step = self.lines.step(more), if self.reading => match step {
                    Ok(LineRead::Line(line)) => {
                        self.line_since = Instant::now();
                        self.begin(line);
                    }
                    Ok(LineRead::LookedAhead) => {}
                    Ok(LineRead::End) => self.reading = false,
                    Err(broken) => self.broken(broken),
                },
                () = sleep_until(deadline.unwrap_or(self.quiet_since).into()), if deadline.is_some() => self.check_time(),
                () = cut_off(self.watch.as_ref()) => self.cut_off(),
            }
        }
    }

    /// Ends the batch if the problems with its lines are out of proportion to the lines.
    fn count_problem(&mut self, bytes: u64) {
        self.problem_bytes = self.problem_bytes.saturating_add(bytes);
        let most = self.lines.useful().saturating_mul(PROBLEM_FACTOR).saturating_add(FREE_PROBLEM_BYTES);
        if self.problem_bytes > most {
            let detail = "too many lines are not requests; the rest of the batch is not read";
            self.end(ApiError::new(kind::MALFORMED_BODY, detail));
        }
    }

    fn count_bytes(&self, piece: Bytes) -> Bytes {
        self.state.metrics().streamed(piece.len());
        piece
    }

    /// Returns when to give up on the client if nothing arrives; `None` while it may be waiting for the service.
    fn read_deadline(&self) -> Option<Instant> {
        (self.reading && self.work.is_empty()).then(|| self.piece_deadline().min(self.line_deadline()))
    }

    /// Returns the time by which some data must arrive.
    fn piece_deadline(&self) -> Instant {
        self.quiet_since.max(self.lines.arrived()) + self.gap
    }

    /// Returns the time by which a whole line must arrive.
    fn line_deadline(&self) -> Instant {
        self.line_since + self.state.settings().work.timeout()
    }

    fn check_time(&mut self) {
        let now = Instant::now();
        if self.lines.wait_for_room() {
            // The delay is not the client's fault.
            self.quiet_since = now;
            self.line_since = now;
            return;
        }
        let problem = if now >= self.piece_deadline() {
            BodyStalled::after(self.gap).problem()
        } else if now >= self.line_deadline() {
            let seconds = self.state.settings().work.timeout().as_secs_f64();
            ApiError::new(kind::TIMEOUT, format!("no complete line arrived within {seconds} seconds"))
        } else {
            return;
        };
        self.end(problem);
    }

    fn broken(&mut self, Broken { problem, left }: Broken) {
        if left {
            // If the client left before the request was complete, nobody reads the answer.
            self.work = JoinSet::new();
        }
        self.end(problem);
    }

    /// Stops waiting, because the service stops: the first time for the remaining lines, the second time for the work.
    fn cut_off(&mut self) {
        if self.reading {
            self.end(answer::draining());
        } else {
            self.stop.cancel();
        }
    }

    /// Stops reading; lines in progress are still answered.
    fn end(&mut self, problem: ApiError) {
        self.reading = false;
        self.lines.close();
        self.failure.get_or_insert(problem);
    }
}

/// Returns when the service no longer waits for the request.
async fn cut_off(watch: Option<&Watch>) {
    match watch {
        Some(watch) => watch.is_cut_off().await,
        None => std::future::pending().await,
    }
}
