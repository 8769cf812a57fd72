//! Quantiles of a recycling filter: values that it exceeds with a small probability only, beside its means.

use super::params::{Hashing, On, RecyclingParams};
use super::shared_independent::{independent, SharedParams};
use super::shared_two_hash::{self, colliding_share};
use crate::accuracy::{Accuracy, Figure};
use crate::cells::{Draw, PartitionedStatic, Partitions, SharedArray};
use crate::error::TheoryError;
use crate::numeric::chernoff::count_exceeded_by;
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
    shared_quantile(params, TwoHash::of(params)?.as_ref(), chance)
}

/// What two hash functions on one array change of a cycle, which takes a while to count.
struct TwoHash {
    /// Share of colliding probes between colliding and distinct ones.
    share: f64,
    /// New messages more than between the two.
    longer: f64,
}

impl TwoHash {
    fn of(params: &SharedParams) -> Result<Option<Self>, TheoryError> {
        let Some(scheme) = params.coincidences()? else {
            return Ok(None);
        };
        let share = colliding_share(params, &scheme);
        let params = SharedParams {
            threshold: params.on.met_at(params.threshold, params.retain),
            ..*params
        };
        let mean = |distinct| -> Result<f64, TheoryError> {
            let with = SharedParams {
                distinct,
                two_hash: None,
                ..params
            };
            Ok(independent(&with, Effort::Search)?.1.mean_arrivals)
        };
        let predicted = shared_two_hash::predict(&params, &scheme, Effort::Search)?.cycle_arrivals;
        let longer = predicted.value - (share * mean(false)? + (1.0 - share) * mean(true)?);
        Ok(Some(Self { share, longer }))
    }
}

fn shared_quantile(
    params: &SharedParams,
    two_hash: Option<&TwoHash>,
    chance: f64,
) -> Result<Figure, TheoryError> {
    let threshold = params.on.met_at(params.threshold, params.retain);
    let quantile = |distinct| {
        let half = SharedHalf::new(params.half_bits, params.hashes, distinct)?;
        match params.on {
            On::BitsSet => shared_bits_set_quantile(half, threshold, chance),
            On::Messages => shared_messages_quantile(half, threshold, chance),
        }
    };
    let Some(TwoHash { share, longer }) = two_hash else {
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
    let value = (share * colliding.value + (1.0 - share) * distinct.value + longer).floor();
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

/// A filter, to the bounds of its rates.
struct Filter<'a> {
    phases: u32,
    /// New keys of a cycle but for a chance.
    cycle: &'a dyn Fn(f64) -> Result<Figure, TheoryError>,
    /// The rate that a half of so many keys exceeds with a chance.
    rate: &'a dyn Fn(u64, f64) -> Result<Figure, TheoryError>,
    /// Keys in the half when a cycle begins.
    kept: u64,
}

impl Filter<'_> {
    /// New keys that a cycle has more of with a probability of at most `chance`.
    fn most_arrivals(&self, chance: f64) -> Result<f64, TheoryError> {
        let cycle = (self.cycle)(1.0 - chance)?;
        Ok((cycle.value * (1.0 + cycle.accuracy.relative_error)).ceil())
    }

    fn worst_case(&self, chance: f64) -> Result<Figure, TheoryError> {
        shortest_cycle::check_chance(chance)?;
        let each = 0.5 * chance / f64::from(self.phases);
        let keys = self.most_arrivals(each)? as u64 + 1 + self.kept;
        let half = (self.rate)(keys, each)?;
        Ok(Figure::new(
            either(self.phases, half.value, half.value),
            format!(
                "exceeded with a probability of at most {chance}: quantile of the cycle's arrivals; of a half of so many, the rate {} \
                 (derivation of this project)",
                half.formula
            ),
            Accuracy::bound(),
        ))
    }

    fn of_a_cycle(&self, chance: f64) -> Result<Figure, TheoryError> {
        shortest_cycle::check_chance(chance)?;
        let (eighth, quarter) = (chance / 8.0, chance / 4.0);
        let most = self.most_arrivals(eighth)?;
        let shortest = (self.cycle)(eighth)?;
        let least = shortest.value * (1.0 - shortest.accuracy.relative_error);
        let keys = |arrivals: f64| arrivals.ceil() as u64 + self.kept;
        let frozen = match self.phases {
            1 => 0.0,
            _ => (self.rate)(keys(most), eighth)?.value,
        };
        // the fill only grows: within a step, that of its end
        let width = most / f64::from(STEPS);
        let mut expected = 0.0;
        for step in 1..=STEPS {
            let active = (self.rate)(keys(f64::from(step) * width), eighth / f64::from(STEPS))?;
            expected += width * either(self.phases, active.value, frozen);
        }
        let positives = count_exceeded_by(expected, quarter);
        Ok(Figure::new(
            (positives / least.max(1.0)).min(1.0),
            format!(
                "exceeded with a probability of at most {chance}: quantiles of the cycle's arrivals, bound of the rates of halves of so many, \
                 Chernoff bound of the false positives at these (derivation of this project)"
            ),
            Accuracy::bound(),
        ))
    }

    /// A cycle of N bit-setting messages has one false positive for each arrival more.
    fn of_a_cycle_of(&self, messages: u64, chance: f64) -> Result<Figure, TheoryError> {
        let longest = (self.cycle)(1.0 - chance)?;
        let messages = (messages - self.kept) as f64;
        let positives = longest.value - messages;
        // an arrival more or less
        let off = longest.accuracy.relative_error * messages;
        let (positives, accuracy) = match off < positives {
            true => (positives, Accuracy::approximation(off / positives)),
            false => (positives + off, Accuracy::bound()),
        };
        Ok(Figure::new(
            positives / longest.value,
            format!(
                "a cycle of T new keys has T - N false positives; T: {}",
                longest.formula
            ),
            accuracy,
        ))
    }
}

