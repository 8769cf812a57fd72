use super::epochs::Write;
use super::event::ForceCause;
use crate::hash::Probes;
use bloomline_spec::Operation;

/// What entered the pipeline in one clock.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content {
    /// Nothing (so far: it may yet become a refresh).
    Empty,
    /// An item, with the operation.
    Item(Operation),
    /// The item behind it, hashed under the frozen half's secret: nothing but its positions matters.
    Look,
    /// A recycle without an item.
    Force(ForceCause),
    /// A word of the active half to be given the current epoch.
    Refresh { address: u32 },
    /// A word that is read for the host: the one that ARRAY_ADDRESS says.
    Fetch,
    /// Bits are set for the host in a word of a bank of the active half.
    Set { bank: u32, word: u32, bits: u32 },
}

/// One slot, from the clock it was accepted or issued in until its write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub content: Content,
    pub tag: u64,
    pub probes: Probes,
    /// Set at the decision stage.
    pub write: Write,
    /// Set at the decision stage: an item that writes its words.
    pub stores: bool,
}

impl Slot {
    /// What stands where nothing entered.
    pub const EMPTY: Slot = Slot {
        content: Content::Empty,
        tag: 0,
        probes: Probes::NONE,
        write: Write::NONE,
        stores: false,
    };
}
