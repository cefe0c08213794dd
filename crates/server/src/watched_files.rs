//! Files that are read at start, and again when they have changed.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::metrics::Reloads;

/// How often files are checked for changes.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// Reads a file of at most `max` bytes.
///
/// # Errors
/// Returns what is wrong with it, without its path and its content.
pub(super) fn read(file: &Path, max: u64) -> Result<Vec<u8>, String> {
    let found = std::fs::metadata(file).map_err(|error| error.to_string())?;
    if !found.is_file() || found.len() > max {
        return Err(format!("not a regular file of at most {max} bytes"));
    }
    std::fs::read(file).map_err(|error| error.to_string())
}

/// Checks periodically, until the runtime ends. `reload` reads the files; if they have changed, it returns what there is to
/// say about them, for `changed`. Files that cannot be used are reported once, with the message `cannot`, until something
/// else is wrong with them, and counted in `reloads`.
pub(super) async fn watch<T, E>(
    reload: impl Fn() -> Result<Option<T>, E> + Send + Sync + 'static,
    changed: impl Fn(T),
    cannot: &str,
    reloads: &Reloads,
) where
    T: Send + 'static,
    E: PartialEq + Display + Send + 'static,
{
    let reload = Arc::new(reload);
    let mut last = None;
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let reload = Arc::clone(&reload);
        // This fails only while the runtime is shutting down.
        let Ok(result) = tokio::task::spawn_blocking(move || reload()).await else { return };
        last = match result {
            Ok(found) => {
                found.into_iter().for_each(&changed);
                reloads.succeeded();
                None
            }
            Err(error) => {
                if last.as_ref() != Some(&error) {
                    tracing::error!(%error, "{cannot}");
                    reloads.failed();
                }
                Some(error)
            }
        };
    }
}
