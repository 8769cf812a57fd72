//! Statistics collected while a filter of cells runs.

use super::alarms::{Alarms, Conditional, POINTS};
use super::hash_pairs::{HashPairs, ProductDeviation};
use super::law::Law;
use super::plain_update::PlainBeside;
use super::script::{Purpose, Script};
use super::window::WindowCounts;
use crate::stats::StateTest;
use bloomline_model::{CellDecision, CellFilter, CellOutcome};
use bloomline_spec::{CellGeometry, FilterKind, Hashing, Layout};
use std::sync::Arc;

/// Follows the decided items: an independent functional filter, the exact counts, and what each kind is judged by.
pub(super) struct CellStatistics {
    /// The items, of all filters that were pooled.
    pub script: Arc<Script>,
    filter: CellFilter,
    kind: FilterKind,
    threshold: u32,
    max: u32,
    /// Exact counts by key number.
    pub counts: Vec<u64>,
    /// Those that count, over a window.
    window: Option<WindowCounts>,
    /// Sum of all amounts.
    pub total: u64,
    /// Items decided.
    pub items: u64,
    /// Items whose outcome differs from the functional filter's, or that the script did not send.
    pub differing: u64,
    /// Answers below the truth: a key that is not seen, or estimated below its count and below the greatest value of a cell.
    pub lost: u64,
    /// Removals that found a cell at 0.
    pub underflows: u64,
    /// Removals.
    pub removed: u64,
    /// Arrivals that met a cell at its greatest value.
    pub saturated: u64,
    /// Absent keys that were asked for, and how many of them were found.
    pub absent: (u64, u64),
    /// Whether the state test is made: the cells give the probability that a key is found.
    pub cells_give_rate: bool,
    /// Each absent key against its probability given the cells.
    pub state: StateTest,
    /// (absent keys, found) as they came.
    pub running: Vec<(u64, u64)>,
    /// Counting: reports below the threshold.
    pub alarms: Option<Alarms>,
    /// The plain filter, where the update is conservative.
    pub plain: Option<PlainBeside>,
    /// Count-Min: (key, estimate) of every key, at the end.
    pub estimates: Vec<(u32, u32)>,
    /// The level whose cells make an absent key found, and the probability of it; set when the first is asked for.
    level: Option<(u32, Conditional)>,
    /// Pairs of hash values that meet cells of that level, where they can be counted.
    pairs: Option<HashPairs>,
    product_deviation: Option<ProductDeviation>,
}

impl CellStatistics {
    /// Of a run that has not begun; `filter` is an empty one.
    pub fn new(
        geometry: &CellGeometry,
        law: &Law,
        script: Arc<Script>,
        filter: CellFilter,
    ) -> Self {
        let counting = geometry.kind() == FilterKind::Counting;
        let pairs = HashPairs::new(geometry, script.items.len() as u64);
        Self {
            counts: vec![0; script.keys.len()],
            window: geometry
                .window()
                .map(|window| WindowCounts::new(window, script.keys.len())),
            filter,
            kind: geometry.kind(),
            threshold: geometry.threshold(),
            max: geometry.cell_max(),
            total: 0,
            items: 0,
            differing: 0,
            lost: 0,
            underflows: 0,
            removed: 0,
            saturated: 0,
            absent: (0, 0),
            cells_give_rate: geometry.layout() == Layout::Partitioned
                || geometry.hashing() == Hashing::Independent
                || pairs.is_some(),
            state: StateTest::new(),
            running: Vec::new(),
            alarms: counting.then(|| Alarms::new(geometry, law, &script)),
            plain: PlainBeside::new(geometry, script.keys.len()),
            estimates: Vec::new(),
            level: None,
            pairs: pairs.filter(|_| !counting),
            product_deviation: ProductDeviation::new(geometry, law),
            script,
        }
    }

    /// Takes the next decision, in order. `two_hash_excess` is added to the probability that an absent key is found.
    pub fn decided(&mut self, decision: &CellDecision, two_hash_excess: f64) {
        let item = self.script.items.get(self.items as usize);
        let operation = item.map(|item| item.operation());
        let outcome = self.take(two_hash_excess);
        self.differing +=
            u64::from(outcome != Some(decision.outcome) || operation != Some(decision.operation));
    }

    /// The kind of filter.
    pub fn kind(&self) -> FilterKind {
        self.kind
    }

