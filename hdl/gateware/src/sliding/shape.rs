//! Derived sizes of a sliding-window filter, as the kernels use them.

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

/// Sizes, widths and stages of one pipeline, as `usize` for vectors and loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of `SlidingGeometry` and `SlidingTiming`
pub struct SlidingShape {
    pub position_bits: usize,
    pub front_bits: usize,
    pub back_bits: usize,
    pub bucket_cells: usize,
    pub store_cells: usize,
    pub fingerprint_bits: usize,
    pub generation_bits: usize,
    pub generations: u128,
    pub generation_items: u128,
    pub scan_interval: u128,
    pub tag_bits: usize,
    pub verdict_bits: usize,
    /// Clock edges from acceptance until a slot stands in stage 0.
    pub front: usize,
    /// Age stage.
    pub age: usize,
    /// Decision stage.
    pub decision: usize,
    /// Clocks after which an accepted item has left every trace.
    pub retire: usize,
    pub queue_depth: usize,
    /// Parity bits of a cell of the tables: 0 or 1.
    pub parity: usize,
    /// A cell whose parity is wrong reads as empty: 0 or 1.
    pub parity_empties: usize,
    /// 1 if a cell of the tables bears an error-correcting code, else 0.
    pub ecc: usize,
    /// Clocks that memory is read ahead because of it.
    pub read_ahead: usize,
    /// Event counters are built.
    pub counted: bool,
    /// There is a verdict queue.
    pub queued: bool,
    /// A host reaches the registers.
    pub reached: bool,
}

impl SlidingShape {
    /// The numbers of a geometry.
    pub fn of(geometry: &SlidingGeometry) -> Self {
        let timing = geometry.timing();
        Self {
            position_bits: geometry.index_bits() as usize,
            front_bits: geometry.front_bits() as usize,
            back_bits: geometry.back_bits() as usize,
            bucket_cells: geometry.bucket_cells() as usize,
            store_cells: geometry.store_cells() as usize,
            fingerprint_bits: geometry.fingerprint_bits() as usize,
            generation_bits: geometry.generation_bits() as usize,
            generations: geometry.generations().into(),
            generation_items: geometry.generation_items().into(),
            scan_interval: geometry.scan_interval().into(),
            tag_bits: geometry.tag_bits() as usize,
            verdict_bits: geometry.verdict_bits() as usize,
            front: timing.front_clocks as usize,
            age: timing.age_stage as usize,
            decision: timing.decision_stage as usize,
            retire: timing.retire_clocks as usize,
            queue_depth: timing.verdict_queue_depth as usize,
            parity: geometry.parity().bits() as usize,
            parity_empties: usize::from(geometry.parity() == Parity::Empty),
            ecc: usize::from(geometry.ecc()),
            read_ahead: geometry.read_ahead_clocks() as usize,
            counted: geometry.counter_width().is_built(),
            queued: geometry.has_verdict_queue(),
            reached: geometry.has_registers(),
        }
    }

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
