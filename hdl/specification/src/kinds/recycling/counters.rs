//! Event counters of a recycling filter.

use crate::registers::address;
use crate::values::Parity;

/// A 64-bit counter of the counter block, by its place in it. A filter has those of
/// [`Sizing::counters`](crate::Sizing::counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecyclingCounter {
    /// Items accepted.
    Items = 0,
    /// Verdicts `seen`.
    Seen = 1,
    /// Bit-setting items.
    Inserted = 2,
    /// Recycles, by whatever cause.
    Recycles = 3,
    /// Clocks in which `ready` was low for epoch reserve or one-at-a-time operation.
    StallRecycle = 4,
    /// Clocks in which `ready` was low for clear, a threshold write, ageing, a word of the array or reset.
    StallControl = 5,
    /// Clocks in which `ready` was low because the verdict stream was held up.
    StallVerdict = 6,
    /// Slots that met a memory word of wrong parity.
    ParityErrors = 7,
    /// Restarts of control logic, by its self-check or on command.
    ControlErrors = 8,
    /// Slots that met a memory word with a bit error, which was corrected.
    EccCorrected = 9,
    /// Slots that met a memory word with an error that cannot be corrected.
    EccUncorrectable = 10,
}

impl RecyclingCounter {
    /// Every counter, in the order of its address.
    pub const ALL: [RecyclingCounter; 11] = [
        RecyclingCounter::Items,
        RecyclingCounter::Seen,
        RecyclingCounter::Inserted,
        RecyclingCounter::Recycles,
        RecyclingCounter::StallRecycle,
        RecyclingCounter::StallControl,
        RecyclingCounter::StallVerdict,
        RecyclingCounter::ParityErrors,
        RecyclingCounter::ControlErrors,
        RecyclingCounter::EccCorrected,
        RecyclingCounter::EccUncorrectable,
    ];
    /// Those of a filter with error correction and without self-check.
    const CORRECTED: [RecyclingCounter; 9] = [
        RecyclingCounter::Items,
        RecyclingCounter::Seen,
        RecyclingCounter::Inserted,
        RecyclingCounter::Recycles,
        RecyclingCounter::StallRecycle,
        RecyclingCounter::StallControl,
        RecyclingCounter::StallVerdict,
        RecyclingCounter::EccCorrected,
        RecyclingCounter::EccUncorrectable,
    ];
    /// Those of a filter with both.
    const CORRECTED_AND_CHECKED: [RecyclingCounter; 10] = [
        RecyclingCounter::Items,
        RecyclingCounter::Seen,
        RecyclingCounter::Inserted,
        RecyclingCounter::Recycles,
        RecyclingCounter::StallRecycle,
        RecyclingCounter::StallControl,
        RecyclingCounter::StallVerdict,
        RecyclingCounter::ControlErrors,
        RecyclingCounter::EccCorrected,
        RecyclingCounter::EccUncorrectable,
    ];
    /// Those of a filter with self-check and without parity.
    const CHECKED: [RecyclingCounter; 8] = [
        RecyclingCounter::Items,
        RecyclingCounter::Seen,
        RecyclingCounter::Inserted,
        RecyclingCounter::Recycles,
        RecyclingCounter::StallRecycle,
        RecyclingCounter::StallControl,
        RecyclingCounter::StallVerdict,
        RecyclingCounter::ControlErrors,
    ];

    /// The counters of a filter with such memory words and with or without self-check, in the order of their addresses.
    pub(crate) fn of(parity: Parity, ecc: bool, self_check: bool) -> &'static [RecyclingCounter] {
        if ecc {
            return match self_check {
                false => &RecyclingCounter::CORRECTED,
                true => &RecyclingCounter::CORRECTED_AND_CHECKED,
            };
        }
        match (parity, self_check) {
            (Parity::None, false) => {
                &RecyclingCounter::ALL[..RecyclingCounter::ParityErrors as usize]
            }
            (Parity::None, true) => &RecyclingCounter::CHECKED,
            (Parity::Count | Parity::Empty, false) => {
                &RecyclingCounter::ALL[..RecyclingCounter::ControlErrors as usize]
            }
            (Parity::Count | Parity::Empty, true) => {
                &RecyclingCounter::ALL[..RecyclingCounter::EccCorrected as usize]
            }
        }
    }

    /// Name without `_LO` and `_HI`.
    pub fn name(self) -> &'static str {
        match self {
            RecyclingCounter::Items => "ITEMS",
            RecyclingCounter::Seen => "SEEN",
            RecyclingCounter::Inserted => "INSERTED",
            RecyclingCounter::Recycles => "RECYCLES",
            RecyclingCounter::StallRecycle => "STALL_RECYCLE",
            RecyclingCounter::StallControl => "STALL_CONTROL",
            RecyclingCounter::StallVerdict => "STALL_VERDICT",
            RecyclingCounter::ParityErrors => "PARITY_ERRORS",
            RecyclingCounter::ControlErrors => "CONTROL_ERRORS",
            RecyclingCounter::EccCorrected => "ECC_CORRECTED",
            RecyclingCounter::EccUncorrectable => "ECC_UNCORRECTABLE",
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
