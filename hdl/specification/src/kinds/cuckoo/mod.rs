//! Sliding-window filters on cuckoo tables.

mod counters;
mod geometry;
mod masks;
mod registers;
mod rules;

pub use counters::CuckooCounter;
pub use geometry::{CuckooGeometry, CUCKOO_PATIENCE_CLOCKS, CUCKOO_PHASES, CUCKOO_TABLES};
pub use masks::row_masks;
pub use rules::CUCKOO_LOAD_LIMITS;

use super::Kind;
use crate::common::Common;
use crate::registers::RegisterMap;
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for CuckooGeometry {
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
        CuckooGeometry::geometry_hash(self)
    }

    fn register_map(&self) -> RegisterMap {
        registers::register_map(self)
    }

    fn counters(&self) -> Vec<(&'static str, u32)> {
        let counters = CuckooGeometry::counters(self).iter();
        counters.map(|c| (c.name(), c.address_lo())).collect()
    }

    fn timing(&self) -> PipelineTiming {
        CuckooGeometry::timing(self).pipeline()
    }

    fn memory_bits(&self) -> u64 {
        CuckooGeometry::memory_bits(self)
    }

    fn stored_bits(&self) -> u64 {
        CuckooGeometry::stored_bits(self)
    }

    fn words_per_memory(&self) -> u64 {
        self.rows()
    }

    fn target_fpr(&self) -> Option<f64> {
        Some(CuckooGeometry::target_fpr(self))
    }

    fn verdict_doc(&self) -> &'static str {
        "bit 0 seen, 1 lost: neither seen nor stored"
    }
}
