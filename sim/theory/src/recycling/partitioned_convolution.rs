//! The partitioned law by k-fold convolution: positive terms, no integrals.

use super::cycle::CycleLaw;
use super::partitioned_half::{PartitionedHalf, Parts};
use crate::accuracy::Accuracy;
use crate::numeric::fill_sum::{occupied_fraction, partitioned_rate};
use crate::numeric::sum::Sum;

/// A mass function on `first..first + mass.len()`.
#[derive(Debug, Clone)]
struct Masses {
    first: usize,
    mass: Vec<f64>,
}

/// Masses below this share of the whole are dropped at the ends of a window (12 standard deviations).
const NEGLIGIBLE: f64 = 1e-32;
/// A cycle's tail is cut when the probability of still running is below this.
const ENDED: f64 = 1e-18;

impl Masses {
    /// All pairs' sums, cut at `most`.
    fn plus(&self, other: &Self, most: usize) -> Self {
        let first = self.first + other.first;
        if first > most || self.mass.is_empty() || other.mass.is_empty() {
            return Self {
                first,
                mass: Vec::new(),
            };
        }
        let len = (self.mass.len() + other.mass.len() - 1).min(most - first + 1);
        let mut mass = vec![0.0; len];
        for (i, a) in self.mass.iter().enumerate().take(len) {
            for (total, b) in mass[i..].iter_mut().zip(&other.mass) {
                *total += a * b;
            }
        }
        Self { first, mass }
    }

    /// Total mass of the sum of `parts` independent copies on values up to `most`.
    fn sum_at_most(&self, parts: u32, most: usize) -> f64 {
        let mut result: Option<Self> = None;
        let mut power = self.clone();
        let mut left = parts;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    Some(sum) => sum.plus(&power, most),
                    None => power.clone(),
                });
            }
            left >>= 1;
            if left > 0 {
                power = power.plus(&power, most);
            }
        }
        result.map_or(0.0, |sum| {
            sum.mass
                .iter()
                .take((most + 1).saturating_sub(sum.first))
                .sum()
        })
    }

    /// The sum of `parts` independent copies, cut at `most`.
    fn copies(&self, parts: u32, most: usize) -> Self {
        let mut sum = Self {
            first: 0,
            mass: vec![1.0],
        };
        let mut power = self.clone();
        let mut left = parts;
        while left > 0 {
            if left & 1 == 1 {
                sum = sum.plus(&power, most);
            }
            left >>= 1;
            if left > 0 {
                power = power.plus(&power, most);
            }
        }
        sum
    }

    /// For j = 0 .. kinds - 1 the total mass on values up to `most` of the sum of j copies of this and `parts - j` of
    /// `other`.
    fn mixed_at_most(&self, other: &Self, parts: u32, kinds: usize, most: usize) -> Vec<f64> {
        let fewest = parts - (kinds as u32 - 1);
        let mut others = vec![other.copies(fewest, most)];
        for i in 1..kinds {
            others.push(others[i - 1].plus(other, most));
        }
        let mut own = Self {
            first: 0,
            mass: vec![1.0],
        };
        let mut sums = Vec::with_capacity(kinds);
        for others in others.iter().rev() {
            sums.push(own.pairs_at_most(others, most));
            own = own.plus(self, most);
        }
        sums
    }

    /// Total mass of the sum of two on values up to `most`.
    fn pairs_at_most(&self, other: &Self, most: usize) -> f64 {
        let mut below = Vec::with_capacity(other.mass.len() + 1);
        let mut total = 0.0;
        below.push(total);
        for mass in &other.mass {
            total += mass;
            below.push(total);
        }
        let first = self.first + other.first;
        self.mass
            .iter()
            .enumerate()
            .take((most + 1).saturating_sub(first))
            .map(|(i, mass)| mass * below[(most + 1 - first - i).min(other.mass.len())])
            .sum()
    }

    /// The occupancy law after one more ball in `range` urns.
    fn throw(&mut self, range: f64) {
        self.mass.push(0.0);
        for i in (0..self.mass.len()).rev() {
            let b = (self.first + i) as f64;
            let from_below = if i > 0 {
                self.mass[i - 1] * (range - b + 1.0) / range
            } else {
                0.0
            };
            self.mass[i] = self.mass[i] * b / range + from_below.max(0.0);
        }
        while self.mass.last().is_some_and(|mass| *mass < NEGLIGIBLE) {
            self.mass.pop();
        }
        let empty = self
            .mass
            .iter()
            .take_while(|mass| **mass < NEGLIGIBLE)
            .count();
        self.mass.drain(..empty);
        self.first += empty;
    }

    fn weighted(&self, weight: impl Fn(f64) -> f64) -> Self {
        let mass = self
            .mass
            .iter()
            .enumerate()
            .map(|(i, mass)| mass * weight((self.first + i) as f64))
            .collect();
        Self {
            first: self.first,
            mass,
        }
    }
}

/// A bound on the standard deviation of the total bits at which a half overflows, and the messages till then.
fn overflow_scale(half: PartitionedHalf, sigma: u64) -> (f64, f64) {
    let m = half.range() as f64;
    let empty = 1.0 - sigma as f64 / half.bits() as f64;
    let load = -empty.max(0.5 / half.bits() as f64).ln();
    let variance = half.bits() as f64 * empty * (1.0 - empty * (1.0 + load)).max(0.0);
    (variance.sqrt(), load * m)
}

/// Multiplications that take as long as one urn's share of a throw, which divides.
const THROW: f64 = 10.0;

/// Estimated messages of a cycle.
pub(crate) fn messages(half: PartitionedHalf, sigma: u64) -> f64 {
    overflow_scale(half, sigma).1
}

