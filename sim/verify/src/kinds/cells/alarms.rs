//! Reports of a counting filter, correct and false, compared with theory.
//!
//! A key's counters never fall while nothing is removed. So a key is reported falsely at some arrival if and only if it is at the
//! last arrival whose count is below the threshold, and the expected number of such keys is the sum over the keys of the
//! probability of that arrival, given the counts of all keys then: exact, whatever the order of the stream.
//!
//! Over a window that holds between two turns of the panes: there the frozen pane stands still and the active one only grows. So a key
//! counts once between two turns.

use super::hash_pairs::HashPairs;
use super::law::{Law, Stream};
use super::ready::ReadyPanes;
use super::script::{Purpose, Script};
use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, Key, Layout};
use bloomline_theory::cells::Alarm;

/// Points of a series in the report.
pub(super) const POINTS: u64 = 1_000;

/// The probability that a fresh key is reported, given the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Conditional {
    /// By what the key's positions can be.
    Exact(f64),
    /// The product of the rows' shares, and what two hash functions add to it on average.
    Product { product: f64, excess: f64 },
}

impl Conditional {
    /// A product with this excess; an exact probability stays what it is.
    pub fn with_excess(self, excess: f64) -> Self {
        match self {
            Conditional::Exact(_) => self,
            Conditional::Product { product, .. } => Conditional::Product { product, excess },
        }
    }
}

/// What is kept of a key.
#[derive(Debug, Clone, Copy, Default)]
struct KeyState {
    expected: f64,
    deviation: f64,
    at_risk: bool,
    alarmed: bool,
    hot: bool,
    reached: bool,
}

/// What a key did in any window.
#[derive(Debug, Clone, Copy, Default)]
struct Ever {
    came: bool,
    alarmed: bool,
    hot: bool,
}

/// Follows the arrivals.
pub(super) struct Alarms {
    stream: Option<Stream>,
    /// Over a window: the cells of both panes together.
    panes: Option<ReadyPanes>,
    /// Under double hashing: the pairs of hash values whose cells are all ready, where they can be counted.
    hash_pairs: Option<HashPairs>,
    threshold: u64,
    range: f64,
    layout: Layout,
    distinct: bool,
    keys: Vec<KeyState>,
    /// Cells of each bank that an insertion raises to the threshold: those at threshold - 1 or above.
    ready: Vec<u64>,
    /// Bank and position of the cells of the item under way, and whether they were among them before it.
    met: Vec<((usize, u32), bool)>,
    /// Keys with an arrival below the threshold.
    pub at_risk: u64,
    /// Of those, reported at one of these.
    pub alarmed: u64,
    /// What theory expects of that.
    pub expected: f64,
    /// Keys reported at the threshold or above, of those that came so often.
    pub found: u64,
    /// Keys that came so often.
    pub hot: u64,
    /// Numbers of the keys of `keys` whose state is not the initial one.
    touched: Vec<u32>,
    /// By number: what it did in any window.
    ever: Vec<Ever>,
    /// Of the states before the last turn.
    past_deviation: f64,
    /// What the numbers of several filters together may deviate by.
    pooled_deviation: Option<f64>,
    arrivals: u64,
    every: u64,
    /// (arrivals, alarmed, expected).
    pub running: Vec<(u64, u64, f64)>,
}

impl Alarms {
    pub fn new(geometry: &CellGeometry, law: &Law, script: &Script) -> Self {
        let banks = geometry.banks() as usize;
        let fill = script
            .items
            .iter()
            .filter(|item| item.purpose == Purpose::Fill);
        let initially = if geometry.threshold() == 1 {
            geometry.range()
        } else {
            0
        };
        Self {
            stream: law.stream(geometry.threshold(), geometry.window().is_some()),
            panes: geometry.window().map(|_| ReadyPanes::new(geometry)),
            hash_pairs: HashPairs::new(geometry, script.items.len() as u64)
                .filter(|_| geometry.window().is_none() && geometry.threshold() > 1),
            threshold: geometry.threshold().into(),
            range: geometry.range() as f64,
            layout: geometry.layout(),
            distinct: geometry.distinct(),
            keys: vec![KeyState::default(); script.keys.len()],
            ready: vec![initially; banks],
            met: Vec::with_capacity(geometry.hashes() as usize),
            at_risk: 0,
            alarmed: 0,
            expected: 0.0,
            found: 0,
            hot: 0,
            touched: Vec::new(),
            ever: vec![Ever::default(); script.keys.len()],
            past_deviation: 0.0,
            pooled_deviation: None,
            arrivals: 0,
            every: (fill.count() as u64 / POINTS).max(1),
            running: Vec::new(),
        }
    }

    /// Whether an insertion raises this cell to the threshold.
    fn is_ready(&self, filter: &CellFilter, (bank, position): (usize, u32)) -> bool {
        u64::from(filter.cell(bank, position)) >= self.threshold - 1
    }

    /// The probability that a new key's probes all meet cells that are ready.
    fn meets_ready(&self) -> Conditional {
        let probes = self.met.len();
        if let Some(pairs) = &self.hash_pairs {
            return Conditional::Exact(pairs.probability());
        }
        let product = match self.layout {
            Layout::Partitioned => {
                let shares = self.ready.iter().map(|ready| *ready as f64 / self.range);
                shares.product()
            }
            Layout::Shared => (0..probes)
                .map(|probe| {
                    let taken = if self.distinct { probe as f64 } else { 0.0 };
                    (self.ready[0] as f64 - taken).max(0.0) / (self.range - taken)
                })
                .product(),
        };
        Conditional::Product {
            product,
            excess: 0.0,
        }
    }

