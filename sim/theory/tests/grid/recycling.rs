//! Recycling filters, by the chain of their bits and messages.
//!
//! A message that sets no bit leaves a state as it is, every other one leads to more bits: so the visits of each state follow from
//! those of states with fewer bits, in positive terms. Partitions are alike, so a state has their bits in rising order.

use super::{domain, Drawn};
use bloomline_theory::sizing::{
    cycle_quantile, predict, predict_shared, shared_cycle_quantile, shared_worst_case_exceeded_by,
    worst_case_exceeded_by, Hashing, On, RecyclingParams, SharedParams,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};

const MOST_HASHES: usize = 4;

/// How a message sets bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// One in each of k partitions.
    Partitioned,
    /// k draws from one array that may coincide.
    Colliding,
    /// k different ones of one array.
    Distinct,
}

/// One half: so many bits, in all or in each partition.
#[derive(Debug, Clone, Copy)]
pub struct Half {
    pub bits: u16,
    pub hashes: u8,
    pub positions: Positions,
}

/// Bits set: of each partition, or of the one array.
pub type Bits = [u16; MOST_HASHES];

/// What a new message leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reached {
    pub bits: Bits,
    /// Different positions of the message.
    pub distinct: u8,
}

fn total(bits: &Bits) -> u64 {
    bits.iter().map(|b| u64::from(*b)).sum()
}

impl Half {
    pub fn empty(self) -> Bits {
        [0; MOST_HASHES]
    }

    /// Where a new message leads, with probabilities. Bits set never fall.
    pub fn next(self, from: &Bits) -> Vec<(Reached, f64)> {
        let m = f64::from(self.bits);
        let before = total(from);
        let start = Reached {
            bits: *from,
            distinct: 0,
        };
        let mut reached = BTreeMap::from([(start, 1.0)]);
        for draw in 0..self.hashes {
            let mut after = BTreeMap::new();
            let mut add = |to: Reached, share: f64| {
                if share > 0.0 {
                    *after.entry(to).or_insert(0.0) += share;
                }
            };
            for (to, share) in reached {
                let array = match self.positions {
                    Positions::Partitioned => usize::from(draw),
                    _ => 0,
                };
                let own = f64::from(to.distinct);
                // positions that this draw may take, and those of them that it has taken already
                let (open, again) = match self.positions {
                    Positions::Partitioned => (m, 0.0),
                    Positions::Colliding => (m, own),
                    Positions::Distinct => (m - own, 0.0),
                };
                let clear = m - f64::from(to.bits[array]);
                let set = match self.positions {
                    Positions::Partitioned => f64::from(to.bits[array]),
                    _ => before as f64 - (own - (total(&to.bits) - before) as f64),
                };
                let mut sets = to;
                sets.bits[array] += 1;
                sets.distinct += 1;
                let hits = Reached {
                    distinct: to.distinct + 1,
                    ..to
                };
                add(sets, share * clear / open);
                add(hits, share * set / open);
                add(to, share * again / open);
            }
            reached = after;
        }
        let mut merged = BTreeMap::new();
        for (mut to, share) in reached {
            if self.positions == Positions::Partitioned {
                to.bits[..usize::from(self.hashes)].sort_unstable();
            }
            *merged.entry(to).or_insert(0.0) += share;
        }
        merged.into_iter().collect()
    }

    /// Share of the keys that are seen.
    pub fn rate(self, bits: &Bits) -> f64 {
        let (m, k) = (f64::from(self.bits), self.hashes);
        let b = f64::from(bits[0]);
        match self.positions {
            Positions::Partitioned => bits[..usize::from(k)]
                .iter()
                .map(|b| f64::from(*b) / m)
                .product(),
            Positions::Colliding => (b / m).powi(k.into()),
            Positions::Distinct => (0..k)
                .map(|i| ((b - f64::from(i)) / (m - f64::from(i))).max(0.0))
                .product(),
        }
    }

    /// The first message in an empty half, given its number of different positions.
    fn holding_one(self, distinct: u8) -> Bits {
        match self.positions {
            Positions::Partitioned => std::array::from_fn(|i| u16::from(i < self.hashes.into())),
            _ => [u16::from(distinct), 0, 0, 0],
        }
    }
}

