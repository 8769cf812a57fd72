//! One filter with its numbers, and the best filter for every number of hashes.

use serde::Serialize;

use super::missed::Repeated;
use super::params::{On, RecyclingParams};
use super::popularity::Reuse;
use super::predict::{predict_with_law, Prediction};
use super::solve::solve_with_law;
use crate::accuracy::Figure;
use crate::error::TheoryError;
use crate::numeric::primes::is_prime;
use crate::recycling::CycleLaw;

/// Largest number of hashes that a search tries.
pub const MOST_HASHES: u32 = 16;

/// A filter, and what is predicted of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The filter; its memory may be less than was given where that does not divide into equal partitions.
    pub params: RecyclingParams,
    /// Its rates and cycles.
    pub prediction: Prediction,
    /// Mean false-negative rate over all repeats, where their reuse is known.
    pub false_negatives: Option<Figure>,
}

impl Candidate {
    /// Predicts a filter as it is.
    ///
    /// # Errors
    /// Those of [`predict`](super::predict), and [`TheoryError::OutOfDomain`] where the distances of `reuse` have no weight.
    pub fn of(params: RecyclingParams, reuse: Option<&Reuse>) -> Result<Self, TheoryError> {
        Self::predicted(params, predict_with_law(&params)?, reuse)
    }

    /// The filter with its prediction.
    pub(super) fn predicted(
        params: RecyclingParams,
        (prediction, law): (Prediction, CycleLaw),
        reuse: Option<&Reuse>,
    ) -> Result<Self, TheoryError> {
        let false_negatives = match reuse {
            Some(reuse) => Some(false_negatives(&params, &prediction, &law, reuse)?),
            None => None,
        };
        Ok(Self {
            params,
            prediction,
            false_negatives,
        })
    }

    /// The filter with the largest threshold that keeps the target rate; `params.threshold` is ignored.
    ///
    /// # Errors
    /// Those of [`solve_threshold`](super::solve_threshold) and [`Self::of`].
    pub fn within_rate(
        params: RecyclingParams,
        target_fpr: f64,
        reuse: Option<&Reuse>,
    ) -> Result<Self, TheoryError> {
        let (threshold, prediction, law) = solve_with_law(&params, target_fpr)?;
        let params = RecyclingParams {
            threshold,
            ..params
        };
        Self::predicted(params, (prediction, law), reuse)
    }

    /// The filter with the smallest threshold whose mean cycle is at least `capacity` new messages, and so the lowest
    /// rate; `params.threshold` is ignored.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the capacity is positive and finite, or when no threshold reaches it; those of [`Self::of`].
    pub fn with_capacity(
        params: RecyclingParams,
        capacity: f64,
        reuse: Option<&Reuse>,
    ) -> Result<Self, TheoryError> {
        const NAME: &str = "capacity search";
        if !(capacity > 0.0 && capacity.is_finite()) {
            let expected = "a positive, finite number of messages per cycle";
            return Err(TheoryError::domain(NAME, "capacity", expected, capacity));
        }
        let half = params.half()?;
        let k = f64::from(half.hashes());
        // the length of a cycle; none for a threshold that a half never meets
        let cycle = |threshold: u64| {
            let params = RecyclingParams {
                threshold,
                ..params
            };
            let (prediction, _) = predict_with_law(&params).ok()?;
            Some(prediction.cycle_arrivals.value)
        };
        let (smallest, most, guess) = match params.on {
            On::BitsSet => {
                let empty = (capacity * (-1.0 / half.range() as f64).ln_1p()).exp();
                let guess = half.bits() as f64 * (1.0 - empty) - 0.5 * k * empty;
                (u64::from(half.hashes()), half.bits() - 1, guess)
            }
            On::Messages => (2, 4 * half.range(), capacity),
        };
        if smallest > most {
            return Err(TheoryError::domain(
                NAME,
                "memory_bits",
                "room for one message",
                params.memory_bits,
            ));
        }
        let guess = (guess.max(0.0) as u64).clamp(smallest, most);
        let enough = |length: Option<f64>| length.is_some_and(|length| length >= capacity);
        let reaches = |threshold: u64| enough(cycle(threshold));
        // gallop from the guess to a bracket (below: does not reach, above: does), then halve it
        let (mut below, mut above);
        let mut step = 1;
        let mut length = cycle(guess);
        if enough(length) {
            above = guess;
            loop {
                if above == smallest {
                    below = smallest;
                    break;
                }
                below = above.saturating_sub(step).max(smallest);
                if !reaches(below) {
                    break;
                }
                above = below;
                step *= 4;
            }
        } else {
            below = guess;
            loop {
                if below == most {
                    let expected = format!(
                        "at most {:.0} messages per cycle of {} bits and k = {k}",
                        length.unwrap_or(f64::NAN),
                        params.memory_bits
                    );
                    return Err(TheoryError::domain(NAME, "capacity", expected, capacity));
                }
                above = below.saturating_add(step).min(most);
                length = cycle(above);
                if enough(length) {
                    break;
                }
                // a threshold on messages that is never met is not reached by a larger one
                if length.is_none() {
                    let expected = format!(
                        "a cycle that ends before a half of {} bits is full",
                        half.bits()
                    );
                    return Err(TheoryError::domain(NAME, "capacity", expected, capacity));
                }
                below = above;
                step *= 4;
            }
        }
        while above > below + 1 {
            let middle = below + (above - below) / 2;
            *(if reaches(middle) {
                &mut above
            } else {
                &mut below
            }) = middle;
        }
        Self::of(
            RecyclingParams {
                threshold: above,
                ..params
            },
            reuse,
        )
    }
}

