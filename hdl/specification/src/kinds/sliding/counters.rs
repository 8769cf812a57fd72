//! Event counters of a sliding-window filter.

use crate::registers::address;
use crate::registers::counters::{counters, with_errors};
use crate::values::Parity;

counters! {
    /// A 64-bit counter of the counter block of a sliding-window filter, in the order of their places ([`SlidingCounter::place`]).
    SlidingCounter {
        Items = "ITEMS": "Items accepted",
        Seen = "SEEN": "Items with verdict seen",
        Inserted = "INSERTED": "Elements that took an empty cell",
        Back = "BACK": "Elements that took an empty cell of the back table",
        Stored = "STORED": "Elements that took an empty cell of the store",
        Lost = "LOST": "Elements that found no empty cell: each may be forgotten within the window",
        StallScan = "STALL_SCAN": "Clocks in which ready was low for the scan",
        StallControl = "STALL_CONTROL": "Clocks in which ready was low for clear or reset",
        StallVerdict = "STALL_VERDICT": "Clocks in which ready was low because the verdict stream was held up",
        ParityErrors = "PARITY_ERRORS": "Slots (items, scans) that met a cell of wrong parity",
        ///
        /// It stands in the place of [`SlidingCounter::ParityErrors`].
        EccCorrected = "ECC_CORRECTED": "Slots (items, scans) that met a cell with a bit error, which was corrected",
        EccUncorrectable = "ECC_UNCORRECTABLE": "Slots (items, scans) that met a cell with an error that cannot be corrected",
    }
}

impl SlidingCounter {
    /// Those of a filter whose cells bear neither.
    pub const PLAIN: [SlidingCounter; 9] = {
        use SlidingCounter::*;
        [
            Items,
            Seen,
            Inserted,
            Back,
            Stored,
            Lost,
            StallScan,
            StallControl,
            StallVerdict,
        ]
    };
    /// Places of the counter block that are ever used.
    pub const PLACES: usize = 11;

    /// The counters of a filter with such cells, in the order of their addresses.
    pub(crate) fn of(parity: Parity, ecc: bool) -> &'static [SlidingCounter] {
        use SlidingCounter::*;
        with_errors!(
            parity, ecc,
            Items Seen Inserted Back Stored Lost StallScan StallControl StallVerdict
        )
    }

    /// Its place in the counter block, which is its place in [`SlidingGeometry::counters`](crate::SlidingGeometry::counters), too.
    #[inline]
    pub const fn place(self) -> usize {
        match self {
            SlidingCounter::EccCorrected => SlidingCounter::ParityErrors as usize,
            SlidingCounter::EccUncorrectable => SlidingCounter::ParityErrors as usize + 1,
            _ => self as usize,
        }
    }

    /// Byte address of the low half. Reading it captures the high half, so low then high is one value.
    pub fn address_lo(self) -> u32 {
        address::FIRST_COUNTER + 8 * self.place() as u32
    }

    /// Byte address of the high half as captured by the last read of the low half.
    pub fn address_hi(self) -> u32 {
        self.address_lo() + 4
    }
}
