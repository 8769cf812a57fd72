use bloomline_spec::registers::address;
use bloomline_spec::Common;

/// Registers of 32 bits that hold the secret.
const REGISTERS: u32 = 4;

/// The secret that a keyed hash takes at the next rekey, and whether one is pending. Reset leaves the secret alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NextSecret {
    secret: u128,
    rekey: bool,
}

impl NextSecret {
    /// At power-up; a filter without a keyed hash never asks.
    pub fn new(common: &Common) -> NextSecret {
        NextSecret {
            secret: common.hash().secret.unwrap_or(0),
            rekey: false,
        }
    }

    /// Whether a register is one of the secret's.
    pub fn owns(offset: u32) -> bool {
        (address::HASH_KEY..address::HASH_KEY + 4 * REGISTERS).contains(&offset)
    }

    /// A legal write to one of the secret's registers; the first holds the lowest bits.
    pub fn write(&mut self, offset: u32, value: u32) {
        let lowest_bit = 8 * (offset - address::HASH_KEY);
        self.secret &= !(u128::from(u32::MAX) << lowest_bit);
        self.secret |= u128::from(value) << lowest_bit;
    }

    /// The pending clear brings the secret into force.
    pub fn rekey(&mut self) {
        self.rekey = true;
    }

    /// The pending clear is done: the secret that is in force from the next clock on, if it is a new one.
    pub fn cleared(&mut self) -> Option<u128> {
        std::mem::take(&mut self.rekey).then_some(self.secret)
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.rekey = false;
    }
}
