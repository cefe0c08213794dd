//! Stores answers, and reads them.
//!
//! First the object, then the entry that names it: an entry is only ever created, so the first answer counts, and nobody sees
//! an entry without its object. Objects outlive the entries.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::kv::{CreateErrorKind, Operation};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::QueueError;
use super::job::BUILD;
use super::place::Queue;
use crate::api::JobAnswer;

/// The entry under the digest of a request: which answer counts.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Marker {
    /// The name of the object that holds the answer.
    pub(super) object: String,
    /// The HTTP status of the answer.
    pub(super) status: u16,
    /// Whether the answer is a problem (RFC 9457).
    pub(super) problem: bool,
    /// The build of the program that answered.
    pub(super) build: String,
    /// How long the work took, in microseconds, with waiting for a place.
    pub(super) microseconds: u64,
    /// How often the request had been given to a worker, this time included.
    pub(super) delivery: u64,
}

impl Marker {
    /// Whether a further attempt may give another answer.
    fn may_pass(&self) -> bool {
        JobAnswer { status: self.status, is_problem: self.problem, body: Bytes::new() }.may_pass()
    }
}

/// An answer that is kept for less than this is not relied on any more.
const ALMOST_OVER: Duration = Duration::from_hours(24);

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    /// It is stored now.
    Stored,
    /// The request already had one.
    Known,
}

impl Queue {
    /// Returns the entry of a request, if it has been answered.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn marker(&self, digest: &str) -> Result<Option<Marker>, QueueError> {
        let entry = self.answered.get(digest).await.map_err(QueueError::because("the entry of an answer"))?;
        entry
            .map(|text| serde_json::from_slice(&text).map_err(QueueError::when("the entry of an answer")))
            .transpose()
    }

    /// Whether a request need not be asked again, since its answer is there. An answer that a further attempt may change, and
    /// one that is kept for less than a day more, are removed: nobody would find the latter when a run ends that begins now.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn is_settled(&self, digest: &str) -> Result<bool, QueueError> {
        const WHAT: &str = "the entry of an answer";
        let entry = self.answered.entry(digest).await.map_err(QueueError::because(WHAT))?;
        let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else { return Ok(false) };
        let marker: Marker = serde_json::from_slice(&entry.value).map_err(QueueError::when(WHAT))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let created = Duration::from_secs(entry.created.unix_timestamp().try_into().unwrap_or_default());
        let keep = self.answered.stream.cached_info().config.max_age;
        let is_old = !keep.is_zero() && now.saturating_sub(created) + ALMOST_OVER.min(keep / 2) > keep;
        if !is_old && !marker.may_pass() {
            return Ok(true);
        }
        self.answered.delete(digest).await.map_err(QueueError::because(WHAT))?;
        self.answers.delete(&marker.object).await;
        Ok(false)
    }

    /// Stores the answer to a request, unless it has one.
    ///
    /// # Errors
    /// Fails if the server does not take it. It may have been stored nevertheless.
    pub(super) async fn keep(
        &self,
        digest: &str,
        answer: &JobAnswer,
        microseconds: u64,
        delivery: u64,
    ) -> Result<Kept, QueueError> {
        let mut tail = [0; 8];
        getrandom::fill(&mut tail).map_err(QueueError::when("a name for the answer"))?;
        let object = format!("{digest}.{:016x}", u64::from_be_bytes(tail));
        self.answers.put(&object, &answer.body).await?;
        let marker = Marker {
            object,
            status: answer.status,
            problem: answer.is_problem,
            build: BUILD.to_owned(),
            microseconds,
            delivery,
        };
        let text = serde_json::to_vec(&marker).map_err(QueueError::when("the entry of an answer"))?;
        let mut made = self.answered.create(digest, text.clone().into()).await;
        if made.as_ref().is_err_and(|error| error.kind() != CreateErrorKind::AlreadyExists) {
            // Perhaps only the server's reply was lost, as when it restarts.
            made = self.answered.create(digest, text.into()).await;
        }
        match made {
            Ok(_) => Ok(Kept::Stored),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                if self.marker(digest).await?.is_some_and(|counts| counts.object == marker.object) {
                    return Ok(Kept::Stored);
                }
                self.answers.delete(&marker.object).await;
                Ok(Kept::Known)
            }
            Err(error) => Err(QueueError::because("the entry of an answer")(error)),
        }
    }

    /// Returns an answer.
    ///
    /// # Errors
    /// Fails if the server does not answer, or has lost the object.
    pub(super) async fn answer(&self, marker: &Marker) -> Result<Bytes, QueueError> {
        match self.answers.find(&marker.object).await? {
            Some(object) => self.answers.read(&object).await,
            None => Err(QueueError::when("an answer")("it is not in the object store")),
        }
    }
}
