use crate::functional::Outcome;
use bloomline_spec::{HalfRole, Operation};

/// Something that happened to the filter, in the order it happened: at the decision stage, fetches at theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An item was decided.
    Item(Decision),
    /// A recycle without an item.
    Force {
        /// Clock in which it was decided.
        decided: u64,
        /// What asked for it.
        cause: ForceCause,
    },
    /// A word of the array was read for the host.
    Fetch(Fetched),
    /// Bits were set for the host.
    Set(BitsSet),
}

/// A word that was read for the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetched {
    /// Clock in which its slot was issued.
    pub issued: u64,
    /// Clock behind which it stands in ARRAY_DATA.
    pub fetched: u64,
    /// The half it is of.
    pub half: HalfRole,
    /// The bank.
    pub bank: u32,
    /// Its address in the bank.
    pub word: u32,
    /// Its bits.
    pub data: u32,
}

/// Bits that a host set in the active half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitsSet {
    /// Clock behind which they count.
    pub counted: u64,
    /// The bank.
    pub bank: u32,
    /// The word's address in the bank.
    pub word: u32,
    /// The bits.
    pub bits: u32,
    /// How many of them were clear.
    pub new_bits: u32,
}

/// Why the halves recycle without an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForceCause {
    /// It is one of those that empty the halves on clear or on the way out of reset; it does not count as a recycle.
    Emptying,
    /// The active half has reached its greatest age.
    Age,
    /// A rekey, which serves a recycle by age that is due too.
    Rekey,
    /// A host's command, which serves one by age, too.
    Command,
}

impl ForceCause {
    /// Whether it is an event of the counter of recycles.
    pub fn counts(self) -> bool {
        self != ForceCause::Emptying
    }
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Clock in which the item was accepted.
    pub accepted: u64,
    /// Clock in which it was decided.
    pub decided: u64,
    /// Its operation.
    pub operation: Operation,
    /// Its tag.
    pub tag: u64,
    /// What it met and did.
    pub outcome: Outcome,
}
