//! Double and extended double hashing on one array (KM 5.2): `h1 + i h2 + f(i) mod m`, any m.
//!
//! The paper gives the limit and bounds, for primes. This law is a derivation of this project.
//!
//! For a key with distinct positions Q, the filter of n items covers Q with probability `sum over T in Q of (-1)^|T| (1 - q(T))^n`,
//! where q(T) is the part of the m^2 items (start, stride) that hit T:
//! `m^2 q(T) = m k |T| - sum over items that hit T more than once of (hits - 1)`. Which items those are, for every class of keys that
//! are alike, says the source of `meetings`: exactly for double hashing, and for the extended schemes without the coincidences that a
//! stride meets by chance. Their number is O(k^8) among m strides of the key, each worth O(n/m^2).

use super::extension::Extension;
use super::first_order::FirstOrder;
use super::meetings::{
    cells_of_meeting, classes, covariance_of_meeting, mean_distinct, Class, Meeting,
};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::memo::Memo;
use crate::numeric::sum::Sum;
use crate::recycling::half::MAX_HASHES;
use std::collections::BTreeMap;
use std::rc::Rc;

const NAME: &str = "two hash functions on one array";

/// Most hashes whose coincidences are counted one by one in a fraction of a second, 2^k subsets for each class of keys: double, extended.
const MOST_COUNTED: (u32, u32) = (12, 6);

/// An array of m bits that the k positions of an item share, with two hash functions.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleArray {
    bits: u64,
    hashes: u32,
    extension: Extension,
    law: Law,
    mean_distinct: f64,
}

/// How the rate is found.
#[derive(Debug, Clone, PartialEq)]
enum Law {
    /// Every way to meet a key, and every subset of its positions.
    Counted(Vec<Cover>, Vec<Pair>),
    /// One item at a time.
    FirstOrder(FirstOrder),
}

/// Two keys that share positions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    /// Distinct positions of the one and of the other.
    cells: u32,
    /// Those of both.
    shared: u32,
    /// Probability.
    share: f64,
}

/// How n items cover the positions of one class of keys: `sum of c e^(n l)`.
#[derive(Debug, Clone, PartialEq)]
struct Cover {
    /// Share of the keys.
    weight: f64,
    /// (l, c): l the logarithm of the share of items that miss a subset of the positions.
    terms: Vec<(f64, f64)>,
}

/// Checks the domain of the laws of two hash functions on one array.
pub(crate) fn check_domain(range: u64, hashes: u32) -> Result<(), TheoryError> {
    TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
    let least = (2 * u64::from(hashes).pow(2)).max(2);
    TheoryError::check_range(NAME, "bits", range, (least, (1 << 40) - 1))
}

impl SingleArray {
    /// `bits` (m), `hashes` (k).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless m is 2 k^2 to 2^40 - 1 and `1 <= k <= 64`.
    pub fn new(bits: u64, hashes: u32, extension: Extension) -> Result<Self, TheoryError> {
        check_domain(bits, hashes)?;
        let law = if hashes <= most_counted(extension) {
            let classes = classes(bits, hashes, extension);
            let cover = |class: &Class| Cover {
                weight: class.weight,
                terms: terms(class, bits, hashes),
            };
            Law::Counted(
                classes.iter().map(cover).collect(),
                pairs(&classes, bits, hashes),
            )
        } else {
            Law::FirstOrder(FirstOrder::new(bits, hashes, extension))
        };
        Ok(Self {
            bits,
            hashes,
            extension,
            law,
            mean_distinct: mean_distinct(bits, hashes, extension),
        })
    }

    /// [`Self::new`], or what it gave last: numbers of an array are mostly asked for one after the other, and the coincidences take a
    /// while to count.
    pub(crate) fn known(
        bits: u64,
        hashes: u32,
        extension: Extension,
    ) -> Result<Rc<Self>, TheoryError> {
        thread_local! {
            static LAST: Memo<(u64, u32, Extension), Rc<SingleArray>> = const { Memo::new() };
        }
        let made = || Self::new(bits, hashes, extension).map(Rc::new);
        LAST.with(|last| last.or_compute((bits, hashes, extension), made))
    }

