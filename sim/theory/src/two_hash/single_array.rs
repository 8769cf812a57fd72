//! Double and extended double hashing on one array of prime size (KM 5.2): `h1 + i h2 + f(i) mod m`.
//!
//! The paper gives the limit and bounds. This law is a derivation of this project: of a key's k positions and an item's k
//! positions it counts every way to coincide that exists for a general stride, and every stride of the key for which its own
//! positions coincide. For double hashing (f = 0) all strides but 0 are alike (multiply by one's inverse), so it is exact; with
//! an extension it leaves out the coincidences that a stride meets by chance.
//!
//! For a key with distinct positions Q, the filter of n items covers Q with probability `sum over T in Q of (-1)^|T| (1 - q(T))^n`,
//! where q(T) is the part of the m^2 items (start, stride) that hit T:
//! `m^2 q(T) = m k |T| - sum over strides of (k |T| - |union over i of (T - i stride - f(i))|)`. Only strides with
//! `stride (i - j) = (Q_s - Q_t) - (f(i) - f(j))` have an overlap. Which of them coincide is found in a field so large that a
//! stride drawn at random meets no coincidence by chance; with m in place of that field the number of coincidences by
//! chance is O(k^8) among m strides of the key, each worth O(n/m^2).

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::primes::is_prime;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const NAME: &str = "double hashing on one array";

/// Order of the large field, a Mersenne prime.
const FIELD: u64 = (1 << 61) - 1;
/// A stride like any other in the large field.
const GENERAL_STRIDE: u64 = 0x1234_5678_9abc_def1 % FIELD;
/// 2^k subsets are summed for each stride.
const MAX_HASHES: u32 = 14;

/// The term f(i) that extended double hashing adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// f(i) = 0: double hashing.
    None,
    /// f(i) = i^2.
    Square,
    /// f(i) = i^3.
    Cube,
}

impl Extension {
    fn at(self, i: u64) -> u64 {
        match self {
            Extension::None => 0,
            Extension::Square => i * i,
            Extension::Cube => i * i * i,
        }
    }
}

/// A filter of m bits in one array with two hash functions, after n items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingleArray {
    bits: u64,
    items: u64,
    hashes: u32,
    extension: Extension,
}

impl SingleArray {
    /// `bits` (m), a prime, `items` (n), `hashes` (k).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless m is a prime from 2 k^2 to 2^40, `1 <= k <= 14` and n from 1 to 2^40.
    pub fn new(
        bits: u64,
        items: u64,
        hashes: u32,
        extension: Extension,
    ) -> Result<Self, TheoryError> {
        if !(1..=MAX_HASHES).contains(&hashes) {
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("1 to {MAX_HASHES}"),
                hashes,
            ));
        }
        let least = 2 * u64::from(hashes).pow(2);
        if !(least..1 << 40).contains(&bits) || !is_prime(bits) {
            let expected = format!("a prime from {least} to 2^40");
            return Err(TheoryError::domain(NAME, "bits", expected, bits));
        }
        if !(1..=1 << 40).contains(&items) {
            return Err(TheoryError::domain(NAME, "items", "1 to 2^40", items));
        }
        Ok(Self {
            bits,
            items,
            hashes,
            extension,
        })
    }

    /// The false-positive rate of a new key. Double hashing: exact up to rounding (a sum of 2^k terms of either sign).
    /// Extended: an approximation; the stated error, `k^4/m^2` of the rate, is above every difference that enumeration
    /// found.
    pub fn rate(&self) -> Figure {
        let k = u64::from(self.hashes);
        // Strides of the key for which two of its positions coincide: (j - l) stride = f(l) - f(j), an integer.
        let mut own = BTreeSet::new();
        for j in 0..k {
            for l in 0..j {
                let rise = (self.extension.at(j) - self.extension.at(l)) / (j - l);
                own.insert((FIELD - rise) % FIELD);
            }
        }
        let each = 1.0 / self.bits as f64;
        let special: f64 = own.iter().map(|&stride| self.covered(stride) * each).sum();
        let general = 1.0 - own.len() as f64 * each;
        let rate = special + general * self.covered(GENERAL_STRIDE);
        let rounding = 1e-12 + f64::EPSILON * f64::from(1u32 << self.hashes) / rate;
        let accuracy = match self.extension {
            Extension::None => Accuracy::exact(rounding),
            _ => Accuracy::approximation(rounding + (k.pow(4) as f64) * each * each),
        };
        Figure::new(
            rate,
            "two hash functions on one array, coincidences counted",
            accuracy,
        )
    }

    /// The probability that n items cover the positions of a key with this stride in the large field.
    fn covered(&self, stride: u64) -> f64 {
        let positions = self.positions(stride);
        let overlaps = self.overlaps(&positions);
        let (m, k) = (self.bits as f64, f64::from(self.hashes));
        let mut sum = crate::numeric::sum::Sum::default();
        for subset in 0u32..1 << positions.len() {
            let size = subset.count_ones();
            let lost: f64 = overlaps
                .iter()
                .map(|(members, times)| {
                    let hits: u32 = members
                        .iter()
                        .filter(|(s, _)| subset >> **s & 1 == 1)
                        .map(|(_, hits)| hits)
                        .sum();
                    f64::from(hits.saturating_sub(1)) * times
                })
                .sum();
            let hit = (k * f64::from(size) - lost / m) / m;
            let missed = (self.items as f64 * (-hit).ln_1p()).exp();
            sum.add(if size % 2 == 0 { missed } else { -missed });
        }
        sum.value()
    }

    /// The distinct positions of a key of start 0.
    fn positions(&self, stride: u64) -> Vec<u64> {
        let every: BTreeSet<u64> = (0..u64::from(self.hashes))
            .map(|i| add(multiply(i, stride), self.extension.at(i)))
            .collect();
        every.into_iter().collect()
    }

    /// The coincidences over all strides of an item: which positions of the key fall on one start of the item, each with
    /// how many of the item's probes, and for how many strides.
    fn overlaps(&self, positions: &[u64]) -> Vec<(BTreeMap<usize, u32>, f64)> {
        let k = u64::from(self.hashes);
        let mut strides = BTreeSet::new();
        for i in 0..k {
            for j in 0..i {
                let inverse = invert(i - j);
                for from in positions {
                    for to in positions {
                        let rise = self.extension.at(i) - self.extension.at(j);
                        let distance = subtract(subtract(*from, *to), rise);
                        strides.insert(multiply(distance, inverse));
                    }
                }
            }
        }
        let mut found: HashMap<BTreeMap<usize, u32>, f64> = HashMap::new();
        for stride in strides {
            let mut starts: HashMap<u64, BTreeMap<usize, u32>> = HashMap::new();
            for (s, position) in positions.iter().enumerate() {
                for i in 0..k {
                    let probe = add(multiply(i, stride), self.extension.at(i));
                    let start = subtract(*position, probe);
                    *starts.entry(start).or_default().entry(s).or_default() += 1;
                }
            }
            for members in starts.into_values() {
                if members.values().sum::<u32>() > 1 {
                    *found.entry(members).or_default() += 1.0;
                }
            }
        }
        // A fixed order, so that the rounding of their sums is the same in every run.
        let mut sorted: Vec<_> = found.into_iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        sorted
    }
}

