//! Register map of a sliding-window filter.

use super::geometry::SlidingGeometry;
use crate::registers::blocks::{constant, counter_block, filter_next};
use crate::registers::{
    address, field, Access, Field, Register, RegisterBlock, RegisterMap, BLOCK_SLIDING_COUNTERS,
    BLOCK_SLIDING_FILTER,
};

const FILTER_BLOCK_VERSION: u32 = 1;
/// Width of the generation in STATUS: the most bits a generation has.
const STATUS_GENERATION_BITS: u32 = 8;

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
        filter(geometry),
        counters,
    )
}

fn filter(geometry: &SlidingGeometry) -> RegisterBlock {
    RegisterBlock {
        name: "filter",
        offset: address::FILTER,
        doc: "The sliding-window filter.",
        registers: vec![
            constant(
                "BLOCK_TYPE",
                address::FILTER,
                BLOCK_SLIDING_FILTER,
                "7: sliding-window filter.",
            ),
            constant(
                "BLOCK_VERSION",
                address::FILTER_VERSION,
                FILTER_BLOCK_VERSION,
                "Version of this block.",
            ),
            filter_next(geometry),
            Register {
                name: "CONTROL",
                offset: address::CONTROL,
                access: Access::WritePulse,
                width: 1,
                reset: Some(0),
                doc: "Commands; reads as 0.",
                fields: vec![Field {
                    name: "clear",
                    lowest_bit: field::CONTROL_CLEAR,
                    width: 1,
                    doc: "1: forget every element; the counters of the next block stay.",
                }],
            },
            Register {
                name: "STATUS",
                offset: address::STATUS,
                access: Access::ReadOnly,
                width: field::STATUS_GENERATION + STATUS_GENERATION_BITS,
                reset: None,
                doc: "State of the filter.",
                fields: vec![
                    Field {
                        name: "running",
                        lowest_bit: field::STATUS_RUNNING,
                        width: 1,
                        doc: "1: the filter takes items; 0: it is still coming out of configuration, reset or clear.",
                    },
                    Field {
                        name: "generation",
                        lowest_bit: field::STATUS_GENERATION,
                        width: STATUS_GENERATION_BITS,
                        doc: "Number of the present generation, modulo 2^generation_bits.",
                    },
                ],
            },
        ],
    }
}
