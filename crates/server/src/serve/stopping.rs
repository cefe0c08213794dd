//! The shutdown of the service, as a connection sees it.

use std::time::Duration;

use tokio::sync::watch::Receiver;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::watch::{Phase, Watch};

/// How often a connection checks its state. The first check is the last chance for a request that is on its way.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The time left for a request that has not arrived completely, unless the grace period is shorter.
const PARTIAL_REQUEST_GRACE: Duration = Duration::from_secs(2);

/// The rules of the shutdown: once it has begun, idle connections are closed at once; a request that has not arrived
/// completely has [`PARTIAL_REQUEST_GRACE`] left, one that has arrived has the grace period; then it is answered with 503.
#[derive(Clone, Debug)]
pub(super) struct Shutdown {
    /// Whether the shutdown has begun.
    pub(super) begun: Receiver<bool>,
    /// The grace period for requests in progress.
    pub(super) grace: Duration,
}

impl Shutdown {
    /// Returns when the connection has to be dropped.
    pub(super) async fn overdue(mut self, watch: &Watch) {
        let begun = tokio::select! {
            () = watch.is_evicted() => return,
            begun = self.begun.wait_for(|begun| *begun) => begun.is_ok(),
        };
        if !begun {
            // The sender is gone, so the shutdown can no longer begin.
            return;
        }
        let start = Instant::now();
        let mut looks = interval_at(start + LOOK_EVERY, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = watch.is_evicted() => return,
                _ = looks.tick() => {}
            }
            let passed = start.elapsed();
            let rest_is_overdue = passed >= PARTIAL_REQUEST_GRACE.min(self.grace);
            match watch.phase() {
                Phase::Idle => return,
                Phase::Head if rest_is_overdue => return,
                Phase::Body if rest_is_overdue => watch.cut_off(),
                Phase::Body | Phase::Work if passed >= self.grace => watch.cut_off(),
                Phase::Head | Phase::Body | Phase::Work | Phase::Leaving => {}
            }
        }
    }
}
