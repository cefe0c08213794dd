//! Stores answers, and reads them.
//!
//! First the object, then the entry that names it: an entry is only ever created, so the first answer counts, and nobody sees
//! an entry without its object. Objects outlive the entries.

use async_nats::jetstream::kv::CreateErrorKind;
use async_nats::jetstream::object_store::{GetErrorKind, ObjectMetadata, ObjectStore};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt as _;

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
        entry.map(|text| serde_json::from_slice(&text).map_err(QueueError::when("the entry of an answer"))).transpose()
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
        put(&self.answers.0, &object, &answer.body).await?;
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
                // What remains if this fails is deleted when it is old.
                let _ = self.answers.0.delete(&marker.object).await;
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
        let found = read(&self.answers.0, &marker.object, u64::MAX).await?;
        match found {
            Found::Body(body) => Ok(body),
            Found::Nothing | Found::TooLarge => Err(QueueError::when("an answer")("it is not in the object store")),
        }
    }
}

/// Stores an object.
///
/// # Errors
/// Fails if the server does not take it.
pub(super) async fn put(objects: &ObjectStore, name: &str, body: &[u8]) -> Result<(), QueueError> {
    let meta = ObjectMetadata { name: name.to_owned(), ..ObjectMetadata::default() };
    let mut rest = body;
    objects.put(meta, &mut rest).await.map_err(QueueError::because("the object store")).map(drop)
}

/// What is in an object store.
pub(super) enum Found {
    /// The whole object.
    Body(Bytes),
    /// It has more bytes than allowed; nothing of it was read.
    TooLarge,
    /// There is no such object.
    Nothing,
}

/// Reads an object of at most `most` bytes.
///
/// # Errors
/// Fails if the server does not answer, or if the bytes are not those that were stored.
pub(super) async fn read(objects: &ObjectStore, name: &str, most: u64) -> Result<Found, QueueError> {
    let mut object = match objects.get(name).await {
        Ok(object) => object,
        Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(QueueError::because("the object store")(error)),
    };
    let size = object.info().size;
    if size as u64 > most {
        return Ok(Found::TooLarge);
    }
    let mut body = Vec::with_capacity(size);
    // The digest is checked at the end.
    object.read_to_end(&mut body).await.map_err(QueueError::because("the object store"))?;
    Ok(Found::Body(body.into()))
}
