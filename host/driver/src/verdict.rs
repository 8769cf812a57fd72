use crate::design::Design;
use bloomline_spec::{CellVerdict, FilterKind, SlidingVerdict, VerdictFlags};

/// What a filter says of an item, by its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Recycling filter: where the key was found.
    Recycling(VerdictFlags),
    /// Static filter: whether it was found.
    Static {
        /// Every bit of the key was set before.
        seen: bool,
    },
    /// Counting filter or Count-Min sketch: how often, and whether that reaches the threshold.
    Counted(CellVerdict),
    /// Sliding-window filter: whether it was found in the window, and whether there was room for it.
    Sliding(SlidingVerdict),
}

impl Verdict {
    /// The verdict that the bits of the verdict stream stand for; `None` for bits that no filter gives.
    pub fn from_bits(design: &Design, bits: u64) -> Option<Verdict> {
        if bits >> design.common().verdict_bits() != 0 {
            return None;
        }
        match design.kind() {
            FilterKind::Recycling => VerdictFlags::from_bits(bits as u8).map(Verdict::Recycling),
            FilterKind::Static => Some(Verdict::Static { seen: bits == 1 }),
            FilterKind::Counting | FilterKind::CountMin => {
                Some(Verdict::Counted(CellVerdict::from_bits(bits)))
            }
            FilterKind::Sliding => SlidingVerdict::from_bits(bits as u8).map(Verdict::Sliding),
        }
    }

    /// Bit 0 of the verdict: the key was seen; in filters that count, its count reaches the threshold.
    pub fn is_positive(&self) -> bool {
        match self {
            Verdict::Recycling(flags) => flags.seen(),
            Verdict::Static { seen } => *seen,
            Verdict::Counted(verdict) => verdict.reached,
            Verdict::Sliding(verdict) => verdict.seen,
        }
    }
}
