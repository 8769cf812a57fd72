//! A number for each of many keys.

use bloomline_spec::Key;
use rustc_hash::FxHashMap;

/// A number for each of many keys.
///
/// Not generic, so that it is compiled with this crate, which is optimised, whatever the level of the caller's. The hash function is
/// fast and not keyed: keys chosen to collide make the table slow.
#[derive(Debug, Clone, Default)]
pub struct KeyNumbers {
    numbers: FxHashMap<Key, u64>,
}

impl KeyNumbers {
    /// Keys that have a number.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether no key has a number.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of this key.
    pub fn get(&self, key: &Key) -> Option<u64> {
        self.numbers.get(key).copied()
    }

    /// The number of this key, which is `number` from now on where it has none.
    pub fn get_or_insert(&mut self, key: Key, number: u64) -> u64 {
        *self.numbers.entry(key).or_insert(number)
    }

    /// Gives this key another number; the one that it had.
    pub fn insert(&mut self, key: Key, number: u64) -> Option<u64> {
        self.numbers.insert(key, number)
    }

    /// Forgets the keys whose number is below `least`.
    pub fn retain_from(&mut self, least: u64) {
        self.numbers.retain(|_, number| *number >= least);
    }
}
