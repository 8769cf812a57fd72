use super::event::ForceCause;

/// Clocks that loading the limit takes, but one.
const LOAD_CLOCKS: u32 = 7;

/// What the sequencer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Items are taken.
    Run,
    /// Items in flight leave, then forces are issued.
    Drain,
    /// The limit takes the threshold register, and what is left of it is computed anew.
    Load,
}

/// Stops the stream for whatever must fall between two items: reset, clear, recycle, rekey, a new threshold, bits of a host,
/// ageing.
#[derive(Debug, Clone)]
pub(super) struct Sequencer {
    retire_clocks: u32,
    phases: u32,
    state: State,
    wait: u32,
    forces: u32,
    forces_for: ForceCause,
    /// What is forced is no recycle: a host's bits are set.
    sets: bool,
    serving_write: bool,
}

/// What the sequencer is told in a clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Requests {
    pub clear_pending: bool,
    /// A rekey of one half: it recycles. Where a rekey clears, it is a clear.
    pub rekey_pending: bool,
    pub recycle_pending: bool,
    pub threshold_pending: bool,
    /// Bits of a host are to be set, and were not.
    pub set_due: bool,
    pub age_due: bool,
}

impl Requests {
    pub fn any(self) -> bool {
        self.write_pending() || self.age_due
    }

    fn write_pending(self) -> bool {
        self.clear_pending
            || self.rekey_pending
            || self.recycle_pending
            || self.threshold_pending
            || self.set_due
    }
}

/// What the sequencer does in a clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Actions {
    /// A recycle without an item enters the pipeline.
    pub force: Option<ForceCause>,
    /// A host's bits are set.
    pub set: bool,
    /// The limit takes the threshold register.
    pub load_limit: bool,
    /// The pending write has been served.
    pub served: bool,
}

impl Sequencer {
    /// As after reset.
    pub fn new(retire_clocks: u32, phases: u32) -> Sequencer {
        Sequencer {
            retire_clocks,
            phases,
            state: State::Drain,
            wait: retire_clocks,
            forces: phases,
            forces_for: ForceCause::Emptying,
            sets: false,
            serving_write: false,
        }
    }

    /// Whether items are taken.
    pub fn running(&self) -> bool {
        self.state == State::Run
    }

    /// One clock without reset: `blocked` holds back recycles, and with a spare half `accessing` what comes behind a set.
    /// `recover` makes it drain and load, or do so once more; forces that a reset or a request asked for are still issued, and what is served is served once.
    pub fn clock(
        &mut self,
        requests: Requests,
        blocked: bool,
        accessing: bool,
        recover: bool,
    ) -> Actions {
        let mut actions = Actions::default();
        match self.state {
            State::Run => {
                if requests.any() || recover {
                    self.leave_run(requests);
                }
            }
            State::Drain => {
                if self.wait > 0 {
                    self.wait -= 1;
                } else if self.forces == 0 {
                    if !accessing {
                        self.state = State::Load;
                        self.wait = LOAD_CLOCKS;
                    }
                } else if self.sets {
                    actions.set = true;
                    self.sets = false;
                    self.forces -= 1;
                    self.wait = self.retire_clocks;
                } else if !blocked {
                    actions.force = Some(self.forces_for);
                    self.forces -= 1;
                    self.wait = self.retire_clocks;
                }
            }
            State::Load => {
                actions.load_limit = self.wait == LOAD_CLOCKS;
                if self.wait > 0 {
                    self.wait -= 1;
                } else {
                    self.state = State::Run;
                    actions.served = self.serving_write;
                }
            }
        }
        if recover {
            self.state = State::Drain;
            self.wait = self.retire_clocks;
            self.serving_write &= !actions.served;
        }
        actions
    }

    fn leave_run(&mut self, requests: Requests) {
        self.state = State::Drain;
        self.wait = self.retire_clocks;
        self.serving_write = requests.write_pending();
        self.sets = requests.set_due;
        (self.forces, self.forces_for) = if requests.clear_pending {
            (self.phases, ForceCause::Emptying)
        } else if requests.rekey_pending {
            (1, ForceCause::Rekey)
        } else if requests.set_due {
            (1, ForceCause::Emptying)
        } else if requests.recycle_pending {
            (1, ForceCause::Command)
        } else if requests.age_due {
            (1, ForceCause::Age)
        } else {
            (0, ForceCause::Emptying)
        };
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Sequencer::new(self.retire_clocks, self.phases);
    }
}
