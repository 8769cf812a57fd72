//! A counting filter along a stream in which keys come again.

use super::partitions::{excess_of_item, pairs_variance, Partitions};
use super::shared::{Draw, SharedArray};
use crate::error::TheoryError;
use crate::two_hash::SharedCounters;

const NAME: &str = "counting stream";
/// Greatest threshold: an arrival costs time in proportion to it.
pub const MOST_STREAM_THRESHOLD: u32 = 256;

/// The probability that one arrival is reported although its key's count is below the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alarm {
    /// Over the choice of the hash functions, given the counts of all keys so far.
    pub probability: f64,
    /// Its standard deviation over the state of the counters: between two fillings by the same keys. An upper bound for independent
    /// functions in partitions; for one array, and for two functions, in first order.
    pub deviation: f64,
    /// What two hash functions add, contained in `probability`.
    pub two_hash_excess: f64,
}

/// Follows the exact counts of all keys, and gives each arrival's probability of being a false alarm.
///
/// A counter of partition i receives from the other keys `S = sum_j c_j B_j`, c_j their counts and B_j independent with
/// `P(B_j = 1) = 1/m'`. So a key of true count r is reported with probability `P(S >= theta - r)^k` (a derivation of this
/// project: CBF has every insertion at a place of its own, which is right only when keys come once). Exact for k functions.
/// For two, the excess of items that meet the key in several partitions is added in first order. In one array two hash functions
/// take the same law of S with one throw at k/m; the excess is that of items that meet the key in several counters, less what
/// counters that share the items miss, and of keys whose own positions coincide.
///
/// The law of S below theta is the product of `(1-1/m') + z^c/m'` over the other keys, kept as theta coefficients: a key is
/// divided out when it arrives and multiplied in with its new count. An arrival costs about 4 theta multiplications, with two
/// functions k theta more.
#[derive(Debug, Clone)]
pub struct CountingStream {
    hashes: u32,
    /// Counters of a partition, or of the one array.
    range: f64,
    /// Probability that a throw of a key hits a given cell, and throws of a key at the cells that one probe looks at.
    hit: f64,
    throws: u32,
    law: Vec<f64>,
    keys_by_count: Vec<u64>,
    excess: Excess,
    /// In one array: moments of order k and 2 k of a number of counters.
    moments: Option<[PoissonMoment; 2]>,
}

/// The moment of some order of a Poisson variable: `sum_j S(order, j) mean^j`, with the Stirling numbers of the second kind.
#[derive(Debug, Clone)]
struct PoissonMoment {
    stirling: Vec<f64>,
}

impl PoissonMoment {
    fn new(order: u32) -> Self {
        let mut stirling = vec![1.0];
        for _ in 0..order {
            let mut next = vec![0.0; stirling.len() + 1];
            for (j, number) in stirling.iter().enumerate() {
                next[j] += j as f64 * number;
                next[j + 1] += number;
            }
            stirling = next;
        }
        Self { stirling }
    }

    /// The moment by `scale^order`, which may be far from 1 where the mean is far from it.
    fn scaled(&self, mean: f64, scale: f64) -> f64 {
        let order = self.stirling.len() as i32 - 1;
        if mean > 1.0 {
            let terms = self.stirling.iter();
            return (scale * mean).powi(order) * terms.fold(0.0, |sum, s| sum / mean + s);
        }
        let terms = self.stirling.iter().rev();
        scale.powi(order) * terms.fold(0.0, |sum, s| sum * mean + s)
    }
}

/// Mean number of counters over k^2 above which a log-normal law takes the place of the Poisson law: they agree there, and the difference of
/// two Poisson moments would lose digits.
const MOST_POISSON_MEAN: f64 = 1e3;

/// What comes to the k-th power of the law of S.
#[derive(Debug, Clone)]
enum Excess {
    /// Independent draws.
    None,
    /// Of items that meet the key in several partitions.
    Partitioned(Vec<f64>),
    /// Of two hash functions on one array.
    Shared(Box<SharedCounters>),
}

