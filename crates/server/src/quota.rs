//! What one caller may take, so that others get their part: requests per second, places and memory.
//!
//! Only callers with a name have a quota: those with a token. The number of quotas is bounded: one that is not in use and
//! says nothing any more is forgotten, and if all are in use, further callers share one.

mod bucket;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout_at;

use self::bucket::Bucket;
use crate::error::{ApiError, kind};
use crate::metrics::Metrics;
use crate::settings::Settings;

/// The most callers with a quota of their own.
const MOST_CALLERS: usize = 10_000;
/// How often quotas that are not in use are looked for at most.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// Identifies a caller: a digest of its name.
pub(crate) type CallerKey = [u8; 32];

/// The reasons for which a caller is turned away, for metrics.
pub(crate) const LIMIT_REASONS: [&str; 2] = [RATE, SHARE];
const RATE: &str = "caller-rate";
const SHARE: &str = "caller-share";

/// What each caller may take.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// Requests per second, and at once; `None` for any number.
    rate: Option<(f64, f64)>,
    /// What it may hold; `None` for everything.
    held: Option<CallerLimits>,
}

/// What a caller may hold at a time.
#[derive(Clone, Copy, Debug)]
struct CallerLimits {
    /// Requests in line or at work.
    places: usize,
    /// Requests that wait for one of these places.
    waiting: usize,
    /// Bytes of bodies.
    bytes: u64,
}

impl Allowance {
    fn from_settings(settings: &Settings, most_body: u64) -> Self {
        let callers = &settings.callers;
        let rate = f64::from(callers.caller_rate);
        let burst = callers.caller_burst.map_or(2.0 * rate, f64::from);
        let share = u64::from(callers.caller_share);
        let part = |whole: usize| (whole as u64).saturating_mul(share).div_ceil(100);
        let counted = |whole: usize| usize::try_from(part(whole)).unwrap_or(usize::MAX);
        let held = CallerLimits {
            // One more place is for small requests.
            places: counted(settings.work.concurrency().saturating_add(1)).clamp(1, Semaphore::MAX_PERMITS),
            waiting: counted(settings.work.queue),
            // A request that the limits allow is never too large in itself.
            bytes: (settings.work.max_bodies_bytes / 100).saturating_mul(share).max(most_body),
        };
        Self { rate: (rate > 0.0).then_some((rate, burst.max(1.0))), held: (share < 100).then_some(held) }
    }
}

/// The quotas of all callers.
#[derive(Debug)]
pub(crate) struct Quotas {
    allowance: Allowance,
    metrics: Metrics,
    table: Mutex<Table>,
    /// That of all callers for whom the table has no room.
    others: Quota,
}

#[derive(Debug)]
struct Table {
    quotas: HashMap<CallerKey, Quota>,
    swept: Option<Instant>,
}

impl Quotas {
    /// Creates the quotas that the settings ask for; `None` if they ask for none. `most_body` is the most bytes that the
    /// body of one request may hold.
    pub(crate) fn new(settings: &Settings, most_body: u64, metrics: &Metrics) -> Option<Self> {
        let allowance = Allowance::from_settings(settings, most_body);
        if allowance.rate.is_none() && allowance.held.is_none() {
            return None;
        }
        let others = Quota::new(allowance, metrics.clone());
        let table = Mutex::new(Table { quotas: HashMap::new(), swept: None });
        Some(Self { allowance, metrics: metrics.clone(), table, others })
    }

    pub(crate) fn for_caller(&self, caller: &CallerKey) -> Quota {
        self.find(caller, MOST_CALLERS, Instant::now())
    }

    fn find(&self, caller: &CallerKey, max: usize, now: Instant) -> Quota {
        // Nothing panics while the lock is held.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(quota) = table.quotas.get(caller) {
            return quota.clone();
        }
        if table.quotas.len() >= max {
            if table.swept.is_some_and(|swept| now.saturating_duration_since(swept) < SWEEP_EVERY) {
                return self.others.clone();
            }
            table.swept = Some(now);
            table.quotas.retain(|_, quota| quota.is_in_use(now));
            if table.quotas.len() >= max {
                return self.others.clone();
            }
        }
        let quota = Quota::new(self.allowance, self.metrics.clone());
        table.quotas.insert(*caller, quota.clone());
        quota
    }
}

/// The quota of one caller. Clones share it.
#[derive(Clone, Debug)]
pub struct Quota(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    allowance: Allowance,
    bucket: Option<Mutex<Bucket>>,
    /// The places; bulk work leaves one of several to other requests.
    places: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    waiting: AtomicUsize,
    bytes: AtomicU64,
    metrics: Metrics,
}

/// A place of a caller's share, until it is dropped.
#[derive(Debug)]
pub(crate) struct OwnPlace {
    _place: Option<OwnedSemaphorePermit>,
    _bulk: Option<OwnedSemaphorePermit>,
}

/// A request among those that wait for a place of their caller.
struct WaitingCaller<'a>(&'a AtomicUsize);

