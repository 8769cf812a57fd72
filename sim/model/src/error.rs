/// A promise of the pipeline's epoch bookkeeping that was broken: the design, not its input, is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A word still bore an epoch value when it was issued again: its old bits would come back.
    #[error(
        "clock {clock}: half {half} was given epoch {epoch} while word {word} of bank {bank} still bore it; expected no \
         word of the half to bear it; compare `spare` and `covered` with the pipeline's timing page at that clock"
    )]
    EpochReused {
        /// Clock of the decision that issued the value.
        clock: u64,
        /// Half it was issued to.
        half: usize,
        /// Bank of the word.
        bank: usize,
        /// Address of the word in its bank's half.
        word: usize,
        /// The value.
        epoch: u8,
    },
    /// A recycle reached the write stage although its half had no spare epoch value.
    #[error(
        "clock {clock}: half {half} was recycled with 0 spare epoch values; expected at least 1; admission must hold \
         `ready` low while `spare` is 0"
    )]
    NoSpareEpoch {
        /// Clock in which the recycle stood in the write stage.
        clock: u64,
        /// Half that became active.
        half: usize,
    },
    /// A recycle came while the spare half was being erased.
    #[error(
        "clock {clock}: a recycle, while the spare half was being erased since the one of clock {recycled}; expected at least {rows} \
         clocks between them; admission must hold `ready` low while erasing leaves too little room"
    )]
    SpareHalfInUse {
        /// Clock of the recycle.
        clock: u64,
        /// Clock of the one before.
        recycled: u64,
        /// Clocks that erasing takes.
        rows: u64,
    },
    /// The scan of a sliding-window filter came to a bucket late: a stale cell could look young.
    #[error(
        "bucket {bucket} was scanned {elements} elements after the last time; expected at most {most}; admission must hold \
         `ready` low after `interval` elements without a scan slot"
    )]
    LateScan {
        /// Bucket of the front table.
        bucket: usize,
        /// Elements since the last scan of it.
        elements: u64,
        /// Elements that the generations' bits allow.
        most: u64,
    },
    /// The scan of a sliding-window filter on cuckoo tables came to a row late, or has not come yet: a stale cell could look young.
    #[error(
        "row {row} of table {table} was left alone for {elements} elements; expected at most {most} between two visits; admission must hold \
         `ready` low while a table owes its scan fewer than 2 elements"
    )]
    LateVisit {
        /// Table of the row.
        table: usize,
        /// The row.
        row: u32,
        /// Elements since the last visit.
        elements: u64,
        /// Elements that the generations' bits allow.
        most: u64,
    },
    /// The cells of a sliding-window filter on cuckoo tables gave another verdict than the functional filter.
    #[error(
        "clock {clock}: the item at position {position} was decided with seen = {seen}; expected {expected}, by the last element of its \
         identity; look for a cell that was moved, or whose generation came round, at that clock"
    )]
    Misjudged {
        /// Clock of the decision.
        clock: u64,
        /// The item's position: its identity.
        position: u32,
        /// What the functional filter says.
        expected: bool,
        /// What the cells say.
        seen: bool,
    },
    /// An agent of a sliding-window filter on cuckoo tables wrote a row that was in use.
    #[error(
        "clock {clock}: the agent of table {table} wrote row {row} while an item wrote to that table, after the row had changed since it was read, \
         or before an item was decided on that had read it; expected the operation to wait, or not to be ripe; compare its conflicts with the timing page"
    )]
    UnsafeWrite {
        /// Clock of the write.
        clock: u64,
        /// Table of the row.
        table: usize,
        /// The row.
        row: u32,
    },
}
