use crate::hash::Probes;
use bloomline_spec::Operation;

/// What entered the pipeline in one clock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// Nothing.
    Empty,
    /// An item.
    Item(Operation),
    /// A bucket of each table is looked at.
    Scan,
    /// The same, and every cell is stale.
    Wipe,
}

/// One slot, from the clock it was accepted or issued in until it is decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub content: Content,
    pub tag: u64,
    pub probes: Probes,
    /// Of a scan or wipe, where memory is known cell by cell: its bucket.
    pub address: u32,
    /// From the age stage on: the generation that it meets.
    pub generation: u32,
}

impl Slot {
    /// Its positions in the tables, if it looks at any.
    pub fn positions(&self) -> Option<[u32; 2]> {
        match self.content {
            Content::Empty => None,
            Content::Item(_) => self.probes.positions().first_chunk().copied(),
            Content::Scan | Content::Wipe => Some([self.address; 2]),
        }
    }

    /// What stands where nothing entered.
    pub const EMPTY: Slot = Slot {
        content: Content::Empty,
        tag: 0,
        probes: Probes::NONE,
        address: 0,
        generation: 0,
    };
}
