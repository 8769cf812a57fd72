use crate::pipeline::credit::Credit;

/// Why `ready` is low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// Clear or the way out of reset.
    Control,
    /// The scan must go on.
    Scan,
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
    /// An item was accepted.
    pub accepted: bool,
    /// It is an element.
    pub accepted_element: bool,
    /// It will push a verdict.
    pub accepted_with_verdict: bool,
    /// A verdict left the queue for the output register.
    pub verdict_loaded: bool,
}

impl Conditions {
    /// Whether a scan slot is issued.
    pub fn scans(&self) -> bool {
        self.running && !self.accepted
    }
}

/// Decides when the next item may come.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    interval: u32,
    ready: bool,
    stall: Option<Stall>,
    /// Elements since the last scan slot.
    gap: u32,
    credit: Credit,
}

impl Admission {
    /// As after reset.
    pub fn new(interval: u32, queue_depth: u32) -> Admission {
        Admission {
            interval,
            ready: false,
            stall: None,
            gap: 0,
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
        let due = now.accepted_element && self.gap + 1 == self.interval;
        self.stall = if !now.running || now.clear_pending {
            Some(Stall::Control)
        } else if due {
            Some(Stall::Scan)
        } else if !self.credit.given() {
            Some(Stall::Verdict)
        } else {
            None
        };
        self.ready = self.stall.is_none();
        self.gap = if now.scans() || !now.running {
            0
        } else {
            self.gap + u32::from(now.accepted_element)
        };
        self.credit
            .clock(now.accepted_with_verdict, now.verdict_loaded);
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.ready = false;
        self.stall = None;
        self.gap = 0;
        self.credit.reset();
    }
}
