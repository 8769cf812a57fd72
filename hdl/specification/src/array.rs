use crate::common::Common;
use crate::values::{FilterKind, Layout};
use crate::word::WORD_BITS;

/// How an array is made up, as far as its words can be read without the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayShape {
    /// Name of the filter.
    pub name: String,
    /// A kind whose array can be read: any but `sliding`.
    pub kind: FilterKind,
    /// Hash over everything that changes the gateware, the seed of the hash among it.
    pub geometry_hash: u64,
    /// Probes of an item, k.
    pub hashes: u32,
    /// Halves: 1 or 2 in a recycling filter, the 2 panes of a counting filter with a window, 1 in others.
    pub halves: u32,
    /// Banks of a half: k in the partitioned layout, 1 in the shared.
    pub banks: u32,
    /// 32-bit words of a bank: a power of two, but any number in a recycling filter.
    pub words_per_bank: u64,
    /// Bits of a cell, from 1 to 32.
    pub cell_bits: u32,
    /// Cells of a bank that probes go to: the first ones.
    pub range: u64,
    /// The probes of an item go to different cells (shared layout).
    pub distinct: bool,
    /// The hash has a secret. Two arrays filled under different secrets have nothing to say of each other, and neither the
    /// geometry hash nor anything else in them tells.
    pub keyed: bool,
}

impl ArrayShape {
    /// The shape of one array of `banks` banks of cells of one bit; a kind says what differs.
    pub(crate) fn of_bits(
        common: &Common,
        kind: FilterKind,
        geometry_hash: u64,
        banks: u32,
        words_per_bank: u64,
    ) -> ArrayShape {
        ArrayShape {
            name: common.name().to_owned(),
            kind,
            geometry_hash,
            hashes: common.hashes(),
            halves: 1,
            banks,
            words_per_bank,
            cell_bits: 1,
            range: common.range(),
            distinct: common.distinct(),
            keyed: common.hash().secret.is_some(),
        }
    }

    /// One bank a hash, or one array.
    pub fn layout(&self) -> Layout {
        match self.banks == self.hashes && !self.distinct {
            true => Layout::Partitioned,
            false => Layout::Shared,
        }
    }

    /// Words of the array.
    pub fn words(&self) -> u64 {
        u64::from(self.all_banks()) * self.words_per_bank
    }

    /// Banks of all halves: those of the active half, then those of the frozen one.
    pub fn all_banks(&self) -> u32 {
        self.halves * self.banks
    }

    /// Cells of a word: the greatest power of two that fits 32 bits.
    pub fn lanes(&self) -> u32 {
        1 << (WORD_BITS / self.cell_bits).ilog2()
    }

    /// Greatest value of a cell, at which it stays.
    pub fn cell_max(&self) -> u32 {
        u32::MAX >> (WORD_BITS - self.cell_bits)
    }

    /// Bits of a word that belong to cells, as a mask.
    pub fn used_bits(&self) -> u32 {
        u32::MAX >> (WORD_BITS - self.lanes() * self.cell_bits)
    }
}
