use bloomline_spec::SplitMix64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// How often each kind of harm is done: per byte on a stream, per datagram else, each out of a million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultRates {
    /// Lost.
    pub drop: u32,
    /// One byte replaced by a random other one, or with the same probability one bit of it flipped.
    pub flip: u32,
    /// Comes later, by up to [`FaultRates::longest_delay`].
    pub delay: u32,
    /// Comes twice (datagrams only), the second time later, by up to [`FaultRates::longest_delay`].
    pub duplicate: u32,
    /// The longest delay.
    pub longest_delay: Duration,
}

/// Harm that was done so far; clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct FaultCounts {
    counts: Arc<[AtomicU64; 4]>,
}

impl FaultCounts {
    /// Lost, flipped, delayed, duplicated.
    pub fn each(&self) -> [u64; 4] {
        [0, 1, 2, 3].map(|kind: usize| self.counts[kind].load(Ordering::Relaxed))
    }

    /// Of all kinds together.
    pub fn total(&self) -> u64 {
        self.each().into_iter().sum()
    }

    fn count(&self, kind: usize) {
        self.counts[kind].fetch_add(1, Ordering::Relaxed);
    }
}

/// Seeded harm to what a line carries.
#[derive(Debug)]
pub struct Faults {
    rates: FaultRates,
    random: SplitMix64,
    counts: FaultCounts,
}

/// What becomes of a byte or datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fate {
    /// It does not arrive.
    pub(super) lost: bool,
    /// It arrives later by this.
    pub(super) delay: Duration,
    /// A copy arrives later by this.
    pub(super) copy: Option<Duration>,
}

impl Faults {
    /// Harm at `rates`, the same for the same seed and traffic.
    pub fn new(seed: u64, rates: FaultRates) -> Faults {
        Faults {
            rates,
            random: SplitMix64::new(seed),
            counts: FaultCounts::default(),
        }
    }

    /// No harm.
    pub fn none() -> Faults {
        Faults::new(0, FaultRates::default())
    }

    /// What was done so far.
    pub fn counts(&self) -> FaultCounts {
        self.counts.clone()
    }

    /// Decides about `unit`, a byte or a datagram, and damages it.
    pub(super) fn apply(&mut self, unit: &mut [u8]) -> Fate {
        let rates = self.rates;
        let lost = self.hit(rates.drop, 0);
        if !lost && !unit.is_empty() && self.hit(rates.flip, 1) {
            let place = self.below(unit.len() as u64) as usize;
            let change = match self.below(2) {
                0 => 1 << self.below(8),
                _ => 1 + self.below(255) as u8,
            };
            unit[place] ^= change;
        }
        let delayed = !lost && self.hit(rates.delay, 2);
        let twice = !lost && self.hit(rates.duplicate, 3);
        Fate {
            lost,
            delay: if delayed {
                self.delay()
            } else {
                Duration::ZERO
            },
            copy: twice.then(|| self.delay()),
        }
    }

    fn hit(&mut self, in_a_million: u32, kind: usize) -> bool {
        let hit = self.below(1_000_000) < u64::from(in_a_million);
        if hit {
            self.counts.count(kind);
        }
        hit
    }

    fn delay(&mut self) -> Duration {
        let most = self.rates.longest_delay.as_nanos() as u64;
        Duration::from_nanos(self.below(most.saturating_add(1)))
    }

    /// Below `limit`, which is far below 2^64, so that the bias of the remainder does not show.
    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_word() % limit.max(1)
    }
}
