//! Runs the work, never on the threads that serve connections.

use std::io;
use std::sync::LazyLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::class::{PerClass, SizeClass};
use crate::error::ApiError;
use overfold_account::Cancel;
use overfold_account::stack;

/// Cancels the work on a request when its answer is no longer awaited.
pub(crate) struct CancelOnDrop(pub(crate) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Returns the nice(1) value of work: lower priority than connections and smaller requests, so that long-running work
/// does not slow these down.
#[cfg(target_os = "linux")]
const fn niceness(class: SizeClass) -> i32 {
    match class {
        SizeClass::Small => 0,
        SizeClass::Medium => 2,
        SizeClass::Large => 5,
    }
}

/// The threads for work, separate for each size class, because a thread cannot raise its priority again after lowering
/// it. They are kept for some seconds after a job, since creating a thread, and touching its memory for the first time,
/// takes as long as many a job.
static THREADS: LazyLock<PerClass<io::Result<Runtime>>> = LazyLock::new(|| {
    PerClass::from_fn(|class| {
        // The runtime itself has nothing to do; only its threads for blocking calls are used.
        Builder::new_current_thread()
            .thread_name(format!("work-{}", class.name()))
            .thread_stack_size(stack::REQUIRED + (2 << 20))
            .on_thread_start(move || lower_priority(class))
            .build()
    })
});

/// Runs a job on a thread with room for the deepest tree. Dropping the future does not stop the job.
///
/// # Errors
/// 500 if the job panics or there is no thread for it.
pub async fn run<T, J>(class: SizeClass, job: J) -> Result<T, ApiError>
where
    T: Send + 'static,
    J: FnOnce() -> T + Send + 'static,
{
    match THREADS.get(class) {
        Ok(threads) => {
            threads.spawn_blocking(|| stack::ensure_sufficient(job)).await.map_err(|_panicked| ApiError::internal())
        }
        Err(error) => {
            tracing::error!(%error, "no threads are available for work");
            Err(ApiError::internal())
        }
    }
}

/// Returns the processor time that this thread has used; unlike elapsed time, it does not depend on the other load.
/// `None` if the system does not report it.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time() -> Option<Duration> {
    None
}

/// Lowers the priority of the calling thread. If that is not allowed, the work runs with normal priority.
#[cfg(target_os = "linux")]
fn lower_priority(class: SizeClass) {
    // On Linux this affects only the calling thread.
    let _ = rustix::process::setpriority_process(None, niceness(class));
}

#[cfg(not(target_os = "linux"))]
fn lower_priority(_: SizeClass) {}
