//! A quick approximation of a partitioned half, for ranking and for first guesses.

use super::params::{Hashing, RecyclingParams};
use crate::error::TheoryError;
use crate::recycling::{shared_settled, CycleLaw, PartitionedHalf, SharedHalf};
use crate::two_hash::PartitionedDoubleHashing;

/// The shared stand-in of a partitioned half.
pub(super) struct QuickHalf {
    half: PartitionedHalf,
    shared: SharedHalf,
    phases: u32,
    scheme: Option<PartitionedDoubleHashing>,
}

impl QuickHalf {
    /// The stand-in of a filter's half.
    pub(super) fn new(half: PartitionedHalf, params: RecyclingParams) -> Result<Self, TheoryError> {
        let double = params.hashing == Hashing::Double && half.hashes() > 2;
        Ok(Self {
            half,
            shared: SharedHalf::new(half.bits(), half.hashes(), true)?,
            phases: params.phases,
            scheme: match double {
                true => Some(PartitionedDoubleHashing::new(half.range(), half.hashes())?),
                false => None,
            },
        })
    }

    pub(super) fn law(&self, sigma: u64) -> CycleLaw {
        shared_settled::unstated_law(self.shared, sigma)
    }

    /// The smallest threshold at which a growing number of the law passes `wanted`; the largest if none does. By
    /// interpolation in logarithms, in which these numbers are nearly straight lines, and by halves where that is slow.
    pub(super) fn first_above(&self, wanted: f64, number: impl Fn(&CycleLaw) -> f64) -> u64 {
        let log = |sigma: u64| {
            let over = number(&self.law(sigma)) / wanted;
            over.ln().clamp(-1e3, 1e3)
        };
        let (mut low, mut high) = (u64::from(self.half.hashes()), self.half.bits() - 1);
        let (mut below, mut above) = (log(low), log(high));
        if below > 0.0 {
            return low;
        }
        if above <= 0.0 {
            return high;
        }
        let mut halve = false;
        while high - low > 1 {
            let (from, to) = ((low as f64).ln(), (high as f64).ln());
            let share = if halve { 0.5 } else { below / (below - above) };
            let width = high - low;
            // a little towards the far end, so that both ends close in
            let aside = if halve {
                0.0
            } else {
                0.01 * (0.5 - share).signum()
            };
            let middle = (from + (share + aside).clamp(0.0, 1.0) * (to - from)).exp();
            let middle = (middle as u64).clamp(low + 1, high - 1);
            let at = log(middle);
            if at > 0.0 {
                (high, above) = (middle, at);
            } else {
                (low, below) = (middle, at);
            }
            halve = high - low > width / 2;
        }
        high
    }

    /// What two hashes add to the average rate at a threshold.
    pub(super) fn excess(&self, sigma: u64) -> f64 {
        let Some(scheme) = &self.scheme else {
            return 0.0;
        };
        let fill = (sigma as f64 / self.half.bits() as f64).min(0.999);
        let arrivals = (-(-fill).ln_1p() * self.half.range() as f64).max(1.0);
        let frozen = if self.phases == 2 {
            scheme.rough_excess(arrivals)
        } else {
            0.0
        };
        // Simpson's rule of one panel over the cycle: an estimate
        let middle = scheme.rough_excess(0.5 * arrivals);
        (4.0 * middle + scheme.rough_excess(arrivals)) / 6.0 + frozen
    }

    /// The threshold that is about the largest within a rate, and the excess of two hashes there.
    pub(super) fn threshold_within(&self, target: f64) -> (u64, f64) {
        let within = |wanted: f64| self.first_above(wanted, |law| law.rate(self.phases)) - 1;
        let smallest = u64::from(self.half.hashes());
        let mut sigma = within(target).max(smallest);
        if self.scheme.is_none() {
            return (sigma, 0.0);
        }
        let mut excess = 0.0;
        for _ in 0..4 {
            // at most nine tenths of the target, so that a threshold is left
            excess = self.excess(sigma);
            sigma = within(target - excess.min(0.9 * target)).max(smallest);
        }
        (sigma, excess)
    }
}
