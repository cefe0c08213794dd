//! Computes how much memory the service may need from its settings: the formula of docs/deployment.md.

use std::fmt;

use super::bodies::Bodies;
use crate::settings::Settings;

/// The program, its tables and the documentation pages, with the allocator's reserves.
const IDLE: u64 = 48 << 20;
/// What a place takes in addition to the most that a request's account can hold: its stack, compression buffers, and the
/// allocator's overhead.
const PER_PLACE: u64 = 32 << 20;
/// What a connection may take: buffers for reading and writing, and the state of a decoder.
const PER_CONNECTION: u64 = 256 << 10;

/// The most memory that the service needs, by part, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryNeed {
    /// Memory in use before the first request.
    pub idle: u64,
    /// Requests being processed.
    pub work: u64,
    /// Bodies being received, waiting or being processed.
    pub bodies: u64,
    /// Answers being sent.
    pub answers: u64,
    /// Connections.
    pub connections: u64,
    /// The cache of answers.
    pub cache: u64,
    /// What the program keeps between requests beside the cache.
    pub kept: u64,
}

impl MemoryNeed {
    /// Returns what a service with these settings may need.
    pub fn from_settings(settings: &Settings) -> Self {
        let places = (settings.work.concurrency() as u64).saturating_add(1);
        let each = settings.cost.account().most_memory().saturating_add(PER_PLACE);
        Self {
            idle: IDLE,
            work: places.saturating_mul(each),
            bodies: settings.work.max_bodies_bytes,
            answers: settings.work.max_answers_bytes,
            connections: u64::from(settings.connections.max_connections).saturating_mul(PER_CONNECTION),
            cache: settings.cache.cache_bytes,
            kept: settings.kept_bytes,
        }
    }

    /// Whether a body of the largest allowed size finds room if there is no other body.
    pub fn holds_largest_body(&self, settings: &Settings) -> bool {
        Bodies::for_large(self.bodies) >= settings.body.max_unpacked_bytes
    }

    /// Returns the sum of all parts.
    pub fn total(&self) -> u64 {
        [self.idle, self.work, self.bodies, self.answers, self.connections, self.cache, self.kept]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        write!(
            f,
            "{} MiB: {} idle, {} work, {} bodies, {} answers, {} connections",
            mib(self.total()),
            mib(self.idle),
            mib(self.work),
            mib(self.bodies),
            mib(self.answers),
            mib(self.connections),
        )?;
        for (bytes, name) in [(self.cache, "cache"), (self.kept, "schemas")] {
            if bytes > 0 {
                write!(f, ", {} {name}", mib(bytes))?;
            }
        }
        Ok(())
    }
}
