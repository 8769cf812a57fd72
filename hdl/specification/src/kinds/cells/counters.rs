//! Event counters of a filter of cells.

use super::kind::CellKind;
use crate::registers::counters::{counters, with_errors};
use crate::values::Parity;

counters! {
    /// A 64-bit counter of the counter block of a filter of cells, by its place in it. A filter has those of
    /// [`CellGeometry::counters`](crate::CellGeometry::counters); the places of the others have no register.
    CellCounter at FIRST_COUNTER {
        Items = "ITEMS": "Items accepted",
        Reported = "REPORTED": "Items with verdict bit 0 (seen, or reached)",
        Inserted = "INSERTED": "Items that inserted",
        Removed = "REMOVED": "Items that removed",
        Underflows = "UNDERFLOWS": "Items that removed and met a counter at 0",
        Saturated = "SATURATED": "Items that inserted or removed and left a counter at its greatest value",
        StallControl = "STALL_CONTROL": "Clocks in which ready was low for clear, an array access or reset",
        StallVerdict = "STALL_VERDICT": "Clocks in which ready was low because the verdict stream was held up",
        ParityErrors = "PARITY_ERRORS": "Slots (items or their probes, refreshes, words of the host) that met a memory word of wrong parity",
        EccCorrected = "ECC_CORRECTED": "Slots (items or their probes, refreshes, words of the host) that met a memory word with one flipped bit, which was corrected",
        EccUncorrectable = "ECC_UNCORRECTABLE": "Slots that met a memory word with an error that cannot be corrected (two flipped bits), and used it as it was",
    }
}

impl CellCounter {
    /// The counters of a kind with such memory words, in the order of their addresses; `removes` where the operation exists.
    pub(crate) fn of(
        kind: CellKind,
        removes: bool,
        parity: Parity,
        ecc: bool,
    ) -> &'static [CellCounter] {
        use CellCounter::*;
        match kind {
            CellKind::Counting if removes => with_errors!(
                parity, ecc,
                Items Reported Inserted Removed Underflows Saturated StallControl StallVerdict
            ),
            CellKind::Counting | CellKind::CountMin => with_errors!(
                parity, ecc,
                Items Reported Inserted Saturated StallControl StallVerdict
            ),
            CellKind::Static => with_errors!(
                parity, ecc,
                Items Reported Inserted StallControl StallVerdict
            ),
        }
    }
}
