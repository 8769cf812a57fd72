//! A half in the partitioned layout.

use super::half::MAX_HASHES;
use crate::error::TheoryError;

pub(super) const NAME: &str = "partitioned half";

/// A validated partitioned half: k partitions of `range` bits, one probe each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionedHalf {
    range: u64,
    hashes: u32,
}

impl PartitionedHalf {
    /// A half of `hashes` partitions with `range` positions (bits) each.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= hashes <= 64` and `2 <= range < 2^40`.
    pub fn new(range: u64, hashes: u32) -> Result<Self, TheoryError> {
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("1 to {MAX_HASHES}"),
                hashes,
            ));
        }
        if !(2..1 << 40).contains(&range) {
            return Err(TheoryError::domain(
                NAME,
                "range",
                "2 to 2^40 - 1 bits",
                range,
            ));
        }
        Ok(Self { range, hashes })
    }

    /// Positions of one partition (m').
    pub fn range(&self) -> u64 {
        self.range
    }

    /// Partitions, one probe each (k).
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Positions of the half, `k m'`.
    pub fn bits(&self) -> u64 {
        self.range * u64::from(self.hashes)
    }

    /// Bound on the rate of a half with `set` bits in all: `(set/(k m'))^k`, reached when the partitions are equally
    /// full (the product of the fills is largest there).
    pub fn largest_rate_at(&self, set: u64) -> f64 {
        (set as f64 / self.bits() as f64).powi(self.hashes as i32)
    }
}

/// `A_k, A_(k-1), ..` as sums over a cycle, and `F_0, F_1, ..` of the source of `partitioned_joined`, as many as count.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// Sums over the arrivals of a cycle; not a number for u = 0, which is the mean cycle.
    pub(crate) active: Vec<f64>,
    /// Means.
    pub(crate) frozen: Vec<f64>,
}
