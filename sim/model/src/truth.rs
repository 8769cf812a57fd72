use crate::functional::Outcome;
use bloomline_spec::{Operation, RecyclingGeometry};
use std::collections::hash_map::{Entry, HashMap};
use std::hash::Hash;

/// What the filter ought to have said: which keys it was given, apart from any bits.
///
/// Told every item and what the filter did with it, it says of each arrival whether the key was absent, whether the
/// arrival counts towards the false-positive rate, and whether a repeat was forgotten.
///
/// - A key is **held** by a half if, in the half's life, an item of that key set at least one bit of it (a retained
///   tripping item sets bits of the new half). It is **absent** when no live half holds it.
/// - An absent arrival is **counted** if it is the key's first absent arrival since the older live half began (with one
///   phase: since the half began). A false positive is a false positive again until the half that showed it is emptied;
///   counting it again would bias the rate.
/// - A **repeat** is a key that an earlier inserting item had, since the last clear. Queries store nothing, so they make
///   no later arrival a repeat.
/// - A **new message** is an inserting item whose key comes for the first time in a cycle, or for the first time since it
///   tripped and was not retained. The **reuse distance** of a repeat is the number of new messages strictly between it
///   and the inserting item of its key before it.
///
/// Time in recycles: cycle c ends at the next recycle, and live halves are those that began in cycle c and, with two
/// phases, c - 1. Memory grows with the distinct keys.
#[derive(Debug, Clone)]
pub struct Oracle<K> {
    phases: u64,
    cycle: u64,
    cleared_in: u64,
    new_messages: u64,
    keys: HashMap<K, History>,
}

/// What one key did, in cycles; cycle 0 is before all time.
#[derive(Debug, Clone, Copy, Default)]
struct History {
    held_since: u64,
    last_absent: u64,
    last_inserted: u64,
    /// Cycle in which the key last was a message, that of its half: the old one if it tripped and was forgotten.
    last_message: u64,
    /// New messages up to its last inserting item, that one included.
    inserted_at: u64,
}

/// What one arrival was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// No live half held the key before this item.
    pub absent: bool,
    /// Absent, and the key's first absent arrival since the older live half began: counts towards the false-positive rate.
    pub counted: bool,
    /// No item before had this key: its hash is independent of all that the filter holds.
    pub first: bool,
    /// An inserting item with this key came before (since the last clear).
    pub repeat: bool,
    /// The filter's verdict.
    pub seen: bool,
    /// The reuse distance, in new messages; `None` unless it is a repeat.
    pub distance: Option<u64>,
}

impl Arrival {
    /// A counted arrival that the filter took for known.
    pub fn false_positive(&self) -> bool {
        self.counted && self.seen
    }

    /// A repeat that the filter did not know.
    pub fn false_negative(&self) -> bool {
        self.repeat && !self.seen
    }

    /// A key that a live half holds and the filter did not know: never happens in a filter that works.
    pub fn lost(&self) -> bool {
        !self.absent && !self.seen
    }
}

impl<K: Hash + Eq> Oracle<K> {
    /// An oracle for an empty filter.
    pub fn new(geometry: &RecyclingGeometry) -> Oracle<K> {
        let phases = u64::from(geometry.phases());
        // Cycles start high enough for `cycle - 1` of the oldest half to be above "before all time".
        Oracle {
            phases,
            cycle: phases,
            cleared_in: phases,
            new_messages: 0,
            keys: HashMap::new(),
        }
    }

    /// Takes note of one item, in the filter's order, and says what its arrival was.
    pub fn observe(&mut self, key: K, operation: Operation, outcome: &Outcome) -> Arrival {
        let oldest_live = self.cycle + 1 - self.phases;
        let entry = self.keys.entry(key);
        let first = matches!(entry, Entry::Vacant(_));
        let history = entry.or_default();
        let absent = history.held_since < oldest_live;
        let repeat = history.last_inserted >= self.cleared_in;
        let arrival = Arrival {
            absent,
            counted: absent && history.last_absent < oldest_live,
            first,
            repeat,
            seen: outcome.seen(),
            distance: repeat.then(|| self.new_messages - history.inserted_at),
        };
        if absent {
            history.last_absent = self.cycle;
        }
        let before = self.cycle;
        if outcome.tripped {
            self.cycle += 1;
        }
        if operation.inserts() {
            history.last_inserted = self.cycle;
            self.new_messages += u64::from(history.last_message < before);
            history.last_message = if outcome.stored { self.cycle } else { before };
            history.inserted_at = self.new_messages;
        }
        if outcome.wrote() {
            history.held_since = self.cycle;
        }
        arrival
    }

    /// The same for an item whose key neither came before nor will come again; nothing is kept of it.
    pub fn observe_new(&mut self, operation: Operation, outcome: &Outcome) -> Arrival {
        self.cycle += u64::from(outcome.tripped);
        self.new_messages += u64::from(operation.inserts());
        Arrival {
            absent: true,
            counted: true,
            first: true,
            repeat: false,
            seen: outcome.seen(),
            distance: None,
        }
    }

    /// Takes note of a recycle without an item.
    pub fn recycle(&mut self) {
        self.cycle += 1;
    }

    /// Takes note of a clear or a reset: no half holds anything, and no key is a repeat.
    pub fn clear(&mut self) {
        self.cycle += self.phases;
        self.cleared_in = self.cycle;
    }

    /// New messages so far.
    pub fn new_messages(&self) -> u64 {
        self.new_messages
    }

    /// Distinct keys seen so far.
    pub fn distinct_keys(&self) -> usize {
        self.keys.len()
    }
}
