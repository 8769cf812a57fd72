//! Operation codes and verdict flags, as bits of the item and verdict streams.

/// Width in bits of an operation on the item stream (`tuser`).
pub const OPERATION_BITS: u32 = 2;

/// Verdict flag, bit 0: the item was in the filter before any change (in the active or the frozen half).
pub const VERDICT_SEEN: u32 = 0;
/// Verdict flag, bit 1: every probed bit of the active half was set.
pub const VERDICT_IN_ACTIVE: u32 = 1;
/// Verdict flag, bit 2: two phases, and every probed bit of the frozen half was set.
pub const VERDICT_IN_FROZEN: u32 = 2;
/// Verdict flag, bit 3: the item tripped a recycle.
pub const VERDICT_TRIPPED: u32 = 3;
/// Number of verdict flags.
pub const VERDICT_BITS: u32 = 4;

/// What an item asks of the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Operation {
    /// Give a verdict, change nothing.
    Query = 0,
    /// Insert, give no verdict beat.
    Insert = 1,
    /// Give a verdict, then insert.
    #[default]
    TestAndInsert = 2,
}

impl Operation {
    /// Every operation, by code.
    pub const ALL: [Operation; 3] = [
        Operation::Query,
        Operation::Insert,
        Operation::TestAndInsert,
    ];

    /// The code on the item stream, [`OPERATION_BITS`] wide.
    #[inline]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The operation a code stands for. Only the low two bits count; code 3 behaves as test-and-insert.
    #[inline]
    pub fn from_code(code: u8) -> Operation {
        match code & 3 {
            0 => Operation::Query,
            1 => Operation::Insert,
            _ => Operation::TestAndInsert,
        }
    }

    /// Whether the item may set bits.
    #[inline]
    pub fn inserts(self) -> bool {
        self != Operation::Query
    }

    /// Whether the item produces a verdict beat.
    #[inline]
    pub fn has_verdict(self) -> bool {
        self != Operation::Insert
    }
}

/// The flags of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VerdictFlags {
    /// Every probed bit of the active half was set.
    pub in_active: bool,
    /// Two phases, and every probed bit of the frozen half was set.
    pub in_frozen: bool,
    /// The item tripped a recycle.
    pub tripped: bool,
}

impl VerdictFlags {
    /// The verdict: in either half.
    #[inline]
    pub fn seen(self) -> bool {
        self.in_active || self.in_frozen
    }

    /// The flags as the low [`VERDICT_BITS`] bits.
    #[inline]
    pub fn to_bits(self) -> u8 {
        u8::from(self.seen()) << VERDICT_SEEN
            | u8::from(self.in_active) << VERDICT_IN_ACTIVE
            | u8::from(self.in_frozen) << VERDICT_IN_FROZEN
            | u8::from(self.tripped) << VERDICT_TRIPPED
    }

    /// The flags of the low [`VERDICT_BITS`] bits, or `None` where `seen` contradicts the two halves (no filter gives
    /// that; a link that does is faulty) or a higher bit is set.
    pub fn from_bits(bits: u8) -> Option<VerdictFlags> {
        let bit = |position: u32| bits >> position & 1 == 1;
        let flags = VerdictFlags {
            in_active: bit(VERDICT_IN_ACTIVE),
            in_frozen: bit(VERDICT_IN_FROZEN),
            tripped: bit(VERDICT_TRIPPED),
        };
        (flags.to_bits() == bits).then_some(flags)
    }
}

/// The verdict of a sliding-window filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SlidingVerdict {
    /// Bit 0: a live cell bore the item's fingerprint before it.
    pub seen: bool,
    /// Bit 1: the item is an element that found no empty cell, so the filter does not know of it.
    pub lost: bool,
}

impl SlidingVerdict {
    /// Width of a verdict on the stream.
    pub const BITS: u32 = 2;

    /// The verdict as the low [`SlidingVerdict::BITS`] bits.
    #[inline]
    pub fn to_bits(self) -> u8 {
        u8::from(self.seen) | u8::from(self.lost) << 1
    }

    /// The verdict of the low bits, or `None` where a higher bit is set or an item is both seen and lost (no filter gives
    /// that; a link that does is faulty).
    pub fn from_bits(bits: u8) -> Option<SlidingVerdict> {
        let verdict = SlidingVerdict {
            seen: bits & 1 == 1,
            lost: bits & 2 == 2,
        };
        (bits < 3).then_some(verdict)
    }
}

