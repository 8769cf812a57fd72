use crate::pipeline::credit::Credit;
use bloomline_spec::{CellOperation, CellTiming};

/// Why `ready` is low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// Clear, array access, a turn of the panes or the way out of reset.
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
    /// No epoch is to spare.
    pub blocked: bool,
    /// An array access is asked for.
    pub access_pending: bool,
    /// An item with this operation was accepted in this clock.
    pub accepted: Option<CellOperation>,
    /// A verdict left the queue for the output register.
    pub verdict_loaded: bool,
}

/// What the item accepted last has in a clock in which it holds up the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Its next probe is issued.
    Probe,
    /// Conservative update: its cells are on their way to being known.
    Pause,
    /// Conservative update: the probe with this number is issued to raise its cell.
    Raise(u32),
}

/// Decides when the next item may come, and when an array access takes its place.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    timing: CellTiming,
    /// Items wait until an access is done; if not, only until it is issued.
    waits_for_access: bool,
    window: Option<Window>,
    ready: bool,
    stall: Option<Stall>,
    /// Clocks until the access that was issued last is done.
    away: u32,
    /// Clocks, this one included, in which the item accepted last holds up the next one.
    fold: u32,
    /// What `fold` began with.
    hold: u32,
    credit: Credit,
}

/// The insertions of a window, and the turn behind them.
#[derive(Debug, Clone, Copy)]
struct Window {
    insertions: u64,
    /// Accepted since the last turn.
    count: u64,
    /// The window is full: a turn is due.
    filled: bool,
    /// Clocks, this one included, in which slots behind a turn stay empty.
    gap: u32,
}

impl Window {
    fn new(insertions: u64) -> Window {
        Window {
            insertions,
            count: 0,
            filled: false,
            gap: 0,
        }
    }

    /// An item that inserts and is accepted in this clock is the last of its window.
    fn is_last(&self) -> bool {
        self.count + 1 == self.insertions
    }
}

impl Admission {
    /// As after reset; `window` is the insertions of one, if there are windows.
    pub fn new(timing: CellTiming, window: Option<u64>, waits_for_access: bool) -> Admission {
        Admission {
            window: window.map(Window::new),
            waits_for_access,
            timing,
            ready: false,
            stall: None,
            away: 0,
            fold: 0,
            hold: 0,
            credit: Credit::new(timing.verdict_queue_depth),
        }
    }

    /// `s_item_tready` in this clock.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// The item accepted last holds up the next one in this clock; never so in the partitioned layout.
    pub fn folding(&self) -> bool {
        self.fold > 0
    }

    /// What that item has in this clock, if it holds up the next one.
    pub fn turn(&self) -> Option<Turn> {
        if !self.folding() {
            return None;
        }
        let since = self.hold - self.fold + 1;
        Some(if since <= self.timing.fold_clocks {
            Turn::Probe
        } else if since < self.timing.raise_clocks {
            Turn::Pause
        } else {
            Turn::Raise(since - self.timing.raise_clocks)
        })
    }

    /// Why `ready` is low in this clock; `None` when it is high, or low because of reset or of probes still to be issued.
    pub fn stall(&self) -> Option<Stall> {
        self.stall
    }

    fn access_due(&self, access_pending: bool) -> bool {
        access_pending && self.away == 0
    }

    /// Whether the pending access enters the pipeline in this clock, which has no reset.
    pub fn issues_access(&self, now: &Conditions) -> bool {
        let due = self.access_due(now.access_pending);
        let turning = self
            .window
            .is_some_and(|window| window.filled || window.gap > 0);
        now.running && due && !self.ready && !now.clear_pending && !self.folding() && !turning
    }

    /// Whether a turn enters the pipeline in this clock, which has no reset.
    pub fn issues_turn(&self, now: &Conditions) -> bool {
        let filled = self.window.is_some_and(|window| window.filled);
        now.running && filled && !now.blocked && self.away == 0
    }

    /// Whether what enters the pipeline in this clock is left empty because of a turn.
    pub fn behind_turn(&self) -> bool {
        self.window.is_some_and(|window| window.gap > 0)
    }

    /// Whether the pending access is done in this clock.
    pub fn access_done(&self) -> bool {
        self.away == 1
    }

    /// One clock without reset.
    pub fn clock(&mut self, now: &Conditions) {
        let due = match self.waits_for_access {
            true => now.access_pending,
            false => self.access_due(now.access_pending),
        };
        let inserts = now.accepted.is_some_and(CellOperation::inserts);
        let turning = self
            .window
            .is_some_and(|window| window.filled || window.gap > 1 || (inserts && window.is_last()));
        let turns = self.issues_turn(now);
        self.away = if self.issues_access(now) {
            self.timing.access_clocks
        } else {
            self.away.saturating_sub(1)
        };
        let behind = now
            .accepted
            .map(|operation| self.timing.item_clocks(operation) - 1);
        let busy = behind.is_some_and(|clocks| clocks > 0) || self.fold > 1;
        if let Some(window) = &mut self.window {
            window.gap = match turns {
                true => self.timing.turn_clocks() - 1,
                false => window.gap.saturating_sub(1),
            };
            if !now.running {
                (window.count, window.filled) = (0, false);
            } else {
                let last = inserts && window.is_last();
                window.filled = last || (window.filled && !turns);
                window.count = if last {
                    0
                } else {
                    window.count + u64::from(inserts)
                };
            }
        }
        self.stall = if !now.running || now.clear_pending || due || turning {
            Some(Stall::Control)
        } else if !busy && !self.credit.given() {
            Some(Stall::Verdict)
        } else {
            None
        };
        self.ready = self.stall.is_none() && !busy;
        match behind {
            Some(clocks) => (self.fold, self.hold) = (clocks, clocks),
            None => self.fold = self.fold.saturating_sub(1),
        }
        self.credit.clock(
            now.accepted.is_some_and(CellOperation::has_verdict),
            now.verdict_loaded,
        );
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        let window = self.window.map(|window| window.insertions);
        *self = Admission::new(self.timing, window, self.waits_for_access);
    }
}
