//! Event counters of a sliding-window filter on cuckoo tables.

use crate::registers::counters::counters;

counters! {
    /// A 64-bit counter of the counter block of a sliding-window filter on cuckoo tables, by its place in it.
    CuckooCounter at FIRST_COUNTER {
        Items = "ITEMS": "Items accepted",
        Seen = "SEEN": "Items with verdict seen",
        Inserted = "INSERTED": "Elements that took a cell of a table or of the stash",
        Stashed = "STASHED": "Elements that found their four rows full and went to the stash",
        Moves = "MOVES": "Attempts to move an element from the stash into a row",
        Lost = "LOST": "Elements that found no cell: each may be forgotten within the window",
        StallScan = "STALL_SCAN": "Clocks in which ready was low for the scan",
        StallStash = "STALL_STASH": "Clocks in which ready was low because the stash could fill",
        StallControl = "STALL_CONTROL": "Clocks in which ready was low for clear or reset",
        StallVerdict = "STALL_VERDICT": "Clocks in which ready was low because the verdict stream was held up",
        EccCorrected = "ECC_CORRECTED": "Clocks in which an item, or the repair of a cell, met a bit error that was corrected",
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
