use bloomline_spec::registers::field;

/// What the STATUS register says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The filter takes items; false while it comes out of configuration, reset or clear.
    pub running: bool,
    /// Which half is active, 0 or 1 (0 with one phase).
    pub active_half: u32,
    /// Epoch of the active half, from 0 to 15.
    pub epoch: u32,
    /// Epoch values of the active half that no word can bear, free to be issued.
    pub spare_epochs: u32,
    /// Every word of the active half bears the current epoch.
    pub covered: bool,
}

impl Status {
    /// The fields of the register's value.
    pub fn from_bits(bits: u32) -> Status {
        Status {
            running: bits >> field::STATUS_RUNNING & 1 == 1,
            active_half: bits >> field::STATUS_ACTIVE_HALF & 1,
            epoch: bits >> field::STATUS_EPOCH & 15,
            spare_epochs: bits >> field::STATUS_SPARE_EPOCHS & 15,
            covered: bits >> field::STATUS_COVERED & 1 == 1,
        }
    }
}
