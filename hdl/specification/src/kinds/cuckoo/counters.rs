//! Event counters of a sliding-window filter on cuckoo tables.

use crate::registers::counters::counters;

counters! {
    /// A 64-bit counter of the counter block of a sliding-window filter on cuckoo tables, by its place in it.
    CuckooCounter at FIRST_COUNTER {
        /// Items accepted.
        Items = "ITEMS": "Items accepted",
        /// Items of any operation whose verdict is seen.
        Seen = "SEEN": "Items with verdict seen",
        /// Elements that took a cell of a table or of the stash.
        Inserted = "INSERTED": "Elements that took a cell of a table or of the stash",
        /// Of those, the ones that found their four rows full, and went to the stash.
        Stashed = "STASHED": "Elements that found their four rows full and went to the stash",
        /// Attempts to move an element from the stash into a row.
        Moves = "MOVES": "Attempts to move an element from the stash into a row",
        /// Elements that found no cell.
        Lost = "LOST": "Elements that found no cell: each may be forgotten within the window",
        /// Clocks in which `ready` was low for the scan.
        StallScan = "STALL_SCAN": "Clocks in which ready was low for the scan",
        /// Clocks in which `ready` was low for the stash.
        StallStash = "STALL_STASH": "Clocks in which ready was low because the stash could fill",
        /// Clocks in which `ready` was low for clear or reset.
        StallControl = "STALL_CONTROL": "Clocks in which ready was low for clear or reset",
        /// Clocks in which `ready` was low because the verdict stream was held up.
        StallVerdict = "STALL_VERDICT": "Clocks in which ready was low because the verdict stream was held up",
        /// Clocks in which an item met a cell with a bit error, or an agent repaired one.
        EccCorrected = "ECC_CORRECTED": "Clocks in which an item, or the repair of a cell, met a bit error that was corrected",
        /// Clocks in which an item or an agent met a cell with an error that cannot be corrected.
        EccUncorrectable = "ECC_UNCORRECTABLE": "Clocks in which an item, or the repair of a cell, met an error that cannot be corrected",
    }
}

impl CuckooCounter {
    /// Counters of a filter whose cells bear no error-correcting code.
    const PLAIN: usize = CuckooCounter::EccCorrected as usize;

    /// The counters of a filter with such cells, in the order of their addresses.
    pub(crate) fn of(ecc: bool) -> &'static [CuckooCounter] {
        match ecc {
            true => &CuckooCounter::ALL,
            false => &CuckooCounter::ALL[..CuckooCounter::PLAIN],
        }
    }
}
