//! Remembers tokens that have been accepted: checking a signature takes as long as merging a small module.
//!
//! A token is remembered by its digest, until it expires or the keys change. Those that are refused are not, so strangers
//! cannot fill the table.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most tokens that are remembered.
const MOST: usize = 4096;

/// The tokens that have been accepted with the current keys `K`, and what was found out about each.
#[derive(Debug)]
pub(super) struct Judged<K, T>(Mutex<Table<K, T>>);

#[derive(Debug)]
struct Table<K, T> {
    keys: Arc<K>,
    /// By digest: until when, in seconds since 1970, and what.
    tokens: HashMap<[u8; 32], (f64, T)>,
}

impl<K, T: Clone> Judged<K, T> {
    /// Remembers nothing yet.
    pub(super) fn new(keys: Arc<K>) -> Self {
        Self(Mutex::new(Table { keys, tokens: HashMap::new() }))
    }

    /// Returns the table if it is about these keys, else an empty one that is from now on.
    fn of(&self, keys: &Arc<K>) -> MutexGuard<'_, Table<K, T>> {
        // Nothing panics while the lock is held.
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&table.keys, keys) {
            table.keys = Arc::clone(keys);
            table.tokens.clear();
        }
        table
    }

    /// Returns what is known about a token that was accepted with these keys.
    pub(super) fn find(&self, keys: &Arc<K>, digest: &[u8; 32], now: f64) -> Option<T> {
        let table = self.of(keys);
        table.tokens.get(digest).filter(|(until, _)| now < *until).map(|(_, known)| known.clone())
    }

    /// Remembers a token that has been accepted with these keys.
    pub(super) fn keep(&self, keys: &Arc<K>, digest: [u8; 32], until: f64, known: T, now: f64) {
        let mut table = self.of(keys);
        if table.tokens.len() >= MOST {
            table.tokens.retain(|_, (until, _)| now < *until);
        }
        if table.tokens.len() >= MOST {
            // Each is checked once more, which is no worse than not remembering them.
            table.tokens.clear();
        }
        table.tokens.insert(digest, (until, known));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: usize) -> [u8; 32] {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_le_bytes());
        digest
    }

    #[test]
    fn a_token_is_known_until_it_expires_or_the_keys_change() {
        let (old, new) = (Arc::new(0), Arc::new(0));
        let judged = Judged::new(Arc::clone(&old));
        judged.keep(&old, digest(1), 100.0, "a", 50.0);
        assert_eq!(judged.find(&old, &digest(1), 99.0), Some("a"));
        assert_eq!(judged.find(&old, &digest(1), 100.0), None);
        assert_eq!(judged.find(&old, &digest(2), 50.0), None);
        assert_eq!(judged.find(&new, &digest(1), 50.0), None, "equal keys are not the same keys");
        assert_eq!(judged.find(&old, &digest(1), 50.0), None);
        judged.keep(&new, digest(1), 100.0, "b", 50.0);
        assert_eq!(judged.find(&new, &digest(1), 50.0), Some("b"));
    }

    #[test]
    fn the_table_is_bounded() {
        let keys = Arc::new(());
        let judged = Judged::new(Arc::clone(&keys));
        for number in 0..10 * MOST {
            judged.keep(&keys, digest(number), 100.0, (), 50.0);
        }
        assert!(judged.of(&keys).tokens.len() <= MOST);
        assert!(judged.find(&keys, &digest(10 * MOST - 1), 50.0).is_some());
        // Those that have expired go first.
        let judged = Judged::new(Arc::clone(&keys));
        judged.keep(&keys, digest(0), 1000.0, (), 0.0);
        for number in 1..MOST {
            judged.keep(&keys, digest(number), 10.0, (), 0.0);
        }
        judged.keep(&keys, digest(MOST), 1000.0, (), 50.0);
        assert!(judged.find(&keys, &digest(0), 50.0).is_some());
    }
}
