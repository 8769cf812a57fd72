//! Recycling filters in the shared layout with two hash functions in the place of k: the chains of RBF, corrected in first order.
//!
//! A derivation of this project. Two hash functions change three things, each of order 1/M:
//!
//! * The mean number of distinct positions of a message: all k but for rare strides with double hashing, those of k colliding draws
//!   with the extended schemes. The law of a half is taken between those of distinct and of colliding draws, in proportion. The
//!   bits set vary as with either, for two cells have on average the same number of items in common.
//! * The rate given the number of messages n, which [`SingleArray`] knows: what it has over the same mixture of f_C and f_S is summed
//!   over the arrivals of a mean cycle (the spread of its length enters in second order). A threshold on bits ends the cycle where it
//!   would end anyway; one on messages waits for each further false positive, and for those of the wait.
//! * Both halves at once: a key whose own positions coincide matches either more easily. That covariance is taken off the
//!   union of RBF (26).

use super::params::On;
use super::predict::{threshold_itself, Prediction};
use super::shared_independent::{independent, SharedParams};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::recycling::positives_count::Fill;
use crate::recycling::shared_messages::Effort;
use crate::recycling::{CycleLaw, SharedHalf};
use crate::two_hash::SingleArray;

/// Stated relative error of what two hash functions add: the mean cycle stands for its law.
const CYCLE_SPREAD_ERROR: f64 = 0.05;

/// The prediction for the geometry of `params` under `scheme`.
///
/// # Errors
/// As [`super::predict_shared`].
pub(super) fn predict(
    params: &SharedParams,
    scheme: &SingleArray,
    effort: Effort,
) -> Result<Prediction, TheoryError> {
    let with = |distinct| SharedParams {
        distinct,
        two_hash: None,
        ..*params
    };
    let (colliding, colliding_law) = independent(&with(false), effort)?;
    let (distinct, distinct_law) = independent(&with(true), effort)?;
    let share = colliding_share(params, scheme);
    let mixed = |a: f64, b: f64| share * a + (1.0 - share) * b;
    let base = CycleLaw {
        mean_arrivals: mixed(colliding_law.mean_arrivals, distinct_law.mean_arrivals),
        active_rate: mixed(colliding_law.active_rate, distinct_law.active_rate),
        frozen_rate: mixed(colliding_law.frozen_rate, distinct_law.frozen_rate),
        accuracy: colliding_law.accuracy.and(distinct_law.accuracy),
    };
    // messages in the half when the cycle ends, and one more: every arrival of a cycle meets less than that
    let stored = base.mean_arrivals - if params.retain { 0.0 } else { 1.0 };
    let through = stored + 1.0;
    let fill =
        |distinct| SharedHalf::new(params.half_bits, params.hashes, distinct).map(Fill::shared);
    let (colliding_fill, distinct_fill) = (fill(false)?, fill(true)?);
    let more =
        scheme.sum_to(through) - mixed(colliding_fill.mean(through), distinct_fill.mean(through));
    let last = scheme.at(stored) - mixed(colliding_fill.rate(stored), distinct_fill.rate(stored));
    let frozen = base.frozen_rate + last;
    let (active, arrivals) = match params.on {
        On::BitsSet => (
            base.active_rate + more / base.mean_arrivals,
            base.mean_arrivals,
        ),
        On::Messages => {
            let longer = more / (1.0 - frozen);
            let arrivals = base.mean_arrivals + longer;
            let positives = base.mean_false_positives() + longer;
            (positives / arrivals, arrivals)
        }
    };
    let law = CycleLaw {
        mean_arrivals: arrivals,
        active_rate: active,
        frozen_rate: frozen,
        ..base
    };
    let either = |rate: f64| rate * (2.0 - rate);
    let (average, end) = match params.phases {
        1 => (active, last),
        _ => (
            law.two_phase_rate() - scheme.covariance(through, stored),
            either(frozen) - either(base.frozen_rate),
        ),
    };
    let excess = average - colliding.fpr_average.value;
    let relative = CYCLE_SPREAD_ERROR * excess.abs() / average;
    let accuracy = colliding
        .fpr_average
        .accuracy
        .and(scheme.accuracy(average))
        .and(Accuracy::approximation(relative));
    let named = |formula: &str, what: &str| format!("{formula}{what}");
    let worst = &colliding.fpr_worst_case;
    let worst_value = match params.on {
        // a bound of either
        On::BitsSet => worst.value,
        // what two functions add is over the mixture
        On::Messages => mixed(worst.value, distinct.fpr_worst_case.value),
    };
    let of_colliding = |figure: &Figure, value: f64| {
        Figure::new(
            value,
            named(&figure.formula, ", two hash functions in first order"),
            accuracy,
        )
    };
    // the gain hardly differs between colliding and distinct draws, but far outside it would turn negative
    let within = share.clamp(0.0, 1.0);
    let gain =
        within * colliding.capacity_gain.value + (1.0 - within) * distinct.capacity_gain.value;
    let mut cycle_arrivals = of_colliding(&colliding.cycle_arrivals, arrivals);
    let cycle_messages = match params.on {
        On::BitsSet => of_colliding(&colliding.cycle_messages, law.mean_bit_setting()),
        On::Messages => {
            cycle_arrivals.accuracy = of_counted_cycle(accuracy, average, active);
            threshold_itself(params.threshold, params.retain)
        }
    };
    let of_cycle = cycle_arrivals.accuracy.relative_error;
    let mut capacity_gain = of_colliding(
        &colliding.capacity_gain,
        gain * (arrivals / base.mean_arrivals),
    );
    capacity_gain.accuracy.relative_error = accuracy.relative_error.max(of_cycle);
    Ok(Prediction {
        fpr_worst_case: Figure::new(
            (worst_value + end).clamp(0.0, 1.0),
            named(&worst.formula, " + two-hash excess at the recycle"),
            worst
                .accuracy
                .and(scheme.accuracy(average))
                .and(Accuracy::approximation(relative)),
        ),
        two_hash_excess: Figure::new(
            excess,
            "two hash functions on one array, mean over a mean cycle, less k colliding ones",
            Accuracy::approximation(CYCLE_SPREAD_ERROR),
        ),
        cycle_arrivals,
        cycle_messages,
        capacity_gain,
        fpr_average: of_colliding(&colliding.fpr_average, average),
    })
}

/// The accuracy of a mean cycle that waits for a number of bit-setting messages, from that of the average rate.
///
/// The cycle is that number over `1 - active`, so only the rate of the active half is unknown. It is part of the average rate: its
/// error is at most taken to be the whole of that one's.
fn of_counted_cycle(accuracy: Accuracy, average: f64, active: f64) -> Accuracy {
    let off = accuracy.relative_error * average;
    let others = 1.0 - active - off;
    let relative_error = if others > 0.0 {
        off / others + 1e-12
    } else {
        accuracy.relative_error.max(1.0)
    };
    Accuracy {
        relative_error,
        ..accuracy
    }
}

/// Where the mean number of distinct positions lies between k (0) and that of k colliding draws (1).
pub(super) fn colliding_share(params: &SharedParams, scheme: &SingleArray) -> f64 {
    let (bits, k) = (params.half_bits as f64, f64::from(params.hashes));
    let drawn = -bits * (k * (-1.0 / bits).ln_1p()).exp_m1();
    (k - scheme.mean_distinct()) / (k - drawn)
}
