use bloomline_spec::registers::field;
use bloomline_spec::FilterKind;

/// What the STATUS register says; `None` for what the kind of filter has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The filter takes items; false while it comes out of configuration, reset or clear.
    pub running: bool,
    /// Which half is active, 0 or 1 (0 with one phase); recycling filters.
    pub active_half: Option<u32>,
    /// Epoch of the array (of the active half), from 0 to 15; all kinds but sliding.
    pub epoch: Option<u32>,
    /// Epoch values that no word can bear, free to be issued; all kinds but sliding.
    pub spare_epochs: Option<u32>,
    /// Every word bears the current epoch; all kinds but sliding.
    pub covered: Option<bool>,
    /// Recycles of every cause, modulo 65536: reset does not touch it; recycling filters.
    pub turns: Option<u32>,
    /// Number of the present generation, modulo what its bits hold; sliding-window filters.
    pub generation: Option<u32>,
}

impl Status {
    /// The fields of the register's value, in a filter of `kind`.
    pub fn from_bits(kind: FilterKind, bits: u32) -> Status {
        let flag = |bit: u32| bits >> bit & 1 == 1;
        let of = |lowest: u32, mask: u32| bits >> lowest & mask;
        let epochs = kind != FilterKind::Sliding;
        let halves = kind == FilterKind::Recycling;
        let turns = u32::MAX >> (32 - field::STATUS_TURNS_BITS);
        Status {
            running: flag(field::STATUS_RUNNING),
            active_half: halves.then(|| of(field::STATUS_ACTIVE_HALF, 1)),
            turns: halves.then(|| of(field::STATUS_TURNS, turns)),
            epoch: epochs.then(|| of(field::STATUS_EPOCH, 15)),
            spare_epochs: epochs.then(|| of(field::STATUS_SPARE_EPOCHS, 15)),
            covered: epochs.then(|| flag(field::STATUS_COVERED)),
            generation: (!epochs).then(|| of(field::STATUS_GENERATION, 255)),
        }
    }
}