    /// Takes the next item, in order, by itself; what it is to meet and do, or none behind the last.
    pub fn take(&mut self, two_hash_excess: f64) -> Option<CellOutcome> {
        let script = self.script.clone();
        let item = script.items.get(self.items as usize)?;
        self.items += 1;
        let key = &script.keys[item.key as usize];
        let count = &mut self.counts[item.key as usize];
        let counted = match &self.window {
            Some(window) => window.of(item.key),
            None => (*count, 0),
        };
        let before = counted.0 + counted.1;
        match item.purpose {
            Purpose::Fill => {
                *count += u64::from(item.amount);
                self.total += u64::from(item.amount);
            }
            Purpose::Remove => *count = count.saturating_sub(1),
            Purpose::Member | Purpose::Absent => {}
        }
        let after = match (item.purpose, &self.window) {
            (_, None) => *count,
            (Purpose::Fill, Some(_)) => before + 1,
            (_, Some(_)) => before,
        };
        if item.purpose == Purpose::Absent && self.level.is_none() {
            self.level = Some(self.level_of_absent());
        }
        if let (Purpose::Fill, Some(alarms)) = (item.purpose, &mut self.alarms) {
            alarms.before(&self.filter, key);
        }
        let outcome = self.filter.apply(key, item.operation(), item.amount);
        let verdict = outcome.verdict;
        let unseen = before > 0 && !verdict.seen;
        let below = u64::from(verdict.estimate) < after.min(self.max.into());
        self.lost += u64::from(unseen || below);
        if let Some(plain) = &mut self.plain {
            plain.follow(item, key, after, verdict);
        }
        match item.purpose {
            Purpose::Fill => {
                self.saturated += u64::from(verdict.saturated);
                if let Some(alarms) = &mut self.alarms {
                    let new = alarms.after(&self.filter, item.key, counted, verdict.reached);
                    if let Some((probability, hit)) = new {
                        self.test_state(probability, hit);
                    }
                }
                if let Some(window) = &mut self.window {
                    if window.insert(item.key) {
                        if let Some(alarms) = &mut self.alarms {
                            alarms.turn(&self.filter);
                        }
                        if let Some(deviation) = &mut self.product_deviation {
                            deviation.begin_another();
                        }
                    }
                }
            }
            Purpose::Remove => {
                self.removed += 1;
                self.underflows += u64::from(verdict.underflow);
            }
            Purpose::Member if self.kind == FilterKind::CountMin => {
                self.estimates.push((item.key, verdict.estimate));
            }
            Purpose::Member => {}
            Purpose::Absent => {
                let (level, probability) = self.level.unwrap_or((1, Conditional::Exact(0.0)));
                let hit = verdict.estimate >= level;
                self.absent.0 += 1;
                self.absent.1 += u64::from(hit);
                self.test_state(probability.with_excess(two_hash_excess), hit);
                let every = (script.items.len() as u64 / POINTS).max(1);
                if self.absent.0.is_multiple_of(every) {
                    self.running.push(self.absent);
                }
            }
        }
        Some(outcome)
    }

    /// Takes in the statistics of independent filters; their keys follow this one's.
    pub fn pool(&mut self, others: Vec<CellStatistics>) {
        let scripts = std::iter::once(&self.script).chain(others.iter().map(|other| &other.script));
        let script = Arc::new(Script::pooled(scripts.map(|script| &**script)));
        let (mut alarms, mut plain) = (Vec::new(), Vec::new());
        for other in others {
            let first = self.counts.len() as u32;
            self.counts.extend(other.counts);
            let estimates = other.estimates.into_iter();
            self.estimates
                .extend(estimates.map(|(key, estimate)| (first.wrapping_add(key), estimate)));
            self.total += other.total;
            self.items += other.items;
            self.differing += other.differing;
            self.lost += other.lost;
            self.underflows += other.underflows;
            self.removed += other.removed;
            self.saturated += other.saturated;
            self.absent.0 += other.absent.0;
            self.absent.1 += other.absent.1;
            self.state.add(&other.state);
            self.running.truncate(other.running.len());
            for (point, other) in self.running.iter_mut().zip(other.running) {
                *point = (point.0 + other.0, point.1 + other.1);
            }
            alarms.extend(other.alarms);
            plain.extend(other.plain);
        }
        if let Some(own) = &mut self.alarms {
            own.pool(alarms);
        }
        if let Some(own) = &mut self.plain {
            own.pool(plain);
        }
        self.script = script;
    }

    /// The sum of the amounts of one filter: filters that are pooled have equally many arrivals of one each.
    pub fn total_a_filter(&self) -> u64 {
        self.total / (self.script.fills.len() as u64).max(1)
    }

    /// Takes a key that was absent into the state test.
    fn test_state(&mut self, probability: Conditional, hit: bool) {
        if !self.cells_give_rate {
            return;
        }
        let stated = match probability {
            Conditional::Exact(probability) => probability,
            Conditional::Product { product, excess } => {
                let deviation = self.product_deviation.as_mut();
                self.state
                    .allow(deviation.map_or(0.0, |deviation| deviation.add(product)));
                (product + excess).clamp(0.0, 1.0)
            }
        };
        self.differing += u64::from(self.state.push(stated, hit).is_err());
    }

    /// The level that absent keys are compared with, and the probability that one reaches it, given the cells: 1 in a static
    /// filter; in a sketch the least that a tenth of fresh keys reach, so that there is something to see.
    fn level_of_absent(&mut self) -> (u32, Conditional) {
        let mut low = 1;
        if self.kind == FilterKind::CountMin {
            let mut high = self.max;
            while low < high {
                let middle = low + (high - low) / 2;
                if self.filter.probability_at_least(middle) <= 0.1 {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
        }
        let probability = match &mut self.pairs {
            Some(pairs) => {
                pairs.meet_all(|bank, position| self.filter.cell(bank, position) >= low);
                Conditional::Exact(pairs.probability())
            }
            None => Conditional::Product {
                product: self.filter.probability_at_least(low),
                excess: 0.0,
            },
        };
        (low, probability)
    }

    /// The level that absent keys were compared with.
    pub fn absent_level(&self) -> Option<u32> {
        self.level.map(|(level, _)| level)
    }

    /// Keys whose exact count reaches the threshold.
    pub fn heavy(&self) -> impl Iterator<Item = u32> + '_ {
        let threshold = u64::from(self.threshold);
        (0..)
            .zip(&self.counts)
            .filter(move |(_, count)| **count >= threshold)
            .map(|(key, _)| key)
    }
}

/// Errors of the estimates, the least first; those at the greatest value of a counter have none.
pub(super) fn errors(statistics: &CellStatistics, max: u32) -> Vec<u64> {
    let mut errors: Vec<u64> = statistics
        .estimates
        .iter()
        .filter(|(_, estimate)| *estimate < max)
        .map(|&(key, estimate)| u64::from(estimate).saturating_sub(statistics.counts[key as usize]))
        .collect();
    errors.sort_unstable();
    errors
}
