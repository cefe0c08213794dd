//! Requests that can wait: a queue of them on a NATS server with JetStream, workers that answer them, and the answers.
//!
//! What is where, for a queue `NAME`:
//! - stream `NAME`: the requests that have not been answered, as a work queue with one shared durable consumer, `workers`;
//! - object store `NAME-bundles`: bodies of requests that are too large for a message;
//! - object store `NAME-answers`: answers, each attempt under a name of its own;
//! - key-value bucket `NAME-answered`: which of these counts, under the digest of the request. An entry is created once, so a
//!   request has exactly one answer, however often it is worked on;
//! - key-value bucket `NAME-runs`: what was submitted together under which names;
//! - stream `NAME-lost`: what the server says of requests that it has given to workers as often as it may.
//!
//! `docs/queue.md` says how it is used.

mod job;
mod objects;
mod place;
mod answers;
mod worker;
mod lost_requests;
mod runs;
mod submit;
mod collect;
mod summary;

use std::error::Error;
use std::fmt::Display;

pub use self::collect::{RunOutcome, collect};
pub use self::place::Queue;
pub use self::submit::{Source, Submission, Submitted};
pub use self::worker::work;

/// Why the queue cannot be used, in a message for people.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct QueueError {
    /// What was attempted.
    what: &'static str,
    /// What the server, the connection or the system says.
    why: String,
}

impl QueueError {
    /// Returns a function that says what was attempted when an error happened.
    fn when<E: Display>(what: &'static str) -> impl Fn(E) -> Self {
        move |why| Self { what, why: why.to_string() }
    }

    /// As [`Self::when`], for errors whose message leaves their cause out.
    fn because<E: Error>(what: &'static str) -> impl Fn(E) -> Self {
        move |why| {
            let mut text = why.to_string();
            let mut next = why.source();
            while let Some(source) = next {
                let more = source.to_string();
                if !text.contains(&more) {
                    text = format!("{text}: {more}");
                }
                next = source.source();
            }
            Self { what, why: text }
        }
    }
}
