//! What a recycling filter in the shared layout will do: the filters that RBF describes.

use super::params::On;
use super::predict::Prediction;
use super::shared_two_hash;
use crate::accuracy::{Accuracy, Figure};
use crate::cells::check_two_hash;
use crate::error::TheoryError;
use crate::recycling::shared_bits::Restart;
use crate::recycling::{
    bits_set_law, messages_law, two_phase_bits_set_rate, two_phase_retaining_rate, CycleLaw,
    SharedHalf,
};
use crate::two_hash::{Extension, SingleArray};

/// A recycling filter in the shared layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedParams {
    /// Bits of one half that are probed (M).
    pub half_bits: u64,
    /// Halves: 1, or 2 (active and frozen).
    pub phases: u32,
    /// Probes of a message (k).
    pub hashes: u32,
    /// Whether a message's probes differ (RBF: non-colliding).
    pub distinct: bool,
    /// The scheme of two hash functions in the place of k; `None` for k independent ones.
    pub two_hash: Option<Extension>,
    /// What the threshold counts.
    pub on: On,
    /// The threshold of one half, in bits or messages.
    pub threshold: u64,
    /// Whether the tripping message opens the next cycle (`true`) or is forgotten.
    pub retain: bool,
}

impl SharedParams {
    fn half(&self) -> Result<SharedHalf, TheoryError> {
        if !(1..=2).contains(&self.phases) {
            let name = "recycling filter";
            return Err(TheoryError::domain(name, "phases", "1 or 2", self.phases));
        }
        if self.distinct && self.two_hash.is_some() {
            let (name, expected) = ("shared recycling filter", "independent hashes");
            return Err(TheoryError::domain(
                name,
                "distinct",
                expected,
                "two hashes",
            ));
        }
        SharedHalf::new(self.half_bits, self.hashes, self.distinct)
    }

    /// The law of two hash functions; `None` for k independent ones, and for up to two probes, which are independent positions.
    fn coincidences(&self) -> Result<Option<SingleArray>, TheoryError> {
        self.half()?;
        let Some(extension) = self.two_hash.filter(|_| self.hashes > 2) else {
            return Ok(None);
        };
        check_two_hash(self.hashes, extension)?;
        SingleArray::new(self.half_bits, self.hashes, extension).map(Some)
    }
}

/// Predicts a recycling filter in the shared layout, for a stream of absent keys.
///
/// Source: RBF IV, the four chains (colliding or not, the tripping message retained or not), and (26) for two phases. One phase:
/// exact on bits; on messages as exact as [`messages_law`] says. Two phases: exact on bits; on messages (26), an approximation
/// whose relative error, `4 k^2/M` of the share of matches in both halves, is stated unless the probes are distinct and the tripping
/// message is forgotten (a retained message has set a bit of the frozen half; colliding probes share their repeats).
///
/// Two hash functions: the same chains with what the scheme changes in first order of 1/M, an approximation; see the source of
/// `shared_two_hash`.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for phases other than 1 and 2, hashes other than 1 to 64 or not below the bits, a threshold on
/// bits outside `k..M`, a threshold on messages below 2 or not met before the half is full; for more than two probes by two hash
/// functions above 12 hashes (extended: 6) and below 2 k^2 bits.
pub fn predict_shared(params: &SharedParams) -> Result<Prediction, TheoryError> {
    let params = &SharedParams {
        threshold: params.on.met_at(params.threshold, params.retain),
        ..*params
    };
    predict_by(params, params.coincidences()?.as_ref())
}

/// The prediction by the law of two hash functions, which takes a while to make, or of independent ones.
fn predict_by(
    params: &SharedParams,
    two_hash: Option<&SingleArray>,
) -> Result<Prediction, TheoryError> {
    match two_hash {
        None => independent(params).map(|(prediction, _)| prediction),
        Some(law) => shared_two_hash::predict(params, law),
    }
}