/// The states of a cycle, from fewer bits to more.
struct Chain {
    rate: Vec<f64>,
    next: Vec<Vec<(usize, f64)>>,
    /// By the different positions of the message that trips.
    trips: Vec<[f64; MOST_HASHES + 1]>,
    start: Vec<f64>,
}

/// What one cycle brings.
struct Cycle {
    arrivals: f64,
    positives: f64,
    /// Rates just before the recycle, with probabilities, from the lowest.
    last: Vec<(f64, f64)>,
}

impl Cycle {
    fn frozen(&self) -> f64 {
        self.last.iter().map(|(rate, share)| rate * share).sum()
    }

    /// Probability of a rate above `least` just before the recycle; of two independent halves if there are two phases.
    fn last_above(&self, least: f64, phases: u64) -> f64 {
        let above = |least: f64| -> f64 {
            let first = self.last.partition_point(|(rate, _)| *rate <= least);
            self.last[first..].iter().map(|(_, share)| share).sum()
        };
        match phases {
            1 => above(least),
            _ => self
                .last
                .iter()
                .map(|(rate, share)| share * above((least - rate) / (1.0 - rate)))
                .sum(),
        }
    }
}

impl Chain {
    fn new(half: Half, on: On, threshold: u64, retain: bool) -> Self {
        let starts: Vec<(Bits, u64)> = match retain {
            false => vec![([0; MOST_HASHES], 0)],
            true if half.positions == Positions::Colliding => (1..=half.hashes)
                .map(|distinct| (half.holding_one(distinct), 1))
                .collect(),
            true => vec![(half.holding_one(half.hashes), 1)],
        };
        // with a threshold on bits messages do not matter
        let counted = |messages: u64| match on {
            On::BitsSet => 0,
            On::Messages => messages,
        };
        let mut states: Vec<(Bits, u64)> = Vec::new();
        let mut places: HashMap<(Bits, u64), usize> = HashMap::new();
        let mut place_of = |state: (Bits, u64), states: &mut Vec<_>| {
            *places.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        for (bits, messages) in &starts {
            place_of((*bits, counted(*messages)), &mut states);
        }
        let (mut rate, mut next, mut trips) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        while at < states.len() {
            let (bits, messages) = states[at];
            let mut out = Vec::new();
            let mut tripping = [0.0; MOST_HASHES + 1];
            for (to, share) in half.next(&bits) {
                if to.bits == bits {
                    continue;
                }
                let trip = match on {
                    On::BitsSet => total(&to.bits) > threshold,
                    On::Messages => messages + 1 >= threshold,
                };
                match trip {
                    true => tripping[usize::from(to.distinct)] += share,
                    false => {
                        let after = (to.bits, counted(messages + 1));
                        out.push((place_of(after, &mut states), share));
                    }
                }
            }
            rate.push(half.rate(&bits));
            next.push(out);
            trips.push(tripping);
            at += 1;
        }
        let mut chain = Self {
            rate,
            next,
            trips,
            start: vec![0.0; states.len()],
        };
        let place = chain.in_order(&states);
        chain.settle(&place[..starts.len()]);
        chain
    }

    /// Renames the states so that bits rise, and gives the new places.
    fn in_order(&mut self, states: &[(Bits, u64)]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|at| total(&states[*at].0));
        let mut place = vec![0; order.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(to, from)| place[*from] = to);
        for (to, _) in self.next.iter_mut().flatten() {
            *to = place[*to];
        }
        self.rate = order.iter().map(|from| self.rate[*from]).collect();
        self.trips = order.iter().map(|from| self.trips[*from]).collect();
        self.next = order
            .iter()
            .map(|from| std::mem::take(&mut self.next[*from]))
            .collect();
        place
    }

    /// The law of the first state: of several, by the different positions of the message that tripped the cycle before.
    fn settle(&mut self, starts: &[usize]) {
        self.start[starts[starts.len() - 1]] = 1.0;
        if starts.len() == 1 {
            return;
        }
        for _ in 0..40 {
            let mut found = [0.0; MOST_HASHES + 1];
            for (visits, trips) in self.visits().iter().zip(&self.trips) {
                for (sum, trip) in found.iter_mut().zip(trips) {
                    *sum += visits * trip;
                }
            }
            self.start.fill(0.0);
            for (distinct, place) in starts.iter().enumerate() {
                self.start[*place] = found[distinct + 1];
            }
        }
    }

