//! `overfold collect`: prints the answers to the requests of a run.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::submit::bar;
use super::{Failure, Outcome, queue_runtime};
use crate::queue::{Queue, RunOutcome, collect};
use crate::settings::{QueueSettings, run_name};

/// What to collect.
#[derive(Args, Debug)]
pub(super) struct CollectArgs {
    /// Name of the run, as given to `overfold submit`
    #[arg(long, env = "OVERFOLD_RUN", value_name = "NAME", value_parser = run_name)]
    run: String,
    /// Seconds to wait for answers that are not there yet; 0 takes only what is there [default: wait for all that can come]
    #[arg(long, env = "OVERFOLD_WAIT_SECONDS", value_name = "SECONDS")]
    wait_seconds: Option<u64>,
    /// File for the summary, a JSON object, instead of standard error
    #[arg(long, env = "OVERFOLD_SUMMARY", value_name = "FILE")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    queue: QueueSettings,
}

/// Prints each answer as a line of JSON as soon as it is there, and the summary at the end.
///
/// # Errors
/// Fails if there is no such run, or if the server does not answer.
pub(super) fn run(args: &CollectArgs) -> Result<Outcome, Failure> {
    let bar = bar(0);
    let seen = |answered: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(answered as u64);
    };
    // A reader that closes early needs nothing more.
    let hand_out = |line: &[u8]| {
        let mut out = io::stdout().lock();
        out.write_all(line).and_then(|()| out.flush())
    };
    let patience = args.wait_seconds.map(Duration::from_secs);
    let collected = queue_runtime()?.block_on(async {
        let queue = Queue::open(&args.queue, None).await?;
        collect(&queue, &args.run, patience, hand_out, seen).await
    });
    bar.finish_and_clear();
    let RunOutcome { summary, is_whole } = collected.map_err(|error| Failure::Message(error.to_string()))?;
    match &args.summary {
        // If this fails, there is nowhere left to report it.
        None => drop(writeln!(io::stderr().lock(), "{summary}")),
        Some(file) => {
            let failure = |error| Failure::Io { what: file.display().to_string(), error };
            fs::write(file, summary + "\n").map_err(failure)?;
        }
    }
    Ok(if is_whole { Outcome::Fine } else { Outcome::Errors })
}
