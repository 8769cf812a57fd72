use crate::functional::Outcome;
use bloomline_spec::Operation;

/// Something that happened to the filter at the decision stage, in the order it happened.
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
