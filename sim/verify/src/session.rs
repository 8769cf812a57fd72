//! Common types of a run: preparation, reference, clock counts, result.

use bloomline_bench::lockstep::{LockstepError, Outcome, Reference};

/// Clocks in which the filter was not ready, from the first item on.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Clocks {
    first: Option<u64>,
    last: u64,
    not_ready_running: u64,
    not_ready_control: u64,
    pending_running: u64,
    pending_control: u64,
}

impl Clocks {
    /// Counts the clocks of another filter too: spans and stalls are summed.
    pub fn add(&mut self, other: Clocks) {
        let (span, running, control) = clocks_of(*self);
        let (other_span, other_running, other_control) = clocks_of(other);
        *self = Clocks {
            first: Some(0),
            last: (span + other_span).saturating_sub(1),
            not_ready_running: running + other_running,
            not_ready_control: control + other_control,
            ..Clocks::default()
        };
    }

    /// Takes clock `now`: whether an item was offered, whether it was taken if so, and whether the filter ran.
    pub fn clock(&mut self, now: u64, offered: bool, ready: bool, running: bool) {
        if ready && offered {
            self.first.get_or_insert(now);
            self.last = now;
            // stalls behind the last item hold nobody up
            self.not_ready_running = self.pending_running;
            self.not_ready_control = self.pending_control;
        } else if !ready && self.first.is_some() {
            if running {
                self.pending_running += 1;
            } else {
                self.pending_control += 1;
            }
        }
    }
}

/// A lockstep that has ended.
pub(crate) struct Ended<R> {
    /// Its counts, where it ran to its end.
    pub finished: Option<Outcome>,
    /// What went wrong first.
    pub mismatch: Option<LockstepError>,
    /// The reference with its statistics.
    pub reference: R,
}

/// A model with its statistics, which can take those of independent filters in.
pub(crate) trait Pooled: Reference + Send + Sized {
    /// Takes the statistics of other filters in.
    fn pool(&mut self, others: Vec<Self>);
}

/// What a run needs to begin, made from a seed.
pub(crate) trait Prepared: Send + Sync {
    /// Items that it decides.
    fn items(&self) -> u64;
}

/// What a run is compared with on every clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Against {
    /// The cycle-accurate model.
    Model,
    /// The functional model's verdicts in the clocks of the contract, where the kind has that; else the cycle-accurate model.
    Contract,
}

/// (clocks from the first to the last acceptance, not ready while running, not ready for control)
pub(crate) fn clocks_of(clocks: Clocks) -> (u64, u64, u64) {
    let span = clocks.first.map_or(0, |first| clocks.last - first + 1);
    (span, clocks.not_ready_running, clocks.not_ready_control)
}

/// Clocks a second of a finished run, 0 of one that failed.
pub(crate) fn speed(finished: Option<Outcome>) -> f64 {
    finished.map_or(0.0, |outcome| outcome.clocks_per_second())
}
