//! Register map of a sliding-window filter.

use super::geometry::SlidingGeometry;
use crate::registers::blocks::{counter_block, window_filter_block};
use crate::registers::{RegisterMap, BLOCK_SLIDING_COUNTERS};

/// The register map of a sliding-window filter.
pub(super) fn register_map(geometry: &SlidingGeometry) -> RegisterMap {
    let counters = geometry
        .counters()
        .iter()
        .map(|counter| (counter.address_lo(), counter.text()));
    let counters = counter_block(
        geometry,
        BLOCK_SLIDING_COUNTERS,
        "8: counters of a sliding-window filter.",
        counters,
    );
    RegisterMap::new(
        geometry,
        geometry.geometry_hash(),
        window_filter_block(geometry),
        counters,
    )
}
