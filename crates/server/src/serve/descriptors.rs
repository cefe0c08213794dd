//! How many connections the process can have open.

use super::places::RESERVE;

/// Descriptors for everything but connections: the listener, the log, the runtime, and connections being closed.
const MARGIN: u64 = 64;

/// Raises the process's limit of open files towards what this many connections need, and returns how many fit.
pub(super) fn raise_limit(connections: u32) -> usize {
    let beside = RESERVE as u64 + MARGIN;
    let wanted = u64::from(connections) + beside;
    let limit = match rlimit::increase_nofile_limit(wanted) {
        Ok(limit) => limit,
        Err(error) => {
            tracing::warn!(%error, "the limit on open files cannot be read or raised");
            wanted
        }
    };
    let fitting = u64::from(connections).min(limit.saturating_sub(beside)).max(1);
    if fitting < u64::from(connections) {
        tracing::warn!(
            connections = fitting,
            max_connections = connections,
            open_files = limit,
            "fewer connections than configured: the process cannot open more files"
        );
    }
    usize::try_from(fitting).unwrap_or(usize::MAX)
}
