//! Results that were computed before: a cache of answers, by a digest of everything that determines them.
//!
//! Nothing depends on it. What is in it is what the work would give again; a cache that is full, slow or gone costs at most
//! a short wait, a warning, and the work. It stores bytes and knows nothing of what they mean.

mod memory;
mod redis;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderName;
use bytes::Bytes;

use self::memory::Memory;
use self::redis::Redis;
use crate::metrics::{CacheCounts, Metrics};
use crate::settings::CacheSettings;

/// The largest entry, in bytes: a larger one would drive out too many others.
const MAX_ENTRY_BYTES: usize = 8 << 20;
/// How long a store is left alone after a failure.
const PAUSE: Duration = Duration::from_secs(5);

/// RFC 9211.
pub const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// What an answer has to do with the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheStatus {
    /// It was in the cache.
    Hit,
    /// It was not, and is now.
    Stored,
    /// It was not, and is not.
    Missed,
    /// The cache has not been asked.
    Bypassed,
}

impl CacheStatus {
    /// Returns the value of the header field `Cache-Status` (RFC 9211, 2).
    pub const fn field(self) -> &'static str {
        match self {
            Self::Hit => "overfold; hit",
            Self::Stored => "overfold; fwd=miss; stored",
            Self::Missed => "overfold; fwd=miss",
            Self::Bypassed => "overfold; fwd=bypass",
        }
    }
}

/// The name of an entry: a digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// Creates the key of a digest of all that an answer depends on.
    pub const fn new(digest: [u8; 32]) -> Self {
        Self(digest)
    }
}

/// Why a store did not answer. Nothing of an entry is included.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct StoreError(String);

/// A place that keeps entries, each for a limited time. Called on threads for work, so it may block, for a moment.
pub(crate) trait Store: Send + Sync + fmt::Debug {
    /// Returns the entry of this name, if it is there.
    ///
    /// # Errors
    /// Fails if the store does not answer in time.
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError>;

    /// Stores an entry.
    ///
    /// # Errors
    /// Fails if the store does not answer in time.
    fn put(&self, key: &Key, entry: Vec<u8>) -> Result<(), StoreError>;
}

/// The cache of a service. Clones share it.
#[derive(Clone, Debug)]
pub struct Cache(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Box<dyn Store>,
    /// Until when the store is left alone.
    paused: Mutex<Option<Instant>>,
    counts: CacheCounts,
}

impl Cache {
    /// Returns the cache with these settings; `None` if the service has none.
    pub(crate) fn new(settings: &CacheSettings, metrics: &Metrics) -> Option<Self> {
        let lifetime = Duration::from_secs(settings.cache_seconds);
        let store: Box<dyn Store> = match &settings.cache_redis {
            Some(address) => Box::new(Redis::new(address.clone(), settings.cache_redis_ca.clone(), lifetime)),
            None if settings.cache_bytes > 0 => Box::new(Memory::new(settings.cache_bytes, lifetime)),
            None => return None,
        };
        Some(Self(Arc::new(Inner { store, paused: Mutex::new(None), counts: metrics.cache().clone() })))
    }

    /// Returns the entry of this name, if it is there.
    pub fn get(&self, key: &Key) -> Option<Bytes> {
        let found = self.ask(|store| store.get(key)).flatten();
        if found.is_some() {
            self.0.counts.hit();
        } else {
            self.0.counts.miss();
        }
        found
    }

    /// Stores an entry; returns whether it is stored now.
    pub fn put(&self, key: &Key, entry: Vec<u8>) -> bool {
        let stored = entry.len() <= MAX_ENTRY_BYTES && self.ask(|store| store.put(key, entry)).is_some();
        if stored {
            self.0.counts.stored();
        }
        stored
    }

    /// Asks the store, unless it has failed only just now.
    fn ask<T>(&self, question: impl FnOnce(&dyn Store) -> Result<T, StoreError>) -> Option<T> {
        let mut paused = self.0.paused.lock().unwrap_or_else(PoisonError::into_inner);
        if paused.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        *paused = None;
        drop(paused);
        match question(&*self.0.store) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.0.counts.failed();
                let mut paused = self.0.paused.lock().unwrap_or_else(PoisonError::into_inner);
                if paused.is_none() {
                    tracing::warn!(%error, seconds = PAUSE.as_secs(), "the cache does not answer; requests do without it");
                }
                *paused = Some(Instant::now() + PAUSE);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::settings::Settings;

    /// A store that fails, and counts how often it is asked.
    #[derive(Debug, Default)]
    struct FailingStore(Arc<AtomicUsize>);

    impl Store for FailingStore {
        fn get(&self, _: &Key) -> Result<Option<Bytes>, StoreError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(StoreError("gone".to_owned()))
        }

        fn put(&self, _: &Key, _: Vec<u8>) -> Result<(), StoreError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(StoreError("gone".to_owned()))
        }
    }

    #[test]
    fn a_store_that_fails_is_left_alone_for_a_while() {
        let asked = Arc::new(AtomicUsize::new(0));
        let metrics = Metrics::new(&Settings::for_testing(), "unknown", &[], &[]);
        let store = Box::new(FailingStore(Arc::clone(&asked)));
        let cache = Cache(Arc::new(Inner { store, paused: Mutex::new(None), counts: metrics.cache().clone() }));
        for _ in 0..10 {
            assert_eq!(cache.get(&Key([0; 32])), None);
            assert!(!cache.put(&Key([0; 32]), vec![1]));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        *cache.0.paused.lock().unwrap() = Some(Instant::now());
        assert_eq!(cache.get(&Key([0; 32])), None);
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_is_too_large_is_not_stored() {
        let settings =
            CacheSettings { cache_bytes: 1 << 30, cache_redis: None, cache_redis_ca: None, cache_seconds: 60 };
        let cache = Cache::new(&settings, &Metrics::new(&Settings::for_testing(), "unknown", &[], &[])).unwrap();
        assert!(cache.put(&Key([1; 32]), vec![7; MAX_ENTRY_BYTES]));
        assert!(!cache.put(&Key([2; 32]), vec![7; MAX_ENTRY_BYTES + 1]));
        assert!(cache.get(&Key([1; 32])).is_some());
        assert_eq!(cache.get(&Key([2; 32])), None);
    }
}
