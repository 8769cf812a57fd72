//! Statistics collected while a recycling filter runs.

use super::forgetting::ForgettingTest;
use crate::keys::KeyList;
use crate::report::BitsSetSeries;
use crate::stats::{RatioEstimator, StateTest};
use bloomline_model::{Decision, Oracle, Outcome, RecyclingFilter};
use bloomline_spec::{Key, Operation, RecycleOn, RecyclingGeometry};
use std::sync::Arc;

/// Points of a series in the report; longer runs are thinned.
const POINTS: u64 = 2_000;

/// Counts after so many items.
#[derive(Debug, Clone, Copy)]
pub struct Running {
    /// Items.
    pub items: u64,
    /// Counted arrivals and false positives from the beginning on.
    pub all: (u64, u64),
    /// The same after the warm-up, over which the rate is measured where whole cycles came.
    pub warm: (u64, u64),
}

/// Arrivals of a whole cycle.
#[derive(Debug, Clone, Copy, Default)]
struct Cycle {
    /// Those of every key.
    arrivals: u64,
    /// First arrivals of absent keys, which count towards the rate.
    counted: u64,
    /// Of those, seen.
    false_positives: u64,
    /// Arrivals of absent keys that were seen, later ones of a key that was taken for known at first included.
    seen_absent: u64,
}

/// False positives by the three ways to count them (RBF II-E), over the same whole cycles.
#[derive(Debug, Clone, Default)]
pub struct Ratios {
    /// count-instance: false positives over first arrivals.
    pub instance: RatioEstimator,
    /// count-first: the same false positives over all arrivals.
    pub first: RatioEstimator,
    /// count-each: every arrival of a key that was a false positive at first, over all arrivals.
    pub each: RatioEstimator,
}

impl Ratios {
    fn begin_another(&mut self) {
        self.instance.begin_another();
        self.first.begin_another();
        self.each.begin_another();
    }

    fn push(&mut self, cycle: &Cycle) {
        self.instance.push(cycle.false_positives, cycle.counted);
        self.first.push(cycle.false_positives, cycle.arrivals);
        self.each.push(cycle.seen_absent, cycle.arrivals);
    }
}

/// Follows the decided items: an independent functional filter, the oracle of absence, and the estimators.
#[derive(Clone)]
pub struct Statistics {
    keys: KeyList,
    filter: RecyclingFilter,
    oracle: Oracle<Key>,
    /// Items decided.
    pub items: u64,
    /// Items whose outcome differs from the functional filter's.
    pub differing: u64,
    /// Stored keys that were not found: never, in a filter that works.
    pub lost: u64,
    /// Recycles by items.
    pub recycles: u64,
    /// Arrivals that count towards the rate.
    pub counted: u64,
    /// Of those, seen.
    pub false_positives: u64,
    /// Repeats of an inserted key.
    pub repeats: u64,
    /// Of those, not seen.
    pub forgotten: u64,
    /// Each key's first arrival against its probability given the bits then set.
    pub state: StateTest,
    /// False positives, by whole cycles.
    pub ratios: Ratios,
    /// These cycles.
    cycles: Vec<Cycle>,
    /// Repeats that were not seen, against theory.
    pub(super) forgetting: ForgettingTest,
    /// (items, bits set in the active half), of the cycles that the report shows.
    pub bits: Vec<(u64, u64)>,
    /// The threshold, when it is one on bits set.
    pub threshold: Option<u64>,
    /// Items at each recycle.
    pub recycled_at: Vec<u64>,
    /// Counted arrivals and false positives so far, from the beginning and after the warm-up.
    pub running: Vec<Running>,
    /// Counted arrivals after the warm-up, and false positives.
    warm: (u64, u64),
    warm_up: u64,
    cycle: Cycle,
    every: u64,
    bits_every: u64,
    two_hash_excess: f64,
}

impl Statistics {
    /// Nothing counted yet, and no keys; `two_hash_excess` is added to the probability of each arrival.
    pub fn new(geometry: &RecyclingGeometry, two_hash_excess: f64) -> Self {
        Self {
            filter: RecyclingFilter::new(geometry),
            oracle: Oracle::new(geometry),
            keys: KeyList::Loaded(Arc::default()),
            items: 0,
            differing: 0,
            lost: 0,
            recycles: 0,
            counted: 0,
            false_positives: 0,
            repeats: 0,
            forgotten: 0,
            state: StateTest::new(),
            ratios: Ratios::default(),
            cycles: Vec::new(),
            forgetting: ForgettingTest::new(geometry),
            bits: Vec::new(),
            threshold: (geometry.recycle_on() == RecycleOn::BitsSet).then(|| geometry.threshold()),
            recycled_at: Vec::new(),
            running: Vec::new(),
            warm: (0, 0),
            // the first cycles begin with empty halves and no retained item
            warm_up: u64::from(geometry.phases()),
            cycle: Cycle::default(),
            every: 1,
            bits_every: 1,
            two_hash_excess,
        }
    }

