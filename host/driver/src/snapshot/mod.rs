//! Arrays of filters of cells as data: what a device's array held, in memory and in files.
//!
//! ```text
//!  Device::snapshot  -->  Snapshot  <-->  file          file.rs: format, check sums
//!  Device::restore   <--     |
//!                            +-- union, intersection    combine.rs
//!                            +-- estimate               estimate.rs
//!                            +-- occupied, fill         here
//! ```
//!
//! May depend on the specification's geometry and on theory only; devices fill and empty it.

mod combine;
mod error;
mod estimate;
mod file;

pub use error::SnapshotError;
pub use estimate::Estimate;
pub use file::SNAPSHOT_VERSION;

use bloomline_spec::registers::{
    BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH, BLOCK_STATIC_FILTER,
};
use bloomline_spec::{CellGeometry, FilterKind, Layout, WORD_BITS};

/// How an array is made up, as far as its words can be read without the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayShape {
    /// Name of the filter.
    pub name: String,
    /// `Static`, `Counting` or `CountMin`.
    pub kind: FilterKind,
    /// Hash over everything that changes the gateware, the seed of the hash among it.
    pub geometry_hash: u64,
    /// Probes of an item, k.
    pub hashes: u32,
    /// Banks: k in the partitioned layout, 1 in the shared.
    pub banks: u32,
    /// 32-bit words of a bank, a power of two.
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
    /// That of a filter of cells.
    pub fn of(geometry: &CellGeometry) -> ArrayShape {
        ArrayShape {
            name: geometry.name().to_owned(),
            kind: geometry.kind(),
            geometry_hash: geometry.geometry_hash(),
            hashes: geometry.hashes(),
            banks: geometry.banks(),
            words_per_bank: geometry.words_per_bank(),
            cell_bits: geometry.cell_bits(),
            range: geometry.range(),
            distinct: geometry.distinct(),
            keyed: geometry.hash().secret.is_some(),
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
        u64::from(self.banks) * self.words_per_bank
    }

    /// Cells of a word: the greatest power of two that fits 32 bits.
    pub fn lanes(&self) -> u32 {
        1 << (WORD_BITS / self.cell_bits).ilog2()
    }

    /// Greatest value of a cell, at which it stays.
    pub fn cell_max(&self) -> u32 {
        u32::MAX >> (WORD_BITS - self.cell_bits)
    }

    /// Bits of a word that belong to cells.
    fn used(&self) -> u32 {
        u32::MAX >> (WORD_BITS - self.lanes() * self.cell_bits)
    }

    /// The number that stands for the kind in a file: the type of its register block.
    fn kind_code(&self) -> u32 {
        match self.kind {
            FilterKind::Counting => BLOCK_COUNTING_FILTER,
            FilterKind::CountMin => BLOCK_COUNT_MIN_SKETCH,
            FilterKind::Static | FilterKind::Recycling | FilterKind::Sliding => BLOCK_STATIC_FILTER,
        }
    }
}

/// The array of a filter of cells, as it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    shape: ArrayShape,
    words: Vec<u32>,
    items: [u64; 2],
}

impl Snapshot {
    /// An array of `shape` that holds `words` (bank 0 first), of which bits that belong to no cell are dropped and missing ones
    /// are 0; `items` is the counter ITEMS before and after it was read.
    pub fn new(shape: ArrayShape, words: Vec<u32>, items: [u64; 2]) -> Snapshot {
        let used = shape.used();
        let mut words = words;
        words.resize(shape.words() as usize, 0);
        words.iter_mut().for_each(|word| *word &= used);
        Snapshot {
            shape,
            words,
            items,
        }
    }

    /// How the array is made up.
    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The words, bank 0 first.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The counter ITEMS before and after the array was read; of a union or intersection the sums of both.
    pub fn items(&self) -> [u64; 2] {
        self.items
    }

    /// Whether no item came while the array was read (queries count as items too).
    pub fn is_of_one_instant(&self) -> bool {
        let [before, after] = self.items;
        before == after
    }

    /// The cells of a bank that probes go to, by rising position; none where there is no such bank.
    pub fn cells(&self, bank: u32) -> impl Iterator<Item = u32> + '_ {
        let (bits, max) = (self.shape.cell_bits, self.shape.cell_max());
        let lanes = self.shape.lanes();
        let words = self.shape.words_per_bank as usize;
        let of_bank = self.words.chunks(words).nth(bank as usize);
        of_bank
            .unwrap_or_default()
            .iter()
            .flat_map(move |word| (0..lanes).map(move |lane| word >> (lane * bits) & max))
            .take(self.shape.range as usize)
    }

    /// For each bank, how many cells that probes go to are above 0.
    pub fn occupied(&self) -> Vec<u64> {
        let above_0 = |bank| self.cells(bank).filter(|&cell| cell > 0).count() as u64;
        (0..self.shape.banks).map(above_0).collect()
    }

    /// How many cells, of all banks, stand at their greatest value; every set bit of a static filter does.
    pub fn saturated(&self) -> u64 {
        let max = self.shape.cell_max();
        let of_bank = |bank| self.cells(bank).filter(|&cell| cell == max).count() as u64;
        (0..self.shape.banks).map(of_bank).sum()
    }

    /// Share of the cells that probes go to that are above 0, from 0 to 1, all banks together.
    pub fn fill(&self) -> f64 {
        let occupied: u64 = self.occupied().iter().sum();
        occupied as f64 / (f64::from(self.shape.banks) * self.shape.range as f64)
    }
}
