//! Ground truth: the verdicts that the window requires.

use super::window::Promise;
use bloomline_model::KeyNumbers;
use bloomline_spec::Key;

/// Where the keys of the last elements were, exactly, as far back as the filter's promise goes: window and slack.
///
/// Memory grows with window and slack, not with the stream.
pub(super) struct Truth {
    reach: u64,
    elements: u64,
    /// Number of each key's last element; those beyond the reach go from time to time.
    last: KeyNumbers,
}

impl Truth {
    /// Of a stream that has not begun.
    pub fn new(promise: Promise) -> Truth {
        Truth {
            reach: promise.window.saturating_add(promise.slack),
            elements: 0,
            last: KeyNumbers::default(),
        }
    }

    /// Elements so far.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// How many elements back the last one of this key lies, 1 for the one just before; none beyond window and slack.
    pub fn back(&self, key: &Key) -> Option<u64> {
        let last = self.last.get(key)?;
        Some(self.elements - last).filter(|back| *back <= self.reach)
    }

    /// The next element has this key.
    pub fn element(&mut self, key: Key) {
        self.last.insert(key, self.elements);
        self.elements += 1;
        if self.last.len() as u64 / 2 > self.reach {
            self.last
                .retain_from(self.elements.saturating_sub(self.reach));
        }
    }
}
