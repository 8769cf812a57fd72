use bloomline_spec::registers::Counter;

/// Every counter of a device, read one after the other (each for itself is one instant's value).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    values: [u64; Counter::ALL.len()],
}

impl Counters {
    pub(crate) fn new(values: [u64; Counter::ALL.len()]) -> Counters {
        Counters { values }
    }

    /// One counter: events, or clocks for the stall counters.
    pub fn get(&self, counter: Counter) -> u64 {
        self.values[counter as usize]
    }

    /// Every counter with its value, in the order of the register map.
    pub fn iter(&self) -> impl Iterator<Item = (Counter, u64)> + '_ {
        Counter::ALL
            .into_iter()
            .map(|counter| (counter, self.get(counter)))
    }
}
