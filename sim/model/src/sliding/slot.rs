use crate::hash::Probes;
use bloomline_spec::Operation;

/// What entered the pipeline in one clock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// Nothing.
    Empty,
    /// An item.
    Item(Operation),
    /// A bucket of each table is looked at; with a wipe every cell is stale.
    Scan,
}

/// One slot, from the clock it was accepted or issued in until it is decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub content: Content,
    pub tag: u64,
    pub probes: Probes,
}

impl Slot {
    /// What stands where nothing entered.
    pub const EMPTY: Slot = Slot {
        content: Content::Empty,
        tag: 0,
        probes: Probes::NONE,
    };
}
