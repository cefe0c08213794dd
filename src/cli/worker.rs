//! `overfold worker`: answers requests from a queue.

use clap::Args;

use super::{Failure, Outcome, run_service};
use crate::api;
use crate::queue;
use crate::settings::{QueueSettings, Settings};

/// The queue, and the settings of the service as far as they matter to a worker: its limits, and the address for probes and
/// metrics.
#[derive(Args, Debug)]
pub(super) struct WorkerArgs {
    #[command(flatten)]
    queue: QueueSettings,
    #[command(flatten)]
    settings: Settings,
}

/// Works until the process is told to stop.
///
/// # Errors
/// Fails if the settings contradict each other, a file that they name cannot be used, or the address cannot be listened on.
pub(super) fn run(args: WorkerArgs, warnings: &[String]) -> Result<Outcome, Failure> {
    let WorkerArgs { queue, settings } = args;
    let what = format!("cannot work, with probes on {}", settings.listen.listen);
    run_service(settings, warnings, what, move |settings| {
        api::serve_beside(settings, move |state| queue::work(state, queue))
    })
}
