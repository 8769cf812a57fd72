/// What the sequencer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Items in flight leave, then the force is issued.
    Drain,
    /// The force leaves.
    Settle,
    /// Items are taken.
    Run,
}

/// Stops the stream for a clear: after reset, and when one is asked for.
#[derive(Debug, Clone)]
pub(super) struct Sequencer {
    retire_clocks: u32,
    settle_clocks: u32,
    state: State,
    wait: u32,
}

/// What the sequencer does in a clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Actions {
    /// A clear enters the pipeline.
    pub force: bool,
    /// The clear that was pending is done.
    pub served: bool,
}

impl Sequencer {
    /// As after reset. Items leave within `retire_clocks`, and a force is done within `settle_clocks`.
    pub fn new(retire_clocks: u32, settle_clocks: u32) -> Sequencer {
        Sequencer {
            retire_clocks,
            settle_clocks,
            state: State::Drain,
            wait: retire_clocks,
        }
    }

    /// Whether items are taken.
    pub fn running(&self) -> bool {
        self.state == State::Run
    }

    /// One clock without reset.
    pub fn clock(&mut self, clear_pending: bool, blocked: bool) -> Actions {
        let mut actions = Actions::default();
        match self.state {
            State::Run => {
                if clear_pending {
                    self.drain();
                }
            }
            State::Drain | State::Settle if self.wait > 0 => self.wait -= 1,
            State::Drain => {
                if !blocked {
                    actions.force = true;
                    self.state = State::Settle;
                    self.wait = self.settle_clocks;
                }
            }
            State::Settle => {
                actions.served = true;
                self.state = State::Run;
            }
        }
        actions
    }

    fn drain(&mut self) {
        self.state = State::Drain;
        self.wait = self.retire_clocks;
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.drain();
    }
}
