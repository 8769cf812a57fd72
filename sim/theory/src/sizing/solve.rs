//! The threshold that meets a target rate.

use super::params::{On, RecyclingParams};
use super::predict::predict;
use super::quick_half::QuickHalf;
use crate::error::TheoryError;
use crate::recycling::PartitionedHalf;

/// The largest threshold whose average rate, the two-hash excess included, is at most `target_fpr`.
///
/// `params.threshold` is ignored. The rate grows with the threshold; the search keeps a bracket and interpolates in
/// logarithms, so that it evaluates some five predictions on bits, ten on messages. The result is that of a bisection to neighbouring
/// thresholds: at it [`predict`] is at most the target, one above it is not (or is no legal threshold).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `0 < target_fpr < 1`; [`TheoryError::TargetUnreachable`] when even the
/// smallest legal threshold (k bits, or 2 messages) exceeds the target, as the two-hash floor may make it; and the
/// errors of [`predict`] for the geometry.
pub fn solve_threshold(params: &RecyclingParams, target_fpr: f64) -> Result<u64, TheoryError> {
    if !(target_fpr > 0.0 && target_fpr < 1.0) {
        return Err(TheoryError::domain(
            "threshold search",
            "target_fpr",
            "between 0 and 1, exclusive",
            target_fpr,
        ));
    }
    let half = params.half()?;
    let (smallest, most) = match params.on {
        On::BitsSet => (u64::from(half.hashes()), half.bits() - 1),
        On::Messages => (2, 4 * half.range()),
    };
    let rate_at = |threshold: u64| {
        predict(&RecyclingParams {
            threshold,
            ..*params
        })
        .map(|p| p.fpr_average.value)
    };
    let best = rate_at(smallest)?;
    if best > target_fpr {
        return Err(TheoryError::TargetUnreachable {
            target: target_fpr,
            smallest,
            best,
        });
    }
    let guess = first_guess(params, half, target_fpr);
    Ok(largest_within(
        params.on,
        (smallest, best),
        (guess, most),
        target_fpr,
        rate_at,
    ))
}

/// The largest threshold up to `most` whose rate is within the target; at the smallest one it is `best`, which is. `guess` is where
/// to look first.
pub(super) fn largest_within(
    on: On,
    (smallest, best): (u64, f64),
    (guess, most): (u64, u64),
    target_fpr: f64,
    rate_at: impl Fn(u64) -> Result<f64, TheoryError>,
) -> u64 {
    // a threshold on messages that a half does not meet before it is full counts as one above the target
    let excess_at = |threshold: u64| match rate_at(threshold) {
        Ok(rate) => (rate / target_fpr).ln().min(1e3),
        Err(_) => f64::INFINITY,
    };
    let mut low = Probe {
        threshold: smallest,
        excess: (best / target_fpr).ln().max(-1e3),
    };
    let mut high = Probe {
        threshold: most + 1,
        excess: f64::INFINITY,
    };
    let guess = guess.clamp(smallest + 1, most.max(smallest + 1));
    let mut next = guess;
    let mut step = match on {
        On::BitsSet => 1,
        On::Messages => (guess / 64).max(1),
    };
    while high.threshold - low.threshold > 1 {
        let threshold = next.clamp(low.threshold + 1, high.threshold - 1);
        let probe = Probe {
            threshold,
            excess: excess_at(threshold),
        };
        let went_up = probe.excess <= 0.0;
        *(if went_up { &mut low } else { &mut high }) = probe;
        let width = high.threshold - low.threshold;
        next = if high.excess.is_finite() && low.excess.is_finite() && low.threshold > smallest {
            // a probe beside the interpolated root closes the bracket from the far side
            let root = low.crossing(&high);
            let aside = (width / 64).max(1);
            if went_up {
                root.saturating_add(aside / 2).max(low.threshold + 1)
            } else {
                root.saturating_sub(aside / 2)
            }
        } else if went_up {
            step *= 4;
            low.threshold.saturating_add(step)
        } else {
            step *= 4;
            high.threshold.saturating_sub(step)
        };
    }
    low.threshold
}

/// A threshold and the logarithm of its rate over the target.
struct Probe {
    threshold: u64,
    excess: f64,
}

impl Probe {
    /// Where the logarithm of the rate crosses 0 between two probes, as a line in the logarithm of the threshold.
    fn crossing(&self, high: &Self) -> u64 {
        let share = -self.excess / (high.excess - self.excess);
        let ratio = (high.threshold as f64 / self.threshold as f64).ln();
        (self.threshold as f64 * (share * ratio).exp()).floor() as u64
    }
}

/// A threshold near the wanted one. On bits, the root of the shared array's closed form with as many bits, which differs
/// in relative order 1/M only, less the excess of two hashes. On messages, the fill whose k-th power is k + 1 times a
/// half's share of the target, as the average over a cycle is about the last rate over k + 1.
fn first_guess(params: &RecyclingParams, half: PartitionedHalf, target: f64) -> u64 {
    let k = f64::from(params.hashes);
    let last = match params.phases {
        1 => target * (k + 1.0),
        _ => target * (k + 1.0) / (k + 2.0),
    };
    let fill = last.min(0.9).powf(1.0 / k).min(0.95);
    let range = half.range() as f64;
    let rough = match params.on {
        On::BitsSet => (fill * k * range) as u64,
        On::Messages => return (-(-fill).ln_1p() * range) as u64,
    };
    QuickHalf::new(half, *params).map_or(rough, |array| array.threshold_within(target).0)
}