/// The probability that one of the halves matches, at most: they may have no bit in common.
fn either(phases: u32, active: f64, frozen: f64) -> f64 {
    match phases {
        1 => active.min(1.0),
        _ => (active + frozen).min(1.0),
    }
}

/// Steps of a cycle within which the rate is taken as that of the end.
const STEPS: u32 = 64;

/// A rate just before a recycle that a filter exceeds with a probability of at most `chance`, beside the mean or the bound of independent
/// functions, [`Prediction::fpr_worst_case`](super::Prediction::fpr_worst_case). `None` for independent positions with a threshold on bits
/// and one phase, whose worst case is a bound already; with two phases that is one of the mean over recycles only, and the sum of the
/// rates of both halves is never exceeded.
///
/// Source: derivation of this project. The cycle has more than t arrivals with half of that probability, or a quarter for each of two
/// halves ([`cycle_quantile`] and an arrival more); a half of t keys exceeds a rate with the other half: [`PartitionedStatic::rate_exceeded_by`].
///
/// # Errors
/// As [`cycle_quantile`].
pub fn worst_case_exceeded_by(
    params: &RecyclingParams,
    chance: f64,
) -> Result<Option<Figure>, TheoryError> {
    let dependent = params.hashing == Hashing::Double && params.hashes > 2;
    match (params.on == On::BitsSet && !dependent, params.phases) {
        (true, 1) => Ok(None),
        (true, _) => {
            let rate = params.half()?.largest_rate_at(params.threshold);
            Ok(Some(both_halves(rate)))
        }
        (false, _) => with_filter(params, |filter| filter.worst_case(chance)).map(Some),
    }
}

/// The rate of two halves with disjoint bits, each at its greatest; above it by more than rounding.
fn both_halves(rate: f64) -> Figure {
    Figure::new(
        (2.0 * rate * (1.0 + 1e-13)).min(1.0),
        "the greatest rate of one half, RBF (17), and that of the other",
        Accuracy::bound(),
    )
}