impl CountingStream {
    /// An empty filter with this `threshold` (theta).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the threshold is 1 to [`MOST_STREAM_THRESHOLD`].
    pub fn new(partitions: Partitions, threshold: u32) -> Result<Self, TheoryError> {
        let range = partitions.range() as f64;
        let excess = partitions.meeting_excess();
        let excess = match excess.iter().all(|excess| *excess == 0.0) {
            true => Excess::None,
            false => Excess::Partitioned(excess),
        };
        let throws = (1.0 / range, 1);
        let stream = Self::empty(partitions.hashes(), range, throws, excess, threshold)?;
        Ok(Self {
            moments: None,
            ..stream
        })
    }

    /// An empty filter in one array: S takes k throws of each key (independent draws), or one at k/m (distinct draws, and two hash
    /// functions). The power k is then an approximation, for the counters of the one array depend on each other: off by less than
    /// [`Alarm::deviation`] while that is small beside the probability. For two hash functions that dependence is added in first
    /// order.
    ///
    /// # Errors
    /// As [`Self::new`], and for two hash functions as [`SharedCounters::new`] and [`SharedArray::rate`].
    pub fn shared(array: SharedArray, threshold: u32) -> Result<Self, TheoryError> {
        let (range, k) = (array.range() as f64, array.hashes());
        let once = (f64::from(k) / range, 1);
        let (throws, excess) = match array.draw() {
            Draw::Independent => ((1.0 / range, k), Excess::None),
            Draw::Distinct => (once, Excess::None),
            Draw::TwoHash(extension) => {
                let law = SharedCounters::new(array.range(), k, extension)?;
                (once, Excess::Shared(Box::new(law)))
            }
        };
        Self::empty(k, range, throws, excess, threshold)
    }

    fn empty(
        hashes: u32,
        range: f64,
        (hit, throws): (f64, u32),
        excess: Excess,
        threshold: u32,
    ) -> Result<Self, TheoryError> {
        let legal = (1, MOST_STREAM_THRESHOLD.into());
        TheoryError::check_range(NAME, "threshold", threshold.into(), legal)?;
        let mut law = vec![0.0; threshold as usize];
        law[0] = 1.0;
        Ok(Self {
            hashes,
            range,
            hit,
            throws,
            law,
            keys_by_count: vec![0; threshold as usize + 1],
            excess,
            moments: Some([hashes, 2 * hashes].map(PoissonMoment::new)),
        })
    }

    /// A key that has come `before` times arrives once more. Gives its probability of being reported falsely; `None` when
    /// its count now reaches the threshold and a report is right.
    pub fn arrive(&mut self, before: u64) -> Option<Alarm> {
        let threshold = self.law.len();
        let before = usize::try_from(before).map_or(threshold, |before| before.min(threshold));
        if before == threshold {
            return None; // its counters are above the threshold for good
        }
        if before > 0 {
            for _ in 0..self.throws {
                self.divide(before);
            }
            self.keys_by_count[before] -= 1;
        }
        let count = before + 1;
        let alarm = (count < threshold).then(|| self.alarm(count));
        for _ in 0..self.throws {
            self.multiply(count);
        }
        self.keys_by_count[count] += 1;
        alarm
    }

    /// `P(S >= need)`.
    fn reaches(&self, need: usize) -> f64 {
        (1.0 - self.law[..need].iter().sum::<f64>()).max(0.0)
    }

