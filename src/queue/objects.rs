//! Object stores: what is too large for a message.

use async_nats::jetstream::Context;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::object_store::{Config, InfoErrorKind, ObjectInfo, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::QueueError;

/// The size of a piece of an object, in bytes: half of what a server takes in a message by default. Most answers are one piece.
const PIECE: usize = 512 << 10;

const WHAT: &str = "the object store";

/// An object store.
#[derive(Clone)]
pub(super) struct Objects {
    bucket: String,
    store: ObjectStore,
    /// The stream that the store is made of.
    stream: Stream,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Objects")
    }
}

impl Objects {
    /// Returns an object store, which is made if it is not there.
    ///
    /// # Errors
    /// Fails if the server does not answer, or refuses to make it.
    pub(super) async fn open(context: &Context, config: Config) -> Result<Self, QueueError> {
        let bucket = config.bucket.clone();
        let name = format!("OBJ_{bucket}");
        let store = match context.get_object_store(&config.bucket).await {
            Ok(store) => store,
            Err(_) => context.create_object_store(config).await.map_err(QueueError::because(WHAT))?,
        };
        let stream = context.get_stream(name).await.map_err(QueueError::because(WHAT))?;
        Ok(Self { bucket, store, stream })
    }

    /// Stores an object.
    ///
    /// # Errors
    /// Fails if the server does not take it.
    pub(super) async fn put(&self, name: &str, body: &[u8]) -> Result<(), QueueError> {
        let chunk_size = Some(body.len().clamp(1, PIECE));
        let meta = ObjectMetadata { name: name.to_owned(), chunk_size, ..ObjectMetadata::default() };
        let mut rest = body;
        self.store.put(meta, &mut rest).await.map_err(QueueError::because(WHAT)).map(drop)
    }

    /// Returns what is known of an object; `None` if there is none of this name.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    pub(super) async fn find(&self, name: &str) -> Result<Option<ObjectInfo>, QueueError> {
        match self.store.info(name).await {
            Ok(info) => Ok(Some(info).filter(|info| !info.deleted)),
            Err(error) if error.kind() == InfoErrorKind::NotFound => {
                // Any server of a cluster may have answered, even one that does not have it yet.
                let subject = format!("$O.{}.M.{}", self.bucket, BASE64_URL_SAFE.encode(name));
                match self.stream.get_last_raw_message_by_subject(&subject).await {
                    Ok(message) => {
                        let info: ObjectInfo =
                            serde_json::from_slice(&message.payload).map_err(QueueError::when(WHAT))?;
                        Ok(Some(info).filter(|info| !info.deleted))
                    }
                    Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
                    Err(error) => Err(QueueError::because(WHAT)(error)),
                }
            }
            Err(error) => Err(QueueError::because(WHAT)(error)),
        }
    }

    /// Reads an object, one piece after the other. (The client's own reader makes a consumer for each object, of which a server
    /// has too many when thousands are read one after the other.)
    ///
    /// # Errors
    /// Fails if the server does not answer, or if the bytes are not those that were stored.
    pub(super) async fn read(&self, object: &ObjectInfo) -> Result<Bytes, QueueError> {
        let subject = format!("$O.{}.C.{}", object.bucket, object.nuid);
        let mut body = Vec::with_capacity(object.size);
        let mut next = 1;
        for _ in 0..object.chunks {
            let piece = self.piece(&subject, next).await?;
            next = piece.sequence + 1;
            body.extend_from_slice(&piece.payload);
            if body.len() > object.size {
                return Err(QueueError::when(WHAT)("an object is larger than it says"));
            }
        }
        let digest = format!("SHA-256={}", BASE64_URL_SAFE.encode(Sha256::digest(&body)));
        if object.digest.as_ref().is_some_and(|stored| *stored != digest) {
            return Err(QueueError::when(WHAT)("an object is damaged"));
        }
        Ok(body.into())
    }

    /// Returns the first message about a subject from this number on.
    async fn piece(&self, subject: &str, from: u64) -> Result<StreamMessage, QueueError> {
        if let Ok(piece) = self.stream.direct_get_next_for_subject(subject, Some(from)).await {
            return Ok(piece);
        }
        // Any server of a cluster may have answered, even one that does not have the piece yet; this is for the one that has.
        let asked = self.stream.raw_message_builder().sequence(from).next_by_subject(subject).send();
        asked.await.map_err(QueueError::because(WHAT))
    }

    /// Deletes an object. If that fails, the server deletes it when it is old.
    pub(super) async fn delete(&self, name: &str) {
        if let Err(error) = self.store.delete(name).await {
            tracing::debug!(%error, "an object was not deleted");
        }
    }
}
