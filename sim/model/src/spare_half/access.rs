use bloomline_spec::WORD_BITS;

/// What a host does with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// Reads it.
    Fetch,
    /// Sets bits in it.
    Set,
}

/// An access in the clock in which one of its bits stands in the decision stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub kind: AccessKind,
    /// Clock in which the access was issued.
    pub issued: u64,
    /// The bit of the word.
    pub bit: u32,
    /// There is none behind it.
    pub last: bool,
}

/// An access to a word of the array: its bits pass one after the other.
#[derive(Debug, Clone)]
pub(super) struct Access {
    kind: AccessKind,
    issued: u64,
    /// Clock in which bit 0 stands in the decision stage.
    decided: u64,
}

impl Access {
    /// Issued in clock `now`.
    pub fn new(now: u64, kind: AccessKind, decision_stage: u64) -> Access {
        Access {
            kind,
            issued: now,
            decided: now + 1 + decision_stage,
        }
    }

    /// The bit that stands in the decision stage in clock `now`.
    pub fn step(&self, now: u64) -> Option<Step> {
        let bit = now.checked_sub(self.decided)? as u32;
        Some(Step {
            kind: self.kind,
            issued: self.issued,
            bit,
            last: bit + 1 == WORD_BITS,
        })
    }
}