    fn alarm(&self, own: usize) -> Alarm {
        let (k, threshold) = (self.hashes, self.law.len());
        let need = threshold - own;
        let without = self.reaches(need);
        let excess = match &self.excess {
            Excess::None => 0.0,
            Excess::Partitioned(meeting) => self.over_items(|count| {
                let with = self.reaches(need.saturating_sub(count));
                excess_of_item(meeting, with, without)
            }),
            Excess::Shared(law) => {
                let below = |reached: usize| self.reaches(threshold.saturating_sub(reached));
                self.over_items(|count| {
                    law.item_excess(|hits| below(own + count * usize::from(hits)))
                }) + law.own_excess(|probes| below(own * usize::from(probes)))
            }
        };
        let probability = (without.powi(k as i32) + excess).clamp(0.0, 1.0);
        // indicators of the counters of a partition are negatively associated: Var(share) <= T (1-T)/m'. In one array what an item takes
        // from each counter by raising others is taken off, its share of the covariance in first order
        let relative = if without > 0.0 {
            let taken = match self.moments.is_some() {
                true => f64::from(k) * self.squared_rises(need) / (without * self.range),
                false => 0.0,
            };
            (((1.0 - without) - taken) / (without * self.range)).max(0.0)
        } else {
            0.0
        };
        let plain = match &self.moments {
            // the product of k independent shares
            None => without.powi(2 * k as i32) * (f64::from(k) * relative.ln_1p()).exp_m1(),
            Some(moments) => self.variance_of_power(moments, without, relative),
        };
        let pairs = match &self.excess {
            Excess::None => 0.0,
            Excess::Partitioned(meeting) => pairs_variance(meeting, without),
            Excess::Shared(law) => law.pairs_variance(without),
        };
        Alarm {
            probability,
            deviation: (plain + pairs).sqrt(),
            two_hash_excess: excess,
        }
    }

    /// Variance of the k-th power of a share of counters with this mean and with this variance relative to the mean's square: as if the
    /// number of counters were a Poisson variable. The moments of a log-normal one diverge where fewer than one counter is expected.
    fn variance_of_power(
        &self,
        [power, square]: &[PoissonMoment; 2],
        share: f64,
        relative: f64,
    ) -> f64 {
        if share == 0.0 || relative == 0.0 {
            return 0.0;
        }
        let (k, mean) = (f64::from(self.hashes), 1.0 / relative);
        if mean > MOST_POISSON_MEAN * k.powi(2) {
            let spread = (k.powi(2) * relative.ln_1p()).exp_m1();
            return share.powi(2 * self.hashes as i32) * spread;
        }
        let scale = share * relative;
        (square.scaled(mean, scale) - power.scaled(mean, scale).powi(2)).max(0.0)
    }

    /// The sum over all keys of the square of what a hit of one adds to `P(S >= need)`.
    fn squared_rises(&self, need: usize) -> f64 {
        let mut sum = 0.0;
        // the probability of need - count to need - 1
        let mut risen = 0.0;
        for (count, keys) in (1..).zip(&self.keys_by_count[1..]) {
            risen += need.checked_sub(count).map_or(0.0, |at| self.law[at]);
            sum += *keys as f64 * risen * risen;
        }
        sum
    }

    /// The sum over all keys of what one with a count adds.
    fn over_items(&self, of_count: impl Fn(usize) -> f64) -> f64 {
        (1..)
            .zip(&self.keys_by_count[1..])
            .filter(|(_, keys)| **keys > 0)
            .map(|(count, keys)| *keys as f64 * of_count(count))
            .sum()
    }

    fn hit_and_miss(&self) -> (f64, f64) {
        (self.hit, 1.0 - self.hit)
    }

    fn multiply(&mut self, count: usize) {
        let (hit, miss) = self.hit_and_miss();
        for sum in (0..self.law.len()).rev() {
            let raised = if sum >= count {
                self.law[sum - count]
            } else {
                0.0
            };
            self.law[sum] = miss * self.law[sum] + hit * raised;
        }
    }

    fn divide(&mut self, count: usize) {
        let (hit, miss) = self.hit_and_miss();
        for sum in 0..self.law.len() {
            let raised = if sum >= count {
                self.law[sum - count]
            } else {
                0.0
            };
            self.law[sum] = (self.law[sum] - hit * raised) / miss;
        }
    }
}
