//! A cache in the memory of the process.

use std::time::Duration;

use bytes::Bytes;
use moka::sync::Cache;

use super::{Key, Store, StoreError};

/// What an entry takes besides its bytes.
const PER_ENTRY: usize = 512;

/// Entries in memory, those that are used least driven out first.
#[derive(Debug)]
pub(super) struct Memory(Cache<Key, Bytes>);

impl Memory {
    /// Creates a store that holds this many bytes, each entry for `lifetime`.
    pub(super) fn new(bytes: u64, lifetime: Duration) -> Self {
        let weight = |_: &Key, entry: &Bytes| u32::try_from(entry.len() + PER_ENTRY).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(bytes).weigher(weight).time_to_live(lifetime).build())
    }
}

impl Store for Memory {
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        Ok(self.0.get(key))
    }

    fn put(&self, key: &Key, mut entry: Vec<u8>) -> Result<(), StoreError> {
        entry.shrink_to_fit();
        self.0.insert(*key, entry.into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_take_no_more_than_the_bytes_that_they_may() {
        let store = Memory::new(64 << 10, Duration::from_mins(1));
        for at in 0..=255 {
            store.put(&Key([at; 32]), vec![at; 4 << 10]).unwrap();
        }
        store.0.run_pending_tasks();
        let kept = (0..=255).filter(|at| store.get(&Key([*at; 32])).unwrap().is_some()).count();
        assert!((1..=15).contains(&kept), "{kept}");
        assert!(store.0.weighted_size() <= 64 << 10);
    }

    #[test]
    fn entries_end() {
        let store = Memory::new(1 << 20, Duration::from_millis(50));
        store.put(&Key([1; 32]), vec![1]).unwrap();
        assert!(store.get(&Key([1; 32])).unwrap().is_some());
        std::thread::sleep(Duration::from_millis(100));
        assert!(store.get(&Key([1; 32])).unwrap().is_none());
    }
}
