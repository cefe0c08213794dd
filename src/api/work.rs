//! Where work runs: never on the threads that serve connections.

use std::io;
use std::sync::LazyLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::error::ApiError;
use super::gate::{PerClass, SizeClass};
use crate::account::Cancel;
use crate::stack;

/// Cancels the work of a request when nobody waits for its answer any more.
pub(crate) struct CancelOnDrop(pub(crate) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// How far work stands back, as of nice(1): behind connections and smaller requests, so that these are not slowed down by
/// what runs for long anyway.
#[cfg(target_os = "linux")]
const fn stands_back(class: SizeClass) -> i32 {
    match class {
        SizeClass::Small => 0,
        SizeClass::Medium => 2,
        SizeClass::Large => 5,
    }
}

/// The threads for work, of each size class some: none can stand forward again once it has stood back. They are kept for
/// some seconds after a job, since making one, and touching its memory for the first time, takes as long as many a job.
static THREADS: LazyLock<PerClass<io::Result<Runtime>>> = LazyLock::new(|| {
    PerClass::of(|class| {
        // The runtime itself has nothing to do; its threads for blocking calls are all that is used of it.
        Builder::new_current_thread()
            .thread_name(format!("work-{}", class.name()))
            .thread_stack_size(stack::NEEDED + (2 << 20))
            .on_thread_start(move || stand_back(class))
            .build()
    })
});

/// Runs a job on a thread with room for the deepest tree; dropping the future does not stop it.
///
/// # Errors
/// 500 when the job panics or there is no thread for it.
pub(crate) async fn run<T, J>(class: SizeClass, job: J) -> Result<T, ApiError>
where
    T: Send + 'static,
    J: FnOnce() -> T + Send + 'static,
{
    match THREADS.get(class) {
        Ok(threads) => {
            threads.spawn_blocking(|| stack::with_room(job)).await.map_err(|_panicked| ApiError::internal())
        }
        Err(error) => {
            tracing::error!(%error, "no threads for work");
            Err(ApiError::internal())
        }
    }
}

/// The processor time that this thread has used; unlike the time that passes, it does not grow with what else runs.
/// `None` where the system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time() -> Option<Duration> {
    None
}

/// Lets other threads go first. Where that is not allowed, work runs as all the rest does.
#[cfg(target_os = "linux")]
fn stand_back(class: SizeClass) {
    // On Linux this concerns the thread that calls it alone.
    let _ = rustix::process::setpriority_process(None, stands_back(class));
}

#[cfg(not(target_os = "linux"))]
fn stand_back(_: SizeClass) {}