/// Verdict of a filter of counters, bit 0: reached: the least counter, after the item, is at least the threshold. The one
/// bit of a static filter's verdict stands here too, and means [`CELL_VERDICT_SEEN`].
pub const CELL_VERDICT_REACHED: u32 = 0;
/// Bit 1: every counter of the item was above 0 before it.
pub const CELL_VERDICT_SEEN: u32 = 1;
/// Bit 2: the item removed, and at least one of its counters was 0 already.
pub const CELL_VERDICT_UNDERFLOW: u32 = 2;
/// Bit 3: at least one of its counters stands, after the item, at its greatest value, where it stays.
pub const CELL_VERDICT_SATURATED: u32 = 3;
/// Lowest bit of the estimate: the least of the item's counters, after the item.
pub const CELL_VERDICT_ESTIMATE: u32 = 4;

/// What an item asks of a filter of cells: the low [`OPERATION_BITS`] of `tuser`; an amount, where there is one, stands above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum CellOperation {
    /// Give a verdict, change nothing.
    Query = 0,
    /// Insert, give no verdict beat.
    Insert = 1,
    /// Insert and give a verdict.
    #[default]
    TestAndInsert = 2,
    /// Take one from every counter and give a verdict; counting filters only, and not under conservative update.
    Remove = 3,
}

impl CellOperation {
    /// Every operation, by code.
    pub const ALL: [CellOperation; 4] = [
        CellOperation::Query,
        CellOperation::Insert,
        CellOperation::TestAndInsert,
        CellOperation::Remove,
    ];

    /// The code on the item stream, [`OPERATION_BITS`] wide.
    #[inline]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The operation a code stands for. Only the low two bits count; where nothing can be removed, code 3 is test-and-insert.
    #[inline]
    pub fn from_code(code: u64, removes: bool) -> CellOperation {
        match code & 3 {
            0 => CellOperation::Query,
            1 => CellOperation::Insert,
            3 if removes => CellOperation::Remove,
            _ => CellOperation::TestAndInsert,
        }
    }

    /// Whether the item adds to its cells.
    #[inline]
    pub fn inserts(self) -> bool {
        matches!(self, CellOperation::Insert | CellOperation::TestAndInsert)
    }

    /// Whether the item produces a verdict beat.
    #[inline]
    pub fn has_verdict(self) -> bool {
        self != CellOperation::Insert
    }
}

/// The verdict of a filter of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellVerdict {
    /// The least counter, after the item, is at least the threshold.
    pub reached: bool,
    /// Every cell of the item was above 0 before it: the verdict of a static filter.
    pub seen: bool,
    /// The item removed, and at least one of its counters was 0 already.
    pub underflow: bool,
    /// At least one of its counters stands, after the item, at its greatest value.
    pub saturated: bool,
    /// The least of its counters, after the item.
    pub estimate: u32,
}

impl CellVerdict {
    /// The bits of a filter of counters, `4 + counter_bits` wide.
    #[inline]
    pub fn to_bits(self) -> u64 {
        u64::from(self.reached) << CELL_VERDICT_REACHED
            | u64::from(self.seen) << CELL_VERDICT_SEEN
            | u64::from(self.underflow) << CELL_VERDICT_UNDERFLOW
            | u64::from(self.saturated) << CELL_VERDICT_SATURATED
            | u64::from(self.estimate) << CELL_VERDICT_ESTIMATE
    }

    /// The verdict that bits of a filter of counters stand for; bits beyond an estimate of 32 bits are ignored.
    pub fn from_bits(bits: u64) -> CellVerdict {
        let bit = |position: u32| bits >> position & 1 == 1;
        CellVerdict {
            reached: bit(CELL_VERDICT_REACHED),
            seen: bit(CELL_VERDICT_SEEN),
            underflow: bit(CELL_VERDICT_UNDERFLOW),
            saturated: bit(CELL_VERDICT_SATURATED),
            estimate: (bits >> CELL_VERDICT_ESTIMATE) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_codes_round_trip_and_code_three_is_test_and_insert() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_code(operation.code()), operation);
        }
        assert_eq!(Operation::from_code(3), Operation::TestAndInsert);
    }

    #[test]
    fn only_query_leaves_the_filter_alone_and_only_insert_is_silent() {
        assert_eq!(Operation::ALL.map(Operation::inserts), [false, true, true]);
        assert_eq!(
            Operation::ALL.map(Operation::has_verdict),
            [true, false, true]
        );
    }

    #[test]
    fn verdict_bits_round_trip_and_contradictions_are_refused() {
        let legal: Vec<u8> = (0..=u8::MAX)
            .filter(|&bits| VerdictFlags::from_bits(bits).is_some())
            .collect();
        assert_eq!(
            legal,
            [0b0000, 0b0011, 0b0101, 0b0111, 0b1000, 0b1011, 0b1101, 0b1111]
        );
        for bits in legal {
            assert_eq!(
                VerdictFlags::from_bits(bits).map(VerdictFlags::to_bits),
                Some(bits)
            );
        }
    }
}
