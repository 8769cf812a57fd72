use super::filter::CellOutcome;
use bloomline_spec::CellOperation;

/// Something that happened to a filter of cells, in the order of the stream.
///
/// What a reset catches in flight is not reported; a [`CellEvent::Clear`] follows before the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellEvent {
    /// An item was decided.
    Item(CellDecision),
    /// Every cell became 0.
    Clear {
        /// Clock in which the clear stood in the decision stage.
        decided: u64,
    },
    /// The panes changed places.
    Turn {
        /// Clock in which the turn stood in the decision stage.
        decided: u64,
    },
    /// A word of the array was fetched into its register.
    Fetch {
        /// Address in the array.
        address: u32,
        /// The word.
        data: u32,
    },
    /// A word of the array was replaced.
    Store {
        /// Address in the array.
        address: u32,
        /// What the host wrote, bits above the cells included.
        data: u32,
    },
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellDecision {
    /// Clock in which the item was accepted.
    pub accepted: u64,
    /// Clock in which it was decided.
    pub decided: u64,
    /// Its operation.
    pub operation: CellOperation,
    /// What it adds if it inserts.
    pub amount: u32,
    /// Its tag.
    pub tag: u64,
    /// What it met and did.
    pub outcome: CellOutcome,
}
