use bloomline_spec::registers::{field, CuckooCounter};

/// Places in the counter block of a sliding-window filter on cuckoo tables.
pub(super) const COUNTERS: usize = CuckooCounter::ALL.len();

/// Values that the read-only registers of a sliding-window filter on cuckoo tables have in one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CuckooStatus {
    /// Items are taken.
    pub running: bool,
    /// The generation that the next element to reach the age stage belongs to, modulo 2^generation_bits - 1.
    pub generation: u32,
    /// The counters, by [`CuckooCounter`].
    pub counters: [u64; COUNTERS],
}

impl CuckooStatus {
    /// The register STATUS.
    pub fn word(&self) -> u32 {
        u32::from(self.running) << field::STATUS_RUNNING
            | self.generation << field::STATUS_GENERATION
    }

    /// One counter.
    pub fn counter(&self, counter: CuckooCounter) -> u64 {
        self.counters[counter as usize]
    }
}
