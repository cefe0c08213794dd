//! Bulk work, such as the lines of a batch, which waits outside the lines of the queue.
//!
//! A request that comes by itself is turned away if too many requests wait before it, so bulk work that always had
//! several pieces in line would cause others to be turned away. It waits beside the line instead, and takes a place
//! only if one is free at once, no request is waiting, and another place is left for the next request. As that might
//! never happen, bulk work joins the line like any other request from time to time; if it is turned away there, it
//! waits beside the line again, until its deadline.

use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::{Gate, Share, WorkPermit};
use crate::class::{SizeClass, Weight};
use crate::error::ApiError;

/// How long bulk work waits beside the line before it joins it like any other request.
const BULK_WAIT: Duration = Duration::from_secs(1);

impl Gate {
    /// Waits for the turn of a piece of bulk work whose body has arrived. Dropping the future gives up.
    ///
    /// # Errors
    /// 503 if the deadline passes before its turn comes; 429 if its caller holds as many places as it may until then.
    pub async fn bulk_turn(&self, weight: Weight, body: Share, deadline: Instant) -> Result<WorkPermit, ApiError> {
        let own = match body.caller() {
            Some(caller) => Some(caller.bulk_place(deadline).await?),
            None => None,
        };
        let mut tried = Instant::now();
        loop {
            // This comes before the check, so that a place freed after the check is not missed.
            let place_is_free = self.0.bulk.get(weight.class).notified();
            let starts = self.queue().has_places_to_spare(weight.class);
            if !starts {
                let until = deadline.min(tried + BULK_WAIT);
                if timeout_at(until.into(), place_is_free).await.is_ok() {
                    continue;
                }
                tried = Instant::now();
            }
            match self.place(weight, deadline).await {
                Ok(place) => return Ok(WorkPermit { place, began: None, _body: body, _own: own }),
                Err((why, wait)) if Instant::now() >= deadline => return Err(self.shed(why, wait)),
                Err(_) => {}
            }
        }
    }

    /// Wakes one waiter in each class that could start now. A waiter that takes a place checks for another one, so none
    /// stays free for long.
    pub(super) fn wake_bulk(&self) {
        let starts = {
            let queue = self.queue();
            SizeClass::ALL.map(|class| queue.has_places_to_spare(class))
        };
        for (class, starts) in SizeClass::ALL.into_iter().zip(starts) {
            if starts {
                self.0.bulk.get(class).notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metrics;
    use crate::settings::Settings;

    const MEDIUM: Weight = Weight::from_size(100_000, false);

    fn gate() -> Gate {
        let mut settings = Settings::for_testing();
        settings.work.concurrency = Some(1);
        settings.work.queue_patience = 1000;
        Gate::new(&settings, Metrics::new(&settings, "unknown", &[], &[]))
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_hours(1)
    }

    #[tokio::test]
    async fn single_requests_go_first_and_bulk_work_is_not_in_line() {
        let gate = gate();
        let first = gate.turn(MEDIUM, gate.share(None), later()).await.unwrap();
        let mut bulk = Box::pin(gate.bulk_turn(MEDIUM, gate.share(None), later()));
        assert!(tokio::time::timeout(Duration::ZERO, &mut bulk).await.is_err());
        assert_eq!(gate.queue().waiting(), 0);
        let mut second = Box::pin(gate.turn(MEDIUM, gate.share(None), later()));
        assert!(tokio::time::timeout(Duration::ZERO, &mut second).await.is_err());
        drop(first);
        let second = second.await.unwrap();
        assert!(tokio::time::timeout(Duration::ZERO, &mut bulk).await.is_err());
        drop(second);
        bulk.await.unwrap();
    }

    #[tokio::test]
    async fn each_of_many_has_its_turn() {
        let gate = gate();
        let first = gate.turn(MEDIUM, gate.share(None), later()).await.unwrap();
        let all = (0..50).map(|_| {
            let gate = gate.clone();
            tokio::spawn(async move { gate.bulk_turn(MEDIUM, gate.share(None), later()).await.map(drop) })
        });
        let all: Vec<_> = all.collect();
        tokio::task::yield_now().await;
        let began = Instant::now();
        drop(first);
        for one in all {
            one.await.unwrap().unwrap();
        }
        assert!(began.elapsed() < BULK_WAIT * 5, "nobody was woken: {:?}", began.elapsed());
    }

    #[tokio::test]
    async fn the_wait_has_an_end() {
        let gate = gate();
        let _first = gate.turn(MEDIUM, gate.share(None), later()).await.unwrap();
        let deadline = Instant::now() + Duration::from_millis(50);
        let refused = gate.bulk_turn(MEDIUM, gate.share(None), deadline).await.unwrap_err();
        assert_eq!(refused.kind, crate::error::kind::OVERLOADED);
        assert!(Instant::now() >= deadline);
    }
}
