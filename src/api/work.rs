//! Where work runs: never on the threads that serve connections.

use std::time::Duration;

use tokio::sync::oneshot;

use super::error::ApiError;
use super::gate::SizeClass;
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

/// Runs a job on a thread with room for the deepest tree; dropping the future does not stop it.
///
/// # Errors
/// 500 when the job panics or there is no thread for it.
pub(crate) async fn run<T, J>(class: SizeClass, job: J) -> Result<T, ApiError>
where
    T: Send + 'static,
    J: FnOnce() -> T + Send + 'static,
{
    if class == SizeClass::Small {
        // Threads of the pool are kept: making one would take as long as the work.
        return tokio::task::spawn_blocking(|| stack::with_room(job)).await.map_err(|_panicked| ApiError::internal());
    }
    let (done, result) = oneshot::channel();
    // A thread of its own, since none can stand forward again.
    let thread = std::thread::Builder::new().name("work".to_owned()).stack_size(stack::NEEDED + (2 << 20));
    let spawned = thread.spawn(move || {
        stand_back(class);
        // Nobody may wait any more.
        let _ = done.send(stack::with_room(job));
    });
    spawned.map_err(|error| {
        tracing::error!(%error, "no thread for work");
        ApiError::internal()
    })?;
    result.await.map_err(|_panicked| ApiError::internal())
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
