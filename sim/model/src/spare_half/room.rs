use bloomline_spec::{RecycleOn, RecyclingGeometry};

/// What the active half may still take, as admission knows it: late.
#[derive(Debug, Clone)]
pub(super) struct Room {
    on: RecycleOn,
    guard: u64,
    /// What a retained item puts into an empty half, and the room from which items need not come one at a time.
    base: i64,
    large_cycle: i64,
    limit: u64,
    /// Counts of the last clock and of the one before.
    counts: [u64; 2],
    low: bool,
}

impl Room {
    pub fn new(geometry: &RecyclingGeometry) -> Room {
        let unit = i64::from(geometry.unit());
        Room {
            on: geometry.recycle_on(),
            guard: geometry.erase_guard(),
            base: if geometry.retain() { unit } else { 0 },
            large_cycle: unit * i64::from(geometry.timing().large_cycle_items),
            limit: 0,
            counts: [0; 2],
            low: true,
        }
    }

    /// Whether too little room is left to take items while a half is being erased.
    pub fn low(&self) -> bool {
        self.low
    }

    /// Whether a cycle is so short that items come one at a time.
    pub fn one_at_a_time(&self) -> bool {
        (self.limit as i64) - self.base < self.large_cycle
    }

    /// The threshold register becomes the limit.
    pub fn load_limit(&mut self, threshold: u32) {
        self.limit = match self.on {
            RecycleOn::BitsSet => threshold,
            RecycleOn::Messages => threshold.saturating_sub(1),
        }
        .into();
    }

    /// Ends a clock that began with this count: room follows it two clocks late.
    pub fn clock(&mut self, count: u64) {
        self.low = self.limit.saturating_sub(self.counts[1]) < self.guard;
        self.counts = [count, self.counts[0]];
    }
}
