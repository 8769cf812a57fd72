//! Prediction of a recycling filter.

use serde::Serialize;

use super::params::{Hashing, On, RecyclingParams};
use super::short_cycle;
use crate::accuracy::{Accuracy, AccuracyKind, Figure};
use crate::error::TheoryError;
use crate::recycling::partitioned_joined::{messages_retaining_rate_of, retaining_law_and_rate};
use crate::recycling::partitioned_messages::with_two_hashes;
use crate::recycling::{
    partitioned_bits_set_law, partitioned_messages_law, CycleLaw, Method, PartitionedHalf,
};
use crate::two_hash::PartitionedDoubleHashing;

/// Share of the rate above which the two-hash floor is refused unless it is accepted explicitly.
pub(crate) const LARGEST_FLOOR_SHARE: f64 = 0.1;

/// The predicted numbers of a recycling filter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// Average false-positive rate per absent arrival, the two-hash excess included.
    pub fpr_average: Figure,
    /// False-positive rate just before a recycle. On bits set a bound over all states (of the independent part); on
    /// messages the mean over cycles.
    pub fpr_worst_case: Figure,
    /// What double hashing adds to the average rate; 0 for independent hashes. Contained in `fpr_average`.
    pub two_hash_excess: Figure,
    /// Mean number of new arrivals between two recycles, false positives and the tripping one included.
    pub cycle_arrivals: Figure,
    /// Mean number of bit-setting arrivals between two recycles, the tripping one included.
    pub cycle_messages: Figure,
    /// Arrivals of a cycle over the messages that the same memory may take when its worst case, not its average, is
    /// held to the same rate.
    pub capacity_gain: Figure,
}

impl Prediction {
    /// The two-hash excess as a share (0 to 1) of the average rate.
    pub fn two_hash_share(&self) -> f64 {
        if self.fpr_average.value > 0.0 {
            self.two_hash_excess.value / self.fpr_average.value
        } else {
            0.0
        }
    }

    /// Refuses a filter whose two-hash excess is over 10% of its rate; skip the check to accept the floor.
    ///
    /// # Errors
    /// [`TheoryError::TwoHashFloor`] above 10%.
    pub fn check_two_hash_floor(&self) -> Result<(), TheoryError> {
        let share = self.two_hash_share();
        if share <= LARGEST_FLOOR_SHARE {
            return Ok(());
        }
        Err(TheoryError::TwoHashFloor {
            excess: self.two_hash_excess.value,
            rate: self.fpr_average.value,
            percent: 100.0 * share,
        })
    }
}

/// Predicts a recycling filter in the partitioned layout, for a stream of absent keys.
///
/// Every absent arrival is tested against the state before it, the tripping one included. Bits set: exact in the
/// partitions' bit counts for independent hashes. Messages: an approximation, whose relative error the figures state. Double
/// hashing adds its excess with n items, averaged over a cycle of the mean length (the spread of the length enters in
/// second order); with a threshold on messages the excess is part of the count that the cycle waits for, and with one on bits it makes cycles of
/// few messages longer.
///
/// # Errors
/// [`TheoryError::Indivisible`] when the memory does not divide into `phases * hashes` partitions;
/// [`TheoryError::OutOfDomain`] for phases other than 1 and 2, hashes other than 1 to 64, a threshold on bits outside
/// `k..k m'`, a threshold on messages below 2 (retaining: 1) or not met before the half is 98% full, and
/// more than one hash on a range below 32 with messages.
pub fn predict(params: &RecyclingParams) -> Result<Prediction, TheoryError> {
    predict_with_law(params).map(|(prediction, _)| prediction)
}

