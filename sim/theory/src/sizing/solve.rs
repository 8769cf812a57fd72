//! The threshold that meets a target rate.

use super::params::{On, RecyclingParams};
use super::predict::{predict_with_law, Prediction};
use super::quick_half::QuickHalf;
use crate::error::TheoryError;
use crate::recycling::{CycleLaw, PartitionedHalf};
use std::cell::RefCell;

/// The largest threshold whose average rate, the two-hash excess included, is at most `target_fpr`.
///
/// `params.threshold` is ignored. The rate grows with the threshold; the search keeps a bracket and interpolates in
/// logarithms from a close first guess, so that it evaluates some four predictions. The result is that of a bisection to neighbouring
/// thresholds: at it [`predict`](super::predict) is at most the target, one above it is not (or is no legal threshold).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `0 < target_fpr < 1`; [`TheoryError::TargetUnreachable`] when even the
/// smallest legal threshold (k bits, or 2 messages) exceeds the target, as the two-hash floor may make it; and the
/// errors of [`predict`](super::predict) for the geometry.
pub fn solve_threshold(params: &RecyclingParams, target_fpr: f64) -> Result<u64, TheoryError> {
    solve_with_law(params, target_fpr).map(|(threshold, _, _)| threshold)
}

/// [`solve_threshold`] with the prediction at the threshold, and the law of a half with independent hashes that it comes from.
pub(super) fn solve_with_law(
    params: &RecyclingParams,
    target_fpr: f64,
) -> Result<(u64, Prediction, CycleLaw), TheoryError> {
    TheoryError::check_fraction("threshold search", "target_fpr", target_fpr)?;
    let half = params.half()?;
    let legal = match params.on {
        On::BitsSet => (u64::from(half.hashes()), half.bits() - 1),
        On::Messages => (2, 4 * half.range()),
    };
    let best: RefCell<Option<(u64, Prediction, CycleLaw)>> = RefCell::new(None);
    let rate_at = |threshold: u64| {
        let (prediction, law) = predict_with_law(&RecyclingParams {
            threshold,
            ..*params
        })?;
        let rate = prediction.fpr_average.value;
        if rate <= target_fpr {
            best.replace(Some((threshold, prediction, law)));
        }
        Ok(rate)
    };
    let guess = first_guess(params, half, target_fpr);
    let threshold = largest_within(guess, legal, target_fpr, rate_at)?;
    match best.into_inner().filter(|(at, _, _)| *at == threshold) {
        Some(found) => Ok(found),
        None => {
            let (prediction, law) = predict_with_law(&RecyclingParams {
                threshold,
                ..*params
            })?;
            Ok((threshold, prediction, law))
        }
    }
}

/// Where a search looks first, and how fast the logarithm of the rate grows with that of the threshold there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    pub(super) threshold: u64,
    pub(super) slope: f64,
}

/// The largest threshold of the legal ones (first and last) whose rate is within the target.
///
/// # Errors
/// [`TheoryError::TargetUnreachable`] when the rate of the smallest one is above the target, and the error of that rate.
pub(super) fn largest_within(
    guess: Guess,
    (smallest, most): (u64, u64),
    target_fpr: f64,
    rate_at: impl Fn(u64) -> Result<f64, TheoryError>,
) -> Result<u64, TheoryError> {
    // a threshold on messages that a half does not meet before it is full counts as one above the target
    let excess_at = |threshold: u64| match rate_at(threshold) {
        Ok(rate) => (rate / target_fpr).ln().clamp(-1e3, 1e3),
        Err(_) => f64::INFINITY,
    };
    // ends that are not legal, or not yet looked at
    let mut low = Probe {
        threshold: smallest.saturating_sub(1),
        excess: f64::NEG_INFINITY,
    };
    let mut high = Probe {
        threshold: most + 1,
        excess: f64::INFINITY,
    };
    let mut next = guess.threshold;
    let mut reach = 1;
    while high.threshold - low.threshold > 1 {
        let threshold = next.clamp(low.threshold + 1, high.threshold - 1);
        let probe = Probe {
            threshold,
            excess: excess_at(threshold),
        };
        let went_up = probe.excess <= 0.0;
        let last = probe.excess;
        *(if went_up { &mut low } else { &mut high }) = probe;
        let width = high.threshold - low.threshold;
        let unmet = high.threshold <= most && high.excess == f64::INFINITY;
        next = if high.excess.is_finite() && low.excess.is_finite() {
            // a probe beside the interpolated root closes the bracket from the far side
            let root = low.crossing(&high);
            let aside = (width / 64).max(1);
            if went_up {
                root.saturating_add(aside / 2).max(low.threshold + 1)
            } else {
                root.saturating_sub(aside / 2)
            }
        } else {
            // by the slope, and further each time that this does not pass the root
            let by_slope = threshold as f64 * (-last / guess.slope).exp();
            let moved = (by_slope - threshold as f64).abs();
            let moved = if went_up { moved.floor() } else { moved.ceil() };
            let step = match moved {
                moved if moved.is_finite() => (moved as u64).saturating_add(reach / 4),
                _ => reach,
            };
            reach = reach.saturating_mul(4);
            let stepped = match went_up {
                true => low.threshold.saturating_add(step.max(1)),
                false => high.threshold.saturating_sub(step.max(1)),
            };
            // one that a half never meets tells nothing of the slope; and the last thresholds of a half take long to evaluate
            let middle = low.threshold + width / 2;
            match went_up {
                true => stepped.min(middle.max(low.threshold + 1)),
                false if unmet => middle,
                false => stepped,
            }
        };
    }
    if low.threshold < smallest {
        return Err(TheoryError::TargetUnreachable {
            target: target_fpr,
            smallest,
            best: rate_at(smallest)?,
        });
    }
    Ok(low.threshold)
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

/// A threshold near the wanted one: the root of the shared array's closed form with as many bits, which differs in relative
/// order 1/M only, less the excess of two hashes.
fn first_guess(params: &RecyclingParams, half: PartitionedHalf, target: f64) -> Guess {
    let k = f64::from(params.hashes);
    let last = match params.phases {
        1 => target * (k + 1.0),
        _ => target * (k + 1.0) / (k + 2.0),
    };
    let fill = last.min(0.9).powf(1.0 / k).min(0.95);
    let range = half.range() as f64;
    let rough = Guess {
        threshold: match params.on {
            On::BitsSet => (fill * k * range) as u64,
            On::Messages => (-(-fill).ln_1p() * range) as u64,
        },
        slope: k,
    };
    QuickHalf::new(half, *params).map_or(rough, |array| array.guess(params.on, target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_threshold_below_those_that_no_half_meets_is_found_in_few_steps() {
        for (last_met, guess, most_asked) in [
            (50_571, 20_000, 26),
            (50_571, 1 << 20, 26),
            (3, 1 << 20, 24),
            (1 << 39, 7, 66),
        ] {
            let asked = Cell::new(0);
            let rate_at = |threshold: u64| {
                asked.set(asked.get() + 1);
                match threshold <= last_met {
                    true => Ok(0.5 + 0.4 * threshold as f64 / last_met as f64),
                    false => Err(TheoryError::domain("half", "threshold", "met", threshold)),
                }
            };
            let guess = Guess {
                threshold: guess,
                slope: 4.0,
            };
            let found = largest_within(guess, (2, 1 << 40), 0.95, rate_at);
            assert_eq!(found, Ok(last_met));
            assert!(asked.get() <= most_asked, "{last_met}: {}", asked.get());
        }
    }
}
