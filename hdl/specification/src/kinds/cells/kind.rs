//! The filters of cells, and how many cells fit a memory word.

use crate::values::FilterKind;
use crate::word::WORD_BITS;

/// Which filter of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// Bits that are set and never cleared one by one.
    Static,
    /// Counters instead of bits.
    Counting,
    /// Rows of counters, the least taken.
    CountMin,
}

impl CellKind {
    /// The kind of filter with this word, if it is one of cells.
    pub(super) fn of(kind: FilterKind) -> Option<CellKind> {
        match kind {
            FilterKind::Static => Some(CellKind::Static),
            FilterKind::Counting => Some(CellKind::Counting),
            FilterKind::CountMin => Some(CellKind::CountMin),
            _ => None,
        }
    }
}

/// Cells of `bits` bits in a word.
pub(crate) fn lanes(bits: u32) -> u32 {
    1 << (WORD_BITS / bits).ilog2()
}
