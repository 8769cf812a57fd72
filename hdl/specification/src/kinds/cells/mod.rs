//! Filters of cells: static, counting, Count-Min.

mod counters;
mod geometry;
mod kind;
mod registers;
mod rules;

pub use counters::CellCounter;
pub use geometry::CellGeometry;
pub use kind::CellKind;

use super::{same_names, Kind};
use crate::array::ArrayShape;
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for CellGeometry {
    same_names!(CellGeometry, CellGeometry, common);

    fn kind(&self) -> FilterKind {
        self.kind()
    }

    fn timing(&self) -> PipelineTiming {
        let timing = CellGeometry::timing(self);
        PipelineTiming {
            front_clocks: timing.front_clocks,
            decision_clocks: timing.front_clocks + timing.fold_clocks + timing.decision_stage,
            verdict_clocks: crate::timing::verdict_clocks(timing.verdict_queue_depth),
            retire_clocks: timing.retire_clocks,
            verdict_queue_depth: timing.verdict_queue_depth,
            initiation_interval: timing.initiation_interval(),
            longest_interval: timing.initiation_interval()
                + self.window().map_or(0, |_| timing.turn_clocks()),
        }
    }

    fn words_per_memory(&self) -> u64 {
        self.words_per_bank()
    }

    fn array(&self) -> Option<ArrayShape> {
        self.array_access().then(|| ArrayShape {
            cell_bits: self.cell_bits(),
            halves: self.panes(),
            ..ArrayShape::of_bits(
                self,
                self.kind(),
                CellGeometry::geometry_hash(self),
                self.banks() / self.panes(),
                self.words_per_bank(),
            )
        })
    }

    fn threshold(&self) -> Option<u64> {
        Some(CellGeometry::threshold(self).into())
    }

    fn thresholds(&self) -> Option<(u64, u64)> {
        (self.cell_kind() != CellKind::Static).then(|| (1, self.cell_max().into()))
    }

    fn operation_doc(&self) -> &'static str {
        match self.cell_kind() {
            CellKind::Counting if self.removes() => {
                "operation: 0 query, 1 insert, 2 test-and-insert, 3 remove"
            }
            CellKind::CountMin => {
                "bits 1:0 operation: 0 query, 1 insert, 2 test-and-insert (3 acts as 2); above them the amount"
            }
            CellKind::Counting | CellKind::Static => {
                "operation: 0 query, 1 insert, 2 test-and-insert (3 acts as 2)"
            }
        }
    }

    fn verdict_doc(&self) -> &'static str {
        match self.cell_kind() {
            CellKind::Static => "seen before this item",
            CellKind::Counting | CellKind::CountMin => {
                "bit 0 reached, 1 seen, 2 underflow, 3 saturated, from bit 4 the estimate"
            }
        }
    }
}