    /// Mean number of distinct positions of an item. Exact.
    pub(crate) fn mean_distinct(&self) -> f64 {
        self.mean_distinct
    }

    /// The false-positive rate of a new key after `items` (n) items. Double hashing: exact up to rounding (a sum of 2^k terms of
    /// either sign). Extended: an approximation; the stated error, `k^4/m^2` of the rate (twice that where m is no prime), is
    /// above every difference that enumeration found. Above 12 hashes (extended: 6) the first order of the source of
    /// `first_order`, an approximation whose stated error is above every difference from the law of fewer hashes. Domain: n up to 2^40; a rate of 0 for none.
    pub fn rate(&self, items: u64) -> Figure {
        let rate = match items {
            0 => 0.0,
            _ => self.at(items as f64),
        };
        Figure::new(
            rate,
            match &self.law {
                Law::Counted(..) => "two hash functions on one array, coincidences counted",
                Law::FirstOrder(_) => {
                    "two hash functions on one array, coincidences of one item in first order"
                }
            },
            self.accuracy(rate),
        )
    }

    /// Of a rate, or of what is made from rates of about that size.
    pub(crate) fn accuracy(&self, rate: f64) -> Accuracy {
        if let Law::FirstOrder(law) = &self.law {
            return Accuracy::approximation(law.error(rate));
        }
        let rounding = f64::EPSILON * f64::from(1u32 << self.hashes) / rate.max(f64::MIN_POSITIVE);
        let rounding = 1e-12 + if rate > 0.0 { rounding.min(1.0) } else { 0.0 };
        match self.extension.chance(self.bits, self.hashes) {
            0.0 => Accuracy::exact(rounding),
            chance => Accuracy::approximation(rounding + chance),
        }
    }

    /// The rate, for any real number of items.
    pub(crate) fn at(&self, items: f64) -> f64 {
        match &self.law {
            Law::Counted(covers, _) => mean_of(covers, |cover| cover.at(items)),
            Law::FirstOrder(law) => law.at(items),
        }
    }

    /// The sum of the rates after 0, 1, .. `arrivals` - 1 items, for any real number of them.
    pub(crate) fn sum_to(&self, arrivals: f64) -> f64 {
        match &self.law {
            Law::Counted(covers, _) => mean_of(covers, |cover| cover.sum_to(arrivals)),
            Law::FirstOrder(law) => law.sum_to(arrivals),
        }
    }

    /// Variance, between fillings, of the probability that all cells of a fresh key are reached, beside what the share of reached cells
    /// varies by: the covariance of two fresh keys that meet in two probes or more, the same pair of hash values among them.
    ///
    /// With T the share of reached cells, both keys are reached with probability `T^(c-h)` where h of the c distinct positions of the
    /// two are shared. First order (derivation of this project).
    pub(crate) fn pairs_variance(&self, reached: f64) -> f64 {
        match &self.law {
            Law::Counted(_, pairs) => pairs
                .iter()
                .map(|pair| pair.share * covariance_of_meeting(pair.cells, pair.shared, reached))
                .sum::<f64>()
                .max(0.0),
            Law::FirstOrder(law) => law.pairs_variance(reached),
        }
    }

    /// The probability that a new key is covered in both of two arrays, one read at a time drawn from the first `arrivals`
    /// arrivals, the other after `items`, less the product of the probabilities of each: keys whose own positions coincide are
    /// covered more easily in both.
    pub(crate) fn covariance(&self, arrivals: f64, items: f64) -> f64 {
        match &self.law {
            Law::Counted(covers, _) => {
                let both = mean_of(covers, |cover| cover.sum_to(arrivals) * cover.at(items));
                (both - self.sum_to(arrivals) * self.at(items)) / arrivals
            }
            Law::FirstOrder(law) => law.covariance(arrivals, items),
        }
    }
}

/// The pairs of keys of which two probes or more meet, alike ones together.
fn pairs(classes: &[Class], bits: u64, hashes: u32) -> Vec<Pair> {
    let square = (bits as f64).powi(2);
    let mut shares: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for class in classes {
        for Meeting { hits, items } in &class.meetings {
            let cells = cells_of_meeting(class.own.len(), hashes, hits.iter().copied());
            *shares.entry(cells).or_default() += class.weight * *items as f64 / square;
        }
    }
    let pair = |((cells, shared), share)| Pair {
        cells,
        shared,
        share,
    };
    shares.into_iter().map(pair).collect()
}

