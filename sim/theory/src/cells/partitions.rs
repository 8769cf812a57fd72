//! The partitions, and in how many of them an item meets a key.

use crate::error::TheoryError;
use crate::recycling::half::MAX_HASHES;
use crate::sizing::{Hashing, LARGEST_FLOOR_SHARE};
use crate::two_hash::patterns::short_orders;
use serde::Serialize;

const NAME: &str = "partitioned cells";

/// k partitions of m' cells, and where the k positions of an item come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Partitions {
    range: u64,
    hashes: u32,
    hashing: Hashing,
}

impl Partitions {
    /// `range` (m') cells in each of `hashes` (k) partitions.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= hashes <= 64` and `2 <= range < 2^40`.
    pub fn new(range: u64, hashes: u32, hashing: Hashing) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "range", range, (2, (1 << 40) - 1))?;
        Ok(Self {
            range,
            hashes,
            hashing,
        })
    }

    /// Cells of a partition (m').
    pub fn range(&self) -> u64 {
        self.range
    }

    /// Partitions (k).
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Independent or double hashing.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// Of the m'^2 differences (of h1 and of h2) that an item and a key can have, how many make them meet in two or more
    /// partitions under double hashing, by the number of partitions they meet in.
    ///
    /// They meet in partition i when `a + i d = 0 mod m'`. A step d of order `r = m'/gcd(d, m')` meets a whole residue class
    /// of partitions mod r, and only for orders below k does a class have two members or more.
    pub(super) fn multiple_meetings(&self) -> Vec<u64> {
        let k = self.hashes;
        let mut meetings = vec![0; k as usize + 1];
        for (order, steps) in short_orders(self.range, k) {
            for class in 0..order {
                let size = (k - class).div_ceil(order) as usize;
                if size >= 2 {
                    meetings[size] += steps;
                }
            }
        }
        meetings
    }

    /// By the number s of partitions: the probability that an item meets a key in exactly s of them under this hashing,
    /// less that of independent functions, for s of at least 2. Both have the mean k/m', which gives s = 0 and 1.
    pub(super) fn meeting_excess(&self) -> Vec<f64> {
        let k = self.hashes as usize;
        // two probes are pairwise independent, which rounding would hide
        if self.hashing == Hashing::Independent || k <= 2 {
            return vec![0.0; k + 1];
        }
        let range = self.range as f64;
        let (hit, miss) = (1.0 / range, 1.0 - 1.0 / range);
        let mut choose = 1.0;
        let mut excess = Vec::with_capacity(k + 1);
        for (s, meetings) in self.multiple_meetings().into_iter().enumerate() {
            if s > 0 {
                choose *= (k - s + 1) as f64 / s as f64;
            }
            let independent = choose * hit.powi(s as i32) * miss.powi((k - s) as i32);
            excess.push(if s < 2 {
                0.0
            } else {
                meetings as f64 / (range * range) - independent
            });
        }
        excess
    }
}

/// Standard deviation, between fillings with the same shares of reached cells, of the probability that all k cells of a fresh key are
/// reached: what is to be allowed to the product of these shares. In first order, of shares that are alike; 0 for independent functions.
#[derive(Debug, Clone)]
pub struct PairsDeviation {
    meeting_excess: Vec<f64>,
}

impl PairsDeviation {
    /// Of keys that have a cell in each partition.
    pub fn new(partitions: &Partitions) -> Self {
        Self {
            meeting_excess: partitions.meeting_excess(),
        }
    }

    /// Where the product is `product`, from 0 to 1.
    pub fn of(&self, product: f64) -> f64 {
        let hashes = self.meeting_excess.len() - 1;
        pairs_variance(&self.meeting_excess, product.powf(1.0 / hashes as f64)).sqrt()
    }
}

/// Variance, between fillings, of the probability that all k cells of a fresh key are reached, beside what the shares of reached cells
/// vary by: of the m'^2 pairs of hash values some always go together.
///
/// It is the covariance of two fresh keys that meet in two partitions or more, the same pair among them: with T the share of reached
/// cells, both are reached with probability `T^(2k-s)` where they meet in s. In first order, of shares that are alike (derivation of
/// this project).
pub(super) fn pairs_variance(meeting_excess: &[f64], reached: f64) -> f64 {
    excess_of_item(meeting_excess, reached, reached * reached).max(0.0)
}

/// What one item adds, under two hash functions, to the probability that all k cells of a key are reached: first order in
/// the item.
///
/// A cell is reached with probability `with` if the item meets it and `without` if not. Summed over the number s of
/// partitions in which they meet, with the excess probabilities e_s of that:
/// `sum_{s>=2} e_s [with^s without^(k-s) - without^k - s (with - without) without^(k-1)]`.
pub(super) fn excess_of_item(meeting_excess: &[f64], with: f64, without: f64) -> f64 {
    let k = meeting_excess.len() as i32 - 1;
    let none = without.powi(k);
    let one = (with - without) * without.powi(k - 1);
    (2..=k)
        .zip(&meeting_excess[2.min(meeting_excess.len())..])
        .map(|(s, excess)| {
            excess * (with.powi(s) * without.powi(k - s) - none - f64::from(s) * one)
        })
        .sum()
}

/// Refuses a rate of which two hash functions add over 10%; skip the check to accept the floor.
///
/// # Errors
/// [`TheoryError::TwoHashFloor`] above 10%.
pub fn check_two_hash_floor(excess: f64, rate: f64) -> Result<(), TheoryError> {
    if excess <= LARGEST_FLOOR_SHARE * rate {
        return Ok(());
    }
    Err(TheoryError::TwoHashFloor {
        excess,
        rate,
        percent: 100.0 * excess / rate,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meetings_equal_those_counted_one_by_one() {
        for (range, hashes) in [(64, 4), (16, 7), (61, 5), (32, 2), (96, 12), (8, 8)] {
            let partitions = Partitions::new(range, hashes, Hashing::Double).expect("legal");
            let mut counted = vec![0u64; hashes as usize + 1];
            for a in 0..range {
                for d in 0..range {
                    let met = (0..u64::from(hashes)).filter(|i| (a + i * d) % range == 0);
                    counted[met.count()] += 1;
                }
            }
            let stated = partitions.multiple_meetings();
            assert_eq!(stated[2..], counted[2..], "{range} {hashes}");
        }
    }

    #[test]
    fn two_probes_are_pairwise_independent_and_have_no_excess() {
        let partitions = Partitions::new(1024, 2, Hashing::Double).expect("legal");
        assert!(partitions.meeting_excess()[2].abs() < 1e-20);
    }
}
