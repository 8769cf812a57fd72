use bloomline_spec::registers::{field, RecyclingCounter};

/// Values that the read-only registers have in one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    /// Items are taken.
    pub running: bool,
    /// Half that is active at the decision stage, 0 or 1.
    pub active_half: u32,
    /// Epoch of that half, from 1 to 15.
    pub epoch: u32,
    /// Spare epoch values of the half that is active at the retirement point, from 0 to 14.
    pub spare_epochs: u32,
    /// Every word of that half bears its current epoch.
    pub covered: bool,
    /// The secret of a keyed hash is the specification's; of two, the active half's.
    pub public_secret: bool,
    /// Recycles of every cause, modulo 65536.
    pub turns: u32,
    /// Bits set in the active half.
    pub bits_active: u32,
    /// Bits set in the frozen half.
    pub bits_frozen: u32,
    /// Bit-setting messages of this cycle.
    pub messages: u32,
    /// The counters, by [`RecyclingCounter`].
    pub counters: [u64; RecyclingCounter::ALL.len()],
}

impl Status {
    /// The register STATUS.
    pub fn word(&self) -> u32 {
        u32::from(self.running) << field::STATUS_RUNNING
            | self.active_half << field::STATUS_ACTIVE_HALF
            | self.epoch << field::STATUS_EPOCH
            | self.spare_epochs << field::STATUS_SPARE_EPOCHS
            | u32::from(self.covered) << field::STATUS_COVERED
            | u32::from(self.public_secret) << field::STATUS_PUBLIC_SECRET
            | self.turns << field::STATUS_TURNS
    }

    /// One counter.
    pub fn counter(&self, counter: RecyclingCounter) -> u64 {
        self.counters[counter as usize]
    }
}