/// The prediction, and the law of a half with independent hashes that it comes from.
pub(super) fn predict_with_law(
    params: &RecyclingParams,
) -> Result<(Prediction, CycleLaw), TheoryError> {
    let params = &RecyclingParams {
        threshold: params.on.met_at(params.threshold, params.retain),
        ..*params
    };
    let half = params.half()?;
    let (forgetting, joined, source) = law(params, half)?;
    let law = if params.retain {
        forgetting.retaining()
    } else {
        forgetting
    };
    let joined = match joined {
        Some(figure) => figure,
        None if params.phases == 2 && params.retain => {
            messages_retaining_rate_of(half, params.threshold, &law)
        }
        None => Figure::new(law.rate(params.phases), "", law.accuracy),
    };
    let base = joined.value;
    let excess = Excess::of(params, half, &forgetting, &law)?;
    let rate = base + excess.average;
    let arrivals = law.mean_arrivals + excess.longer;
    let phases = match (params.phases, params.retain) {
        (1, _) => "one phase",
        (_, false) => "two phases, RBF (26)",
        (_, true) => "two phases, RBF (26) with halves joined by the retained message",
    };
    let retained = if params.retain {
        ", retaining f L/(L-1)"
    } else {
        ""
    };
    let added = match params.hashing {
        Hashing::Independent => "",
        Hashing::Double => " + two-hash excess over the cycle",
    };
    let (worst, worst_accuracy, worst_source) = worst_case(params, half, &law);
    let worst = worst.min(1.0);
    // a bound stays one with the most that the excess may be
    let (last, worst_accuracy) = match (params.on, excess.last != 0.0) {
        (On::BitsSet, true) => {
            let most = 1.0 + excess.accuracy.relative_error;
            (excess.last * most, worst_accuracy)
        }
        _ => (
            excess.last,
            worst_accuracy.and_share(excess.accuracy, worst, excess.last),
        ),
    };
    let of_cycle = excess.of_the_cycle(params, half, &law);
    let prediction = Prediction {
        fpr_average: Figure::new(
            rate,
            format!("{source}, {phases}{retained}{added}"),
            excess.of_the_rate(half, joined.accuracy, base),
        ),
        fpr_worst_case: Figure::new(
            (worst + last).min(1.0),
            format!("{worst_source}{}", if excess.last != 0.0 { " + two-hash excess at the recycle" } else { "" }),
            worst_accuracy,
        ),
        two_hash_excess: Figure::new(excess.average, excess.source, excess.accuracy),
        cycle_arrivals: Figure::new(
            arrivals,
            format!("{source}, mean cycle{retained}"),
            of_cycle,
        ),
        cycle_messages: excess.bit_setting(params, half, &law, source, retained),
        capacity_gain: capacity_gain(
            (arrivals, of_cycle),
            (base, joined.accuracy),
            |rate| worst_case_capacity(params.phases, half, rate),
            "mean cycle over the n at which RBF (1), partitioned, reaches the average rate of independent hashes",
        ),
    };
    Ok((prediction, law))
}

/// The non-retaining law of a half, the average rate of two phases that retain where it comes with it, and their source.
fn law(
    params: &RecyclingParams,
    half: PartitionedHalf,
) -> Result<(CycleLaw, Option<Figure>, &'static str), TheoryError> {
    const BITS: &str =
        "partitioned occupancy with a threshold on bits (RBF IV on independent partitions)";
    let sigma = params.threshold;
    Ok(match params.on {
        On::BitsSet if params.phases == 2 && params.retain => {
            let (law, rate) = retaining_law_and_rate(half, sigma, Method::Auto)?;
            (law, Some(rate), BITS)
        }
        On::BitsSet => (
            partitioned_bits_set_law(half, sigma, Method::Auto)?,
            None,
            BITS,
        ),
        On::Messages => (
            partitioned_messages_law(half, sigma)?,
            None,
            "law of the count of false positives with a threshold on messages (RBF III)",
        ),
    })
}

/// The rate just before a recycle.
fn worst_case(
    params: &RecyclingParams,
    half: PartitionedHalf,
    law: &CycleLaw,
) -> (f64, Accuracy, &'static str) {
    let (rate, accuracy, source) = match params.on {
        On::BitsSet => (
            half.largest_rate_at(params.threshold),
            Accuracy::bound(),
            "bound: (sigma/(k m'))^k in every live half, RBF (17) with equally full partitions",
        ),
        On::Messages => (
            law.frozen_rate,
            law.accuracy,
            "mean rate at the tripping arrival, every live half as full as when it is frozen",
        ),
    };
    if params.phases == 1 {
        return (rate, accuracy, source);
    }
    if !params.retain {
        return (rate * (2.0 - rate), accuracy, source);
    }
    // the retained message has a position that is not in the frozen half, so the two halves share less than they would by chance: at
    // least what they share without it
    let (rate, accuracy) = match params.on {
        On::BitsSet => {
            let others = half.largest_rate_at(params.threshold - u64::from(half.hashes()));
            (rate * (2.0 - others), accuracy)
        }
        On::Messages => (
            rate * (2.0 - rate),
            accuracy.and(without_one_message(
                rate,
                half.hashes(),
                1.0 / half.range() as f64,
            )),
        ),
    };
    (rate, accuracy, source)
}

