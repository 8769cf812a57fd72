use bloomline_spec::registers::{field, SlidingCounter};

/// Places in the counter block of a sliding-window filter.
pub(super) const COUNTERS: usize = SlidingCounter::PLACES;

/// Values that the read-only registers of a sliding-window filter have in one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SlidingStatus {
    /// Items are taken.
    pub running: bool,
    /// The generation that the next element to reach the age stage belongs to, modulo 2^generation_bits.
    pub generation: u32,
    /// The counters, by [`SlidingCounter::place`].
    pub counters: [u64; COUNTERS],
}

impl SlidingStatus {
    /// The register STATUS.
    pub fn word(&self) -> u32 {
        u32::from(self.running) << field::STATUS_RUNNING
            | self.generation << field::STATUS_GENERATION
    }

    /// One counter.
    pub fn counter(&self, counter: SlidingCounter) -> u64 {
        self.counters[counter.place()]
    }
}
