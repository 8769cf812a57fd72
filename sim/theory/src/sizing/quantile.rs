//! What a recycling filter keeps but for a small probability, beside its means.

use super::params::{Hashing, On, RecyclingParams};
use super::shared_independent::{independent, SharedParams};
use super::shared_two_hash::{self, colliding_share};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::chernoff::share_exceeded_by;
use crate::numeric::fill_sum::occupied_fraction;
use crate::recycling::positives_count;
use crate::recycling::shared_messages::Effort;
use crate::recycling::{
    partitioned_bits_set_quantile, partitioned_messages_law, partitioned_messages_quantile,
    shared_bits_set_quantile, shared_messages_quantile, shortest_cycle, SharedHalf,
};
use crate::two_hash::PartitionedDoubleHashing;

/// Stated relative error of a cycle's length on bits under two hash functions, in units of `m'^-2`: as that of the mean.
const DEPENDENT_CYCLE: f64 = 2.0;

/// New messages that a cycle of a partitioned filter holds but for a probability of at most `chance`, the tripping one included: a
/// quantile beside the mean, [`Prediction::cycle_arrivals`](super::Prediction::cycle_arrivals).
///
/// Source: derivation of this project, see [`crate::recycling::shortest_cycle`]. Bits set: exact for independent hashes and for up to
/// two; above, the bits of two partitions are not quite independent, and the figure is within one message and that of the mean.
/// Messages: within one message, and exact for one hash.
///
/// # Errors
/// As [`predict`](super::predict), and [`TheoryError::OutOfDomain`] unless the chance is 1e-9 to 1 - 1e-9.
pub fn cycle_quantile(params: &RecyclingParams, chance: f64) -> Result<Figure, TheoryError> {
    let half = params.half()?;
    let threshold = params.on.met_at(params.threshold, params.retain);
    let double = params.hashing == Hashing::Double && params.hashes > 2;
    let forgetting = match params.on {
        On::BitsSet => {
            let figure = partitioned_bits_set_quantile(half, threshold, chance)?;
            match double {
                true => Figure {
                    accuracy: shortest_cycle::within_one(figure.value).and(
                        Accuracy::approximation(DEPENDENT_CYCLE / (half.range() as f64).powi(2)),
                    ),
                    ..figure
                },
                false => figure,
            }
        }
        On::Messages if double => {
            let law = partitioned_messages_law(half, threshold)?;
            let scheme = PartitionedDoubleHashing::new(half.range(), half.hashes())?;
            let fill = positives_count::two_hash_fill(half, threshold, &scheme, &law);
            shortest_cycle::by_count(fill, threshold, chance)?
        }
        On::Messages => partitioned_messages_quantile(half, threshold, chance)?,
    };
    Ok(kept(forgetting, params.retain))
}

/// The same in the shared layout. Two hash functions: between colliding and distinct probes, and longer as the mean is.
///
/// # Errors
/// As [`predict_shared`](super::predict_shared), and [`TheoryError::OutOfDomain`] unless the chance is 1e-9 to 1 - 1e-9.
pub fn shared_cycle_quantile(params: &SharedParams, chance: f64) -> Result<Figure, TheoryError> {
    let threshold = params.on.met_at(params.threshold, params.retain);
    let quantile = |distinct| {
        let half = SharedHalf::new(params.half_bits, params.hashes, distinct)?;
        match params.on {
            On::BitsSet => shared_bits_set_quantile(half, threshold, chance),
            On::Messages => shared_messages_quantile(half, threshold, chance),
        }
    };
    let Some(scheme) = params.coincidences()? else {
        let figure = quantile(params.distinct)?;
        // a retained message of colliding probes may have fewer positions than a fresh one
        let redrawn = params.retain && !params.distinct && params.hashes > 1;
        let accuracy = match redrawn {
            true => shortest_cycle::within_one(figure.value),
            false => figure.accuracy,
        };
        return Ok(kept(Figure { accuracy, ..figure }, params.retain));
    };
    let (colliding, distinct) = (quantile(false)?, quantile(true)?);
    let share = colliding_share(params, &scheme);
    let mixed = |a: f64, b: f64| share * a + (1.0 - share) * b;
    let mean = |distinct| -> Result<f64, TheoryError> {
        let with = SharedParams {
            distinct,
            two_hash: None,
            threshold,
            ..*params
        };
        Ok(independent(&with, Effort::Search)?.1.mean_arrivals)
    };
    let predicted = shared_two_hash::predict(
        &SharedParams {
            threshold,
            ..*params
        },
        &scheme,
        Effort::Search,
    )?
    .cycle_arrivals;
    let longer = predicted.value - mixed(mean(false)?, mean(true)?);
    let value = (mixed(colliding.value, distinct.value) + longer).floor();
    let apart = 1.0 + (colliding.value - distinct.value).abs() + longer.abs();
    let figure = Figure::new(
        value,
        format!("{}, two hash functions in first order", colliding.formula),
        Accuracy::approximation(apart / value.max(1.0)),
    );
    Ok(kept(figure, params.retain))
}

