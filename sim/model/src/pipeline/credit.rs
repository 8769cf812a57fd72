/// Places of the verdict queue that items between acceptance and the credit's fall may still claim.
const MARGIN: u32 = 4;

/// Whether every verdict on its way has a place in the queue, and those that may still follow too.
#[derive(Debug, Clone)]
pub(crate) struct Credit {
    queue_depth: u32,
    /// Verdicts claimed and not loaded, but for the last clock's.
    outstanding: u32,
    claimed: bool,
    loaded: bool,
    given: bool,
}

impl Credit {
    /// As after reset, for a queue of so many places; 0 for none, which nobody waits for.
    pub fn new(queue_depth: u32) -> Credit {
        Credit {
            queue_depth,
            outstanding: 0,
            claimed: false,
            loaded: false,
            given: true,
        }
    }

    /// Whether an item may come.
    pub fn given(&self) -> bool {
        self.given
    }

    /// One clock without reset: an item that will push a verdict was accepted, a verdict left the queue for the output
    /// register.
    pub fn clock(&mut self, claimed: bool, loaded: bool) {
        if self.queue_depth == 0 {
            return;
        }
        self.given = self.outstanding <= self.queue_depth - MARGIN;
        self.outstanding += u32::from(self.claimed);
        self.outstanding -= u32::from(self.loaded);
        self.claimed = claimed;
        self.loaded = loaded;
    }
    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Credit::new(self.queue_depth);
    }
}
