//! The kinds of filter, one folder each, and [`Kind`], the interface of their geometries.
//!
//! A kind's folder holds its geometry (`geometry.rs`), rules (`rules.rs`), counters (`counters.rs`) and registers (`registers.rs`). Only [`crate::Design`] chooses
//! between kinds. May depend on everything else in this crate but on no other kind.

pub mod cells;
pub mod cuckoo;
pub mod recycling;
pub mod sliding;

/// What the kinds show of themselves in the crate's root.
pub mod geometries {
    pub use super::cells::{CellGeometry, CellKind};
    pub use super::cuckoo::{
        row_masks, CuckooGeometry, CUCKOO_LOAD_LIMITS, CUCKOO_PATIENCE_CLOCKS, CUCKOO_PHASES,
        CUCKOO_TABLES,
    };
    pub use super::recycling::{
        HalfRole, RecyclingGeometry, Sizing, ThresholdSetting, TICK_CLOCKS,
    };
    pub use super::sliding::SlidingGeometry;
}

/// The counters of each kind, for the register map.
pub mod counters {
    pub use super::cells::CellCounter;
    pub use super::cuckoo::CuckooCounter;
    pub use super::recycling::RecyclingCounter;
    pub use super::sliding::SlidingCounter;
}

use crate::array::ArrayShape;
use crate::common::Common;
use crate::registers::RegisterMap;
use crate::timing::PipelineTiming;
use crate::values::FilterKind;

/// A complete geometry of one kind, as far as every kind has it. [`crate::Design`] has the documentation of each function.
pub(crate) trait Kind {
    fn common(&self) -> &Common;
    fn common_mut(&mut self) -> &mut Common;
    fn kind(&self) -> FilterKind;
    fn geometry_hash(&self) -> u64;
    fn register_map(&self) -> RegisterMap;
    /// Name and address of the low half of each counter, by rising address.
    fn counters(&self) -> Vec<(&'static str, u32)>;
    fn timing(&self) -> PipelineTiming;
    fn memory_bits(&self) -> u64;
    fn stored_bits(&self) -> u64;
    fn words_per_memory(&self) -> u64;
    // what some kinds do not have
    fn array(&self) -> Option<ArrayShape> {
        None
    }
    fn threshold(&self) -> Option<u64> {
        None
    }
    fn thresholds(&self) -> Option<(u64, u64)> {
        None
    }
    fn target_fpr(&self) -> Option<f64> {
        None
    }
    /// What the operation's bits mean on `s_item_tuser`.
    fn operation_doc(&self) -> &'static str {
        "operation: 0 query, 1 insert, 2 test-and-insert (3 acts as 2)"
    }
    /// What the bits of `m_verdict_tdata` mean.
    fn verdict_doc(&self) -> &'static str;
}

/// The functions of [`Kind`] that the geometry has under the same names, or the type with the sizes that it dereferences to; and where its
/// [`Common`] stands.
macro_rules! same_names {
    ($geometry:ty, $sizes:ty, $($common:ident).+) => {
        fn common(&self) -> &$crate::common::Common {
            self
        }

        fn common_mut(&mut self) -> &mut $crate::common::Common {
            &mut self.$($common).+
        }

        fn geometry_hash(&self) -> u64 {
            <$geometry>::geometry_hash(self)
        }

        fn register_map(&self) -> $crate::registers::RegisterMap {
            registers::register_map(self)
        }

        fn counters(&self) -> Vec<(&'static str, u32)> {
            let counters = <$sizes>::counters(self).iter();
            counters.map(|c| (c.name(), c.address_lo())).collect()
        }

        fn memory_bits(&self) -> u64 {
            <$sizes>::memory_bits(self)
        }

        fn stored_bits(&self) -> u64 {
            <$sizes>::stored_bits(self)
        }
    };
}
use same_names;