    /// Mean number of arrivals that find each state.
    fn visits(&self) -> Vec<f64> {
        let mut entered = self.start.clone();
        for at in 0..entered.len() {
            entered[at] /= 1.0 - self.rate[at];
            for (to, share) in &self.next[at] {
                entered[*to] += entered[at] * share;
            }
        }
        entered
    }

    fn cycle(&self) -> Cycle {
        let visits = self.visits();
        let of_rates = || visits.iter().zip(&self.rate);
        let mut last: Vec<(f64, f64)> = of_rates()
            .zip(&self.trips)
            .map(|((visits, rate), trips)| (*rate, visits * trips.iter().sum::<f64>()))
            .filter(|(_, share)| *share > 0.0)
            .collect();
        last.sort_by(|a, b| a.0.total_cmp(&b.0));
        Cycle {
            arrivals: visits.iter().sum(),
            positives: of_rates().map(|(visits, rate)| visits * rate).sum(),
            last,
        }
    }

    /// Probabilities that a cycle has less than 0, 1, .. arrivals, until one is above `chance` and some more.
    fn shorter(&self, chance: f64) -> Vec<f64> {
        let mut alive = self.start.clone();
        let mut tripped = 0.0;
        let mut shorter = vec![0.0, 0.0];
        let mut more = 4;
        while more > 0 {
            let mut after = vec![0.0; alive.len()];
            for (at, here) in alive.iter().enumerate().filter(|(_, here)| **here > 0.0) {
                tripped += here * self.trips[at].iter().sum::<f64>();
                after[at] += here * self.rate[at];
                for (to, share) in &self.next[at] {
                    after[*to] += here * share;
                }
            }
            alive = after;
            shorter.push(tripped);
            more -= u32::from(tripped > chance);
        }
        shorter
    }
}

