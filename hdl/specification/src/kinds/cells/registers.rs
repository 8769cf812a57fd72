//! What stands in the register map of a filter of cells.

use super::{CellGeometry, CellKind};
use crate::kinds::recycling::{EPOCH_BITS, WORD_BITS};
use crate::registers::blocks::{constant, control, counter_block, hash_key, REKEY_CLEARS};
use crate::registers::{
    address, field, Access, Field, Register, RegisterBlock, RegisterMap, BLOCK_CELL_COUNTERS,
    BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH, BLOCK_STATIC_FILTER,
};
use crate::values::Parity;

const FILTER_BLOCK_VERSION: u32 = 1;

/// A 64-bit counter of the counter block of a filter of cells, by its place in it. A filter has those of
/// [`CellGeometry::counters`](crate::CellGeometry::counters); the places of the others have no register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellCounter {
    /// Items accepted.
    Items = 0,
    /// Items of any operation whose verdict has bit 0: seen, or reached.
    Reported = 1,
    /// Items that inserted.
    Inserted = 2,
    /// Items that removed.
    Removed = 3,
    /// Items that removed and met a counter at 0.
    Underflows = 4,
    /// Items that inserted or removed and left a counter at its greatest value.
    Saturated = 5,
    /// Clocks in which `ready` was low for clear, an array access or reset.
    StallControl = 6,
    /// Clocks in which `ready` was low because the verdict stream was held up.
    StallVerdict = 7,
    /// Slots that met a memory word of wrong parity.
    ParityErrors = 8,
}

impl CellCounter {
    /// The counters of a kind with such memory words, in the order of their addresses; `removes` where the operation exists.
    pub(crate) fn of(kind: CellKind, removes: bool, parity: Parity) -> &'static [CellCounter] {
        use CellCounter::*;
        let with_parity: &[CellCounter] = match kind {
            CellKind::Counting if removes => &[
                Items,
                Reported,
                Inserted,
                Removed,
                Underflows,
                Saturated,
                StallControl,
                StallVerdict,
                ParityErrors,
            ],
            CellKind::Counting | CellKind::CountMin => &[
                Items,
                Reported,
                Inserted,
                Saturated,
                StallControl,
                StallVerdict,
                ParityErrors,
            ],
            CellKind::Static => &[
                Items,
                Reported,
                Inserted,
                StallControl,
                StallVerdict,
                ParityErrors,
            ],
        };
        match parity {
            Parity::None => &with_parity[..with_parity.len() - 1],
            Parity::Count | Parity::Empty => with_parity,
        }
    }

    /// Name without `_LO` and `_HI`.
    pub fn name(self) -> &'static str {
        match self {
            CellCounter::Items => "ITEMS",
            CellCounter::Reported => "REPORTED",
            CellCounter::Inserted => "INSERTED",
            CellCounter::Removed => "REMOVED",
            CellCounter::Underflows => "UNDERFLOWS",
            CellCounter::Saturated => "SATURATED",
            CellCounter::StallControl => "STALL_CONTROL",
            CellCounter::StallVerdict => "STALL_VERDICT",
            CellCounter::ParityErrors => "PARITY_ERRORS",
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
}

/// The register map of a filter of cells.
pub(super) fn register_map(geometry: &CellGeometry) -> RegisterMap {
    let counters = geometry
        .counters()
        .iter()
        .map(|&counter| (counter.address_lo(), counter_text(counter)));
    let counters = counter_block(
        geometry,
        BLOCK_CELL_COUNTERS,
        "6: counters of a filter of cells.",
        counters,
    );
    RegisterMap::new(
        geometry,
        geometry.geometry_hash(),
        filter(geometry),
        counters,
    )
}

