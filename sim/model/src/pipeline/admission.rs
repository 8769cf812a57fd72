use super::credit::Credit;
use bloomline_spec::{RecycleOn, RecyclingGeometry};

/// Why `ready` is low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// Clear, threshold write, ageing, a word to be fetched or the way out of reset.
    Control,
    /// No spare epoch, one item at a time, or the second slot of an item.
    Recycle,
    /// The verdict queue could fill.
    Verdict,
}

/// What admission is told in a clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditions {
    /// The sequencer runs, nothing asks it to stop, and no word is to be fetched.
    pub open: bool,
    /// No spare epoch value.
    pub blocked: bool,
    /// An item was accepted in this clock.
    pub accepted: bool,
    /// It takes the next clock too.
    pub accepted_for_two: bool,
    /// It will push a verdict.
    pub accepted_with_verdict: bool,
    /// A verdict left the queue for the output register.
    pub verdict_loaded: bool,
}

/// Decides when the next item may come.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    retire_clocks: u32,
    still_clocks: u32,
    initiation_interval: u32,
    /// What a retained item puts into an empty half, and what the items of the shortest cycle at full rate put
    /// at most, in the threshold's unit.
    base: i64,
    large_cycle: i64,
    on: RecycleOn,
    one_at_a_time: bool,
    ready: bool,
    stall: Option<Stall>,
    hold: u32,
    /// Clocks of an item that the array still has to itself.
    fold: u32,
    credit: Credit,
}

impl Admission {
    pub fn new(geometry: &RecyclingGeometry) -> Admission {
        let unit = match geometry.recycle_on() {
            RecycleOn::BitsSet => i64::from(geometry.hashes()),
            RecycleOn::Messages => 1,
        };
        Admission {
            retire_clocks: geometry.timing().retire_clocks,
            still_clocks: geometry.timing().still_clocks,
            initiation_interval: geometry.timing().initiation_interval,
            base: if geometry.retain() { unit } else { 0 },
            large_cycle: unit * i64::from(geometry.timing().large_cycle_items),
            on: geometry.recycle_on(),
            one_at_a_time: true,
            ready: false,
            stall: None,
            hold: 0,
            fold: 0,
            credit: Credit::new(geometry.timing().verdict_queue_depth),
        }
    }

    /// `s_item_tready` in this clock.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// Whether every item accepted has its words in memory by the time that a fetch issued in this clock reads.
    pub fn still(&self) -> bool {
        self.hold <= self.still_clocks
    }

    /// Why `ready` is low in this clock; `None` when it is high, or low because of reset or of the initiation interval.
    pub fn stall(&self) -> Option<Stall> {
        self.stall
    }

    /// The threshold register becomes the limit.
    pub fn load_limit(&mut self, threshold: u32) {
        let limit = match self.on {
            RecycleOn::BitsSet => threshold,
            RecycleOn::Messages => threshold.saturating_sub(1),
        };
        self.one_at_a_time = i64::from(limit) - self.base < self.large_cycle;
    }

    /// One clock without reset.
    pub fn clock(&mut self, now: Conditions) {
        let one_at_a_time = self.one_at_a_time && (now.accepted || self.hold > 0);
        let folding = self.initiation_interval > 1 && (now.accepted || self.fold > 1);
        self.stall = if !now.open {
            Some(Stall::Control)
        } else if now.blocked || one_at_a_time || now.accepted_for_two {
            Some(Stall::Recycle)
        } else if folding {
            None
        } else if !self.credit.given() {
            Some(Stall::Verdict)
        } else {
            None
        };
        self.ready = self.stall.is_none() && !folding;
        self.fold = if now.accepted {
            self.initiation_interval - 1
        } else {
            self.fold.saturating_sub(1)
        };
        self.hold = if now.accepted {
            self.retire_clocks
        } else {
            self.hold.saturating_sub(1)
        };
        self.credit
            .clock(now.accepted_with_verdict, now.verdict_loaded);
    }

    /// Nothing that was accepted is on its way any more, nor waits, at the end of a clock.
    pub fn restart(&mut self) {
        self.credit.reset();
    }

    /// A clock with reset; the limit stays until the sequencer loads it.
    pub fn reset(&mut self) {
        self.ready = false;
        self.stall = None;
        self.hold = 0;
        self.fold = 0;
        self.credit.reset();
    }
}
