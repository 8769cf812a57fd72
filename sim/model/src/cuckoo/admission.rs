use crate::pipeline::credit::Credit;

/// Why `ready` is low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// Clear or the way out of reset.
    Control,
    /// The scan must go on.
    Scan,
    /// The stash could fill.
    Stash,
    /// The verdict queue could fill.
    Verdict,
}

/// What admission is told in a clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditions {
    /// The sequencer runs.
    pub running: bool,
    /// A clear is asked for.
    pub clear_pending: bool,
    /// A table owes its scan what there is.
    pub short: bool,
    /// The stream is held for the stash.
    pub held: bool,
    /// An item was accepted that will push a verdict.
    pub accepted_with_verdict: bool,
    /// A verdict left the queue for the output register.
    pub verdict_loaded: bool,
}

/// Decides when the next item may come.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    ready: bool,
    stall: Option<Stall>,
    credit: Credit,
}

impl Admission {
    /// As after reset.
    pub fn new(queue_depth: u32) -> Admission {
        Admission {
            ready: false,
            stall: None,
            credit: Credit::new(queue_depth),
        }
    }

    /// `s_item_tready` in this clock.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// Why `ready` is low in this clock; `None` when it is high, or low because of reset.
    pub fn stall(&self) -> Option<Stall> {
        self.stall
    }

    /// One clock without reset.
    pub fn clock(&mut self, now: &Conditions) {
        self.stall = if !now.running || now.clear_pending {
            Some(Stall::Control)
        } else if now.short {
            Some(Stall::Scan)
        } else if now.held {
            Some(Stall::Stash)
        } else if !self.credit.given() {
            Some(Stall::Verdict)
        } else {
            None
        };
        self.ready = self.stall.is_none();
        self.credit
            .clock(now.accepted_with_verdict, now.verdict_loaded);
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.ready = false;
        self.stall = None;
        self.credit.reset();
    }
}
