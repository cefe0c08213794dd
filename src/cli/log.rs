//! The service's log: written to standard error, as text lines for people or as JSON.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::Failure;
use crate::settings::{LogFormat, LogSettings};

/// Starts the log, and sends panics to it. Whatever the filter asks for, only events of our own are logged: a library
/// that logs what it was given would log parts of requests. (For the same reason, nothing listens to the crate `log`.)
///
/// # Errors
/// Fails if the filter cannot be parsed.
pub(super) fn start(settings: &LogSettings) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&settings.log)
        .map_err(|error| Failure::Message(format!("the log filter {:?} is not valid: {error}", settings.log)))?;
    if let Some(word) = silencing(&settings.log) {
        return Err(Failure::Message(format!(
            "the log filter {:?} would log nothing: {word:?} is no level; levels are error, warn, info, debug, trace and off",
            settings.log
        )));
    }
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Otherwise it would report on standard error that standard error cannot be written to, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => log.finish().with(filter_fn(|event| is_our_own(event.target()))).init(),
        LogFormat::Json => {
            log.json().flatten_event(true).finish().with(filter_fn(|event| is_our_own(event.target()))).init();
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message of a panic may quote the request, so only the place is logged.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
    Ok(())
}

/// Returns the first word of a filter that is taken for the name of a target, if there is no such target of our own: a
/// misspelt level, which would silence even errors.
fn silencing(filter: &str) -> Option<&str> {
    let is_level = |word: &str| word.parse::<LevelFilter>().is_ok();
    filter
        .split(',')
        .map(str::trim)
        .find(|word| !word.is_empty() && !word.contains(['=', '[']) && !is_level(word) && !is_our_own(word))
}

/// Whether events of this target come from this program.
fn is_our_own(target: &str) -> bool {
    let name = target.split_once("::").map_or(target, |(name, _)| name);
    [env!("CARGO_CRATE_NAME"), "overfold", overfold_server::NAME].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{is_our_own, silencing};

    #[test]
    fn a_misspelt_level_is_no_filter() {
        for filter in ["infoo", "warn,verbose", "overfold=debug,errors"] {
            assert!(silencing(filter).is_some(), "{filter}");
        }
        for filter in
            ["info", "WARN", "off", "", "overfold", "overfold_server,info", "debug,hyper=trace,[request]=trace"]
        {
            assert_eq!(silencing(filter), None, "{filter}");
        }
    }

    #[test]
    fn other_crates_are_not_our_own() {
        assert!(
            ["overfold", "overfold_cli::api::serve", "overfold_server::serve", module_path!()]
                .into_iter()
                .all(is_our_own)
        );
        assert!(
            !["", "globset", "log", "overfolded", "hyper::overfold::api", "overfold:"].into_iter().any(is_our_own)
        );
    }
}
