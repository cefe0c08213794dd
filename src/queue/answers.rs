//! Stores answers, and reads them.
//!
//! First the object, then the entry that names it, so nobody sees an entry without its object; objects outlive the entries. An
//! entry is created once, so the first answer counts. Only an answer that may be another one next time is replaced, by a
//! request that names the version of the entry that it replaces.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::kv::Operation;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::QueueError;
use super::place::Queue;
use crate::api::JobAnswer;
use crate::build_info::VERSION;

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

/// The entry of a request as it is on the server.
#[derive(Clone, Debug)]
pub(super) struct Current {
    pub(super) marker: Marker,
    /// The number of the entry's version, from 1.
    pub(super) revision: u64,
    /// When it was made, in seconds since 1970 of the server's clock.
    created: Duration,
}

/// Whether a request need not be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerState {
    /// Its answer is there.
    Present,
    /// It has to be asked. The answer may then replace this version of its entry, and no other.
    Missing { replaces: Option<u64> },
}

/// An answer that is kept for less than this is not relied on any more.
const ALMOST_OVER: Duration = Duration::from_hours(24);

/// An answer that has been made.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewAnswer<'a> {
    /// The digest of the request.
    pub(super) digest: &'a str,
    pub(super) answer: &'a JobAnswer,
    /// How long the work took, with waiting for a place.
    pub(super) took: Duration,
    /// How often the request had been given to a worker, this time included.
    pub(super) delivery: u64,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StoreOutcome {
    /// It is stored now.
    Stored,
    /// The request already had one.
    Known,
}

const WHAT: &str = "the entry of an answer";

impl Queue {
    /// Returns the entry of a request, if it has been answered.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn current(&self, digest: &str) -> Result<Option<Current>, QueueError> {
        let entry = self.answered.entry(digest).await.map_err(QueueError::because(WHAT))?;
        let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else { return Ok(None) };
        let marker = serde_json::from_slice(&entry.value).map_err(QueueError::when(WHAT))?;
        let created = Duration::from_secs(entry.created.unix_timestamp().try_into().unwrap_or_default());
        Ok(Some(Current { marker, revision: entry.revision, created }))
    }

    /// Says whether a request need not be asked. It has to be if a further attempt, or a worker with other limits, may answer
    /// something else, and if its answer is kept for less than a day more: nobody would find it when a run ends that begins now.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn answer_state(&self, digest: &str) -> Result<AnswerState, QueueError> {
        let Some(Current { marker, revision, created }) = self.current(digest).await? else {
            return Ok(AnswerState::Missing { replaces: None });
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let keep = self.answered.stream.cached_info().config.max_age;
        let is_old = !keep.is_zero() && now.saturating_sub(created) + ALMOST_OVER.min(keep / 2) > keep;
        let may_change = marker.problem && (marker.status == 413 || JobAnswer::is_transient_status(marker.status));
        Ok(if is_old || may_change {
            AnswerState::Missing { replaces: Some(revision) }
        } else {
            AnswerState::Present
        })
    }

    /// Stores the answer to a request, unless it has one that is not `replaced`.
    ///
    /// # Errors
    /// Fails if the server does not take it. It may have been stored nevertheless.
    pub(super) async fn keep(
        &self,
        NewAnswer { digest, answer, took, delivery }: NewAnswer<'_>,
        replaced: Option<&Current>,
    ) -> Result<StoreOutcome, QueueError> {
        let mut tail = [0; 8];
        getrandom::fill(&mut tail).map_err(QueueError::when("a name for the answer"))?;
        let object = format!("{digest}.{:016x}", u64::from_be_bytes(tail));
        self.answers.put(&object, &answer.body).await?;
        let marker = Marker {
            object,
            status: answer.status,
            problem: answer.is_problem,
            build: VERSION.to_owned(),
            microseconds: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            delivery,
        };
        let text = Bytes::from(serde_json::to_vec(&marker).map_err(QueueError::when(WHAT))?);
        // Twice, since perhaps only the server's reply was lost, as when it restarts.
        let mut refused = None;
        for _ in 0..2 {
            let made = match replaced {
                None => self.answered.create(digest, text.clone()).await.map_err(QueueError::because(WHAT)),
                Some(old) => {
                    let made = self.answered.update(digest, text.clone(), old.revision).await;
                    made.map_err(QueueError::because(WHAT))
                }
            };
            match made {
                Ok(_) => {
                    if let Some(old) = replaced {
                        self.answers.delete(&old.marker.object).await;
                    }
                    return Ok(StoreOutcome::Stored);
                }
                Err(error) => refused = Some(error),
            }
        }
        // The first answer counts.
        match (self.current(digest).await?, refused) {
            (Some(counts), _) if counts.marker.object == marker.object => Ok(StoreOutcome::Stored),
            (Some(counts), _) if replaced.is_none_or(|old| old.revision != counts.revision) => {
                self.answers.delete(&marker.object).await;
                Ok(StoreOutcome::Known)
            }
            (_, Some(error)) => Err(error),
            (_, None) => Err(QueueError::when(WHAT)("the server refuses it")),
        }
    }

    /// Returns an answer; `None` if the object is no longer there.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn answer(&self, marker: &Marker) -> Result<Option<Bytes>, QueueError> {
        match self.answers.find(&marker.object).await? {
            Some(object) => self.answers.read(&object).await.map(Some),
            None => Ok(None),
        }
    }
}