/// The prediction for independent functions, and the law of a half that it comes from.
pub(super) fn independent(params: &SharedParams) -> Result<(Prediction, CycleLaw), TheoryError> {
    let half = SharedParams {
        two_hash: None,
        ..*params
    }
    .half()?;
    let restart = if params.retain {
        Restart::Retain
    } else {
        Restart::Forget
    };
    let (law, chain) = match params.on {
        On::BitsSet => (
            bits_set_law(half, params.threshold, restart)?,
            "RBF (18), chain of the bits set",
        ),
        On::Messages => (
            messages_law(half, params.threshold, restart)?,
            "chain of the bits set over N bit-setting messages",
        ),
    };
    let variant = format!(
        "{chain}, {}, {}",
        if params.distinct {
            "non-colliding"
        } else {
            "colliding"
        },
        if params.retain {
            "retaining"
        } else {
            "non-retaining"
        },
    );
    let average = match params.phases {
        1 => Figure::new(
            law.active_rate,
            format!("{variant}, one phase"),
            law.accuracy,
        ),
        _ => two_phases(params, half, &law, &variant)?,
    };
    let (worst, worst_accuracy, worst_source) = match params.on {
        On::BitsSet if params.distinct => (
            half.rate_at(params.threshold).0,
            Accuracy::bound(),
            "bound: C(sigma,k)/C(M,k) in every live half, RBF (17)",
        ),
        On::BitsSet => (
            half.rate_at(params.threshold).0,
            Accuracy::bound(),
            "bound: (sigma/M)^k in every live half, RBF (17)",
        ),
        On::Messages => (
            law.frozen_rate,
            law.accuracy,
            "mean rate at the tripping arrival, every live half as full as when it is frozen",
        ),
    };
    let worst = match params.phases {
        1 => worst,
        _ => worst * (2.0 - worst),
    };
    let capacity = worst_case_capacity(params, average.value);
    let prediction = Prediction {
        fpr_worst_case: Figure::new(worst.min(1.0), worst_source, worst_accuracy),
        two_hash_excess: Figure::new(0.0, "independent hashes: none", Accuracy::exact(0.0)),
        cycle_arrivals: Figure::new(
            law.mean_arrivals,
            format!("{variant}, mean cycle, RBF (20)-(23) with N_b = 0 for b > sigma"),
            law.accuracy,
        ),
        cycle_messages: Figure::new(
            law.mean_bit_setting(),
            format!("{variant}, mean cycle times (1 - active rate)"),
            law.accuracy,
        ),
        capacity_gain: Figure::new(
            law.mean_arrivals / capacity,
            "mean cycle over the n at which RBF (1) reaches the average rate",
            Accuracy::approximation(law.accuracy.relative_error.max(1e-9)),
        ),
        fpr_average: average,
    };
    Ok((prediction, law))
}

/// The average rate of two halves.
fn two_phases(
    params: &SharedParams,
    half: SharedHalf,
    law: &CycleLaw,
    variant: &str,
) -> Result<Figure, TheoryError> {
    let k = u64::from(params.hashes);
    let forgets = !params.retain;
    let independent = forgets && (params.distinct || params.hashes == 1);
    // one hash: the N-th bit-setting message is the one that would set more than N - 1 bits
    let sigma = match params.on {
        On::BitsSet => Some(params.threshold),
        On::Messages if k == 1 => Some(params.threshold - 1),
        On::Messages => None,
    };
    if let Some(sigma) = sigma.filter(|_| !independent) {
        let (joined, shared) = if forgets {
            (
                two_phase_bits_set_rate(half, sigma)?,
                "the repeats that both halves share",
            )
        } else {
            (
                two_phase_retaining_rate(half, sigma)?,
                "halves joined by the retained message and the positions of a key",
            )
        };
        let formula = format!("{variant}, two phases: RBF (26) with {shared}");
        return Ok(Figure::new(joined.value, formula, joined.accuracy));
    }
    let rate = law.two_phase_rate();
    let accuracy = if independent {
        law.accuracy
    } else {
        let both = law.active_rate * law.frozen_rate;
        let share = if rate > 0.0 { both / rate } else { 0.0 };
        let error = share * 4.0 * (k * k) as f64 / params.half_bits as f64;
        law.accuracy.and(Accuracy::approximation(error))
    };
    Ok(Figure::new(
        rate,
        format!("{variant}, two phases, RBF (26)"),
        accuracy,
    ))
}

/// Messages that fill every live half to the given rate: RBF (1) solved for n.
fn worst_case_capacity(params: &SharedParams, rate: f64) -> f64 {
    let one_half = match params.phases {
        1 => rate,
        _ => rate / (1.0 + (1.0 - rate).sqrt()),
    };
    let (bits, k) = (params.half_bits as f64, f64::from(params.hashes));
    let fill = one_half.powf(1.0 / k);
    let kept = if params.distinct {
        (-k / bits).ln_1p()
    } else {
        k * (-1.0 / bits).ln_1p()
    };
    (-fill).ln_1p() / kept
}

