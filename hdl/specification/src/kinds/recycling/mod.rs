//! Recycling filters.

mod counters;
mod geometry;
mod registers;
mod rules;

pub use counters::RecyclingCounter;
pub use geometry::{HalfRole, RecyclingGeometry, Sizing, ThresholdSetting, TICK_CLOCKS};

use super::{same_names, Kind};
use crate::array::ArrayShape;
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for RecyclingGeometry {
    same_names!(RecyclingGeometry, Sizing, sizing.common);

    fn kind(&self) -> FilterKind {
        FilterKind::Recycling
    }

    fn timing(&self) -> PipelineTiming {
        let timing = Sizing::timing(self);
        let unit = u64::from(self.unit());
        // the tripping item may count for both cycles
        let large = unit * (u64::from(timing.large_cycle_items) + 1);
        PipelineTiming {
            front_clocks: timing.front_clocks,
            decision_clocks: timing.front_clocks + timing.decision_stage,
            verdict_clocks: timing.verdict_clocks,
            retire_clocks: timing.retire_clocks,
            verdict_queue_depth: timing.verdict_queue_depth,
            initiation_interval: timing.initiation_interval,
            longest_interval: match RecyclingGeometry::threshold(self) > large {
                true => timing.initiation_interval,
                false => timing.retire_clocks,
            },
        }
    }

    fn words_per_memory(&self) -> u64 {
        self.words_per_bank()
    }

    fn array(&self) -> Option<ArrayShape> {
        self.array_access().then(|| ArrayShape {
            halves: self.phases(),
            ..ArrayShape::of_bits(
                self,
                FilterKind::Recycling,
                RecyclingGeometry::geometry_hash(self),
                self.banks(),
                self.words_per_bank(),
            )
        })
    }

    fn threshold(&self) -> Option<u64> {
        Some(RecyclingGeometry::threshold(self))
    }

    fn thresholds(&self) -> Option<(u64, u64)> {
        Some(Sizing::thresholds(self))
    }

    fn target_fpr(&self) -> Option<f64> {
        Sizing::target_fpr(self)
    }

    fn verdict_doc(&self) -> &'static str {
        "bit 0 seen, 1 in_active, 2 in_frozen, 3 tripped"
    }
}
