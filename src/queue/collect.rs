//! Collects the answers to the requests of a run.

use std::collections::VecDeque;
use std::fmt::Display;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::sleep;

use super::QueueError;
use super::answers::{Current, Marker};
use super::place::Queue;
use super::runs::Entry;
use super::summary::Summary;

/// How many answers are read at the same time.
const AT_A_TIME: usize = 8;
/// How many requests without an answer are asked for before a pause: whoever waits for thousands must not keep the server busy
/// with questions.
const MOST_MISSES: usize = 100;
/// How long the server may be away.
const OUTAGE: Duration = Duration::from_mins(2);
/// Reading the list of a run takes at most one part in so many of the time.
const LISTING_PART: u32 = 10;
/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(500);

/// A line of the result.
#[derive(Serialize, Debug)]
struct Line<'a> {
    /// What the one who submitted the request calls it.
    id: &'a str,
    repository: &'a str,
    /// The digest of the request.
    digest: &'a str,
    /// The HTTP status.
    status: u16,
    /// The build of the program that answered.
    build: &'a str,
    /// The answer of the route.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a RawValue>,
    /// Why there is no answer (RFC 9457).
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a RawValue>,
}

/// What was collected.
#[derive(Debug)]
pub struct RunOutcome {
    /// The summary, as a JSON object on several lines.
    pub summary: String,
    /// Whether every request has been submitted and answered, and none of the answers is a problem.
    pub is_whole: bool,
}

/// Hands out the answers to the requests of a run as they are stored, each as one line of JSON with its line feed, and tells
/// `seen` how many of how many there are. Waits for those that are not there yet, for at most `patience`; `None` waits for all
/// that can still come.
///
/// # Errors
/// Fails if there is no such run, if the server does not answer for a while, or with the error of `hand_out`.
pub async fn collect<E: Display>(
    queue: &Queue,
    run: &str,
    patience: Option<Duration>,
    mut hand_out: impl FnMut(&[u8]) -> Result<(), E>,
    mut seen: impl FnMut(usize, usize),
) -> Result<RunOutcome, QueueError> {
    let end = patience.map(|patience| Instant::now() + patience);
    let mut collecting = Collecting {
        queue,
        run,
        summary: Summary::new(run),
        waiting: VecDeque::new(),
        list_again: Instant::now(),
        hand_out: &mut hand_out,
        seen: &mut seen,
    };
    let mut working = Instant::now();
    loop {
        let is_over = end.is_some_and(|end| Instant::now() >= end);
        match collecting.pass(is_over).await {
            Ok(true) => break,
            Ok(false) => working = Instant::now(),
            // The server may be restarting.
            Err(PassError::Server(_)) if !is_over && working.elapsed() < OUTAGE => {}
            Err(PassError::Server(error) | PassError::Final(error)) => return Err(error),
        }
        sleep(PAUSE).await;
    }
    let summary = collecting.summary;
    let is_whole = summary.is_whole();
    let text = serde_json::to_string_pretty(&summary).map_err(QueueError::when("the summary"))?;
    Ok(RunOutcome { summary: text, is_whole })
}

/// A collection in progress.
struct Collecting<'c, H, S> {
    queue: &'c Queue,
    run: &'c str,
    summary: Summary,
    /// What has not been handed out; the next one to ask for is first.
    waiting: VecDeque<Entry>,
    /// When the list of the run is read again, while not everything has been submitted.
    list_again: Instant,
    hand_out: &'c mut H,
    seen: &'c mut S,
}

/// Why a pass failed.
enum PassError {
    /// The server does not answer.
    Server(QueueError),
    /// Trying again would not help.
    Final(QueueError),
}

impl From<QueueError> for PassError {
    fn from(error: QueueError) -> Self {
        Self::Server(error)
    }
}