/// The false-negative rate over all repeats, for the cycle as predicted (an excess of two hashes included).
fn false_negatives(
    params: &RecyclingParams,
    prediction: &Prediction,
    law: &CycleLaw,
    reuse: &Reuse,
) -> Result<Figure, TheoryError> {
    let arrivals = prediction.cycle_arrivals.value;
    let law = CycleLaw {
        mean_arrivals: arrivals,
        ..*law
    };
    let repeated = Repeated {
        half: params.half()?,
        law: &law,
        rate: prediction.fpr_average.value.min(1.0),
        phases: params.phases,
        retain: params.retain,
    };
    let missed = repeated.missed(reuse)?;
    Ok(match reuse {
        Reuse::Zipf(_) => Figure {
            accuracy: missed.accuracy.and(prediction.cycle_messages.accuracy),
            ..missed
        },
        // what is stated is mostly the spread of cycles
        Reuse::Distances(_) => missed,
    })
}

/// The geometry with the most bits for k hashes within a memory: partitions of `floor(memory/(phases k))`, cut to what may be
/// built. `None` when a partition is empty.
pub(super) fn fitted(
    params: RecyclingParams,
    hashes: u32,
    ranges: Ranges,
) -> Option<RecyclingParams> {
    let parts = u64::from(params.phases) * u64::from(hashes);
    let range = ranges.at_most(params.memory_bits / parts)?;
    Some(RecyclingParams {
        memory_bits: range * parts,
        hashes,
        ..params
    })
}

/// Which partitions may be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Ranges {
    /// Any number of positions.
    #[default]
    Any,
    /// Whole words of so many bits.
    WordsOf(u32),
    /// The greatest prime of positions in as many whole words of so many bits: the least excess of two hash functions.
    PrimesInWordsOf(u32),
    /// Powers of two, so that an index is a slice of a hash.
    PowersOfTwo,
}

impl Ranges {
    /// The largest range up to `range`; `None` if it is below 2.
    fn at_most(self, range: u64) -> Option<u64> {
        if range < 2 {
            return None;
        }
        let whole = |bits: u32| range / u64::from(bits) * u64::from(bits);
        let found = match self {
            Self::Any => range,
            Self::WordsOf(bits) => whole(bits),
            Self::PrimesInWordsOf(bits) => {
                let bank = whole(bits);
                (2..bank).rev().find(|&n| is_prime(n)).unwrap_or(bank)
            }
            Self::PowersOfTwo => 1 << range.ilog2(),
        };
        (found >= 2).then_some(found)
    }
}
