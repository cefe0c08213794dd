//! Everything that is logged in this test binary, at the most detailed level.

use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

#[derive(Clone, Copy)]
struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Starts recording the log. Further calls have no effect.
pub(super) fn keep() {
    static KEPT: OnceLock<bool> = OnceLock::new();
    KEPT.get_or_init(|| {
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(|| Sink).try_init().is_ok()
    });
}

/// Returns what has been logged so far.
pub(super) fn kept() -> Vec<u8> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
