//! The shared array: one half of M bits that all k probes of a message share.

use crate::error::TheoryError;

/// Largest number of hashes any formula of this crate accepts.
pub const MAX_HASHES: u32 = 64;

/// A validated shared half: `bits` bits, `hashes` probes, which collide (draws with replacement) or are distinct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedHalf {
    bits: u64,
    hashes: u32,
    distinct: bool,
}

impl SharedHalf {
    /// A half of `bits` bits with `hashes` probes; `distinct` makes a message's probes differ (RBF: non-colliding).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= hashes <= 64` and `hashes < bits < 2^40`.
    pub fn new(bits: u64, hashes: u32, distinct: bool) -> Result<Self, TheoryError> {
        const NAME: &str = "shared half";
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("1 to {MAX_HASHES}"),
                hashes,
            ));
        }
        if bits <= u64::from(hashes) || bits >= 1 << 40 {
            return Err(TheoryError::domain(
                NAME,
                "bits",
                format!("more than {hashes} and less than 2^40"),
                bits,
            ));
        }
        Ok(Self {
            bits,
            hashes,
            distinct,
        })
    }

    /// Bits of the half (M).
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Probes of a message (k).
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Whether a message's probes differ.
    pub fn distinct(&self) -> bool {
        self.distinct
    }

    /// Bits that have left the urn before the draw after `drawn` draws.
    #[inline]
    pub(crate) fn removed(&self, drawn: u32) -> f64 {
        if self.distinct {
            f64::from(drawn)
        } else {
            0.0
        }
    }

    /// Probability that the draw after `drawn` draws of the same message meets a set bit, with `set` bits set
    /// (those of the message's earlier draws included).
    #[inline]
    pub(crate) fn stay(&self, set: f64, drawn: u32) -> f64 {
        let removed = self.removed(drawn);
        ((set - removed) / (self.bits as f64 - removed)).max(0.0)
    }

    /// Probability that the same draw sets a bit.
    #[inline]
    pub(crate) fn set_one(&self, set: f64, drawn: u32) -> f64 {
        let m = self.bits as f64;
        ((m - set) / (m - self.removed(drawn))).min(1.0)
    }

    /// RBF (17): the rate at `set` bits, `(b/M)^k` colliding or `C(b,k)/C(M,k)` distinct, and one minus it. Exact;
    /// both are sums of positive terms.
    pub fn rate_at(&self, set: u64) -> (f64, f64) {
        let set = set as f64;
        let mut all = 1.0;
        let mut some_new = 0.0;
        for drawn in 0..self.hashes {
            some_new += all * self.set_one(set, drawn);
            all *= self.stay(set, drawn);
        }
        (all, some_new)
    }
}