impl<E: Display, H: FnMut(&[u8]) -> Result<(), E>, S: FnMut(usize, usize)> Collecting<'_, H, S> {
    /// Asks for the answers that are missing: for all of them if this is the last time. Returns whether there is nothing more to
    /// wait for.
    async fn pass(&mut self, is_last: bool) -> Result<bool, PassError> {
        if !self.summary.complete && (is_last || Instant::now() >= self.list_again) {
            let began = Instant::now();
            // In this order: the list is whole if it was read after the run was complete.
            let progress = self.queue.progress(self.run).await?;
            let absent =
                || PassError::Final(QueueError::when("collecting")(format!("there is no run {:?}", self.run)));
            let progress = progress.ok_or_else(absent)?;
            let entries = self.queue.entries(self.run).await?;
            self.summary.complete = progress.complete;
            self.summary.requests = entries.len();
            self.waiting = entries.into_values().filter(|entry| !self.summary.has(&entry.id)).collect();
            // The list grows with the run: it must not be most of what the server does.
            self.list_again = Instant::now() + began.elapsed() * LISTING_PART;
        }
        // If nothing is in the queue any more, what is not there now does not come: a request leaves the queue when it is answered.
        let is_over = is_last || (self.summary.complete && self.queue.is_empty().await?);
        let (mut asked, mut misses) = (0, 0);
        let all = self.waiting.len();
        while asked < all && (is_over || misses < MOST_MISSES) {
            let some: Vec<Entry> = self.waiting.drain(..self.waiting.len().min(AT_A_TIME).min(all - asked)).collect();
            asked += some.len();
            let queue = self.queue;
            let each = some.into_iter().map(|entry| async { (queue.answered_entry(&entry).await, entry) });
            let mut found = stream::iter(each).buffered(AT_A_TIME);
            let mut failed = None;
            while let Some((answered, entry)) = found.next().await {
                match answered {
                    Ok(Some((marker, answer))) => {
                        let text = line(&entry, &marker, &answer).map_err(PassError::Final)?;
                        (self.hand_out)(&text)
                            .map_err(|error| PassError::Final(QueueError::when("the answers")(error)))?;
                        self.summary.add(&entry, &marker, &answer);
                    }
                    Ok(None) => {
                        misses += 1;
                        // The others are asked for first.
                        self.waiting.push_back(entry);
                    }
                    Err(error) => {
                        failed = Some(error);
                        self.waiting.push_back(entry);
                    }
                }
                (self.seen)(self.summary.answered(), self.summary.requests);
            }
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
        self.summary.waiting = self.waiting.len();
        Ok(is_over || (self.summary.complete && self.waiting.is_empty()))
    }
}

impl Queue {
    /// Returns the answer to a request, if there is one.
    async fn answered_entry(&self, entry: &Entry) -> Result<Option<(Marker, Bytes)>, QueueError> {
        // Between both questions, another answer may have replaced the first one.
        for _ in 0..2 {
            let counting = self.current(&entry.digest).await?;
            let counting = counting.filter(|counting| Some(counting.revision) != entry.replaces);
            let Some(Current { marker, .. }) = counting else { return Ok(None) };
            if let Some(answer) = self.answer(&marker).await? {
                return Ok(Some((marker, answer)));
            }
        }
        Err(QueueError::when("an answer")("it is not in the object store"))
    }

    /// Whether no request is in the queue.
    async fn is_empty(&self) -> Result<bool, QueueError> {
        let info = self.stream.get_info().await.map_err(QueueError::because("the stream of requests"))?;
        Ok(info.state.messages == 0)
    }
}

fn line(entry: &Entry, marker: &Marker, answer: &[u8]) -> Result<Vec<u8>, QueueError> {
    let body: &RawValue = serde_json::from_slice(answer).map_err(QueueError::when("an answer"))?;
    let line = Line {
        id: &entry.id,
        repository: &entry.repository,
        digest: &entry.digest,
        status: marker.status,
        build: &marker.build,
        answer: (!marker.problem).then_some(body),
        problem: marker.problem.then_some(body),
    };
    let mut text = serde_json::to_vec(&line).map_err(QueueError::when("an answer"))?;
    text.push(b'\n');
    Ok(text)
}