/// What a retained message changes of the rate of two halves just before a recycle, at most: the keys that both have seen are at least
/// those of a half with `each` less of its bits set.
pub(super) fn without_one_message(rate: f64, hashes: u32, each: f64) -> Accuracy {
    let k = f64::from(hashes);
    let others = (rate.powf(1.0 / k) - each).max(0.0).powf(k);
    let error = match rate > 0.0 {
        true => (rate - others) / (2.0 - rate),
        false => 0.0,
    };
    Accuracy::approximation(error)
}

/// The number of bit-setting messages of a cycle with a threshold on messages.
pub(super) fn threshold_itself(threshold: u64, retain: bool) -> Figure {
    Figure::new(
        threshold as f64 - f64::from(u8::from(retain)),
        format!(
            "the threshold itself, less the retained message: N{}",
            if retain { " - 1" } else { "" }
        ),
        Accuracy::exact(1e-15),
    )
}

/// A mean cycle over the messages that fill the same memory to a rate, with the errors of both.
pub(super) fn capacity_gain(
    (arrivals, of_arrivals): (f64, Accuracy),
    (rate, of_rate): (f64, Accuracy),
    capacity: impl Fn(f64) -> f64,
    formula: &str,
) -> Figure {
    let filled = capacity(rate);
    let apart = capacity((rate * (1.0 + of_rate.relative_error)).min(1.0)) / filled - 1.0;
    let error = of_arrivals.relative_error + if apart.is_finite() { apart } else { 1.0 };
    Figure::new(
        arrivals / filled,
        formula,
        Accuracy::approximation(error.max(1e-9)),
    )
}

/// Messages that fill every live half to the given rate: RBF (1), partitioned, solved for n.
fn worst_case_capacity(phases: u32, half: PartitionedHalf, rate: f64) -> f64 {
    let one_half = if phases == 1 {
        rate
    } else {
        rate / (1.0 + (1.0 - rate).sqrt())
    };
    let fill = one_half.powf(1.0 / f64::from(half.hashes()));
    (-fill).ln_1p() / (-1.0 / half.range() as f64).ln_1p()
}

/// What two hashes add to a filter's rates.
struct Excess {
    /// To the average rate.
    average: f64,
    /// To the rate just before a recycle.
    last: f64,
    /// To the mean cycle, in arrivals (a threshold on messages waits for every false positive).
    longer: f64,
    /// Absolute error of that with a threshold on bits.
    longer_error: f64,
    /// To the false positives of the active half in a cycle.
    positives: f64,
    accuracy: Accuracy,
    source: &'static str,
}

/// Stated relative error of taking the mean cycle length for its law and the cycle's end for the frozen half's fill.
const CYCLE_SPREAD_ERROR: f64 = 0.05;

/// Stated relative error of a mean cycle on bits under two hash functions beside that of [`short_cycle`], in units of `m'^-2`: the bit counts of two partitions
/// are independent only where the stride between them reaches every position. Above every difference found by simulation from
/// m' = 4 on, where it is 5%.
const DEPENDENT_CYCLE: f64 = 2.0;
/// Stated relative error of the rate for the same reason, in units of `k m'^-2`.
const DEPENDENT_RATE: f64 = 0.5;

