//! Double hashing in one shared array: a first-order term.
//!
//! Two effects beyond independent probes, each of order 1/M: a key whose step has an order r below k probes r positions
//! only; and a stored item meets a key in several positions at once when its progression overlaps the key's. The overlaps
//! are counted over the ratios of the two steps: steps `v g` and `u g` with coprime u, v and an offset `w g` meet where
//! `i v - j u = w`, each such triple having probability `1/M^2`.

use super::patterns::{gcd, short_orders};
use crate::accuracy::Accuracy;
use crate::numeric::fill_sum::occupied_fraction;
use crate::recycling::SharedHalf;

/// How the probes of a shared array are derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedScheme {
    /// `h1 + i h2`.
    Double,
    /// `h1 + i h2 + i^2`.
    Squares,
    /// `h1 + i h2 + i^3`.
    Cubes,
}

/// A shared array whose k probes come from two hash functions.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedTwoHashing {
    bits: f64,
    hashes: u32,
    /// Entry s: number of triples that meet a key in exactly s of its probes, less that of independent probes.
    overlaps: Vec<f64>,
    /// Order and number of steps of keys with fewer positions than probes.
    short: Vec<(u32, u64)>,
    draws_repeat: bool,
}

impl SharedTwoHashing {
    /// The scheme on a shared half; `distinct` of the half says what the independent reference is.
    pub fn new(half: SharedHalf, scheme: SharedScheme) -> Self {
        let k = half.hashes();
        let mut overlaps = match scheme {
            SharedScheme::Double => overlaps(k, |_, _| true),
            SharedScheme::Squares => overlaps(k, |u, v| u.abs() == 1 && v == 1),
            SharedScheme::Cubes => {
                let mut only_equal = vec![0.0; k as usize + 1];
                only_equal[k as usize] = 1.0;
                only_equal
            }
        };
        if k >= 2 {
            // pairs of probes meet pairs of probes as often as with independent ones; what the list does not hold
            // meets in single pairs, and independent probes meet in single pairs only
            let listed: f64 = overlaps
                .iter()
                .enumerate()
                .skip(2)
                .map(|(s, count)| count * (s * (s - 1)) as f64 / 2.0)
                .sum();
            overlaps[2] -= listed;
        }
        let short = if scheme == SharedScheme::Double {
            short_orders(half.bits(), k)
        } else {
            Vec::new()
        };
        let draws_repeat = !half.distinct() && scheme == SharedScheme::Double;
        Self {
            bits: half.bits() as f64,
            hashes: k,
            overlaps,
            short,
            draws_repeat,
        }
    }

    /// What two hashes add to the rate of independent probes with `items` items.
    ///
    /// Source: derivation of this crate. Approximation of first order in 1/M; see [`Self::accuracy`].
    pub fn excess(&self, items: f64) -> f64 {
        let k = f64::from(self.hashes);
        let p = occupied_fraction(self.bits / k, items);
        let power = |s: f64| p.powf(s);
        let mut excess = 0.0;
        for (s, count) in self.overlaps.iter().enumerate().skip(2) {
            let s = s as f64;
            let gain = 1.0 - power(s) - s * power(s - 1.0) * (1.0 - p);
            excess += items * count / (self.bits * self.bits) * power(k - s) * gain;
        }
        let full = power(k);
        for (r, steps) in &self.short {
            excess += *steps as f64 / self.bits * (power(f64::from(*r)) - full);
        }
        if self.draws_repeat && self.hashes >= 2 {
            excess -= 0.5 * k * (k - 1.0) / self.bits * (power(k - 1.0) - full);
        }
        excess
    }

    /// The stated relative error of the excess: terms of second order in `k^2/M`, at least 5%.
    pub fn accuracy(&self) -> Accuracy {
        let k = f64::from(self.hashes);
        Accuracy::approximation(0.05 + 2.0 * k * k / self.bits)
    }

    /// Sum of the excess over `items` = 0 .. `arrivals`.
    pub fn excess_sum(&self, arrivals: f64) -> f64 {
        sum_over_cycle(arrivals, |items| self.excess(items))
    }
}

/// Number of offsets w, over coprime step ratios u:v that `keep` admits, at which exactly s probes of the key are met.
fn overlaps(hashes: u32, keep: impl Fn(i64, i64) -> bool) -> Vec<f64> {
    let k = i64::from(hashes);
    let mut counts = vec![0.0; hashes as usize + 1];
    for v in 1..k.max(2) {
        for u in (1 - k..k).filter(|u| *u != 0) {
            if gcd(v as u32, u.unsigned_abs() as u32) != 1 || !keep(u, v) {
                continue;
            }
            let lowest = if u > 0 { -(k - 1) * u } else { 0 };
            let mut met = vec![0usize; ((k - 1) * (v + u.abs())) as usize + 1];
            for i in 0..k {
                for j in 0..k {
                    met[(i * v - j * u - lowest) as usize] += 1;
                }
            }
            met.iter()
                .filter(|s| **s >= 2)
                .for_each(|s| counts[*s] += 1.0);
        }
    }
    counts
}

/// `sum_{n=0}^{arrivals-1} f(n)`: term by term below 60, Simpson's rule above; a fractional last term counts in part.
pub(super) fn sum_over_cycle(arrivals: f64, f: impl Fn(f64) -> f64) -> f64 {
    const DIRECT: f64 = 60.0;
    const PANELS: usize = 32;
    let mut total = 0.0;
    let mut n = 0.0;
    while n < arrivals.min(DIRECT) {
        total += f(n) * (arrivals - n).min(1.0);
        n += 1.0;
    }
    if arrivals > DIRECT {
        let step = (arrivals - DIRECT) / PANELS as f64;
        let (first, last) = (f(DIRECT), f(arrivals));
        let mut simpson = first + last;
        for i in 1..PANELS {
            simpson += f(DIRECT + i as f64 * step) * if i % 2 == 1 { 4.0 } else { 2.0 };
        }
        total += simpson * step / 3.0 + 0.5 * (first - last);
    }
    total
}