/// The cycle of the filter that keeps its tripping message.
fn kept(figure: Figure, retain: bool) -> Figure {
    match retain {
        false => figure,
        true => Figure {
            value: figure.value - 1.0,
            formula: format!("{}, less the retained message", figure.formula),
            // so many arrivals, of one less
            accuracy: Accuracy {
                relative_error: figure.accuracy.relative_error * figure.value
                    / (figure.value - 1.0).max(1.0),
                ..figure.accuracy
            },
            ..figure
        },
    }
}

/// A rate just before a recycle that a filter with a threshold on messages exceeds with a probability of at most `chance`, beside the
/// mean, [`Prediction::fpr_worst_case`](super::Prediction::fpr_worst_case). `None` with a threshold on bits, whose worst case is a bound
/// already, and for more than two probes by two hash functions.
///
/// Source: derivation of this project. The cycle has more than t arrivals with half of that probability, or a quarter for each of two
/// halves ([`cycle_quantile`] and two arrivals more); the cells that t arrivals set are negatively associated, so Chernoff's bound of
/// independent cells holds for their number; and the rate of k cells is at most the k-th power of the share of all.
///
/// # Errors
/// As [`cycle_quantile`].
pub fn worst_case_exceeded_by(
    params: &RecyclingParams,
    chance: f64,
) -> Result<Option<Figure>, TheoryError> {
    let half = params.half()?;
    if params.on == On::BitsSet || (params.hashing == Hashing::Double && params.hashes > 2) {
        return Ok(None);
    }
    let fill = |arrivals: f64| occupied_fraction(half.range() as f64, arrivals);
    let threshold = params.on.met_at(params.threshold, params.retain);
    let arrivals = |chance| partitioned_messages_quantile(half, threshold, chance);
    exceeded(
        arrivals,
        (half.bits(), half.hashes(), params.phases),
        fill,
        chance,
    )
    .map(Some)
}

/// The same in the shared layout.
///
/// # Errors
/// As [`shared_cycle_quantile`].
pub fn shared_worst_case_exceeded_by(
    params: &SharedParams,
    chance: f64,
) -> Result<Option<Figure>, TheoryError> {
    if params.on == On::BitsSet || params.coincidences()?.is_some() {
        return Ok(None);
    }
    let half = SharedHalf::new(params.half_bits, params.hashes, params.distinct)?;
    let (bits, k) = (half.bits() as f64, f64::from(half.hashes()));
    let fill = |arrivals: f64| match half.distinct() {
        true => -(arrivals * (-k / bits).ln_1p()).exp_m1(),
        false => occupied_fraction(bits, k * arrivals),
    };
    let threshold = params.on.met_at(params.threshold, params.retain);
    let arrivals = |chance| shared_messages_quantile(half, threshold, chance);
    exceeded(
        arrivals,
        (half.bits(), half.hashes(), params.phases),
        fill,
        chance,
    )
    .map(Some)
}

fn exceeded(
    arrivals: impl Fn(f64) -> Result<Figure, TheoryError>,
    (cells, hashes, phases): (u64, u32, u32),
    fill: impl Fn(f64) -> f64,
    chance: f64,
) -> Result<Figure, TheoryError> {
    shortest_cycle::check_chance(chance)?;
    let each = 0.5 * chance / f64::from(phases);
    let arrivals = arrivals(1.0 - each)?.value + 2.0;
    let share = share_exceeded_by(cells as f64, fill(arrivals), each);
    let rate = share.powi(hashes as i32);
    let rate = match phases {
        1 => rate,
        _ => rate * (2.0 - rate),
    };
    Ok(Figure::new(
        rate.min(1.0),
        format!(
            "exceeded with a probability of at most {chance}: quantile of the cycle's arrivals, Chernoff bound of the bits that they \
             set (derivation of this project)"
        ),
        Accuracy::bound(),
    ))
}