/// Most hashes whose coincidences are counted one by one.
fn most_counted(extension: Extension) -> u32 {
    match extension {
        Extension::None => MOST_COUNTED.0,
        Extension::Square | Extension::Cube => MOST_COUNTED.1,
    }
}

/// The mean over the keys.
fn mean_of(covers: &[Cover], value: impl Fn(&Cover) -> f64) -> f64 {
    covers.iter().map(|cover| cover.weight * value(cover)).sum()
}

impl Cover {
    fn at(&self, items: f64) -> f64 {
        self.summed(|missed| (items * missed).exp())
    }

    fn sum_to(&self, arrivals: f64) -> f64 {
        self.summed(|missed| {
            if missed == 0.0 {
                arrivals
            } else {
                (arrivals * missed).exp_m1() / missed.exp_m1()
            }
        })
    }

    fn summed(&self, value: impl Fn(f64) -> f64) -> f64 {
        let mut sum = Sum::default();
        for (missed, coefficient) in &self.terms {
            sum.add(coefficient * value(*missed));
        }
        sum.value().max(0.0)
    }
}

/// The terms of a class: subsets that as many items miss are one.
fn terms(class: &Class, bits: u64, hashes: u32) -> Vec<(f64, f64)> {
    let positions = class.own.len();
    // items by the positions that they hit, then of all that hit none but these
    let mut within = vec![0u64; 1 << positions];
    let mut hits = vec![0u64; positions];
    for meeting in &class.meetings {
        let hit = (0..positions).filter(|s| meeting.hits[*s] > 0);
        within[hit.map(|s| 1 << s).sum::<usize>()] += meeting.items;
        for (all, here) in hits.iter_mut().zip(&meeting.hits) {
            *all += u64::from(*here) * meeting.items;
        }
    }
    for s in 0..positions {
        for subset in (0..within.len()).filter(|subset| subset >> s & 1 == 1) {
            within[subset] += within[subset ^ 1 << s];
        }
    }
    let everything = within.len() - 1;
    let mut by_missed: BTreeMap<(u32, u64), f64> = BTreeMap::new();
    for subset in 0..within.len() {
        // hits on the subset less one of every item that hits it
        let of_hits = (0..positions).filter(|s| subset >> s & 1 == 1);
        let lost = of_hits.map(|s| hits[s]).sum::<u64>()
            - (within[everything] - within[everything ^ subset]);
        let size = subset.count_ones();
        let sign = if size % 2 == 0 { 1.0 } else { -1.0 };
        *by_missed.entry((size, lost)).or_default() += sign;
    }
    let (m, k) = (bits as f64, f64::from(hashes));
    by_missed
        .into_iter()
        .map(|((size, lost), coefficient)| {
            let hit = (k * f64::from(size) - lost as f64 / m) / m;
            ((-hit).ln_1p(), coefficient)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashMap};

    const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

    /// Every stride of key and item, every subset: exact, for each number of items.
    fn enumerated(bits: u64, hashes: u32, extension: Extension, items: &[u64]) -> Vec<f64> {
        let (m, k) = (bits, u64::from(hashes));
        let f = |i: u64| extension.at(i);
        let mut totals = vec![0.0; items.len()];
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
                for (total, items) in totals.iter_mut().zip(items) {
                    *total += sign * miss.powi(*items as i32) / m as f64;
                }
            }
        }
        totals
    }

    #[test]
    fn the_law_is_enumeration_up_to_its_stated_error() {
        let sizes = [
            (101, 2),
            (101, 3),
            (199, 4),
            (211, 5),
            (128, 4),
            (144, 4),
            (120, 5),
            (125, 3),
            (256, 5),
            (127, 6),
            (128, 6),
        ];
        for extension in EXTENSIONS {
            for (bits, hashes) in sizes {
                let law = SingleArray::new(bits, hashes, extension).expect("in the domain");
                let items =
                    [0.2, 0.5, 0.9].map(|load| (load * bits as f64 / f64::from(hashes)) as u64);
                let all = enumerated(bits, hashes, extension, &items);
                for (items, exact) in items.into_iter().zip(all) {
                    let rate = law.rate(items);
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
                let law = SingleArray::new(bits, 5, extension).expect("in the domain");
                law.rate(items).value / limit(bits, items) - 1.0
            };
            for (small, large) in [(1009, 1_000_003), (1024, 1 << 20)] {
                let items = |bits: u64| (0.1387 * bits as f64) as u64;
                let (near, far) = (excess(small, items(small)), excess(large, items(large)));
                assert!(
                    near > far && far > 0.0 && far < 1e-3,
                    "{extension:?}: {near} {far}"
                );
            }
        }
    }

    #[test]
    fn sums_over_a_cycle_are_those_taken_one_by_one() {
        for extension in EXTENSIONS {
            let law = SingleArray::new(256, 4, extension).expect("in the domain");
            let sum: f64 = (0..60).map(|items| law.rate(items).value).sum();
            assert!((law.sum_to(60.0) / sum - 1.0).abs() < 1e-10);
            let covariance = law.covariance(60.0, 50.0);
            assert!(covariance > 0.0 && covariance < law.at(50.0) * sum / 60.0);
        }
    }

    #[test]
    fn the_variance_of_pairs_is_that_over_all_pairs_of_keys() {
        const REACHED: f64 = 0.3;
        // 90 has the orders 2 and 3: probes of an item that coincide beside the key
        for (bits, hashes, within) in [(61u64, 4u32, 1e-9), (64, 4, 1e-9), (90, 5, 0.01)] {
            let (m, k) = (bits, u64::from(hashes));
            let mut sum = 0.0;
            for key in 0..m {
                let positions: BTreeSet<u64> = (0..k).map(|i| i * key % m).collect();
                for (start, stride) in (0..m).flat_map(|start| (0..m).map(move |d| (start, d))) {
                    let item: BTreeSet<u64> = (0..k).map(|i| (start + i * stride) % m).collect();
                    let shared = item.intersection(&positions).count() as u32;
                    let cells = (item.len() + positions.len()) as u32;
                    sum += covariance_of_meeting(cells, shared, REACHED);
                }
            }
            let law = SingleArray::new(bits, hashes, Extension::None).expect("in the domain");
            let (found, all) = (law.pairs_variance(REACHED), sum / (m as f64).powi(3));
            assert!(
                (found / all - 1.0).abs() < within,
                "{bits} {hashes}: {found} {all}"
            );
        }
        // without keys whose own positions coincide: a share of order k^2/m
        for extension in EXTENSIONS {
            let law = SingleArray::new(1 << 16, 6, extension).expect("in the domain");
            let first = FirstOrder::new(1 << 16, 6, extension).pairs_variance(REACHED);
            let off = first / law.pairs_variance(REACHED) - 1.0;

            assert!(off.abs() < 0.003, "{extension:?}: {off}");
        }
    }

    #[test]
    fn the_first_order_is_the_law_of_fewer_hashes_up_to_its_stated_error() {
        for extension in EXTENSIONS {
            for hashes in 3..=if extension == Extension::None { 7 } else { 5 } {
                let k = u64::from(hashes);
                for bits in [
                    2 * k * k,
                    4 * k * k + 1,
                    1009,
                    1536,
                    5040,
                    1 << 13,
                    27720,
                    65537,
                ] {
                    if bits < 2 * k * k {
                        continue;
                    }
                    let law = SingleArray::new(bits, hashes, extension).expect("in the domain");
                    let first = FirstOrder::new(bits, hashes, extension);
                    for load in [0.02, 0.2, 0.5, 0.7, 0.9, 1.5] {
                        let items = (load * bits as f64 / f64::from(hashes)).round().max(1.0);
                        let (exact, quick) = (law.at(items), first.at(items));
                        let error = (quick / exact - 1.0).abs();
                        assert!(
                            error <= first.error(exact),
                            "{extension:?} k={k} m={bits} n={items}: {exact:.4e} error {error:.1e}, stated {:.1e}",
                            first.error(exact)
                        );
                    }
                }
            }
        }
    }
}
