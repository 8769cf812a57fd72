//! Register map of a sliding-window filter on cuckoo tables.

use super::geometry::CuckooGeometry;
use crate::registers::blocks::{counter_block, window_filter_block};
use crate::registers::{RegisterMap, BLOCK_CUCKOO_COUNTERS};

/// The register map of a sliding-window filter on cuckoo tables.
pub(super) fn register_map(geometry: &CuckooGeometry) -> RegisterMap {
    let counters = geometry
        .counters()
        .iter()
        .map(|counter| (counter.address_lo(), counter.text()));
    let counters = counter_block(
        geometry,
        BLOCK_CUCKOO_COUNTERS,
        "12: counters of a sliding-window filter on cuckoo tables.",
        counters,
    );
    RegisterMap::new(
        geometry,
        geometry.geometry_hash(),
        window_filter_block(geometry),
        counters,
    )
}
