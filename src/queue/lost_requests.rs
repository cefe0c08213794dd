//! Requests that were given to workers as often as allowed, and to the last one in vain, too: the server then leaves them
//! where they are, and says so once.

use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::stream::RawMessageErrorKind;
use serde::Deserialize;

use super::QueueError;
use super::answers::NewAnswer;
use super::job::{Job, digest_in};
use super::worker::{Worker, nameless, next_of};
use crate::api::JobAnswer;

/// What the server says of a request, as far as it matters here.
#[derive(Deserialize, Debug)]
struct Advisory {
    /// Which message of the stream it is.
    stream_seq: u64,
    /// How often it was given to a worker.
    deliveries: u64,
}

impl Worker {
    /// Stores a problem for every request of which the server says that it gives it to nobody any more, and takes it off the queue.
    pub(super) async fn handle_lost(&self) {
        while !self.state.is_draining() {
            if !self.queue.is_connected() {
                self.pause().await;
            } else if let Err(error) = self.handle_next_lost().await {
                self.warn_and_pause(&error).await;
            }
        }
    }

    async fn handle_next_lost(&self) -> Result<(), QueueError> {
        const WHAT: &str = "what the server says of lost requests";
        let Some(message) = next_of(&self.queue.lost, WHAT).await? else { return Ok(()) };
        self.take_off(&message).await?;
        message.double_ack().await.map_err(QueueError::when(WHAT))
    }

    async fn take_off(&self, message: &Message) -> Result<(), QueueError> {
        const WHAT: &str = "a lost request";
        let Ok(Advisory { stream_seq, deliveries }) = serde_json::from_slice(&message.payload) else {
            tracing::warn!("the server says something of a request that cannot be read");
            return Ok(());
        };
        let found = match self.queue.stream.get_raw_message(stream_seq).await {
            Ok(found) => found,
            // It was answered after all.
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(()),
            Err(error) => return Err(QueueError::because(WHAT)(error)),
        };
        let header = Some(&found.headers);
        let digest = digest_in(header).unwrap_or_else(|| nameless(stream_seq));
        tracing::error!(request_id = digest, deliveries, "a request is lost: no worker has answered it");
        self.state.job("lost");
        let job = Job::read(header).ok();
        let replaced = self.queue.current(&digest).await?;
        if replaced.as_ref().is_none_or(|found| Some(found.revision) == job.as_ref().and_then(|job| job.replaces)) {
            let answer = JobAnswer::gave_up(deliveries, &digest);
            let made = NewAnswer { digest: &digest, answer: &answer, took: Duration::ZERO, delivery: deliveries };
            let _ = self.queue.keep(made, replaced.as_ref()).await?;
        }
        self.drop_bundle(job.as_ref()).await;
        // It may be gone: somebody was only slow.
        match self.queue.stream.delete_message(stream_seq).await {
            Ok(_) => Ok(()),
            Err(_) if self.queue.stream.get_raw_message(stream_seq).await.is_err() => Ok(()),
            Err(error) => Err(QueueError::because(WHAT)(error)),
        }
    }
}
