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

use super::{same_names, Kind};
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

impl Kind for CuckooGeometry {
    same_names!(CuckooGeometry, CuckooGeometry, common);

    fn kind(&self) -> FilterKind {
        FilterKind::Sliding
    }

    fn timing(&self) -> PipelineTiming {
        CuckooGeometry::timing(self).pipeline()
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
