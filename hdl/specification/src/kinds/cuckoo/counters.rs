//! Event counters of a sliding-window filter on cuckoo tables.

use crate::registers::address;

/// A 64-bit counter of the counter block of a sliding-window filter on cuckoo tables, by its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CuckooCounter {
    /// Items accepted.
    Items = 0,
    /// Items of any operation whose verdict is seen.
    Seen = 1,
    /// Elements that took a cell of a table or of the stash.
    Inserted = 2,
    /// Of those, the ones that found their four rows full, and went to the stash.
    Stashed = 3,
    /// Attempts to move an element from the stash into a row.
    Moves = 4,
    /// Elements that found no cell.
    Lost = 5,
    /// Clocks in which `ready` was low for the scan.
    StallScan = 6,
    /// Clocks in which `ready` was low for the stash.
    StallStash = 7,
    /// Clocks in which `ready` was low for clear or reset.
    StallControl = 8,
    /// Clocks in which `ready` was low because the verdict stream was held up.
    StallVerdict = 9,
}

impl CuckooCounter {
    /// Every counter, in the order of its address.
    pub const ALL: [CuckooCounter; 10] = [
        CuckooCounter::Items,
        CuckooCounter::Seen,
        CuckooCounter::Inserted,
        CuckooCounter::Stashed,
        CuckooCounter::Moves,
        CuckooCounter::Lost,
        CuckooCounter::StallScan,
        CuckooCounter::StallStash,
        CuckooCounter::StallControl,
        CuckooCounter::StallVerdict,
    ];

    /// Name without `_LO` and `_HI`.
    pub fn name(self) -> &'static str {
        match self {
            CuckooCounter::Items => "ITEMS",
            CuckooCounter::Seen => "SEEN",
            CuckooCounter::Inserted => "INSERTED",
            CuckooCounter::Stashed => "STASHED",
            CuckooCounter::Moves => "MOVES",
            CuckooCounter::Lost => "LOST",
            CuckooCounter::StallScan => "STALL_SCAN",
            CuckooCounter::StallStash => "STALL_STASH",
            CuckooCounter::StallControl => "STALL_CONTROL",
            CuckooCounter::StallVerdict => "STALL_VERDICT",
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

    pub(super) fn text(self) -> (&'static str, &'static str, &'static str) {
        match self {
            CuckooCounter::Items => ("ITEMS_LO", "ITEMS_HI", "Items accepted, low half."),
            CuckooCounter::Seen => ("SEEN_LO", "SEEN_HI", "Items with verdict seen, low half."),
            CuckooCounter::Inserted => (
                "INSERTED_LO",
                "INSERTED_HI",
                "Elements that took a cell of a table or of the stash, low half.",
            ),
            CuckooCounter::Stashed => (
                "STASHED_LO",
                "STASHED_HI",
                "Elements that found their four rows full and went to the stash, low half.",
            ),
            CuckooCounter::Moves => (
                "MOVES_LO",
                "MOVES_HI",
                "Attempts to move an element from the stash into a row, low half.",
            ),
            CuckooCounter::Lost => (
                "LOST_LO",
                "LOST_HI",
                "Elements that found no cell: each may be forgotten within the window, low half.",
            ),
            CuckooCounter::StallScan => (
                "STALL_SCAN_LO",
                "STALL_SCAN_HI",
                "Clocks in which ready was low for the scan, low half.",
            ),
            CuckooCounter::StallStash => (
                "STALL_STASH_LO",
                "STALL_STASH_HI",
                "Clocks in which ready was low because the stash could fill, low half.",
            ),
            CuckooCounter::StallControl => (
                "STALL_CONTROL_LO",
                "STALL_CONTROL_HI",
                "Clocks in which ready was low for clear or reset, low half.",
            ),
            CuckooCounter::StallVerdict => (
                "STALL_VERDICT_LO",
                "STALL_VERDICT_HI",
                "Clocks in which ready was low because the verdict stream was held up, low half.",
            ),
        }
    }
}
