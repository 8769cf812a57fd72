use bloomline_spec::VERDICT_QUEUE_DEPTH;

/// Places of the verdict queue that items between acceptance and the credit's fall may still claim.
const MARGIN: u32 = 4;

/// Whether every verdict on its way has a place in the queue, and those that may still follow too.
#[derive(Debug, Clone)]
pub(crate) struct Credit {
    /// Verdicts claimed and not loaded, but for the last clock's.
    outstanding: u32,
    claimed: bool,
    loaded: bool,
    given: bool,
}

impl Default for Credit {
    /// As after reset.
    fn default() -> Credit {
        Credit {
            outstanding: 0,
            claimed: false,
            loaded: false,
            given: true,
        }
    }
}

impl Credit {
    /// Whether an item may come.
    pub fn given(&self) -> bool {
        self.given
    }

    /// One clock without reset: an item that will push a verdict was accepted, a verdict left the queue for the output
    /// register.
    pub fn clock(&mut self, claimed: bool, loaded: bool) {
        self.given = self.outstanding <= VERDICT_QUEUE_DEPTH - MARGIN;
        self.outstanding += u32::from(self.claimed);
        self.outstanding -= u32::from(self.loaded);
        self.claimed = claimed;
        self.loaded = loaded;
    }
}
