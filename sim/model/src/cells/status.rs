use crate::pipeline::Status;
use bloomline_spec::registers::CellCounter;

/// Places in the counter block of a filter of cells.
pub(super) const COUNTERS: usize = CellCounter::EccUncorrectable as usize + 1;

/// Values that the read-only registers of a filter of cells have in one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellStatus {
    /// Items are taken.
    pub running: bool,
    /// Epoch of the array, with a window of the active pane, from 1 to 15.
    pub epoch: u32,
    /// Spare epoch values, likewise, from 0 to 14.
    pub spare_epochs: u32,
    /// Every word bears the current epoch.
    pub covered: bool,
    /// With a window: turns of the panes and clears, modulo 65536; else 0.
    pub turns: u32,
    /// The secret of a keyed hash is the specification's.
    pub public_secret: bool,
    /// The counters, by [`CellCounter`]; 0 for those that the kind has not.
    pub counters: [u64; COUNTERS],
}

impl CellStatus {
    /// The register STATUS: as that of a recycling filter whose active half is 0.
    pub fn word(&self) -> u32 {
        Status {
            running: self.running,
            epoch: self.epoch,
            spare_epochs: self.spare_epochs,
            covered: self.covered,
            public_secret: self.public_secret,
            turns: self.turns,
            ..Status::default()
        }
        .word()
    }

    /// One counter.
    pub fn counter(&self, counter: CellCounter) -> u64 {
        self.counters[counter as usize]
    }
}
