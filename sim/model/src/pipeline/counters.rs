/// Event counters: an event of one clock is registered, then counted.
#[derive(Debug, Clone)]
pub(crate) struct Counters<const N: usize> {
    values: [u64; N],
    /// Events of the last clock; the counters take them in this one.
    events: [bool; N],
}

impl<const N: usize> Counters<N> {
    /// As after reset.
    pub fn new() -> Counters<N> {
        Counters {
            values: [0; N],
            events: [false; N],
        }
    }

    /// As if every counter had counted so many events.
    pub fn set_past(&mut self, events: u64) {
        self.values = [events; N];
    }

    /// Values in the present clock.
    pub fn values(&self) -> [u64; N] {
        self.values
    }

    /// One clock without reset and its events.
    pub fn clock(&mut self, events: [bool; N]) {
        for (value, counts) in self.values.iter_mut().zip(self.events) {
            *value = value.wrapping_add(u64::from(counts));
        }
        self.events = events;
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Counters::new();
    }
}