    /// Counts the cells of the key that its arrival made ready, each once.
    fn count_ready(&mut self, filter: &CellFilter) {
        for probe in 0..self.met.len() {
            let met @ (cell, was_ready) = self.met[probe];
            if was_ready || !self.is_ready(filter, cell) || self.met[..probe].contains(&met) {
                continue;
            }
            self.ready[cell.0] += 1;
            if let Some(pairs) = &mut self.hash_pairs {
                pairs.meet(cell.0, cell.1 as usize);
            }
        }
    }

    /// Looks at the cells of a key that is about to arrive.
    pub fn before(&mut self, filter: &CellFilter, key: &Key) {
        if let Some(panes) = &mut self.panes {
            return panes.before(filter, key);
        }
        self.met.clear();
        let probes = filter.hasher().probes(key);
        for (probe, &position) in probes.positions().iter().enumerate() {
            let cell = (bank_of(self.layout, probe), position);
            self.met.push((cell, self.is_ready(filter, cell)));
        }
    }

    /// The panes have changed places: each key is counted anew.
    pub fn turn(&mut self, filter: &CellFilter) {
        if let Some(stream) = &mut self.stream {
            stream.turn();
        }
        if let Some(panes) = &mut self.panes {
            panes.count(filter);
        }
        for number in self.touched.drain(..) {
            let state = std::mem::take(&mut self.keys[number as usize]);
            self.past_deviation += state.deviation;
        }
    }

    /// Takes the arrival of a key that had come so often, in the active pane and in the frozen one. For a key that never came before: the
    /// probability of its report given the cells that it met, and whether it was reported.
    pub fn after(
        &mut self,
        filter: &CellFilter,
        number: u32,
        counted: (u64, u64),
        reached: bool,
    ) -> Option<(Conditional, bool)> {
        let before = counted.0 + counted.1;
        let first = !std::mem::replace(&mut self.ever[number as usize].came, true);
        let met = match &mut self.panes {
            Some(panes) => Conditional::Product {
                product: panes.after(first),
                excess: 0.0,
            },
            None => {
                let met = self.meets_ready();
                self.count_ready(filter);
                met
            }
        };
        let alarm = self
            .stream
            .as_mut()
            .and_then(|stream| stream.arrive(counted));
        let ever = &mut self.ever[number as usize];
        let state = &mut self.keys[number as usize];
        if self.panes.is_some() && !state.at_risk && !state.hot {
            self.touched.push(number);
        }
        let below = before + 1 < self.threshold;
        if below {
            let Alarm {
                probability,
                deviation,
                ..
            } = alarm.unwrap_or(Alarm {
                probability: 0.0,
                deviation: 0.0,
                two_hash_excess: 0.0,
            });
            self.expected += probability - state.expected;
            state.expected = probability;
            state.deviation = deviation;
            self.at_risk += u64::from(!state.at_risk);
            state.at_risk = true;
            self.alarmed += u64::from(reached && !state.alarmed);
            state.alarmed |= reached;
            ever.alarmed |= reached;
        } else {
            self.hot += u64::from(!state.hot);
            state.hot = true;
            ever.hot = true;
            self.found += u64::from(reached && !state.reached);
            state.reached |= reached;
        }
        self.arrivals += 1;
        if self.arrivals.is_multiple_of(self.every) {
            self.running
                .push((self.arrivals, self.alarmed, self.expected));
        }
        let excess = alarm.map_or(0.0, |alarm| alarm.two_hash_excess);
        (below && first).then(|| (met.with_excess(excess), reached))
    }

    /// Whether theory covers the threshold.
    pub fn predicted(&self) -> bool {
        self.stream.is_some()
    }

    /// An upper bound of what the number may deviate from its expectation by, because keys share counters.
    ///
    /// Over a window a key is counted in several turns, of which two neighbours have a pane in common: their covariance is at most the
    /// mean of their expectations, which adds at most twice the sum of all to the variance.
    pub fn deviation(&self) -> f64 {
        let own = || {
            let neighbours = match self.panes {
                Some(_) => (2.0 * self.expected).sqrt(),
                None => 0.0,
            };
            let present: f64 = self.keys.iter().map(|key| key.deviation).sum();
            self.past_deviation + present + neighbours
        };
        self.pooled_deviation.unwrap_or_else(own)
    }

    /// Takes in what was reported of the keys of independent filters; deviations add as those of independent numbers do.
    pub fn pool(&mut self, others: Vec<Alarms>) {
        let mut variance = self.deviation().powi(2);
        for other in others {
            variance += other.deviation().powi(2);
            self.keys.extend(other.keys);
            self.ever.extend(other.ever);
            self.hot += other.hot;
            self.at_risk += other.at_risk;
            self.alarmed += other.alarmed;
            self.expected += other.expected;
            self.found += other.found;
            self.arrivals += other.arrivals;
            self.running.truncate(other.running.len());
            for (point, other) in self.running.iter_mut().zip(other.running) {
                *point = (point.0 + other.0, point.1 + other.1, point.2 + other.2);
            }
        }
        self.pooled_deviation = Some(variance.sqrt());
    }

    /// Keys that were reported falsely and never came so often.
    pub fn never_hot(&self) -> u64 {
        let ever = self.ever.iter();
        ever.filter(|ever| ever.alarmed && !ever.hot).count() as u64
    }
}

/// The bank in which a probe finds its cell.
fn bank_of(layout: Layout, probe: usize) -> usize {
    match layout {
        Layout::Partitioned => probe,
        Layout::Shared => 0,
    }
}
