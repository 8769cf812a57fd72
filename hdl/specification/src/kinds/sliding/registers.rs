//! What stands in the register map of a sliding-window filter.

use super::SlidingGeometry;
use crate::registers::blocks::{constant, counter_block};
use crate::registers::{
    address, field, Access, Field, Register, RegisterBlock, RegisterMap, BLOCK_SLIDING_COUNTERS,
    BLOCK_SLIDING_FILTER,
};
use crate::values::Parity;

const FILTER_BLOCK_VERSION: u32 = 1;
/// Width of the generation in STATUS: the most bits a generation has.
const STATUS_GENERATION_BITS: u32 = 8;

/// A 64-bit counter of the counter block of a sliding-window filter, by its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlidingCounter {
    /// Items accepted.
    Items = 0,
    /// Items of any operation whose verdict is seen.
    Seen = 1,
    /// Elements that took an empty cell.
    Inserted = 2,
    /// Of those, the ones whose front bucket was full.
    Back = 3,
    /// Elements for which both buckets were full, in the store.
    Stored = 4,
    /// Elements that found no empty cell.
    Lost = 5,
    /// Clocks in which `ready` was low for the scan.
    StallScan = 6,
    /// Clocks in which `ready` was low for clear or reset.
    StallControl = 7,
    /// Clocks in which `ready` was low because the verdict stream was held up.
    StallVerdict = 8,
    /// Slots that met a cell of wrong parity.
    ParityErrors = 9,
}

impl SlidingCounter {
    /// Every counter, in the order of its address.
    pub const ALL: [SlidingCounter; 10] = [
        SlidingCounter::Items,
        SlidingCounter::Seen,
        SlidingCounter::Inserted,
        SlidingCounter::Back,
        SlidingCounter::Stored,
        SlidingCounter::Lost,
        SlidingCounter::StallScan,
        SlidingCounter::StallControl,
        SlidingCounter::StallVerdict,
        SlidingCounter::ParityErrors,
    ];

    /// The counters of a filter with such cells, in the order of their addresses.
    pub(crate) fn of(parity: Parity) -> &'static [SlidingCounter] {
        match parity {
            Parity::None => &SlidingCounter::ALL[..SlidingCounter::ParityErrors as usize],
            Parity::Count | Parity::Empty => &SlidingCounter::ALL,
        }
    }

    /// Name without `_LO` and `_HI`.
    pub fn name(self) -> &'static str {
        match self {
            SlidingCounter::Items => "ITEMS",
            SlidingCounter::Seen => "SEEN",
            SlidingCounter::Inserted => "INSERTED",
            SlidingCounter::Back => "BACK",
            SlidingCounter::Stored => "STORED",
            SlidingCounter::Lost => "LOST",
            SlidingCounter::StallScan => "STALL_SCAN",
            SlidingCounter::StallControl => "STALL_CONTROL",
            SlidingCounter::StallVerdict => "STALL_VERDICT",
            SlidingCounter::ParityErrors => "PARITY_ERRORS",
        }
    }

    /// Byte address of the low half. Reading it captures the high half, so low then high is one value.
    pub fn address_lo(self) -> u32 {
        address::FIRST_COUNTER + 8 * self as u32
    }

    /// Byte address of the high half as captured by the last read of the low half.
    pub fn address_hi(self) -> u32 {
        self.address_lo() + 4
    }

    fn text(self) -> (&'static str, &'static str, &'static str) {
        match self {
            SlidingCounter::Items => ("ITEMS_LO", "ITEMS_HI", "Items accepted, low half."),
            SlidingCounter::Seen => ("SEEN_LO", "SEEN_HI", "Items with verdict seen, low half."),
            SlidingCounter::Inserted => (
                "INSERTED_LO",
                "INSERTED_HI",
                "Elements that took an empty cell, low half.",
            ),
            SlidingCounter::Back => (
                "BACK_LO",
                "BACK_HI",
                "Elements that took an empty cell of the back table, low half.",
            ),
            SlidingCounter::Stored => (
                "STORED_LO",
                "STORED_HI",
                "Elements that took an empty cell of the store, low half.",
            ),
            SlidingCounter::Lost => (
                "LOST_LO",
                "LOST_HI",
                "Elements that found no empty cell: each may be forgotten within the window, low half.",
            ),
            SlidingCounter::StallScan => (
                "STALL_SCAN_LO",
                "STALL_SCAN_HI",
                "Clocks in which ready was low for the scan, low half.",
            ),
            SlidingCounter::StallControl => (
                "STALL_CONTROL_LO",
                "STALL_CONTROL_HI",
                "Clocks in which ready was low for clear or reset, low half.",
            ),
            SlidingCounter::StallVerdict => (
                "STALL_VERDICT_LO",
                "STALL_VERDICT_HI",
                "Clocks in which ready was low because the verdict stream was held up, low half.",
            ),
            SlidingCounter::ParityErrors => (
                "PARITY_ERRORS_LO",
                "PARITY_ERRORS_HI",
                "Slots (items, scans) that met a cell of wrong parity, low half.",
            ),
        }
    }
}

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
    RegisterMap::new(geometry, geometry.geometry_hash(), filter(), counters)
}

fn filter() -> RegisterBlock {
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
            constant(
                "NEXT_BLOCK",
                address::FILTER_NEXT,
                address::COUNTERS,
                "Address of the next block.",
            ),
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
