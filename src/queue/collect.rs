//! Collects the answers to the requests of a run.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use serde::Serialize;
use serde_json::value::RawValue;

use super::QueueError;
use super::answers::Marker;
use super::place::Queue;
use super::runs::Entry;
use super::summary::Summary;

/// How many answers are read at the same time.
const AT_A_TIME: usize = 32;
/// How many requests without an answer are asked for before a pause: whoever waits for thousands must not keep the server busy
/// with questions.
const MOST_MISSES: usize = 100;
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
pub struct Collected {
    /// The summary, as a JSON object on several lines.
    pub summary: String,
    /// Whether every request has been submitted and answered, and none of the answers is a problem.
    pub is_whole: bool,
}

/// Hands out the answers to the requests of a run as they are stored, each as one line of JSON with its line feed, and tells
/// `seen` how many of how many there are. Waits for those that are not there yet, for at most `patience`; `None` waits for all.
///
/// # Errors
/// Fails if there is no such run, if the server does not answer, or with the error of `hand_out`.
pub async fn collect<E: std::fmt::Display>(
    queue: &Queue,
    run: &str,
    patience: Option<Duration>,
    mut hand_out: impl FnMut(&[u8]) -> Result<(), E>,
    mut seen: impl FnMut(usize, usize),
) -> Result<Collected, QueueError> {
    let end = patience.map(|patience| Instant::now() + patience);
    let mut summary = Summary::of(run);
    let mut waiting: Vec<Entry> = Vec::new();
    let mut total = 0;
    loop {
        if !summary.complete {
            // In this order: the list is whole if it was read after the run was complete.
            let progress = queue.progress(run).await?;
            let progress =
                progress.ok_or_else(|| QueueError::when("collecting")(format!("there is no run {run:?}")))?;
            let entries = queue.entries(run).await?;
            summary.complete = progress.complete;
            total = entries.len();
            waiting = entries.into_values().filter(|entry| !summary.has(&entry.id)).collect();
        }
        let mut unanswered = Vec::new();
        let mut rest = waiting.into_iter();
        while unanswered.len() < MOST_MISSES && !rest.as_slice().is_empty() {
            let some: Vec<Entry> = rest.by_ref().take(MOST_MISSES).collect();
            let asked = some.into_iter().map(|entry| async { (queue.answered_entry(&entry).await, entry) });
            let mut found = stream::iter(asked).buffered(AT_A_TIME);
            while let Some((answered, entry)) = found.next().await {
                if let Some((marker, answer)) = answered? {
                    hand_out(&line(&entry, &marker, &answer)?).map_err(QueueError::when("the answers"))?;
                    summary.add(&entry, &marker, &answer);
                } else {
                    unanswered.push(entry);
                }
                seen(summary.answered(), total);
            }
        }
        // Those that were not asked for are first next time.
        waiting = rest.chain(unanswered).collect();
        let is_over = end.is_some_and(|end| Instant::now() >= end);
        if is_over || (summary.complete && waiting.is_empty()) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    summary.requests = total;
    summary.waiting = total - summary.answered();
    let is_whole = summary.is_whole();
    let text = serde_json::to_string_pretty(&summary).map_err(QueueError::when("the summary"))?;
    Ok(Collected { summary: text, is_whole })
}

impl Queue {
    /// Returns the answer to a request, if there is one.
    async fn answered_entry(&self, entry: &Entry) -> Result<Option<(Marker, Bytes)>, QueueError> {
        let Some(marker) = self.marker(&entry.digest).await? else { return Ok(None) };
        let answer = self.answer(&marker).await?;
        Ok(Some((marker, answer)))
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
