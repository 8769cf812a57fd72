//! Arrays of filters as data: what a device's array held, in memory and in files. All kinds but `sliding`.
//!
//! ```text
//!  Device::snapshot  -->  Snapshot  <-->  file          file.rs: format, check sums
//!  Device::restore   <--     |
//!                            +-- union, intersection    combine.rs
//!                            +-- estimate               estimate.rs
//!                            +-- similarity             similarity.rs
//!                            +-- occupied, fill         here
//! ```
//!
//! May depend on the specification's geometry and on theory only; devices fill and empty it.

mod combine;
mod error;
mod estimate;
mod file;
mod similarity;

pub use error::SnapshotError;
pub use estimate::{Estimate, Part};
pub use file::SNAPSHOT_VERSION;

pub use bloomline_spec::ArrayShape;

use bloomline_spec::{FilterKind, RecycleOn};

/// The cycle in which the halves of a recycling filter were read; of a union or intersection that of the first, with the greater
/// threshold and the sums of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// What the threshold is about.
    pub on: RecycleOn,
    /// Number of the active half, 0 or 1 (0 with one phase).
    pub active_half: u32,
    /// Register THRESHOLD: bits set or messages of one half.
    pub threshold: u64,
    /// Register MESSAGES, after the words were read.
    pub messages: u32,
    /// Counter RECYCLES.
    pub recycles: u64,
}

impl Default for Cycle {
    /// Nothing has happened, and nothing is allowed.
    fn default() -> Cycle {
        Cycle {
            on: RecycleOn::BitsSet,
            active_half: 0,
            threshold: 0,
            messages: 0,
            recycles: 0,
        }
    }
}

/// The array of a filter, as it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    shape: ArrayShape,
    words: Vec<u32>,
    items: [u64; 2],
    cycle: Option<Cycle>,
    combined: bool,
}

impl Snapshot {
    /// An array of `shape` that holds `words` (bank 0 first, the active half before the frozen one), of which bits that belong to no cell are dropped and missing ones
    /// are 0; `items` is the counter ITEMS before and after it was read.
    pub fn new(shape: ArrayShape, words: Vec<u32>, items: [u64; 2]) -> Snapshot {
        let used = shape.used_bits();
        let cycle = (shape.kind == FilterKind::Recycling).then(Cycle::default);
        let mut words = words;
        words.resize(shape.words() as usize, 0);
        words.iter_mut().for_each(|word| *word &= used);
        Snapshot {
            shape,
            words,
            items,
            cycle,
            combined: false,
        }
    }

    /// The same, read in that cycle; without effect for a kind that does not recycle.
    pub fn with_cycle(mut self, cycle: Cycle) -> Snapshot {
        self.cycle = self.cycle.map(|_| cycle);
        self
    }

    /// The cycle of a recycling filter.
    pub fn cycle(&self) -> Option<&Cycle> {
        self.cycle.as_ref()
    }

    /// How the array is made up.
    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The words, bank 0 first; of a recycling filter the active half's, then those of the frozen half.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The counter ITEMS before and after the array was read; of a union or intersection the sums of both.
    pub fn items(&self) -> [u64; 2] {
        self.items
    }

    /// Whether it is a union or intersection, which is the array of no device at no instant.
    pub fn is_combined(&self) -> bool {
        self.combined
    }

    /// Whether no item came while the array was read (queries count as items too); false for a union or intersection.
    pub fn is_of_one_instant(&self) -> bool {
        let [before, after] = self.items;
        !self.combined && before == after
    }

    /// The cells of a bank that probes go to, by rising position; none where there is no such bank. Banks are counted through
    /// both halves of a recycling filter.
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
        (0..self.shape.all_banks()).map(above_0).collect()
    }

    /// What the register MESSAGES of a recycling filter holds after [`Device::restore`](crate::Device::restore): the messages of the cycle, or if there are more,
    /// the words of the active half in which a bit is set, as each is written and counted on its own. 0 for other kinds.
    pub fn messages_restored(&self) -> u64 {
        let messages = self.cycle.map_or(0, |cycle| u64::from(cycle.messages));
        messages.max(self.filled_words())
    }

    /// Words of a recycling filter's active half in which a bit is set; 0 for other kinds.
    pub(crate) fn filled_words(&self) -> u64 {
        let half = match self.cycle {
            Some(_) => self.words.len() / self.shape.halves as usize,
            None => 0,
        };
        self.words[..half].iter().filter(|&&word| word != 0).count() as u64
    }

    /// For each half, the active one first, the bits of its words that are set; one number for a filter of cells.
    pub fn bits_of_halves(&self) -> Vec<u64> {
        let of_half = (u64::from(self.shape.banks) * self.shape.words_per_bank) as usize;
        self.words
            .chunks(of_half)
            .map(|words| words.iter().map(|word| u64::from(word.count_ones())).sum())
            .collect()
    }

    /// For each bank of a half (or pane), how many bits are set (counters above 0) in both halves, or in either; none without two halves.
    pub fn bits_of_both(&self, bit: impl Fn(u32, u32) -> u32) -> Vec<u64> {
        let Some(frozen) = self.shape.halves.checked_sub(1).filter(|&more| more > 0) else {
            return Vec::new();
        };
        (0..self.shape.banks)
            .map(|bank| {
                let other = self.cells(frozen * self.shape.banks + bank);
                let cells = self.cells(bank).zip(other);
                cells
                    .map(|(a, b)| u64::from(bit(u32::from(a > 0), u32::from(b > 0))))
                    .sum()
            })
            .collect()
    }

    /// How many cells, of all banks, stand at their greatest value; every set bit of a static filter does.
    pub fn saturated(&self) -> u64 {
        let max = self.shape.cell_max();
        let of_bank = |bank| self.cells(bank).filter(|&cell| cell == max).count() as u64;
        (0..self.shape.all_banks()).map(of_bank).sum()
    }

    /// Share of the cells that probes go to that are above 0, from 0 to 1, all banks together.
    pub fn fill(&self) -> f64 {
        let occupied: u64 = self.occupied().iter().sum();
        occupied as f64 / (f64::from(self.shape.all_banks()) * self.shape.range as f64)
    }
}
