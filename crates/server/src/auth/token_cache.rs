//! Remembers tokens that have been accepted: checking a signature takes as long as merging a small module.
//!
//! A token is remembered by its digest, until it expires or the keys change. Those that are refused are not, so strangers
//! cannot drive out the others.

use std::fmt;
use std::sync::Arc;

use moka::sync::Cache;

/// The most tokens that are remembered; those that are used least go first.
const MAX: u64 = 4096;

/// The tokens that have been accepted with keys `K`, and what was found out about each: the keys, which are held so that no
/// later ones can be taken for them, until when it is valid in seconds since 1970, and what is known.
pub(super) struct VerifiedTokenCache<K, T>(Cache<[u8; 32], (Arc<K>, f64, T)>);

impl<K: Send + Sync + 'static, T: Clone + Send + Sync + 'static> VerifiedTokenCache<K, T> {
    /// Remembers nothing yet.
    pub(super) fn new() -> Self {
        Self(Cache::new(MAX))
    }

    /// Returns what is known about a token that was accepted with these keys. `now` is in seconds since 1970.
    pub(super) fn find(&self, keys: &Arc<K>, digest: &[u8; 32], now: f64) -> Option<T> {
        let (own, until, known) = self.0.get(digest)?;
        (Arc::ptr_eq(&own, keys) && now < until).then_some(known)
    }

    /// Remembers a token that has been accepted with these keys until a time.
    pub(super) fn insert(&self, keys: &Arc<K>, digest: [u8; 32], until: f64, known: T) {
        self.0.insert(digest, (Arc::clone(keys), until, known));
    }
}

impl<K, T> fmt::Debug for VerifiedTokenCache<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VerifiedTokenCache")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_until_it_expires_or_the_keys_change() {
        let (old, new) = (Arc::new(0), Arc::new(0));
        let cache = VerifiedTokenCache::new();
        cache.insert(&old, [1; 32], 100.0, "a");
        assert_eq!(cache.find(&old, &[1; 32], 99.0), Some("a"));
        assert_eq!(cache.find(&old, &[1; 32], 100.0), None);
        assert_eq!(cache.find(&old, &[2; 32], 50.0), None);
        assert_eq!(cache.find(&new, &[1; 32], 50.0), None, "equal keys are not the same keys");
        cache.insert(&new, [1; 32], 100.0, "b");
        assert_eq!(cache.find(&new, &[1; 32], 50.0), Some("b"));
        assert_eq!(cache.find(&old, &[1; 32], 50.0), None);
    }

    #[test]
    fn the_tokens_are_bounded() {
        let (keys, cache) = (Arc::new(()), VerifiedTokenCache::new());
        for number in 0..10 * MAX {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&number.to_le_bytes());
            cache.insert(&keys, digest, 100.0, ());
        }
        cache.0.run_pending_tasks();
        assert!((1..=MAX).contains(&cache.0.entry_count()));
    }
}
