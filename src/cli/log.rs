//! The service's log: written to standard error, as text lines for people or as JSON.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use super::Failure;
use crate::settings::{LogFormat, LogSettings};

/// Starts the log, and sends panics to it.
///
/// # Errors
/// Fails if the filter cannot be parsed.
pub(super) fn start(settings: &LogSettings) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&settings.log)
        .map_err(|error| Failure::Message(format!("the log filter {:?} is not valid: {error}", settings.log)))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Otherwise it would report on standard error that standard error cannot be written to, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message of a panic may quote the request, so only the place is logged.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
    Ok(())
}