    /// Begins a run over `keys`.
    pub fn follow(&mut self, keys: KeyList) {
        self.every = (keys.len() / POINTS).max(1);
        self.keys = keys;
    }

    /// Follows the fill through the cycles that are shown; how long those are shows on the way.
    fn sample_bits(&mut self) {
        let shown = self.recycled_at.len() < BitsSetSeries::SHOWN_CYCLES;
        if !shown || !self.items.is_multiple_of(self.bits_every) {
            return;
        }
        self.bits.push((self.items, self.filter.bits_active()));
        if self.bits.len() as u64 == 2 * POINTS {
            self.bits_every *= 2;
            let every = self.bits_every;
            self.bits.retain(|(items, _)| items.is_multiple_of(every));
        }
    }

    /// Takes the next decision, in order.
    pub fn decided(&mut self, decision: &Decision) {
        let outcome = self.take(decision.operation);
        self.differing += u64::from(outcome != Some(decision.outcome));
    }

    /// Takes the next item, in order, by itself; what it is to meet and do, or none behind the last.
    pub fn take(&mut self, operation: Operation) -> Option<Outcome> {
        let key = self.keys.at(self.items)?;
        self.items += 1;
        let probability = (self.filter.probability_seen() + self.two_hash_excess).min(1.0);
        let outcome = self.filter.apply(&key, operation);
        let before = self.oracle.new_messages();
        let arrival = match self.keys.all_new() {
            true => self.oracle.observe_new(operation, &outcome),
            false => self.oracle.observe(key, operation, &outcome),
        };
        let up_to = self.oracle.new_messages();
        self.forgetting.arrived(&arrival, &outcome, before, up_to);
        self.lost += u64::from(arrival.lost());
        self.repeats += u64::from(arrival.repeat);
        self.forgotten += u64::from(arrival.false_negative());
        self.cycle.arrivals += 1;
        self.cycle.seen_absent += u64::from(arrival.absent && arrival.seen);
        if arrival.counted {
            let hit = arrival.false_positive();
            self.counted += 1;
            self.false_positives += u64::from(hit);
            if self.recycles >= self.warm_up {
                self.warm.0 += 1;
                self.warm.1 += u64::from(hit);
            }
            self.cycle.counted += 1;
            self.cycle.false_positives += u64::from(hit);
        }
        if arrival.first {
            let hit = arrival.false_positive();
            // a probability outside 0 to 1 cannot come from the model; it would show as a differing item
            self.differing += u64::from(self.state.push(probability, hit).is_err());
        }
        if outcome.tripped {
            self.recycles += 1;
            self.recycled_at.push(self.items);
            if self.recycles > self.warm_up {
                self.ratios.push(&self.cycle);
                self.cycles.push(self.cycle);
            }
            self.cycle = Cycle::default();
        }
        self.sample_bits();
        if self.items.is_multiple_of(self.every) {
            self.running.push(Running {
                items: self.items,
                all: (self.counted, self.false_positives),
                warm: self.warm,
            });
        }
        Some(outcome)
    }

    /// Takes in the statistics of independent filters on the same number of keys.
    ///
    /// The rate is that of the first C whole cycles of every filter, where C is what all of them have: of cycles that end before a
    /// given item, the last ones would be the short ones. Fill and recycles in the report stay those of this filter.
    pub fn pool(&mut self, others: &[Statistics]) {
        let all = || std::iter::once(&self.cycles).chain(others.iter().map(|other| &other.cycles));
        let common = all().map(Vec::len).min().unwrap_or(0);
        let mut ratios = Ratios::default();
        for cycles in all() {
            ratios.begin_another();
            cycles[..common].iter().for_each(|cycle| ratios.push(cycle));
        }
        self.ratios = ratios;
        let filters = others.len() as u64 + 1;
        for other in others {
            self.items += other.items;
            self.differing += other.differing;
            self.lost += other.lost;
            self.recycles += other.recycles;
            self.counted += other.counted;
            self.false_positives += other.false_positives;
            self.repeats += other.repeats;
            self.forgotten += other.forgotten;
            self.state.add(&other.state);
            self.forgetting.add(&other.forgetting);
            let points = self.running.len().min(other.running.len());
            self.running.truncate(points);
            for (point, other) in self.running.iter_mut().zip(&other.running) {
                for (sum, part) in [(&mut point.all, other.all), (&mut point.warm, other.warm)] {
                    *sum = (sum.0 + part.0, sum.1 + part.1);
                }
            }
        }
        for point in &mut self.running {
            point.items *= filters;
        }
    }

    /// A recycle by age.
    pub fn aged(&mut self) {
        self.filter.recycle();
        self.oracle.recycle();
        self.forgetting.aged(self.oracle.new_messages());
        self.recycled_at.push(self.items);
        self.cycle = Cycle::default();
    }
}
