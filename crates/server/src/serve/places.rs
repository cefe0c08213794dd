//! Limits the number of connections: a cap, and a reserve beyond it for probes of the service.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::watch::{Phase, Timeouts, Watch};

/// The number of connections beyond the cap. They get answers on `/livez`, `/readyz` and `/metrics`, otherwise 503.
pub(super) const RESERVE: usize = 32;
/// How many places of the reserve further requests of connections may take, so that there is always one for a probe that
/// comes on a connection of its own.
const RESERVE_FOR_REQUESTS: usize = RESERVE / 2;
/// The longest timeout of those connections.
const RESERVE_TIMEOUT: Duration = Duration::from_secs(2);

/// The places for connections. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Places(Arc<SharedPlaces>);

#[derive(Debug)]
struct SharedPlaces {
    cap: usize,
    timeouts: Timeouts,
    taken: Mutex<OpenSlots>,
}

/// The places in use, by age.
#[derive(Default, Debug)]
struct OpenSlots {
    next: u64,
    usual: BTreeMap<u64, Watch>,
    reserve: BTreeMap<u64, Watch>,
}

/// The right of one connection to exist.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: Places,
    number: u64,
    pub(super) watch: Watch,
    /// Whether the connection is beyond the cap.
    pub(super) reserve: bool,
}

impl Places {
    /// Creates places for `cap` connections, and the reserve.
    pub(super) fn new(cap: usize, timeouts: Timeouts) -> Self {
        Self(Arc::new(SharedPlaces { cap, timeouts, taken: Mutex::default() }))
    }

    fn taken(&self) -> MutexGuard<'_, OpenSlots> {
        // Maps of handles stay consistent whatever panics.
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a place for a new connection, `None` if there is none. If the reserve is full, it takes the place of the
    /// oldest connection there that has not sent a request yet: a probe sends its request at once.
    pub(super) fn take(&self) -> Option<ConnectionSlot> {
        let mut taken = self.taken();
        let reserve = taken.usual.len() >= self.0.cap;
        if reserve && taken.reserve.len() >= RESERVE {
            let (number, watch) = waiting(&taken.reserve).next()?;
            let number = *number;
            watch.evict();
            taken.reserve.remove(&number);
        }
        Some(self.slot(&mut taken, reserve))
    }

    fn slot(&self, taken: &mut OpenSlots, reserve: bool) -> ConnectionSlot {
        let number = taken.next;
        taken.next += 1;
        let timeouts = if reserve { self.0.timeouts.at_most(RESERVE_TIMEOUT) } else { self.0.timeouts };
        let watch = Watch::new(timeouts);
        let of = if reserve { &mut taken.reserve } else { &mut taken.usual };
        of.insert(number, watch.clone());
        ConnectionSlot { places: self.clone(), number, watch, reserve }
    }

    /// Returns the number of connections.
    pub(super) fn count(&self) -> usize {
        let taken = self.taken();
        taken.usual.len() + taken.reserve.len()
    }

    /// Ends some of the oldest connections that have not sent a request, and returns how many.
    pub(super) fn make_room(&self) -> usize {
        let taken = self.taken();
        let some = (taken.usual.len() / 16).max(8);
        let waiting = waiting(&taken.reserve).chain(waiting(&taken.usual)).take(some);
        waiting.map(|(_, watch)| watch.evict()).count()
    }

    /// Ends all connections, whatever they are doing.
    pub(super) fn clear(&self) {
        let taken = self.taken();
        taken.usual.values().chain(taken.reserve.values()).for_each(Watch::evict);
    }
}

fn waiting(places: &BTreeMap<u64, Watch>) -> impl Iterator<Item = (&u64, &Watch)> {
    places.iter().filter(|(_, watch)| matches!(watch.phase(), Phase::Idle | Phase::Head))
}

impl ConnectionSlot {
    /// Returns a further place, for a request beside others on the same connection; `None` if there is none. Nobody has to
    /// make room for it.
    pub(super) fn another(&self) -> Option<Self> {
        let mut taken = self.places.taken();
        let reserve = taken.usual.len() >= self.places.0.cap;
        (!reserve || taken.reserve.len() < RESERVE_FOR_REQUESTS).then(|| self.places.slot(&mut taken, reserve))
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        let of = if self.reserve { &mut taken.reserve } else { &mut taken.usual };
        of.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Version;

    use super::*;

    fn places(cap: usize) -> Places {
        let long = Duration::from_secs(100);
        Places::new(cap, Timeouts { head: long, gap: long, write: long, idle: long })
    }

    #[tokio::test]
    async fn beyond_the_cap_there_is_a_reserve_with_short_timeouts() {
        let places = places(2);
        let usual = [places.take().unwrap(), places.take().unwrap()];
        assert!(usual.iter().all(|place| !place.reserve && place.watch.timeouts().head.as_secs() == 100));
        let beyond = places.take().unwrap();
        assert!(beyond.reserve && beyond.watch.timeouts().head == RESERVE_TIMEOUT);
        assert_eq!(places.count(), 3);
        drop(usual);
        assert!(!places.take().unwrap().reserve);
    }

    #[tokio::test]
    async fn in_a_full_reserve_the_oldest_that_says_nothing_makes_room() {
        let places = places(0);
        let mut held: Vec<ConnectionSlot> = (0..RESERVE).map(|_| places.take().unwrap()).collect();
        held[0].watch.request_began(Version::HTTP_11);
        let newest = places.take().unwrap();
        held[1].watch.is_evicted().await;
        assert_eq!(places.count(), RESERVE);
        // A place that was reassigned is not freed twice.
        drop(held.remove(1));
        assert_eq!(places.count(), RESERVE);
        newest.watch.request_began(Version::HTTP_11);
        for place in &held {
            place.watch.request_began(Version::HTTP_11);
        }
        assert!(places.take().is_none(), "all of them are being answered");
    }

    #[tokio::test]
    async fn many_requests_on_one_connection_leave_places_for_probes() {
        let places = places(2);
        let connection = places.take().unwrap();
        let requests: Vec<ConnectionSlot> = std::iter::from_fn(|| connection.another()).take(100).collect();
        assert_eq!(requests.len(), 1 + RESERVE_FOR_REQUESTS);
        let probes: Vec<ConnectionSlot> =
            (0..RESERVE - RESERVE_FOR_REQUESTS).map(|_| places.take().unwrap()).collect();
        assert!(connection.another().is_none());
        assert_eq!(places.count(), 2 + RESERVE);
        // None of them had to leave.
        for probe in &probes {
            assert!(tokio::time::timeout(Duration::ZERO, probe.watch.is_evicted()).await.is_err());
        }
        drop(requests);
        assert!(!connection.another().unwrap().reserve);
    }

    #[tokio::test]
    async fn waiting_connections_make_room() {
        let places = places(100);
        let held: Vec<ConnectionSlot> = (0..20).map(|_| places.take().unwrap()).collect();
        held[0].watch.request_began(Version::HTTP_11);
        assert_eq!(places.make_room(), 8);
        held[1].watch.is_evicted().await;
    }
}
