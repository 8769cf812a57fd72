//! Sliding-window filters.

mod counters;
mod geometry;
mod registers;
mod rules;

pub use counters::SlidingCounter;
pub use geometry::SlidingGeometry;

use super::{same_names, Kind};
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for SlidingGeometry {
    same_names!(SlidingGeometry, SlidingGeometry, common);

    fn kind(&self) -> FilterKind {
        FilterKind::Sliding
    }

    fn timing(&self) -> PipelineTiming {
        SlidingGeometry::timing(self).pipeline()
    }

    fn words_per_memory(&self) -> u64 {
        self.front_buckets()
    }

    fn target_fpr(&self) -> Option<f64> {
        Some(SlidingGeometry::target_fpr(self))
    }

    fn verdict_doc(&self) -> &'static str {
        "bit 0 seen, 1 lost: neither seen nor stored"
    }
}