/// Estimated multiplications of [`law`].
pub(crate) fn work(half: PartitionedHalf, sigma: u64) -> f64 {
    let (deviation, messages) = overflow_scale(half, sigma);
    let k = f64::from(half.hashes());
    let m = half.range() as f64;
    let empty = (1.0 - sigma as f64 / half.bits() as f64).max(1.0 / half.bits() as f64);
    let window = (22.0 * deviation / k.sqrt() + 8.0)
        .min(m)
        .min(messages + 8.0);
    let steps = (18.0 * deviation + 2.0 * k) / (k * empty) + 4.0;
    // squarings cost window^2 (1 + 4 + 16 ...), about k^2/3 windows squared in all, and a last product as much
    THROW * messages * window + 3.0 * steps * window * window * (k * k / 2.0 + 1.0)
}

/// The law, exactly.
pub(crate) fn law(half: PartitionedHalf, sigma: u64) -> CycleLaw {
    let (m, k, most) = (half.range() as f64, half.hashes(), sigma as usize);
    let mut urns = Masses {
        first: 0,
        mass: vec![1.0],
    };
    let (mut arrivals, mut positives, mut frozen) =
        (Sum::default(), Sum::default(), Sum::default());
    let mut messages = 0u64;
    let mut running = 1.0; // P(sum b_i(n) <= sigma)
    let mut matching = 0.0; // E[prod b_i(n)/m'; sum b_i(n) <= sigma]
    loop {
        arrivals.add(running);
        positives.add(matching);
        let sure_next =
            (messages + 1) * u64::from(k) <= sigma || surely_below(half, messages + 1, sigma);
        let kept = if sure_next {
            partitioned_rate(m, k, messages as f64) // the match at n, still running at n + 1
        } else {
            let staying = urns.weighted(|b| (b / m) * (b / m));
            let moving = urns.weighted(|b| (b / m) * (1.0 - b / m));
            let mut both = Masses {
                first: staying.first,
                mass: staying.mass,
            };
            both.mass.push(0.0);
            for (i, mass) in moving.mass.iter().enumerate() {
                both.mass[i + 1] += mass;
            }
            both.sum_at_most(k, most)
        };
        frozen.add(matching - kept);
        urns.throw(m);
        messages += 1;
        if sure_next {
            running = 1.0;
            matching = partitioned_rate(m, k, messages as f64);
        } else {
            running = urns.sum_at_most(k, most);
            matching = urns.weighted(|b| b / m).sum_at_most(k, most);
        }
        if running < ENDED {
            break;
        }
    }
    let mean_arrivals = arrivals.value();
    CycleLaw {
        mean_arrivals,
        active_rate: positives.value() / mean_arrivals,
        frozen_rate: frozen.value(),
        accuracy: Accuracy::exact(1e-11),
    }
}

/// The matches of so many kinds of keys in the two halves of a retaining filter; see
/// [`super::partitioned_joined`], which says what they are.
pub(crate) fn parts(half: PartitionedHalf, sigma: u64, kinds: usize) -> Parts {
    let (m, k, most) = (half.range() as f64, half.hashes(), sigma as usize);
    let mut active = vec![Sum::default(); kinds];
    let mut frozen = vec![Sum::default(); kinds];
    let mut urns = Masses {
        first: 1,
        mass: vec![1.0],
    };
    let mut messages = 1u64;
    loop {
        let running = if surely_below(half, messages, sigma) {
            let fill = occupied_fraction(m, messages as f64 - 1.0);
            for (j, sum) in active.iter_mut().enumerate() {
                sum.add(fill.powi(k as i32 - j as i32));
            }
            1.0
        } else {
            let beside = urns.weighted(|b| (b - 1.0) / (m - 1.0));
            let sums = urns.mixed_at_most(&beside, k, kinds, most);
            for (sum, value) in active.iter_mut().zip(sums) {
                sum.add(value);
            }
            urns.sum_at_most(k, most)
        };
        if running < ENDED {
            break;
        }
        if !surely_below(half, messages + 1, sigma) {
            let met = urns.weighted(|b| b / m);
            let both = urns.weighted(|b| b / m * (b - 1.0) / (m - 1.0));
            let missed = urns.weighted(|b| b / m * (m - b) / (m - 1.0));
            let mut apart = both;
            apart.mass.push(0.0);
            for (i, mass) in missed.mass.iter().enumerate() {
                apart.mass[i + 1] += mass;
            }
            let matching = met.sum_at_most(k, most);
            let kept = met.mixed_at_most(&apart, k, kinds, most);
            for (sum, kept) in frozen.iter_mut().zip(kept) {
                sum.add(matching - kept);
            }
        }
        urns.throw(m);
        messages += 1;
    }
    Parts {
        active: active.iter().map(|sum| sum.value()).collect(),
        frozen: frozen.iter().map(|sum| sum.value()).collect(),
    }
}

/// Whether the total after `messages` exceeds `sigma` with a probability below 1e-30 (Bernstein's bound: the total is
/// a sum of independent Bernoulli variables, as occupancy counts are).
fn surely_below(half: PartitionedHalf, messages: u64, sigma: u64) -> bool {
    let m = half.range() as f64;
    let mean = half.bits() as f64 * occupied_fraction(m, messages as f64);
    let load = messages as f64 / m;
    let empty = (-load).exp();
    let variance = half.bits() as f64 * empty * (1.0 - empty * (1.0 + load)).max(0.0) * 1.1 + 1.0;
    let gap = sigma as f64 - mean;
    gap > 0.0 && gap * gap / (2.0 * (variance + gap / 3.0)) > 70.0
}
