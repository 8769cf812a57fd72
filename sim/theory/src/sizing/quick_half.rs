//! A quick approximation of a partitioned half, for ranking and for first guesses.

use super::params::{Hashing, On, RecyclingParams};
use super::solve::Guess;
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate;
use crate::numeric::quadrature::integral;
use crate::recycling::{shared_settled, CycleLaw, PartitionedHalf, SharedHalf};
use crate::two_hash::PartitionedDoubleHashing;

/// A threshold is found to one part in so many: the stand-in itself errs by more.
const FINE: u64 = 1 << 16;

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

    /// The law at a threshold; its frozen rate only where there are two phases.
    pub(super) fn law(&self, sigma: u64) -> CycleLaw {
        shared_settled::unstated_law(self.shared, sigma, self.phases == 2)
    }

    /// About the smallest threshold at which a growing number of the law passes `wanted`, to one part in [`FINE`]; the largest if none does. By
    /// interpolation in logarithms, in which these numbers are nearly straight lines, and by halves where that is slow; it begins
    /// around `near` where that is given.
    pub(super) fn first_above(
        &self,
        wanted: f64,
        near: Option<u64>,
        number: impl Fn(&CycleLaw) -> f64,
    ) -> u64 {
        let log = |sigma: u64| {
            let over = number(&self.law(sigma)) / wanted;
            over.ln().clamp(-1e3, 1e3)
        };
        let (mut low, mut high) = (u64::from(self.half.hashes()), self.half.bits() - 1);
        let (mut below, mut above) = (None, None);
        if let Some(near) = near.filter(|near| (low..high).contains(near)) {
            // outwards from there, in growing steps, until both sides are known
            let (mut at, mut step) = (near, near / 256 + 1);
            while below.is_none() || above.is_none() {
                match log(at) {
                    over if over > 0.0 => (high, above) = (at, Some(over)),
                    over => (low, below) = (at, Some(over)),
                }
                at = match above.is_some() {
                    true => high.saturating_sub(step).max(low),
                    false => low.saturating_add(step).min(high),
                };
                step *= 8;
                if at == low || at == high {
                    break;
                }
            }
        }
        let mut below = below.unwrap_or_else(|| log(low));
        if below > 0.0 {
            return low;
        }
        let mut above = above.unwrap_or_else(|| log(high));
        if above <= 0.0 {
            return high;
        }
        let mut halve = false;
        while high - low > 1 + low / FINE {
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
        self.excess_of(
            scheme,
            (-(-fill).ln_1p() * self.half.range() as f64).max(1.0),
        )
    }

    /// What two hashes add to the average rate of a cycle of so many arrivals.
    fn excess_of(&self, scheme: &PartitionedDoubleHashing, arrivals: f64) -> f64 {
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
        let rate = |law: &CycleLaw| law.rate(self.phases);
        let within = |wanted: f64, near| self.first_above(wanted, near, rate) - 1;
        let smallest = u64::from(self.half.hashes());
        let mut sigma = within(target, None).max(smallest);
        if self.scheme.is_none() {
            return (sigma, 0.0);
        }
        let mut excess = 0.0;
        for _ in 0..4 {
            // at most nine tenths of the target, so that a threshold is left
            excess = self.excess(sigma);
            let last = sigma;
            sigma = within(target - excess.min(0.9 * target), Some(last)).max(smallest);
            if sigma.abs_diff(last) <= last / FINE {
                break;
            }
        }
        (sigma, excess)
    }

    /// Where to look for the largest threshold within a rate.
    pub(super) fn guess(&self, on: On, target: f64) -> Guess {
        match on {
            On::BitsSet => {
                let (sigma, excess) = self.threshold_within(target);
                let step = (sigma / 1024).max(1);
                let further = (sigma + step).min(self.half.bits() - 1);
                let rate = |sigma: u64| self.law(sigma).rate(self.phases) + excess;
                let slope =
                    (rate(further) / rate(sigma)).ln() / (further as f64 / sigma as f64).ln();
                self.near(sigma, slope)
            }
            On::Messages => {
                let arrivals = self.arrivals_within(target);
                let (first, further) = (self.after(arrivals), self.after(1.001 * arrivals));
                let slope = (further.1 / first.1).ln() / (further.0 / first.0).ln();
                self.near(first.0.max(0.0) as u64, slope)
            }
        }
    }

    fn near(&self, threshold: u64, slope: f64) -> Guess {
        let k = f64::from(self.half.hashes());
        Guess {
            threshold,
            slope: if slope > 0.1 * k && slope < 100.0 * k {
                slope
            } else {
                k
            },
        }
    }

    /// Bit-setting messages among so many arrivals, and the average rate of a cycle that ends with them: by mean values.
    fn after(&self, arrivals: f64) -> (f64, f64) {
        let (range, k) = (self.half.range() as f64, self.half.hashes());
        let positives = integral(-0.5, arrivals - 0.5, &|t| {
            partitioned_rate(range, k, t.max(0.0))
        });
        let active = positives / arrivals;
        let frozen = match self.phases {
            1 => 0.0,
            _ => partitioned_rate(range, k, arrivals - 1.0),
        };
        let excess = match &self.scheme {
            Some(scheme) => self.excess_of(scheme, arrivals),
            None => 0.0,
        };
        (
            arrivals - positives,
            active + frozen - active * frozen + excess,
        )
    }

    /// The arrivals of a cycle on messages whose average rate is about `target`, by bisection of their logarithm.
    fn arrivals_within(&self, target: f64) -> f64 {
        let (mut low, mut high) = (1.0f64.ln(), (4.0 * self.half.range() as f64).ln());
        while high - low > 1e-6 {
            let middle = 0.5 * (low + high);
            if self.after(middle.exp()).1 <= target {
                low = middle;
            } else {
                high = middle;
            }
        }
        low.exp()
    }
}
