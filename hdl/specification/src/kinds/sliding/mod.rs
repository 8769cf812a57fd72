//! Sliding-window filters.

mod counters;
mod geometry;
mod registers;
mod rules;

pub use counters::SlidingCounter;
pub use geometry::SlidingGeometry;

use super::Kind;
use crate::common::Common;
use crate::registers::RegisterMap;
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for SlidingGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn kind(&self) -> FilterKind {
        FilterKind::Sliding
    }

    fn geometry_hash(&self) -> u64 {
        SlidingGeometry::geometry_hash(self)
    }

    fn register_map(&self) -> RegisterMap {
        registers::register_map(self)
    }

    fn counters(&self) -> Vec<(&'static str, u32)> {
        let counters = SlidingGeometry::counters(self).iter();
        counters.map(|c| (c.name(), c.address_lo())).collect()
    }

    fn timing(&self) -> PipelineTiming {
        SlidingGeometry::timing(self).pipeline()
    }

    fn memory_bits(&self) -> u64 {
        SlidingGeometry::memory_bits(self)
    }

    fn stored_bits(&self) -> u64 {
        SlidingGeometry::stored_bits(self)
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
