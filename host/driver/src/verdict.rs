use bloomline_spec::{CellVerdict, Design, FilterKind, SlidingVerdict, VerdictFlags};

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

    /// What it says beside bit 0, flag by flag.
    pub fn flags(&self) -> Vec<Flag> {
        let flag = |name, set, words| Flag { name, set, words };
        match self {
            Verdict::Recycling(flags) => vec![
                flag("in_active", flags.in_active, "in the active half"),
                flag("in_frozen", flags.in_frozen, "in the frozen half"),
                flag("tripped", flags.tripped, "tripped a recycle"),
            ],
            Verdict::Static { .. } => Vec::new(),
            Verdict::Counted(verdict) => vec![
                flag("seen", verdict.seen, ""),
                flag(
                    "underflow",
                    verdict.underflow,
                    "was not there to be removed",
                ),
                flag("saturated", verdict.saturated, "at the greatest count"),
            ],
            Verdict::Sliding(verdict) => vec![flag("lost", verdict.lost, "lost: no room for it")],
        }
    }

    /// How often the key was inserted, in filters that count.
    pub fn estimate(&self) -> Option<u32> {
        match self {
            Verdict::Counted(verdict) => Some(verdict.estimate),
            _ => None,
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

/// A flag of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Its name, as in the documentation of the verdict stream.
    pub name: &'static str,
    /// Whether it is set.
    pub set: bool,
    /// What it says where it is set; empty where the rest of the verdict says it already.
    pub words: &'static str,
}

/// A verdict of any kind of filter as flags and a count, for callers in other languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlatVerdict {
    /// The flags that are set: sums of the constants here.
    pub flags: u32,
    /// How often the key was inserted, in filters that count; else 0.
    pub estimate: u32,
}

impl FlatVerdict {
    /// Bit 0 of the verdict, as [`Verdict::is_positive`].
    pub const POSITIVE: u32 = 1;
    /// The key was there before the item.
    pub const SEEN: u32 = 2;
    /// Recycling: in the active half.
    pub const IN_ACTIVE: u32 = 4;
    /// Recycling: in the frozen half.
    pub const IN_FROZEN: u32 = 8;
    /// Recycling: the item tripped a recycle.
    pub const TRIPPED: u32 = 16;
    /// Counting: the item removed what was not there.
    pub const UNDERFLOW: u32 = 32;
    /// Counting: a counter of the item stands at its greatest value.
    pub const SATURATED: u32 = 64;
    /// Sliding: there was no room for the item.
    pub const LOST: u32 = 128;
}

impl From<Verdict> for FlatVerdict {
    fn from(verdict: Verdict) -> FlatVerdict {
        let (estimate, flags) = match verdict {
            Verdict::Recycling(flags) => (
                0,
                [
                    (flags.seen(), FlatVerdict::SEEN),
                    (flags.in_active, FlatVerdict::IN_ACTIVE),
                    (flags.in_frozen, FlatVerdict::IN_FROZEN),
                    (flags.tripped, FlatVerdict::TRIPPED),
                ],
            ),
            Verdict::Static { seen } => (0, [(seen, FlatVerdict::SEEN), NONE, NONE, NONE]),
            Verdict::Counted(verdict) => (
                verdict.estimate,
                [
                    (verdict.seen, FlatVerdict::SEEN),
                    (verdict.underflow, FlatVerdict::UNDERFLOW),
                    (verdict.saturated, FlatVerdict::SATURATED),
                    NONE,
                ],
            ),
            Verdict::Sliding(verdict) => (
                0,
                [
                    (verdict.seen, FlatVerdict::SEEN),
                    (verdict.lost, FlatVerdict::LOST),
                    NONE,
                    NONE,
                ],
            ),
        };
        let positive = (verdict.is_positive(), FlatVerdict::POSITIVE);
        let set = flags.into_iter().chain([positive]);
        FlatVerdict {
            flags: set.filter_map(|(set, flag)| set.then_some(flag)).sum(),
            estimate,
        }
    }
}

/// No flag.
const NONE: (bool, u32) = (false, 0);
