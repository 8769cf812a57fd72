use crate::cells::CellOutcome;
use crate::hash::Probes;
use crate::pipeline::epochs::Write;
use bloomline_spec::CellOperation;

/// A word fetched or stored through the registers, by its address in the array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Fetch { address: u32 },
    Store { address: u32, data: u32 },
}

impl Access {
    /// Address in the array.
    pub fn address(self) -> u32 {
        match self {
            Access::Fetch { address } | Access::Store { address, .. } => address,
        }
    }
}

/// What entered the pipeline in one clock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// Nothing (so far: it may yet become a refresh).
    Empty,
    /// An item and the amount its cells take; in the shared layout one probe of it, by its number. Under conservative update
    /// it only looks.
    Item {
        operation: CellOperation,
        amount: u32,
        probe: u32,
    },
    /// Conservative update: one probe of the item whose probes looked last raises its cell.
    Raise { probe: u32 },
    /// A clear.
    Force,
    /// The panes change places.
    Turn,
    /// Empty, and no refresh, since a turn stands at most three slots ahead.
    Gap,
    /// A word is fetched or stored.
    Access(Access),
    /// A word of each bank to be given the current epoch.
    Refresh { address: u32 },
}

/// One slot, from the clock it was accepted or issued in until it is decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub content: Content,
    pub tag: u64,
    pub probes: Probes,
    /// A reset caught it beyond the stages that a reset empties: it finishes unseen.
    pub mute: bool,
    /// Set at the clear stage, for each pane.
    pub write: [Write; 2],
    /// Set at the clear stage, for an item: what its probes up to this slot's found.
    pub outcome: CellOutcome,
    /// Set at the clear stage, for a fetch.
    pub fetched: u32,
}

impl Slot {
    /// What stands where nothing entered.
    pub const EMPTY: Slot = Slot {
        content: Content::Empty,
        tag: 0,
        probes: Probes::NONE,
        mute: false,
        write: [Write::NONE; 2],
        outcome: CellOutcome::NONE,
        fetched: 0,
    };

    /// Whether it reads a word of every bank, and writes it back.
    pub fn reads(&self) -> bool {
        !matches!(
            self.content,
            Content::Empty | Content::Force | Content::Turn | Content::Gap
        )
    }
}