impl Drop for WaitingCaller<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Quota {
    fn new(allowance: Allowance, metrics: Metrics) -> Self {
        let places = allowance.held.map_or(1, |held| held.places);
        let bulk = places.saturating_sub(1).max(1);
        Self(Arc::new(Inner {
            allowance,
            bucket: allowance.rate.map(|(rate, burst)| Mutex::new(Bucket::new(rate, burst, Instant::now()))),
            places: Arc::new(Semaphore::new(places)),
            bulk: Arc::new(Semaphore::new(bulk)),
            waiting: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            metrics,
        }))
    }

    fn bucket(&self) -> Option<MutexGuard<'_, Bucket>> {
        // Nothing panics while the lock is held.
        self.0.bucket.as_ref().map(|bucket| bucket.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_in_use(&self, now: Instant) -> bool {
        Arc::strong_count(&self.0) > 1 || self.bucket().is_some_and(|bucket| !bucket.is_full(now))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub(crate) fn count(&self) -> Result<(), ApiError> {
        let Some(mut bucket) = self.bucket() else { return Ok(()) };
        bucket.take(false, Instant::now()).map_err(|wait| self.refused(RATE, wait))
    }

    /// Counts a piece of bulk work, after waiting until the caller may have another request. One half of what a caller may
    /// ask for at once is left to requests that come by themselves.
    pub async fn count_bulk(&self) {
        loop {
            let taken = self.bucket().map(|mut bucket| bucket.take(true, Instant::now()));
            let Some(Err(wait)) = taken else { return };
            tokio::time::sleep(wait).await;
        }
    }

    /// Whether another request would have to wait, and as many wait as may.
    ///
    /// # Errors
    /// 429 if so.
    pub fn would_admit(&self) -> Result<(), ApiError> {
        let Some(held) = self.0.allowance.held else { return Ok(()) };
        if self.0.places.available_permits() > 0 || self.0.waiting.load(Ordering::Relaxed) < held.waiting {
            return Ok(());
        }
        Err(self.over_share())
    }

    /// Waits for one of the caller's places.
    ///
    /// # Errors
    /// 429 immediately if too many requests of the caller wait already, or at the deadline.
    pub(crate) async fn place(&self, deadline: Instant) -> Result<OwnPlace, ApiError> {
        let Some(held) = self.0.allowance.held else { return Ok(OwnPlace { _place: None, _bulk: None }) };
        let places = Arc::clone(&self.0.places);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            return Ok(OwnPlace { _place: Some(place), _bulk: None });
        }
        if self.0.waiting.fetch_add(1, Ordering::Relaxed) >= held.waiting {
            drop(WaitingCaller(&self.0.waiting));
            return Err(self.over_share());
        }
        let _in_line = WaitingCaller(&self.0.waiting);
        let place = self.in_time(places.acquire_owned(), deadline).await?;
        Ok(OwnPlace { _place: Some(place), _bulk: None })
    }

    /// Waits for one of the caller's places that bulk work may take.
    ///
    /// # Errors
    /// 429 at the deadline.
    pub(crate) async fn bulk_place(&self, deadline: Instant) -> Result<OwnPlace, ApiError> {
        if self.0.allowance.held.is_none() {
            return Ok(OwnPlace { _place: None, _bulk: None });
        }
        let bulk = self.in_time(Arc::clone(&self.0.bulk).acquire_owned(), deadline).await?;
        let place = self.in_time(Arc::clone(&self.0.places).acquire_owned(), deadline).await?;
        Ok(OwnPlace { _place: Some(place), _bulk: Some(bulk) })
    }

    async fn in_time(
        &self,
        place: impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>>,
        deadline: Instant,
    ) -> Result<OwnedSemaphorePermit, ApiError> {
        match timeout_at(deadline.into(), place).await {
            Ok(Ok(place)) => Ok(place),
            // Nothing closes a semaphore.
            Ok(Err(_)) | Err(_) => Err(self.over_share()),
        }
    }

    /// Takes room for `bytes` more bytes of bodies; whether there is any.
    pub(crate) fn grow(&self, bytes: u64) -> bool {
        let Some(held) = self.0.allowance.held else { return true };
        let taken = self.0.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| {
            now.checked_add(bytes).filter(|sum| *sum <= held.bytes)
        });
        taken.is_ok()
    }

    /// Frees room for `bytes` bytes of bodies.
    pub(crate) fn shrink(&self, bytes: u64) {
        if self.0.allowance.held.is_some() {
            self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Returns the refusal of a request whose caller holds as much as it may.
    pub(crate) fn over_share(&self) -> ApiError {
        self.refused(SHARE, Duration::from_secs(1))
    }

    fn refused(&self, reason: &'static str, wait: Duration) -> ApiError {
        self.0.metrics.limited(reason);
        let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0)).clamp(1, 3600);
        let (kind, detail) = if reason == RATE {
            (kind::CALLER_RATE, "this caller sends more requests than it may (--caller-rate)")
        } else {
            (kind::CALLER_SHARE, "other requests of this caller hold as much as it may take (--caller-share)")
        };
        ApiError { retry_after: Some(seconds), ..ApiError::new(kind, format!("{detail}; try again in {seconds} s")) }
    }
}

#[cfg(test)]
mod tests;
