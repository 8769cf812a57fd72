use super::filter::SlidingOutcome;
use bloomline_spec::Operation;

/// Something that happened to a sliding-window filter, in the order of the stream.
///
/// What a reset catches in flight is not reported; a [`SlidingEvent::Clear`] follows before the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlidingEvent {
    /// An item was decided.
    Item(SlidingDecision),
    /// Every element is forgotten from here on.
    Clear,
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingDecision {
    /// Clock in which the item was accepted.
    pub accepted: u64,
    /// Clock in which it was decided.
    pub decided: u64,
    /// Its operation.
    pub operation: Operation,
    /// Its tag.
    pub tag: u64,
    /// What it met and did.
    pub outcome: SlidingOutcome,
}
