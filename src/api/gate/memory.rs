//! How much memory the service may need, by its settings: the formula of docs/deployment.md.

use std::fmt;

use super::bodies::Bodies;
use crate::settings::Settings;

/// The program, its tables and the documentation pages, with what the allocator keeps at hand.
const IDLE: u64 = 48 << 20;
/// What a place takes besides what the account of a request counts: its stack, buffers of compression, and what the
/// allocator loses.
const PER_PLACE: u64 = 32 << 20;
/// What a connection may take: buffers for reading and writing, the state of a decoder.
const PER_CONNECTION: u64 = 256 << 10;

/// The most memory that the service needs, in parts. All in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryNeed {
    /// Before the first request.
    pub idle: u64,
    /// Requests at work.
    pub work: u64,
    /// Bodies that arrive, wait or are worked on.
    pub bodies: u64,
    /// Answers on their way.
    pub answers: u64,
    /// Connections.
    pub connections: u64,
}

impl MemoryNeed {
    /// What a service with these settings may need.
    pub fn of(settings: &Settings) -> Self {
        let places = (settings.work.concurrency() as u64).saturating_add(1);
        let each = settings.limits.max_memory_bytes.saturating_add(PER_PLACE);
        Self {
            idle: IDLE,
            work: places.saturating_mul(each),
            bodies: settings.work.max_bodies_bytes,
            answers: settings.work.max_answers_bytes,
            connections: u64::from(settings.connections.max_connections).saturating_mul(PER_CONNECTION),
        }
    }

    /// Whether a body as large as the limits allow finds room while there is no other.
    pub fn holds_largest_body(&self, settings: &Settings) -> bool {
        Bodies::for_large(self.bodies) >= settings.limits.max_unpacked_bytes
    }

    /// All parts together.
    pub fn total(&self) -> u64 {
        [self.idle, self.work, self.bodies, self.answers, self.connections].into_iter().fold(0, u64::saturating_add)
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
        )
    }
}