/// Messages that fill every live half to a rate: RBF (1) solved for n by bisection.
fn filled_to(half: Half, phases: u64, rate: f64) -> f64 {
    let (m, k) = (f64::from(half.bits), f64::from(half.hashes));
    let rate_after = |n: f64| {
        let missed = match half.positions {
            Positions::Partitioned => (1.0 - 1.0 / m).powf(n),
            Positions::Colliding => (1.0 - 1.0 / m).powf(n * k),
            Positions::Distinct => (1.0 - k / m).powf(n),
        };
        let one = (1.0 - missed).powf(k);
        match phases {
            1 => one,
            _ => one * (2.0 - one),
        }
    };
    let (mut low, mut high) = (0.0, 1e5);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match rate_after(middle) < rate {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

fn drawn_half(random: &mut ChaCha8Rng, on: On) -> Half {
    let positions = match random.random_range(0..4) {
        0..=1 => Positions::Partitioned,
        2 => Positions::Colliding,
        _ => Positions::Distinct,
    };
    let hashes = random.random_range(1..=3u8);
    let bits = match (positions, on, hashes) {
        // the law of messages is documented from 32 on; some below it are drawn, too
        (Positions::Partitioned, On::Messages, 2) if random.random_bool(0.9) => {
            random.random_range(32..=48)
        }
        (Positions::Partitioned, On::Messages, 3) if random.random_bool(0.9) => 32,
        (Positions::Partitioned, _, 1) => random.random_range(2..=200),
        (Positions::Partitioned, _, 2) => random.random_range(2..=40),
        (Positions::Partitioned, _, _) => random.random_range(2..=14),
        (_, On::BitsSet, _) => random.random_range(u16::from(hashes) + 1..=200),
        (_, On::Messages, _) if random.random_bool(0.9) => random.random_range(18..=60),
        (_, On::Messages, _) => random.random_range(u16::from(hashes) + 1..=60),
    };
    Half {
        bits,
        hashes,
        positions,
    }
}

pub fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let on = match random.random_bool(0.5) {
        true => On::BitsSet,
        false => On::Messages,
    };
    let half = drawn_half(random, on);
    let Half {
        bits,
        hashes,
        positions,
    } = half;
    let retain = random.random_bool(0.5);
    let phases = match retain {
        true => 1,
        false => random.random_range(1..=2),
    };
    let k = u64::from(hashes);
    let partitioned = positions == Positions::Partitioned;
    let half_bits = match partitioned {
        true => u64::from(bits) * k,
        false => u64::from(bits),
    };
    let full = half_bits.div_ceil(k);
    let threshold = match on {
        On::BitsSet => random.random_range(k..half_bits),
        // in one of 16 the half may be full before
        On::Messages => match random.random_range(0..16) {
            0 if !partitioned || hashes == 1 => full + 1,
            _ => random.random_range(1 + u64::from(!retain)..=full.max(2)),
        },
    };
    let chance = [1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9][random.random_range(0..6)];
    let mut drawn = Drawn::new(format!(
        "{half:?} phases {phases} {on:?} {threshold} retain {retain} chance {chance}"
    ));
    let in_partitions = RecyclingParams {
        memory_bits: half_bits * phases,
        phases: phases as u32,
        hashes: hashes.into(),
        hashing: Hashing::Independent,
        on,
        threshold,
        retain,
    };
    let shared = SharedParams {
        half_bits,
        phases: phases as u32,
        hashes: hashes.into(),
        distinct: positions == Positions::Distinct,
        two_hash: None,
        on,
        threshold,
        retain,
    };
    // a retained message is the first of its cycle, and the second one trips at the earliest
    let met_at = match on {
        On::Messages => threshold.max(2),
        On::BitsSet => threshold,
    };
    let messages = on == On::Messages;
    let small = messages && partitioned && hashes > 1 && bits < 32;
    // in several partitions the law is an approximation up to 98 % of the half
    let followed = !partitioned || hashes == 1;
    let fills = messages && followed && k * (met_at - 1) >= half_bits;
    let of_law = domain(&[
        (small, "messages, partitions below 32 bits"),
        (fills, "messages, the half may be full before"),
    ]);
    let predicted = match partitioned {
        true => predict(&in_partitions),
        false => predict_shared(&shared),
    };
    let Some(predicted) = drawn.answer(of_law, predicted) else {
        return drawn;
    };
    let chain = Chain::new(half, on, met_at, retain);
    let exact = chain.cycle();
    let active = exact.positives / exact.arrivals;
    let frozen = exact.frozen();
    let one_phase = phases == 1;
    let rate = match one_phase {
        true => active,
        false => active + frozen - active * frozen,
    };
    // colliding draws join the halves: (26) is not the rate of two phases there
    if one_phase || positions != Positions::Colliding || hashes == 1 {
        drawn.figure("average", &predicted.fpr_average, rate);
        let gain = exact.arrivals / filled_to(half, phases, rate);
        drawn.figure("capacity gain", &predicted.capacity_gain, gain);
    }
    drawn.figure("cycle", &predicted.cycle_arrivals, exact.arrivals);
    let setting = exact.arrivals - exact.positives;
    drawn.figure("messages", &predicted.cycle_messages, setting);
    let last = match on {
        // no state's rate is above it
        On::BitsSet => chain.rate.iter().copied().fold(0.0, f64::max),
        On::Messages => frozen,
    };
    let last = match one_phase {
        true => last,
        false => last * (2.0 - last),
    };
    drawn.figure("last", &predicted.fpr_worst_case, last);
    let quantile = match partitioned {
        true => cycle_quantile(&in_partitions, chance),
        false => shared_cycle_quantile(&shared, chance),
    };
    let tiny = messages && !partitioned && hashes > 1 && half_bits < 2 * k * k;
    let of_quantile = domain(&[(tiny, "messages, quantile below 2 k^2 bits")]);
    if let Some(quantile) = drawn.answer(of_quantile, quantile) {
        let shorter = chain.shorter(chance);
        let last = shorter.len() - 1;
        drawn.quantile("cycle but for", &quantile, chance, |n| {
            (shorter[last.min(n as usize)], 0.0)
        });
    }
    let exceeded = match partitioned {
        true => worst_case_exceeded_by(&in_partitions, chance),
        false => shared_worst_case_exceeded_by(&shared, chance),
    };
    let independent = one_phase || positions != Positions::Colliding || hashes == 1;
    let exceeded = drawn.answer(of_quantile, exceeded).flatten();
    if let Some(figure) = exceeded.filter(|_| independent) {
        let above = exact.last_above(figure.value, phases);
        drawn.exceeded("last but for", &figure, chance, above);
    }
    drawn
}
