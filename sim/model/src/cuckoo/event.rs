use super::filter::CuckooOutcome;
use bloomline_spec::Operation;

/// Something that happened to a sliding-window filter on cuckoo tables, in the order of the stream.
///
/// What a reset catches in flight is not reported; a [`CuckooEvent::Clear`] follows before the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CuckooEvent {
    /// An item was decided.
    Item(CuckooDecision),
    /// Every element is forgotten from here on.
    Clear,
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CuckooDecision {
    /// Clock in which the item was accepted.
    pub accepted: u64,
    /// Clock in which it was decided.
    pub decided: u64,
    /// Its operation.
    pub operation: Operation,
    /// Its tag.
    pub tag: u64,
    /// What it met and did.
    pub outcome: CuckooOutcome,
    /// It took an entry of the stash, since its rows were full.
    pub stashed: bool,
}
