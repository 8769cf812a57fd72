//! A quick look at every number of hashes, so that only the promising ones are predicted in full.
//!
//! The closed form of a shared array of as many bits stands for the partitioned half, from which it differs in relative
//! order k^2/M; filters with the best k and its neighbours differ by more where it matters. On messages the
//! threshold on bits of the same rate stands for it. Only the order of the scores is used.

use super::candidate::fitted;
use super::design::Requirements;
use super::params::{Hashing, On, RecyclingParams};
use super::predict::LARGEST_FLOOR_SHARE;
use crate::error::TheoryError;
use crate::recycling::{shared_settled, CycleLaw, Forgetting, PartitionedHalf, SharedHalf};
use crate::two_hash::PartitionedDoubleHashing;
use std::collections::HashMap;

/// A filter as the quick look sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quick {
    /// The filter without its threshold.
    pub(super) params: RecyclingParams,
    /// Average rate.
    pub(super) rate: f64,
    /// New messages a cycle.
    pub(super) cycle: f64,
    /// False-negative rate, 0 where reuse is unknown.
    pub(super) missed: f64,
}

/// Quick looks already taken, by phases, hashes and fitted memory: neighbouring memories fit the same filters.
pub(super) type Looks = HashMap<(u32, u32, u64), Option<Quick>>;

/// The numbers of hashes and phases that fit the memory, the best first.
pub(super) fn ranked(
    required: &Requirements,
    memory_bits: u64,
    hashes: u32,
    looks: &mut Looks,
) -> Vec<Quick> {
    let hashes = required.hashes.map_or(1..=hashes, |k| k..=k);
    let phases = match required.phases {
        Some(phases) => phases..=phases,
        None if required.false_negatives.is_some() => 1..=2,
        None => 1..=1,
    };
    let mut found: Vec<Quick> = phases
        .flat_map(|phases| hashes.clone().map(move |hashes| (phases, hashes)))
        .filter_map(|(phases, hashes)| {
            let params = RecyclingParams {
                memory_bits,
                phases,
                hashes,
                hashing: required.hashing,
                on: required.on,
                threshold: required.threshold.unwrap_or(0),
                retain: required.retain,
            };
            let params = fitted(params, hashes, required.ranges)?;
            *looks
                .entry((phases, hashes, params.memory_bits))
                .or_insert_with(|| quick(required, params))
        })
        .collect();
    let score = |quick: &Quick| {
        if required.false_negatives.is_some() {
            quick.missed
        } else if required.target_fpr.is_some() {
            -quick.cycle
        } else {
            quick.rate
        }
    };
    found.sort_by(|a, b| score(a).total_cmp(&score(b)));
    found
}

fn quick(required: &Requirements, params: RecyclingParams) -> Option<Quick> {
    let half = params.half().ok()?;
    if params.on == On::Messages && half.hashes() > 1 && half.range() < 32 {
        return None;
    }
    let array = QuickHalf::new(half, params).ok()?;
    let (sigma, excess) = match (required.target_fpr, required.capacity) {
        (Some(target), _) => array.threshold_within(target),
        (None, Some(capacity)) => {
            let sigma = array.first_above(capacity, |law| law.mean_arrivals);
            (sigma, array.excess(sigma))
        }
        // a threshold that is given is evaluated in full
        (None, None) => (u64::from(half.hashes()), 0.0),
    };
    let law = array.law(sigma);
    let rate = law.rate(params.phases) + excess;
    if !required.accept_two_hash_floor && excess > 1.2 * LARGEST_FLOOR_SHARE * rate {
        return None; // refused in full as well
    }
    let missed = match &required.false_negatives {
        Some(budget) => {
            let distances = budget.reuse.distances(law.mean_arrivals).ok()?;
            let forgetting = Forgetting::new(half, &law, params.phases, params.retain).ok()?;
            forgetting.mean_false_negative(distances).ok()?.value
        }
        None => 0.0,
    };
    Some(Quick {
        params,
        rate,
        cycle: law.mean_arrivals,
        missed,
    })
}

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

    fn law(&self, sigma: u64) -> CycleLaw {
        shared_settled::unstated_law(self.shared, sigma)
    }

    /// The smallest threshold at which a growing number of the law passes `wanted`; the largest if none does. By
    /// interpolation in logarithms, in which these numbers are nearly straight lines, and by halves where that is slow.
    fn first_above(&self, wanted: f64, number: impl Fn(&CycleLaw) -> f64) -> u64 {
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
    fn excess(&self, sigma: u64) -> f64 {
        let Some(scheme) = &self.scheme else {
            return 0.0;
        };
        let fill = (sigma as f64 / self.half.bits() as f64).min(0.999);
        let arrivals = (-(-fill).ln_1p() * self.half.range() as f64).max(1.0);
        let frozen = if self.phases == 2 {
            scheme.excess(arrivals)
        } else {
            0.0
        };
        // Simpson's rule of one panel over the cycle: an estimate
        let middle = scheme.excess(0.5 * arrivals);
        (4.0 * middle + scheme.excess(arrivals)) / 6.0 + frozen
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