/// [`worst_case_exceeded_by`] for a filter in the shared layout.
///
/// # Errors
/// As [`shared_cycle_quantile`].
pub fn shared_worst_case_exceeded_by(
    params: &SharedParams,
    chance: f64,
) -> Result<Option<Figure>, TheoryError> {
    let dependent = params.two_hash.is_some() && params.hashes > 2;
    match (params.on == On::BitsSet && !dependent, params.phases) {
        (true, 1) => Ok(None),
        (true, _) => {
            let rate = params.half()?.rate_at(params.threshold).0;
            Ok(Some(both_halves(rate)))
        }
        (false, _) => with_shared_filter(params, |filter| filter.worst_case(chance)).map(Some),
    }
}

/// A share of false positives among the new keys of a cycle that one cycle exceeds with a probability of at most `chance`, beside the mean
/// over many, [`Prediction::fpr_average`](super::Prediction::fpr_average).
///
/// Source: derivation of this project. One phase with a threshold of N messages: a cycle of T new keys has T - N false positives, so the
/// quantile of T is that of the share, within one message. Otherwise a bound. At every arrival the probability of a false positive, given the
/// past, is the rate of the halves, which [`PartitionedStatic::rate_exceeded_by`] bounds for as many keys as the quantiles of T allow; where
/// such probabilities sum to at most A, the count exceeds x with at most `exp(-(x ln(x/A) - x + A))`.
///
/// # Errors
/// As [`cycle_quantile`].
pub fn cycle_rate_exceeded_by(
    params: &RecyclingParams,
    chance: f64,
) -> Result<Figure, TheoryError> {
    let threshold = params.on.met_at(params.threshold, params.retain);
    with_filter(params, |filter| match (params.on, params.phases) {
        (On::Messages, 1) => filter.of_a_cycle_of(threshold, chance),
        _ => filter.of_a_cycle(chance),
    })
}

/// [`cycle_rate_exceeded_by`] for a filter in the shared layout.
///
/// # Errors
/// As [`shared_cycle_quantile`].
pub fn shared_cycle_rate_exceeded_by(
    params: &SharedParams,
    chance: f64,
) -> Result<Figure, TheoryError> {
    let threshold = params.on.met_at(params.threshold, params.retain);
    with_shared_filter(params, |filter| match (params.on, params.phases) {
        (On::Messages, 1) => filter.of_a_cycle_of(threshold, chance),
        _ => filter.of_a_cycle(chance),
    })
}

fn with_filter(
    params: &RecyclingParams,
    bound: impl Fn(Filter) -> Result<Figure, TheoryError>,
) -> Result<Figure, TheoryError> {
    let half = params.half()?;
    let parts = Partitions::new(half.range(), half.hashes(), params.hashing)?;
    bound(Filter {
        phases: params.phases,
        cycle: &|chance| cycle_quantile(params, chance),
        rate: &|keys, chance| PartitionedStatic::new(parts, keys)?.rate_exceeded_by(chance),
        kept: params.retain.into(),
    })
}

fn with_shared_filter(
    params: &SharedParams,
    bound: impl Fn(Filter) -> Result<Figure, TheoryError>,
) -> Result<Figure, TheoryError> {
    let draw = match params.two_hash {
        _ if params.distinct => Draw::Distinct,
        Some(extension) if params.hashes > 2 => Draw::TwoHash(extension),
        _ => Draw::Independent,
    };
    let array = SharedArray::new(params.half_bits, params.hashes, draw)?;
    let two_hash = TwoHash::of(params)?;
    bound(Filter {
        phases: params.phases,
        cycle: &|chance| shared_quantile(params, two_hash.as_ref(), chance),
        rate: &|keys, chance| array.rate_exceeded_by(keys, chance),
        kept: params.retain.into(),
    })
}
