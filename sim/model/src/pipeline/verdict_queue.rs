use bloomline_spec::VERDICT_QUEUE_DEPTH;

const DEPTH: usize = VERDICT_QUEUE_DEPTH as usize;

/// A verdict on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Verdict {
    /// Its bits on `m_verdict_tdata`.
    pub data: u64,
    pub tag: u64,
}

/// The queue behind the pipeline and its output register.
#[derive(Debug, Clone)]
pub(crate) struct VerdictQueue {
    places: [Verdict; DEPTH],
    oldest: usize,
    used: usize,
    output: Verdict,
    valid: bool,
}

impl VerdictQueue {
    pub fn new() -> VerdictQueue {
        VerdictQueue {
            places: [Verdict::default(); DEPTH],
            oldest: 0,
            used: 0,
            output: Verdict::default(),
            valid: false,
        }
    }

    /// `m_verdict_tvalid` in this clock.
    pub fn valid(&self) -> bool {
        self.valid
    }

    /// The output register; means something while valid.
    pub fn output(&self) -> Verdict {
        self.output
    }

    /// Whether the oldest verdict goes to the output register in a clock with this `m_verdict_tready`.
    pub fn loads(&self, ready: bool) -> bool {
        self.used > 0 && (!self.valid || ready)
    }

    /// One clock without reset. Admission's credit keeps a push from meeting a full queue.
    pub fn clock(&mut self, push: Option<Verdict>, ready: bool) {
        if self.loads(ready) {
            self.output = self.places[self.oldest];
            self.oldest = (self.oldest + 1) % DEPTH;
            self.used -= 1;
            self.valid = true;
        } else if ready {
            self.valid = false;
        }
        if let Some(verdict) = push {
            debug_assert!(
                self.used < DEPTH,
                "credit lets at most {DEPTH} verdicts be outstanding"
            );
            self.places[(self.oldest + self.used) % DEPTH] = verdict;
            self.used += 1;
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.used = 0;
        self.valid = false;
    }
}
