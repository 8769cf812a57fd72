//! Event counters of a recycling filter.

use crate::registers::counters::counters;
use crate::values::Parity;

counters! {
    /// A 64-bit counter of the counter block, by its place in it. A filter has those of
    /// [`Sizing::counters`](crate::Sizing::counters).
    RecyclingCounter at FIRST_COUNTER {
        Items = "ITEMS": "Items accepted",
        Seen = "SEEN": "Items found in the filter",
        Inserted = "INSERTED": "Bit-setting items",
        Recycles = "RECYCLES": "Recycles by an item, by age and on command; not those of clear and reset",
        StallRecycle = "STALL_RECYCLE": "Clocks in which ready was low for epoch reserve or one-at-a-time operation",
        StallControl = "STALL_CONTROL": "Clocks in which ready was low for clear, a threshold write, ageing, a word of the array or reset",
        StallVerdict = "STALL_VERDICT": "Clocks in which ready was low because the verdict stream was held up",
        ParityErrors = "PARITY_ERRORS": "Slots (items, refreshes, words for the host) that met a memory word of wrong parity",
        ControlErrors = "CONTROL_ERRORS": "Restarts of queue and sequencer, by the self-check or on command",
        EccCorrected = "ECC_CORRECTED": "Slots (items, refreshes, words for the host) that met a memory word with one flipped bit, which was corrected",
        EccUncorrectable = "ECC_UNCORRECTABLE": "Slots that met a memory word with an error that cannot be corrected (two flipped bits), and used it as it was",
    }
}

/// A recycling filter's counters: those of every one, and these.
macro_rules! and {
    ($($more:ident)*) => {
        &[Items, Seen, Inserted, Recycles, StallRecycle, StallControl, StallVerdict, $($more),*]
    };
}

impl RecyclingCounter {
    /// The counters of a filter with such memory words and with or without self-check, in the order of their addresses.
    pub(crate) fn of(parity: Parity, ecc: bool, self_check: bool) -> &'static [RecyclingCounter] {
        use RecyclingCounter::*;
        match (parity, ecc, self_check) {
            (_, true, false) => and!(EccCorrected EccUncorrectable),
            (_, true, true) => and!(ControlErrors EccCorrected EccUncorrectable),
            (Parity::None, false, false) => and!(),
            (Parity::None, false, true) => and!(ControlErrors),
            (Parity::Count | Parity::Empty, false, false) => and!(ParityErrors),
            (Parity::Count | Parity::Empty, false, true) => and!(ParityErrors ControlErrors),
        }
    }
}
