use crate::pipeline::credit::Credit;

/// Why `ready` is low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// Clear, array access or the way out of reset.
    Control,
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
    /// An array access is asked for.
    pub access_pending: bool,
    /// An item was accepted in this clock that will push a verdict.
    pub accepted_with_verdict: bool,
    /// A verdict left the queue for the output register.
    pub verdict_loaded: bool,
}

/// Decides when the next item may come, and when an array access takes its place.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    retire_clocks: u32,
    ready: bool,
    stall: Option<Stall>,
    /// Clocks until the access that was issued last is done.
    away: u32,
    credit: Credit,
}

impl Admission {
    /// As after reset.
    pub fn new(retire_clocks: u32) -> Admission {
        Admission {
            retire_clocks,
            ready: false,
            stall: None,
            away: 0,
            credit: Credit::default(),
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

    fn access_due(&self, access_pending: bool) -> bool {
        access_pending && self.away == 0
    }

    /// Whether the pending access enters the pipeline in this clock, which has no reset.
    pub fn issues_access(&self, now: &Conditions) -> bool {
        now.running && self.access_due(now.access_pending) && !self.ready && !now.clear_pending
    }

    /// Whether the pending access is done in this clock.
    pub fn access_done(&self) -> bool {
        self.away == 1
    }

    /// One clock without reset.
    pub fn clock(&mut self, now: &Conditions) {
        let due = self.access_due(now.access_pending);
        self.away = if self.issues_access(now) {
            self.retire_clocks
        } else {
            self.away.saturating_sub(1)
        };
        self.stall = if !now.running || now.clear_pending || due {
            Some(Stall::Control)
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
        *self = Admission::new(self.retire_clocks);
    }
}
