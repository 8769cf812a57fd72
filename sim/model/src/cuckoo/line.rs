use super::slot::Slot;
use std::collections::VecDeque;

/// Items on their way through the hash unit, and behind it those that are queued while the tables take none.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Stages of the hash unit that an item goes through.
    hash_stages: u64,
    /// The oldest first, each with the clock from which on it can be there.
    items: VecDeque<(u64, Slot)>,
    /// No item goes on to the tables at the end of this clock.
    stopped: bool,
}

impl Line {
    /// Empty.
    pub fn new(hash_stages: u32) -> Line {
        Line {
            hash_stages: hash_stages.into(),
            items: VecDeque::new(),
            stopped: false,
        }
    }

    /// Whether an item is queued in clock `now`.
    pub fn is_queued(&self, now: u64) -> bool {
        self.items.front().is_some_and(|item| item.0 <= now)
    }

    /// An item is accepted in clock `now`.
    pub fn accept(&mut self, now: u64, slot: Slot) {
        self.items.push_back((now + self.hash_stages + 1, slot));
    }

    /// Clock `now` ends, in which the stash was found too full or not: what goes on to the tables, and has left the hash unit or the queue in the next one.
    pub fn clock(&mut self, now: u64, held: bool) -> Slot {
        let comes = !self.stopped && self.items.front().is_some_and(|item| item.0 <= now + 1);
        self.stopped = held;
        match comes {
            true => self.items.pop_front().map_or(Slot::EMPTY, |item| item.1),
            false => Slot::EMPTY,
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.items.clear();
        self.stopped = false;
    }
}
