//! Cache of the last result: numbers of one array or filter are mostly asked for one after the other.

use std::cell::RefCell;

/// A value that takes a while to compute, with what it was computed for. For a `thread_local!`.
pub(crate) struct Memo<K, V>(RefCell<Option<(K, V)>>);

impl<K: PartialEq, V: Clone> Memo<K, V> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(RefCell::new(None))
    }

    /// The value that was computed last if it is that of `key`; else it is computed and kept.
    pub fn or_compute<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some((_, value)) = self.0.borrow().as_ref().filter(|(of, _)| *of == key) {
            return Ok(value.clone());
        }
        // not borrowed meanwhile: it may ask for others
        let value = compute()?;
        self.0.replace(Some((key, value.clone())));
        Ok(value)
    }
}
