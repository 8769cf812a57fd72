use bloomline_spec::Operation;
use std::collections::HashMap;
use std::hash::Hash;

/// What the filter ought to have said: where the keys of a stream last were, apart from any fingerprints.
///
/// Memory grows with the distinct keys.
#[derive(Debug, Clone)]
pub struct WindowOracle<K> {
    elements: u64,
    /// The key's last element, by its number.
    last: HashMap<K, u64>,
}

impl<K: Hash + Eq> WindowOracle<K> {
    /// Of a stream that has not begun.
    pub fn new() -> WindowOracle<K> {
        WindowOracle {
            elements: 0,
            last: HashMap::new(),
        }
    }

    /// Tells of an item, and gives how many elements back the last one of its key lies: 1 for the one just before, `None`
    /// for a key without one. Up to n the verdict must be seen; beyond n + m, and without one, seen is a false positive.
    pub fn arrival(&mut self, key: K, operation: Operation) -> Option<u64> {
        let now = self.elements;
        let last = if operation.inserts() {
            self.elements += 1;
            self.last.insert(key, now)
        } else {
            self.last.get(&key).copied()
        };
        last.map(|last| now - last)
    }

    /// Forgets every element.
    pub fn clear(&mut self) {
        *self = WindowOracle::new();
    }
}

impl<K: Hash + Eq> Default for WindowOracle<K> {
    fn default() -> Self {
        WindowOracle::new()
    }
}