/// The largest threshold whose average rate is at most `target_fpr`, by bisection: the rate grows with the threshold.
///
/// `params.threshold` is ignored. At the result [`predict_shared`] is at most the target, one above it is not (or is no legal
/// threshold).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `0 < target_fpr < 1`; [`TheoryError::TargetUnreachable`] when even the smallest legal
/// threshold (k bits, or 2 messages) exceeds the target; and the errors of [`predict_shared`] for the geometry.
pub fn solve_shared_threshold(params: &SharedParams, target_fpr: f64) -> Result<u64, TheoryError> {
    if !(target_fpr > 0.0 && target_fpr < 1.0) {
        let expected = "between 0 and 1, exclusive";
        return Err(TheoryError::domain(
            "threshold search",
            "target_fpr",
            expected,
            target_fpr,
        ));
    }
    let two_hash = params.coincidences()?;
    let rate_at = |threshold| {
        let with = SharedParams {
            threshold,
            ..*params
        };
        predict_by(&with, two_hash.as_ref()).map(|prediction| prediction.fpr_average.value)
    };
    let (smallest, most) = match params.on {
        On::BitsSet => (u64::from(params.hashes), params.half_bits - 1),
        On::Messages => (2, params.half_bits),
    };
    let best = rate_at(smallest)?;
    if best > target_fpr {
        return Err(TheoryError::TargetUnreachable {
            target: target_fpr,
            smallest,
            best,
        });
    }
    // a threshold that a half does not meet before it is full counts as one above the target
    let (mut low, mut high) = (smallest, most + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match rate_at(middle) {
            Ok(rate) if rate <= target_fpr => low = middle,
            _ => high = middle,
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: SharedParams = SharedParams {
        half_bits: 1000,
        phases: 1,
        hashes: 4,
        distinct: false,
        two_hash: None,
        on: On::BitsSet,
        threshold: 500,
        retain: false,
    };

    /// Rate and mean cycle.
    fn predicted(params: SharedParams) -> (f64, f64) {
        let prediction = predict_shared(&params).expect("in the domain");
        (
            prediction.fpr_average.value,
            prediction.cycle_arrivals.value,
        )
    }

    fn close(got: f64, expected: f64, relative: f64) {
        assert!(
            (got / expected - 1.0).abs() < relative,
            "{got} instead of {expected}"
        );
    }

    #[test]
    fn the_four_chains_of_the_paper_have_their_check_values() {
        for (distinct, retain, rate) in [
            (false, false, 0.015_683_629),
            (false, true, 0.015_774_266_5),
            (true, false, 0.015_548_467_2),
            (true, true, 0.015_638_459_2),
        ] {
            let (got, _) = predicted(SharedParams {
                distinct,
                retain,
                ..PAPER
            });
            // a retained colliding message has as many bits as one that tripped, not those of a fresh draw
            close(got, rate, if retain && !distinct { 1e-4 } else { 1e-8 });
        }
        close(predicted(PAPER).1, 174.036_858, 1e-8);
    }

    #[test]
    fn two_phases_and_messages_have_their_check_values() {
        let two = SharedParams {
            half_bits: 500,
            phases: 2,
            threshold: 250,
            ..PAPER
        };
        // RBF (26), of which the exact rate differs by the repeats that both halves share
        close(predicted(two).0, 0.076_492_682_2, 1e-3);
        let messages = SharedParams {
            on: On::Messages,
            threshold: 173,
            ..PAPER
        };
        close(predicted(messages).0, 0.016_231_864_7, 1e-8);
    }

    #[test]
    fn the_solved_threshold_is_the_largest_within_the_target() {
        for (on, phases, distinct, retain) in [
            (On::BitsSet, 1, false, true),
            (On::BitsSet, 2, true, false),
            (On::Messages, 1, true, true),
            (On::Messages, 2, false, false),
        ] {
            let params = SharedParams {
                on,
                phases,
                distinct,
                retain,
                ..PAPER
            };
            let threshold = solve_shared_threshold(&params, 0.01).expect("reachable");
            let rate = |threshold| {
                predicted(SharedParams {
                    threshold,
                    ..params
                })
                .0
            };
            assert!(rate(threshold) <= 0.01 && rate(threshold + 1) > 0.01);
        }
    }

    #[test]
    fn what_no_chain_covers_is_refused_by_name() {
        let refused = |params| predict_shared(&params).map(|_| ());
        assert!(refused(SharedParams { phases: 3, ..PAPER }).is_err());
        assert!(refused(SharedParams {
            threshold: 3,
            ..PAPER
        })
        .is_err());
        assert!(refused(SharedParams {
            threshold: 1000,
            ..PAPER
        })
        .is_err());
        assert!(solve_shared_threshold(&PAPER, 0.0).is_err());
        assert!(solve_shared_threshold(&PAPER, 1e-30).is_err());
    }
}
