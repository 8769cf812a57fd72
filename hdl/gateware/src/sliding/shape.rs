//! Derived sizes of a sliding-window filter, as the kernels use them.

use bloomline_spec::{Parity, SlidingGeometry};

/// Stages that a write in stage W is applied to: 1 to 5, from the memory's address to the flags before the decision.
pub const FORWARDED: usize = 5;

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
    /// A cell whose parity is wrong reads as empty.
    pub parity_empties: bool,
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
            parity_empties: geometry.parity() == Parity::Empty,
        }
    }

    /// K: cells that an item sees.
    pub fn cells(&self) -> usize {
        2 * self.bucket_cells + self.store_cells
    }

    /// Bits of a cell of the tables, without parity.
    pub fn cell_bits(&self) -> usize {
        self.fingerprint_bits + self.generation_bits
    }
}
