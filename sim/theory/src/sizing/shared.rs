//! Prediction of a recycling filter in the shared layout, the one that the paper on recycling Bloom filters (RBF) describes.

use super::params::On;
use super::predict::Prediction;
use super::shared_independent::{independent, SharedParams};
use super::shared_two_hash;
use super::solve::{largest_within, Guess};
use crate::error::TheoryError;
use crate::recycling::shared_messages::Effort;
use crate::two_hash::SingleArray;
use std::cell::RefCell;

/// Predicts a recycling filter in the shared layout, for a stream of absent keys.
///
/// Source: RBF IV, the four chains (colliding or not, the tripping message retained or not), and (26) for two phases. One phase:
/// exact on bits; on messages as exact as [`crate::recycling::messages_law`] says. Two phases: exact on bits; on messages (26), an approximation
/// whose relative error, `4 k^2/M` of the share of matches in both halves, is stated unless the probes are distinct and the tripping
/// message is forgotten (a retained message has set a bit of the frozen half; colliding probes share their repeats).
///
/// Two hash functions: the same chains with what the scheme changes in first order of 1/M, an approximation; see the source of
/// `shared_two_hash`.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for phases other than 1 and 2, hashes other than 1 to 64 or not below the bits, a threshold on
/// bits outside `k..M`, a threshold on messages below 2 or not met before the half is full; for more than two probes by two hash
/// functions below 2 k^2 bits.
pub fn predict_shared(params: &SharedParams) -> Result<Prediction, TheoryError> {
    let params = &SharedParams {
        threshold: params.on.met_at(params.threshold, params.retain),
        ..*params
    };
    predict_by(params, params.coincidences()?.as_deref(), Effort::Own)
}

/// The prediction by the law of two hash functions, which takes a while to make, or of independent ones.
fn predict_by(
    params: &SharedParams,
    two_hash: Option<&SingleArray>,
    effort: Effort,
) -> Result<Prediction, TheoryError> {
    match two_hash {
        None => independent(params, effort).map(|(prediction, _)| prediction),
        Some(law) => shared_two_hash::predict(params, law, effort),
    }
}

/// The largest threshold whose average rate is at most `target_fpr`; the rate grows with the threshold. The search is that of
/// [`solve_threshold`](super::solve_threshold).
///
/// `params.threshold` is ignored. At the result [`predict_shared`] is at most the target, one above it is not (or is no legal
/// threshold).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `0 < target_fpr < 1`; [`TheoryError::TargetUnreachable`] when even the smallest legal
/// threshold (k bits, or 2 messages) exceeds the target; and the errors of [`predict_shared`] for the geometry.
pub fn solve_shared_threshold(params: &SharedParams, target_fpr: f64) -> Result<u64, TheoryError> {
    TheoryError::check_fraction("threshold search", "target_fpr", target_fpr)?;
    let two_hash = params.coincidences()?;
    let nearby = search(
        params,
        two_hash.as_deref(),
        target_fpr,
        first_guess(params, target_fpr),
        Effort::Search,
    );
    let found = match params.on {
        On::BitsSet => nearby,
        On::Messages => {
            let guess = nearby.map_or_else(|_| first_guess(params, target_fpr), |found| found.0);
            search(params, two_hash.as_deref(), target_fpr, guess, Effort::Own)
        }
    };
    found.map(|(threshold, _)| threshold)
}

/// The threshold of a filter that others are compared with, and its prediction: as [`solve_shared_threshold`] and [`predict_shared`], but
/// for more than some 10^3 messages by the law of the count of false positives, whose error the figures state.
///
/// # Errors
/// As [`solve_shared_threshold`].
pub fn solve_shared_quickly(
    params: &SharedParams,
    target_fpr: f64,
) -> Result<(u64, Prediction), TheoryError> {
    TheoryError::check_fraction("threshold search", "target_fpr", target_fpr)?;
    let two_hash = params.coincidences()?;
    let guess = first_guess(params, target_fpr);
    search(
        params,
        two_hash.as_deref(),
        target_fpr,
        guess,
        Effort::Search,
    )
}

/// The largest threshold within the target, and its prediction.
fn search(
    params: &SharedParams,
    two_hash: Option<&SingleArray>,
    target_fpr: f64,
    guess: u64,
    effort: Effort,
) -> Result<(u64, Prediction), TheoryError> {
    let predicted = |threshold| {
        let with = SharedParams {
            threshold,
            ..*params
        };
        predict_by(&with, two_hash, effort)
    };
    // of those within the target, the search looks at the largest last
    let within = RefCell::new(None);
    let rate_at = |threshold| {
        let prediction = predicted(threshold)?;
        let rate = prediction.fpr_average.value;
        if rate <= target_fpr {
            within.replace(Some((threshold, prediction)));
        }
        Ok(rate)
    };
    let (smallest, most) = match params.on {
        On::BitsSet => (u64::from(params.hashes), params.half_bits - 1),
        On::Messages => (2, params.half_bits),
    };
    let guess = Guess {
        threshold: guess,
        slope: params.hashes.into(),
    };
    let threshold = largest_within(guess, (smallest, most), target_fpr, rate_at)?;
    match within.into_inner().filter(|(at, _)| *at == threshold) {
        Some(found) => Ok(found),
        None => Ok((threshold, predicted(threshold)?)),
    }
}

/// A threshold near the wanted one: of the fill whose k-th power is k + 1 times a half's share of the target, as the average over a
/// cycle is about the last rate over k + 1.
fn first_guess(params: &SharedParams, target: f64) -> u64 {
    let (bits, k) = (params.half_bits as f64, f64::from(params.hashes));
    let last = match params.phases {
        1 => target * (k + 1.0),
        _ => target * (k + 1.0) / (k + 2.0),
    };
    let fill = last.min(0.9).powf(1.0 / k).min(0.95);
    (match params.on {
        On::BitsSet => fill * bits,
        On::Messages => -(-fill).ln_1p() * bits / k,
    }) as u64
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
