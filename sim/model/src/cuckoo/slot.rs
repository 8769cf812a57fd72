use super::ages::Moment;
use super::cell::Identity;
use bloomline_spec::{Operation, CUCKOO_TABLES};

/// What entered the pipeline in one clock, until it is decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// Of an item; nothing else enters.
    pub operation: Option<Operation>,
    /// Clock in which it was accepted.
    pub accepted: u64,
    pub tag: u64,
    pub position: u32,
    pub identity: Identity,
    pub rows: [u32; CUCKOO_TABLES],
    /// From the age stage on: the generation that it meets.
    pub moment: Moment,
}

impl Slot {
    /// What stands where nothing entered.
    pub const EMPTY: Slot = Slot {
        operation: None,
        accepted: 0,
        tag: 0,
        position: 0,
        identity: Identity {
            base: 0,
            fingerprint: 0,
        },
        rows: [0; CUCKOO_TABLES],
        moment: Moment {
            generation: 0,
            elements: 0,
        },
    };

    /// Whether an item stands here that looks at this row of a table.
    pub fn has_row(&self, table: usize, row: u32) -> bool {
        self.operation.is_some() && self.rows[table] == row
    }

    /// Whether an element stands here.
    pub fn is_element(&self) -> bool {
        self.operation.is_some_and(Operation::inserts)
    }
}
