/// A verdict on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Verdict {
    /// Its bits on `m_verdict_tdata`.
    pub data: u64,
    pub tag: u64,
}

/// The queue behind the pipeline and its output register; or neither, where verdicts go straight to a sink that is always ready.
#[derive(Debug, Clone)]
pub(crate) struct VerdictQueue {
    places: Box<[Verdict]>,
    oldest: usize,
    used: usize,
    output: Verdict,
    valid: bool,
    /// A verdict that comes to an empty queue may go to the output register at once.
    bypass: bool,
}

impl VerdictQueue {
    /// An empty queue of so many places; 0 for none.
    pub fn new(depth: u32) -> VerdictQueue {
        VerdictQueue {
            places: vec![Verdict::default(); depth as usize].into(),
            oldest: 0,
            used: 0,
            output: Verdict::default(),
            valid: false,
            bypass: false,
        }
    }

    /// The same, where a verdict passes an empty queue by.
    pub fn with_bypass(self) -> VerdictQueue {
        VerdictQueue {
            bypass: true,
            ..self
        }
    }

    /// The verdict at the port in this clock, if there is one; `pushed` is the one that comes from the pipeline in it.
    pub fn offered(&self, pushed: Option<Verdict>) -> Option<Verdict> {
        match self.places.is_empty() {
            true => pushed,
            false => self.valid.then_some(self.output),
        }
    }

    /// Whether the oldest verdict goes to the output register in a clock with this push and `m_verdict_tready`.
    pub fn loads(&self, push: Option<Verdict>, ready: bool) -> bool {
        let some = self.used > 0 || (self.bypass && push.is_some());
        some && (!self.valid || ready)
    }

    /// One clock without reset. Admission's credit keeps a push from meeting a full queue.
    pub fn clock(&mut self, push: Option<Verdict>, ready: bool) {
        if self.places.is_empty() {
            return;
        }
        let loads = self.loads(push, ready);
        let mut push = push;
        if loads {
            self.valid = true;
            match push.take_if(|_| self.used == 0) {
                Some(passing) => self.output = passing,
                None => {
                    self.output = self.places[self.oldest];
                    self.oldest = (self.oldest + 1) % self.places.len();
                    self.used -= 1;
                }
            }
        } else if ready {
            self.valid = false;
        }
        if let Some(verdict) = push {
            debug_assert!(
                self.used < self.places.len(),
                "credit lets at most {} verdicts be outstanding",
                self.places.len()
            );
            self.places[(self.oldest + self.used) % self.places.len()] = verdict;
            self.used += 1;
        }
    }

    /// What waits is dropped, but for the beat that is offered, at the end of a clock.
    pub fn restart(&mut self) {
        self.used = 0;
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.used = 0;
        self.valid = false;
    }
}
