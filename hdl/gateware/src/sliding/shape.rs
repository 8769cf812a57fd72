//! Derived sizes of a sliding-window filter, as the kernels use them.

use bloomline_language::made;
use bloomline_spec::{Parity, SlidingGeometry};

/// Stages that a write in stage W is applied to: 1 to 5, from the memory's address to the flags before the decision.
pub const FORWARDED: usize = 5;

/// What memory tells of a cell that is not as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellCheck {
    /// Its parity is wrong.
    Parity,
    /// One bit was flipped, and is right again.
    Corrected,
    /// More than one were, and the cell is as it was stored.
    Uncorrectable,
}

impl CellCheck {
    /// Words that stand behind "a cell".
    pub fn of_a_cell(self) -> &'static str {
        match self {
            CellCheck::Parity => "of wrong parity",
            CellCheck::Corrected => "that was corrected",
            CellCheck::Uncorrectable => "that cannot be corrected",
        }
    }
}

made! {
    /// Sizes, widths and stages of one pipeline, as `usize` for vectors and loops.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)] // the names are those of `SlidingGeometry` and `SlidingTiming`
    pub struct SlidingShape {
        pub position_bits: usize = geometry.index_bits() as usize,
        pub front_bits: usize = geometry.front_bits() as usize,
        pub back_bits: usize = geometry.back_bits() as usize,
        pub bucket_cells: usize = geometry.bucket_cells() as usize,
        pub store_cells: usize = geometry.store_cells() as usize,
        pub fingerprint_bits: usize = geometry.fingerprint_bits() as usize,
        pub generation_bits: usize = geometry.generation_bits() as usize,
        pub generations: u128 = geometry.generations().into(),
        pub generation_items: u128 = geometry.generation_items().into(),
        pub scan_interval: u128 = geometry.scan_interval().into(),
        pub tag_bits: usize = geometry.tag_bits() as usize,
        pub verdict_bits: usize = geometry.verdict_bits() as usize,
        /// Clock edges from acceptance until a slot stands in stage 0.
        pub front: usize = timing.front_clocks as usize,
        /// Age stage.
        pub age: usize = timing.age_stage as usize,
        /// Decision stage.
        pub decision: usize = timing.decision_stage as usize,
        /// Clocks after which an accepted item has left every trace.
        pub retire: usize = timing.retire_clocks as usize,
        pub queue_depth: usize = timing.verdict_queue_depth as usize,
        /// Parity bits of a cell of the tables: 0 or 1.
        pub parity: usize = geometry.parity().bits() as usize,
        /// A cell whose parity is wrong reads as empty: 0 or 1.
        pub parity_empties: usize = usize::from(geometry.parity() == Parity::Empty),
        /// 1 if a cell of the tables bears an error-correcting code, else 0.
        pub ecc: usize = usize::from(geometry.ecc()),
        /// Clocks that memory is read ahead because of it.
        pub read_ahead: usize = geometry.read_ahead_clocks() as usize,
        /// Event counters are built.
        pub counted: bool = geometry.counter_width().is_built(),
        /// There is a verdict queue.
        pub queued: bool = geometry.has_verdict_queue(),
        /// A host reaches the registers.
        pub reached: bool = geometry.has_registers(),
    }

    /// The numbers of a geometry.
    pub fn of(geometry: &SlidingGeometry) {
        let timing = geometry.timing();
    }
}

impl SlidingShape {
    /// K: cells that an item sees.
    pub fn cells(&self) -> usize {
        2 * self.bucket_cells + self.store_cells
    }

    /// Stage in which positions are there: 0, or -2 with an error-correcting code.
    pub fn entry(&self) -> &'static str {
        match self.ecc {
            0 => "0",
            _ => "-2",
        }
    }

    /// What is told of a cell of the tables that is not as it was written.
    pub fn checks(&self) -> &'static [CellCheck] {
        match (self.parity, self.ecc) {
            (_, 1) => &[CellCheck::Corrected, CellCheck::Uncorrectable],
            (1, _) => &[CellCheck::Parity],
            _ => &[],
        }
    }

    /// Bits of a cell of the tables, without parity or check bits.
    pub fn cell_bits(&self) -> usize {
        self.fingerprint_bits + self.generation_bits
    }
}