fn add(a: u64, b: u64) -> u64 {
    (a + b) % FIELD
}

fn subtract(a: u64, b: u64) -> u64 {
    add(a, FIELD - b % FIELD)
}

fn multiply(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(FIELD)) as u64
}

/// By Fermat's little theorem.
fn invert(value: u64) -> u64 {
    let (mut power, mut exponent, mut result) = (value, FIELD - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, power);
        }
        power = multiply(power, power);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

    /// Every stride of key and item, every subset: exact.
    fn enumerated(filter: &SingleArray) -> f64 {
        let (m, k) = (filter.bits, u64::from(filter.hashes));
        let f = |i: u64| filter.extension.at(i);
        let mut total = 0.0;
        for key in 0..m {
            let positions: BTreeSet<u64> = (0..k).map(|i| (i * key + f(i)) % m).collect();
            let positions: Vec<u64> = positions.into_iter().collect();
            let mut hits = vec![0u64; 1 << positions.len()];
            for stride in 0..m {
                // For each start of the item, which positions it hits.
                let mut masks = HashMap::new();
                for (s, position) in positions.iter().enumerate() {
                    for i in 0..k {
                        let start = (position + k * k * k * m - (i * stride + f(i)) % m) % m;
                        *masks.entry(start).or_insert(0usize) |= 1 << s;
                    }
                }
                for mask in masks.into_values() {
                    for (subset, count) in hits.iter_mut().enumerate() {
                        *count += u64::from(subset & mask != 0);
                    }
                }
            }
            for (subset, count) in hits.iter().enumerate() {
                let miss = 1.0 - *count as f64 / (m * m) as f64;
                let sign = if subset.count_ones() % 2 == 0 {
                    1.0
                } else {
                    -1.0
                };
                total += sign * miss.powi(filter.items as i32);
            }
        }
        total / m as f64
    }

    #[test]
    fn the_law_is_enumeration_up_to_its_stated_error() {
        for extension in EXTENSIONS {
            for (bits, hashes) in [(101, 2), (101, 3), (199, 4), (211, 5)] {
                for load in [0.2, 0.5, 0.9] {
                    let items = (load * bits as f64 / f64::from(hashes)) as u64;
                    let filter =
                        SingleArray::new(bits, items, hashes, extension).expect("in the domain");
                    let (rate, exact) = (filter.rate(), enumerated(&filter));
                    let error = (rate.value / exact - 1.0).abs();
                    println!("{extension:?} m={bits} k={hashes} n={items}: {exact:.6e} error {error:.2e} stated {:.2e}", rate.accuracy.relative_error);
                    assert!(error <= rate.accuracy.relative_error);
                }
            }
        }
    }

    #[test]
    fn the_limit_is_approached_from_above() {
        for extension in EXTENSIONS {
            let limit =
                |bits: u64, items: u64| (1.0 - (-5.0 * items as f64 / bits as f64).exp()).powi(5);
            let excess = |bits: u64, items: u64| {
                let filter = SingleArray::new(bits, items, 5, extension).expect("in the domain");
                filter.rate().value / limit(bits, items) - 1.0
            };
            let (near, far) = (excess(1009, 140), excess(1_000_003, 138_700));
            assert!(
                near > far && far > 0.0 && far < 1e-3,
                "{extension:?}: {near} {far}"
            );
        }
    }
}