impl Excess {
    fn of(
        params: &RecyclingParams,
        half: PartitionedHalf,
        forgetting: &CycleLaw,
        law: &CycleLaw,
    ) -> Result<Self, TheoryError> {
        if params.hashing == Hashing::Independent || params.hashes <= 2 {
            let source = "independent hashes, or at most two: none";
            return Ok(Self {
                average: 0.0,
                last: 0.0,
                longer: 0.0,
                longer_error: 0.0,
                positives: 0.0,
                accuracy: Accuracy::exact(0.0),
                source,
            });
        }
        let scheme = PartitionedDoubleHashing::new(half.range(), half.hashes())?;
        let stored = (forgetting.mean_arrivals - 1.0).max(1.0);
        // the laws of one half with the excess in: active rate, frozen rate, arrivals
        let mut longer_error = 0.0;
        let (active, frozen, arrivals) = match params.on {
            On::BitsSet => {
                // the retaining cycle is the forgetting one without its first arrival, whose excess is 0
                let positives = scheme.excess_sum(forgetting.mean_arrivals);
                let (more, error) = short_cycle::longer(half, params.threshold, forgetting)?;
                longer_error = error;
                let arrivals = law.mean_arrivals + more;
                (
                    (law.mean_false_positives() + positives) / arrivals,
                    law.frozen_rate + scheme.excess(stored),
                    arrivals,
                )
            }
            On::Messages => {
                let double = with_two_hashes(half, params.threshold, &scheme, *forgetting)?;
                let double = if params.retain {
                    double.retaining()
                } else {
                    double
                };
                (double.active_rate, double.frozen_rate, double.mean_arrivals)
            }
        };
        let either = |a: f64, b: f64| a + b - a * b;
        let (average, last) = match params.phases {
            1 => (active - law.active_rate, frozen - law.frozen_rate),
            _ => (
                either(active, frozen) - law.two_phase_rate(),
                either(frozen, frozen) - either(law.frozen_rate, law.frozen_rate),
            ),
        };
        let longer = arrivals - law.mean_arrivals;
        let accuracy =
            Accuracy::approximation(CYCLE_SPREAD_ERROR + scheme.accuracy(stored).relative_error);
        let source = "partitioned double hashing with exactly n items, mean over n of a mean cycle";
        Ok(Self {
            average,
            last,
            longer,
            longer_error,
            positives: arrivals * active - law.mean_false_positives(),
            accuracy,
            source,
        })
    }

    /// The accuracy of the mean cycle.
    fn of_the_cycle(
        &self,
        params: &RecyclingParams,
        half: PartitionedHalf,
        law: &CycleLaw,
    ) -> Accuracy {
        if params.hashing == Hashing::Independent || params.hashes <= 2 {
            return law.accuracy;
        }
        let accuracy = match params.on {
            On::BitsSet => law.accuracy.and(Accuracy::approximation(
                self.longer_error / law.mean_arrivals,
            )),
            On::Messages => law
                .accuracy
                .and_share(self.accuracy, law.mean_arrivals, self.longer),
        };
        accuracy.and(Accuracy::approximation(
            DEPENDENT_CYCLE / (half.range() as f64).powi(2),
        ))
    }

    /// The accuracy of an average rate whose independent part has `accuracy`.
    fn of_the_rate(&self, half: PartitionedHalf, accuracy: Accuracy, base: f64) -> Accuracy {
        if self.average == 0.0 {
            return accuracy;
        }
        let error = DEPENDENT_RATE * f64::from(half.hashes()) / (half.range() as f64).powi(2);
        accuracy
            .and_share(self.accuracy, base, self.average)
            .and(Accuracy::approximation(error))
    }

    /// The mean number of bit-setting messages of a cycle.
    fn bit_setting(
        &self,
        params: &RecyclingParams,
        half: PartitionedHalf,
        law: &CycleLaw,
        source: &str,
        retained: &str,
    ) -> Figure {
        match params.on {
            On::Messages => threshold_itself(params.threshold, params.retain),
            On::BitsSet => {
                let value = law.mean_bit_setting() + self.longer - self.positives;
                Figure::new(
                    value,
                    format!("{source}, mean cycle times (1 - active rate){retained}"),
                    self.of_the_cycle(
                        params,
                        half,
                        &CycleLaw {
                            accuracy: law.bit_setting_accuracy(),
                            ..*law
                        },
                    )
                    .and_share(self.accuracy, value, self.positives),
                )
            }
        }
    }
}

impl Accuracy {
    /// The accuracy of `main + extra` from that of each; an `extra` of 0 leaves the accuracy as it is.
    fn and_share(self, extra_accuracy: Accuracy, main: f64, extra: f64) -> Accuracy {
        if extra == 0.0 || main + extra == 0.0 {
            return self;
        }
        let total = main + extra;
        Accuracy {
            kind: AccuracyKind::Approximation,
            relative_error: (self.relative_error * main
                + extra_accuracy.relative_error * extra.abs())
                / total,
        }
    }
}
