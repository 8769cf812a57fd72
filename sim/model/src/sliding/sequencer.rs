/// What the sequencer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Items in flight leave.
    Drain,
    /// Every bucket is wiped.
    Wipe,
    /// Items are taken.
    Run,
}

/// Stops the stream for a wipe: after reset, and when a clear is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Sequencer {
    retire_clocks: u32,
    buckets: u64,
    state: State,
    wait: u32,
    wiped: u64,
}

/// What the sequencer does in a clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Actions {
    /// Nothing is in flight, and elements count from 0.
    pub restart: bool,
    /// A wipe enters the pipeline.
    pub wipe: bool,
    /// The clear that was pending is done.
    pub served: bool,
}

impl Sequencer {
    /// As after reset.
    pub fn new(retire_clocks: u32, buckets: u64) -> Sequencer {
        Sequencer {
            retire_clocks,
            buckets,
            state: State::Drain,
            wait: retire_clocks,
            wiped: 0,
        }
    }

    /// Whether items are taken.
    pub fn running(&self) -> bool {
        self.state == State::Run
    }

    /// One clock without reset. `queued`: items that were accepted wait before the pipeline, so that the wait for those in flight begins anew.
    pub fn clock(&mut self, clear_pending: bool, queued: bool) -> Actions {
        let mut actions = Actions::default();
        match self.state {
            State::Run if clear_pending => {
                self.state = State::Drain;
                self.wait = self.retire_clocks;
            }
            State::Run => {}
            State::Drain if queued => self.wait = self.retire_clocks,
            State::Drain if self.wait > 0 => self.wait -= 1,
            State::Drain => {
                actions.restart = true;
                self.state = State::Wipe;
                self.wiped = 0;
            }
            State::Wipe => {
                actions.wipe = true;
                self.wiped += 1;
                if self.wiped == self.buckets {
                    actions.served = true;
                    self.state = State::Run;
                }
            }
        }
        actions
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = Sequencer::new(self.retire_clocks, self.buckets);
    }
}
