//! Event counters of a filter of cells.

use super::kind::CellKind;
use crate::registers::address;
use crate::values::Parity;

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
    /// Slots that met a memory word with a bit error, which was corrected.
    EccCorrected = 9,
    /// Slots that met a memory word with an error that cannot be corrected.
    EccUncorrectable = 10,
}

/// A list of counters as it is without checked memory words, with parity, or with an error-correcting code.
macro_rules! with_errors {
    ($parity:expr, $ecc:expr, $($counter:ident)+) => {
        match ($parity, $ecc) {
            (_, true) => &[$($counter,)+ EccCorrected, EccUncorrectable],
            (Parity::None, false) => &[$($counter),+],
            (Parity::Count | Parity::Empty, false) => &[$($counter,)+ ParityErrors],
        }
    };
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
            CellCounter::EccCorrected => "ECC_CORRECTED",
            CellCounter::EccUncorrectable => "ECC_UNCORRECTABLE",
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
