//! What was found out once and is believed for a while: bounded by count, and by time as the clock port tells it.
//!
//! There are two generations. New and used entries are in the young one; when that is full it becomes the old one, and what
//! was in the old one and nobody asked for is gone. So the cache never empties at once, nothing is swept, every call
//! costs one look-up or two, and whoever is asked for often stays.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contracts::time::Timestamp;

use crate::Clock;

/// A map that forgets what nobody asks for rather than grow beyond its bound.
#[derive(Debug)]
pub(crate) struct Generations<K, V> {
    half: usize,
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    /// Never more than `most` entries (and never fewer than two, one a generation).
    pub(crate) fn new(most: usize) -> Self {
        Self { half: (most / 2).max(1), young: HashMap::new(), old: HashMap::new() }
    }

    /// The entry, which counts as used.
    pub(crate) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if !self.young.contains_key(key) {
            let (key, value) = self.old.remove_entry(key)?;
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.half && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.insert(key, value);
    }

    pub(crate) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    pub(crate) fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    pub(crate) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

struct Entry<V> {
    value: V,
    since: Timestamp,
    until: Timestamp,
}

/// What is believed for a time, and no more entries than were allowed. `V` is handed out as a clone: an `Arc`, or something small.
pub struct Cache<K, V> {
    clock: Clock,
    believed: Duration,
    entries: Mutex<Generations<K, Entry<V>>>,
}

impl<K, V> fmt::Debug for Cache<K, V> {
    /// What is in it may be a token or a guest's: nobody's log has to know.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cache").field("believed", &self.believed).finish_non_exhaustive()
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// At most `most` entries, each believed for as long as `believed`.
    pub fn new(clock: Clock, most: usize, believed: Duration) -> Self {
        Self { clock, believed, entries: Mutex::new(Generations::new(most)) }
    }

    /// What is known and still believed.
    pub fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let now = self.clock.now();
        let mut entries = self.lock();
        let entry = entries.get_mut(key)?;
        // A clock that was set back makes nothing believed for longer.
        if entry.since <= now && now < entry.until {
            return Some(entry.value.clone());
        }
        entries.remove(key);
        None
    }

    /// Believed for the cache's own time.
    pub fn insert(&self, key: K, value: V) {
        let millis = i64::try_from(self.believed.as_millis()).unwrap_or(i64::MAX);
        let until = Timestamp::from_millis(self.clock.now().as_millis().saturating_add(millis));
        self.insert_until(key, value, until);
    }

    /// Believed until then: a token until it expires.
    pub fn insert_until(&self, key: K, value: V, until: Timestamp) {
        let since = self.clock.now();
        self.lock().insert(key, Entry { value, since, until });
    }

    /// Forgets it, because it has changed.
    pub fn remove<Q>(&self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.lock().remove(key);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// How many there are, believed or not.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Generations<K, Entry<V>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(most: usize) -> (Clock, Cache<String, u32>) {
        let clock = Clock::manual(Timestamp::from_millis(1_000_000));
        (clock.clone(), Cache::new(clock, most, Duration::from_mins(1)))
    }

    #[test]
    fn what_was_inserted_is_believed_for_its_time_and_no_longer() {
        let (clock, cache) = cache(10);
        cache.insert("chinar".to_owned(), 1);
        clock.advance_seconds(59);
        assert_eq!(cache.get("chinar"), Some(1));
        clock.advance_seconds(1);
        assert_eq!(cache.get("chinar"), None);
        assert!(cache.is_empty(), "what is not believed any more takes no room");
    }

    #[test]
    fn an_entry_may_bring_its_own_end() {
        let (clock, cache) = cache(10);
        cache.insert_until("token".to_owned(), 1, clock.now().plus_seconds(5));
        clock.advance_seconds(4);
        assert_eq!(cache.get("token"), Some(1));
        clock.advance_seconds(1);
        assert_eq!(cache.get("token"), None);
    }

    #[test]
    fn a_clock_that_is_set_back_makes_nothing_believed_for_longer() {
        let (clock, cache) = cache(10);
        cache.insert("chinar".to_owned(), 1);
        clock.advance_seconds(-3_600);
        assert_eq!(cache.get("chinar"), None);
    }

    #[test]
    fn what_is_removed_or_replaced_is_not_seen_again() {
        let (_, cache) = cache(4);
        cache.insert("chinar".to_owned(), 1);
        for other in ["a", "b", "c"] {
            cache.insert(other.to_owned(), 0);
        }
        cache.insert("chinar".to_owned(), 2);
        assert_eq!(cache.get("chinar"), Some(2));
        cache.remove("chinar");
        assert_eq!(cache.get("chinar"), None);
    }

    #[test]
    fn it_never_holds_more_than_its_bound_and_never_forgets_everything() {
        let (_, cache) = cache(100);
        for n in 0..10_000_u32 {
            cache.insert(n.to_string(), n);
            assert!(cache.len() <= 100, "{} entries", cache.len());
            // The newest half is always there: no moment at which everybody has to ask anew.
            let from = n.saturating_sub(49);
            assert!(n % 97 != 0 || (from..=n).all(|one| cache.get(&one.to_string()) == Some(one)), "at {n}");
        }
    }

    #[test]
    fn whoever_is_asked_for_often_stays() {
        let (_, cache) = cache(100);
        cache.insert("regular".to_owned(), 7);
        for n in 0..1_000_u32 {
            cache.insert(n.to_string(), n);
            assert_eq!(cache.get("regular"), Some(7), "after {n} others");
        }
    }
}