fn filter(geometry: &CellGeometry) -> RegisterBlock {
    let (block_type, type_doc, doc) = match geometry.cell_kind() {
        CellKind::Counting => (
            BLOCK_COUNTING_FILTER,
            "4: counting filter.",
            "The counting filter.",
        ),
        CellKind::CountMin => (
            BLOCK_COUNT_MIN_SKETCH,
            "5: Count-Min sketch.",
            "The Count-Min sketch.",
        ),
        CellKind::Static => (
            BLOCK_STATIC_FILTER,
            "3: static filter.",
            "The static filter.",
        ),
    };
    let mut registers = vec![
        constant("BLOCK_TYPE", address::FILTER, block_type, type_doc),
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
        control(
            "1: empty every cell; the counters of the next block stay.",
            geometry.hash().secret.map(|_| REKEY_CLEARS),
            None,
        ),
        status(),
    ];
    let read_write = |name, offset, width, reset, doc| Register {
        name,
        offset,
        access: Access::ReadWrite,
        width,
        reset: Some(reset),
        doc,
        fields: Vec::new(),
    };
    if geometry.cell_kind() != CellKind::Static {
        registers.push(read_write(
            "THRESHOLD",
            address::THRESHOLD,
            geometry.cell_bits(),
            geometry.threshold(),
            "Count from which a key is reported.",
        ));
    }
    registers.push(read_write(
        "ARRAY_ADDRESS",
        address::ARRAY_ADDRESS,
        geometry.array_address_bits(),
        0,
        "Word of the array: the bank above the word's address in it. Writing it fetches the word into ARRAY_DATA.",
    ));
    registers.push(read_write(
        "ARRAY_DATA",
        address::ARRAY_DATA,
        WORD_BITS,
        0,
        "Cells of that word, the least position in the lowest bits. Writing it stores the word.",
    ));
    if geometry.hash().secret.is_some() {
        registers.extend(hash_key());
    }
    RegisterBlock {
        name: "filter",
        offset: address::FILTER,
        doc,
        registers,
    }
}

fn status() -> Register {
    let field = |name, lowest_bit, width, doc| Field {
        name,
        lowest_bit,
        width,
        doc,
    };
    Register {
        name: "STATUS",
        offset: address::STATUS,
        access: Access::ReadOnly,
        width: field::STATUS_COVERED + 1,
        reset: None,
        doc: "State of the filter.",
        fields: vec![
            field(
                "running",
                field::STATUS_RUNNING,
                1,
                "1: the filter takes items; 0: it is still coming out of configuration, reset or clear.",
            ),
            field("epoch", field::STATUS_EPOCH, EPOCH_BITS, "Epoch of the array."),
            field(
                "spare_epochs",
                field::STATUS_SPARE_EPOCHS,
                EPOCH_BITS,
                "Epoch values that no word can bear, free to be issued.",
            ),
            field(
                "covered",
                field::STATUS_COVERED,
                1,
                "1: every word bears the current epoch.",
            ),
        ],
    }
}

fn counter_text(counter: CellCounter) -> (&'static str, &'static str, &'static str) {
    match counter {
        CellCounter::Items => ("ITEMS_LO", "ITEMS_HI", "Items accepted, low half."),
        CellCounter::Reported => (
            "REPORTED_LO",
            "REPORTED_HI",
            "Items with verdict bit 0 (seen, or reached), low half.",
        ),
        CellCounter::Inserted => (
            "INSERTED_LO",
            "INSERTED_HI",
            "Items that inserted, low half.",
        ),
        CellCounter::Removed => ("REMOVED_LO", "REMOVED_HI", "Items that removed, low half."),
        CellCounter::Underflows => (
            "UNDERFLOWS_LO",
            "UNDERFLOWS_HI",
            "Items that removed and met a counter at 0, low half.",
        ),
        CellCounter::Saturated => (
            "SATURATED_LO",
            "SATURATED_HI",
            "Items that inserted or removed and left a counter at its greatest value, low half.",
        ),
        CellCounter::StallControl => (
            "STALL_CONTROL_LO",
            "STALL_CONTROL_HI",
            "Clocks in which ready was low for clear, an array access or reset, low half.",
        ),
        CellCounter::StallVerdict => (
            "STALL_VERDICT_LO",
            "STALL_VERDICT_HI",
            "Clocks in which ready was low because the verdict stream was held up, low half.",
        ),
        CellCounter::ParityErrors => (
            "PARITY_ERRORS_LO",
            "PARITY_ERRORS_HI",
            "Slots (items or their probes, refreshes, words of the host) that met a memory word of wrong parity, low half.",
        ),
    }
}
