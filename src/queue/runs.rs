//! Runs: what was submitted together, under which names.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::consumer::{DeliverPolicy, push};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::QueueError;
use super::place::Queue;

const WHAT: &str = "the list of a run";
/// How long the next entry of a list may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request of a run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// What the one who submitted it calls it; unique within the run.
    pub(super) id: String,
    /// The repository that it belongs to.
    pub(super) repository: String,
    /// The digest of the request. Requests that are equal have the same one, and the same answer.
    pub(super) digest: String,
    /// The version of the entry of an earlier answer that is not the answer here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replaces: Option<u64>,
}

impl Entry {
    /// Whether both are the same request under the same names, whatever its answer replaces.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && self.repository == other.repository && self.digest == other.digest
    }
}

/// What is known of a run as a whole.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Progress {
    /// Whether everything has been submitted.
    pub(super) complete: bool,
}

impl Queue {
    /// Adds a request to a run, or replaces the one with the same id.
    ///
    /// # Errors
    /// Fails if the server does not take it.
    pub(super) async fn enter(&self, run: &str, entry: &Entry) -> Result<(), QueueError> {
        // An id may be anything, a key may not.
        let key = format!("{run}.{}", blake3::hash(entry.id.as_bytes()).to_hex());
        let text = serde_json::to_vec(entry).map_err(QueueError::when(WHAT))?;
        self.runs.put(key, text.into()).await.map_err(QueueError::because(WHAT)).map(drop)
    }

    /// Returns the requests of a run, by id.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn entries(&self, run: &str) -> Result<BTreeMap<String, Entry>, QueueError> {
        let config = push::OrderedConfig {
            deliver_subject: self.context.client().new_inbox(),
            filter_subject: format!("{}{run}.*", self.runs.prefix),
            deliver_policy: DeliverPolicy::LastPerSubject,
            ..push::OrderedConfig::default()
        };
        let consumer = self.runs.stream.create_consumer(config).await.map_err(QueueError::because(WHAT))?;
        let mut entries = BTreeMap::new();
        if consumer.cached_info().num_pending == 0 {
            return Ok(entries);
        }
        let mut messages = consumer.messages().await.map_err(QueueError::because(WHAT))?;
        loop {
            // While the server is away, the client waits for it; and if the last entries expire meanwhile, none is the last one.
            let next = timeout(PATIENCE, messages.next()).await;
            let Ok(Some(message)) = next else { return Err(QueueError::when(WHAT)("the server does not answer")) };
            let message = message.map_err(QueueError::because(WHAT))?;
            // What cannot be read was not written by this program.
            if let Ok(entry) = serde_json::from_slice::<Entry>(&message.payload) {
                entries.insert(entry.id.clone(), entry);
            }
            if message.info().map_err(QueueError::when(WHAT))?.pending == 0 {
                return Ok(entries);
            }
        }
    }

    /// Says whether everything in a run has been submitted.
    ///
    /// # Errors
    /// Fails if the server does not take it.
    pub(super) async fn set_progress(&self, run: &str, progress: Progress) -> Result<(), QueueError> {
        let text = serde_json::to_vec(&progress).map_err(QueueError::when(WHAT))?;
        self.runs.put(run, text.into()).await.map_err(QueueError::because(WHAT)).map(drop)
    }

    /// Returns what is known of a run; `None` if there is no such run.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn progress(&self, run: &str) -> Result<Option<Progress>, QueueError> {
        let text = self.runs.get(run).await.map_err(QueueError::because(WHAT))?;
        text.map(|text| serde_json::from_slice(&text).map_err(QueueError::when(WHAT))).transpose()
    }
}
