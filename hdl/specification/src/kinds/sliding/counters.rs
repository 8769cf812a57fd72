//! Event counters of a sliding-window filter.

use crate::registers::address;
use crate::values::Parity;

/// A 64-bit counter of the counter block of a sliding-window filter, in the order of their places ([`SlidingCounter::place`]).
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
    /// Slots that met a cell with a bit error, which was corrected. It stands in the place of [`SlidingCounter::ParityErrors`].
    EccCorrected = 10,
    /// Slots that met a cell with an error that cannot be corrected.
    EccUncorrectable = 11,
}

impl SlidingCounter {
    /// Every counter. No filter has all: a cell has a parity bit or an error-correcting code.
    pub const ALL: [SlidingCounter; 12] = [
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
        SlidingCounter::EccCorrected,
        SlidingCounter::EccUncorrectable,
    ];
    /// Those of a filter whose cells bear neither.
    pub const PLAIN: [SlidingCounter; 9] = [
        SlidingCounter::Items,
        SlidingCounter::Seen,
        SlidingCounter::Inserted,
        SlidingCounter::Back,
        SlidingCounter::Stored,
        SlidingCounter::Lost,
        SlidingCounter::StallScan,
        SlidingCounter::StallControl,
        SlidingCounter::StallVerdict,
    ];
    /// Those of a filter with an error-correcting code.
    const CORRECTED: [SlidingCounter; 11] = [
        SlidingCounter::Items,
        SlidingCounter::Seen,
        SlidingCounter::Inserted,
        SlidingCounter::Back,
        SlidingCounter::Stored,
        SlidingCounter::Lost,
        SlidingCounter::StallScan,
        SlidingCounter::StallControl,
        SlidingCounter::StallVerdict,
        SlidingCounter::EccCorrected,
        SlidingCounter::EccUncorrectable,
    ];
    /// Places of the counter block that are ever used.
    pub const PLACES: usize = 11;

    /// The counters of a filter with such cells, in the order of their addresses.
    pub(crate) fn of(parity: Parity, ecc: bool) -> &'static [SlidingCounter] {
        match (parity, ecc) {
            (_, true) => &SlidingCounter::CORRECTED,
            (Parity::None, false) => &SlidingCounter::PLAIN,
            (Parity::Count | Parity::Empty, false) => {
                &SlidingCounter::ALL[..=SlidingCounter::ParityErrors as usize]
            }
        }
    }

    /// Its place in the counter block, which is its place in [`SlidingGeometry::counters`](crate::SlidingGeometry::counters), too.
    pub const fn place(self) -> usize {
        match self {
            SlidingCounter::EccCorrected => SlidingCounter::ParityErrors as usize,
            SlidingCounter::EccUncorrectable => SlidingCounter::ParityErrors as usize + 1,
            _ => self as usize,
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
            SlidingCounter::EccCorrected => "ECC_CORRECTED",
            SlidingCounter::EccUncorrectable => "ECC_UNCORRECTABLE",
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

    pub(super) fn text(self) -> (&'static str, &'static str, &'static str) {
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
            SlidingCounter::EccCorrected => (
                "ECC_CORRECTED_LO",
                "ECC_CORRECTED_HI",
                "Slots (items, scans) that met a cell with a bit error, which was corrected, low half.",
            ),
            SlidingCounter::EccUncorrectable => (
                "ECC_UNCORRECTABLE_LO",
                "ECC_UNCORRECTABLE_HI",
                "Slots (items, scans) that met a cell with an error that cannot be corrected, low half.",
            ),
        }
    }
}
