//! Fills the queue.
//!
//! Each request is published, and entered into the list of its run after that: an interrupted submission that is repeated
//! submits the rest, and what is in the list and has no answer, of which the server knows most. What is submitted twice has
//! one answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;

use super::QueueError;
use super::answers::AnswerState;
use super::job::PreparedRequest;
use super::place::Queue;
use super::runs::{Entry, Progress};
use crate::api::JobRoute;

/// How many requests are read and published at the same time, for each processor.
const AT_A_TIME: usize = 4;

/// A request that is to be submitted.
pub struct Source<R> {
    /// What to call it; unique within the run.
    pub id: String,
    /// The repository that it belongs to.
    pub repository: String,
    /// Reads the body, and returns its media type and its bytes, or why it cannot be read. It may block.
    pub read: R,
}

/// What all requests of a submission have in common.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The name of the run.
    pub run: String,
    /// The route.
    pub route: JobRoute,
    /// The query string that goes with an archive, without its question mark; empty if the options are in the body.
    pub query: String,
}

/// What became of a submission.
#[derive(Clone, Debug, Default)]
pub struct Submitted {
    /// The number of requests that are in the queue now.
    pub new: u64,
    /// The number of requests that have an answer from an earlier run.
    pub answered: u64,
    /// The number of requests that had been submitted in the same run.
    pub known: u64,
    /// What could not be read: its id, and why.
    pub failed: Vec<(String, String)>,
}

/// What became of one request.
enum Outcome {
    New,
    Answered,
    Known,
    Failed(String, String),
}

impl Queue {
    /// Submits requests, and tells `seen` of each.
    ///
    /// # Errors
    /// Fails if the server does not answer: the rest has not been submitted, and repeating the submission goes on there.
    pub async fn submit<R>(
        &self,
        submission: &Submission,
        sources: impl Iterator<Item = Source<R>>,
        mut seen: impl FnMut(),
    ) -> Result<Submitted, QueueError>
    where
        R: FnOnce() -> Result<(String, Bytes), String> + Send + 'static,
    {
        let known = Arc::new(self.entries(&submission.run).await?);
        self.set_progress(&submission.run, Progress { complete: false }).await?;
        let mut submitted = Submitted::default();
        let each = sources.map(|source| self.submit_one(submission, Arc::clone(&known), source));
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut outcomes = stream::iter(each).buffer_unordered(processors * AT_A_TIME);
        while let Some(outcome) = outcomes.next().await {
            match outcome? {
                Outcome::New => submitted.new += 1,
                Outcome::Answered => submitted.answered += 1,
                Outcome::Known => submitted.known += 1,
                Outcome::Failed(id, why) => submitted.failed.push((id, why)),
            }
            seen();
        }
        drop(outcomes);
        self.set_progress(&submission.run, Progress { complete: true }).await?;
        submitted.failed.sort();
        Ok(submitted)
    }

    async fn submit_one<R>(
        &self,
        submission: &Submission,
        known: Arc<BTreeMap<String, Entry>>,
        source: Source<R>,
    ) -> Result<Outcome, QueueError>
    where
        R: FnOnce() -> Result<(String, Bytes), String> + Send + 'static,
    {
        const WHAT: &str = "the queue";
        let Submission { run, route, query } = submission;
        let Source { id, repository, read } = source;
        let (content_type, body) = match tokio::task::spawn_blocking(read).await {
            Ok(Ok(read)) => read,
            Ok(Err(why)) => return Ok(Outcome::Failed(id, why)),
            Err(_) => return Ok(Outcome::Failed(id, "it cannot be read".to_owned())),
        };
        let PreparedRequest { mut job, body } = PreparedRequest::new(*route, query, &content_type, body, run);
        let mut entry = Entry { id, repository, digest: job.digest.clone(), replaces: None };
        let is_known = known.get(&entry.id).is_some_and(|known| known.is_same(&entry));
        match self.answer_state(&entry.digest).await? {
            AnswerState::Present if is_known => return Ok(Outcome::Known),
            AnswerState::Present => {
                self.enter(run, &entry).await?;
                return Ok(Outcome::Answered);
            }
            AnswerState::Missing { replaces } => {
                job.replaces = replaces;
                entry.replaces = replaces;
            }
        }
        let payload = match &job.bundle {
            Some(bundle) => {
                self.bundles.put(bundle, &body).await?;
                Bytes::new()
            }
            None => body,
        };
        let subject = format!("{}.requests", self.name);
        let published = self.context.publish_with_headers(subject, job.header(run), payload).await;
        let acknowledged = published.map_err(QueueError::because(WHAT))?.await.map_err(QueueError::because(WHAT))?;
        if let Some(bundle) = job.bundle.filter(|_| acknowledged.duplicate)
            && self.answer_state(&entry.digest).await? == AnswerState::Present
        {
            // The message with this id is answered and gone, so nobody would delete its body.
            self.bundles.delete(&bundle).await;
        }
        self.enter(run, &entry).await?;
        // What is known is submitted again if it waits for longer than the server remembers, or has lost its answer.
        Ok(if is_known && acknowledged.duplicate { Outcome::Known } else { Outcome::New })
    }
}
