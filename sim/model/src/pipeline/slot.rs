use super::epochs::Write;
use crate::hash::Probes;
use bloomline_spec::Operation;

/// Slots kept: a power of two above the clocks from acceptance to the write stage.
const RING: usize = 64;

/// What entered the pipeline in one clock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// Nothing (so far: it may yet become a refresh).
    Empty,
    /// An item, with the operation.
    Item(Operation),
    /// A recycle without an item; true if it is by age.
    Force { by_age: bool },
    /// A word of the active half to be given the current epoch.
    Refresh { address: u32 },
}

/// One slot, from the clock it was accepted or issued in until its write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub content: Content,
    pub tag: u64,
    pub probes: Probes,
    /// Set at the decision stage.
    pub write: Write,
    /// Set at the decision stage: an item that writes its words.
    pub stores: bool,
}

/// The slots in flight, by the clock they entered in.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    ring: Box<[Slot; RING]>,
}

impl Slots {
    /// All empty. `clocks_in_flight` is the longest way of a slot.
    pub fn new(clocks_in_flight: u32) -> Slots {
        assert!(
            (clocks_in_flight as usize) < RING,
            "the timing of every geometry has fewer than {RING} slots in flight"
        );
        let empty = Slot {
            content: Content::Empty,
            tag: 0,
            probes: Probes::NONE,
            write: Write::default(),
            stores: false,
        };
        Slots {
            ring: Box::new([empty; RING]),
        }
    }

    /// The slot that entered `clocks_ago` before `clock`. Those before time began are empty.
    pub fn entered(&mut self, clock: u64, clocks_ago: u32) -> &mut Slot {
        &mut self.ring[clock.wrapping_sub(u64::from(clocks_ago)) as usize % RING]
    }
}
