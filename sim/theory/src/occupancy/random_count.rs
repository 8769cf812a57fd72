//! Occupancy after a random number of batches.

use super::batches::{Batches, MAX_BALLS};
use super::moments::Given;
use super::pmf::Pmf;
use super::union::Union;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;
use crate::numeric::sum::Sum;

const NAME: &str = "random number of batches";
/// Most numbers of batches that are looked at.
const MOST_NUMBERS: u64 = 4_000_000;
/// Probability, over that of the likeliest number, below which numbers are left out.
const NEGLIGIBLE: f64 = 1e-22;
/// Most elementary steps of a distribution, about a second.
const MOST_STEPS: u64 = 100_000_000;
/// Rounding of the weights, which follow from that of the likeliest number one by one.
const ACCURACY: f64 = 1e-9;

/// A law of the number of batches.
#[derive(Debug, Clone, PartialEq)]
pub enum Count {
    /// Poisson, as of items that come independently during an interval.
    Poisson {
        /// Mean number.
        mean: f64,
    },
    /// Binomial, as of candidates that are taken independently.
    Binomial {
        /// Candidates.
        trials: u64,
        /// Probability that a candidate is taken.
        probability: f64,
    },
    /// Probabilities of 0, 1, 2, .. batches.
    Given(Vec<f64>),
}

impl Count {
    /// The numbers that matter with their probabilities, which are made to sum to 1.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] for a mean that is no number from 0 to 2^36, a probability outside 0 to 1, given ones that are
    /// negative or do not sum to 1 within 1e-9, and more than 2^36 trials.
    pub fn numbers(&self) -> Result<Vec<(u64, f64)>, TheoryError> {
        const MOST: u64 = 1 << 36;
        let mut numbers: Vec<(u64, f64)> = match *self {
            Self::Poisson { mean } => {
                if !(mean >= 0.0 && mean <= MOST as f64) {
                    return Err(TheoryError::domain(NAME, "mean", "0 to 2^36", mean));
                }
                around(mean as u64, |n| mean / (n + 1) as f64)
            }
            Self::Binomial {
                trials,
                probability,
            } => {
                TheoryError::check_range(NAME, "trials", trials, (0, MOST))?;
                if !(0.0..=1.0).contains(&probability) {
                    let expected = "0 to 1";
                    return Err(TheoryError::domain(
                        NAME,
                        "probability",
                        expected,
                        probability,
                    ));
                }
                let odds = probability / (1.0 - probability);
                match odds.is_finite() {
                    true => around((trials as f64 * probability) as u64, |n| {
                        trials.saturating_sub(n) as f64 / (n + 1) as f64 * odds
                    }),
                    false => vec![(trials, 1.0)],
                }
            }
            Self::Given(ref probabilities) => {
                let total: f64 = probabilities.iter().sum();
                if probabilities.iter().any(|p| p.is_nan() || *p < 0.0)
                    || (total - 1.0).abs() > 1e-9
                {
                    let expected = "none below 0, with a sum of 1";
                    return Err(TheoryError::domain(NAME, "probabilities", expected, total));
                }
                (0..).zip(probabilities.iter().copied()).collect()
            }
        };
        numbers.retain(|(_, probability)| *probability > 0.0);
        let total: f64 = numbers.iter().map(|(_, probability)| probability).sum();
        numbers
            .iter_mut()
            .for_each(|(_, probability)| *probability /= total);
        Ok(numbers)
    }
}

/// Numbers around a likely one with weights, from the ratio of the weight of the next number to that of a number.
fn around(likely: u64, ratio: impl Fn(u64) -> f64) -> Vec<(u64, f64)> {
    let mut below = Vec::new();
    let (mut n, mut weight) = (likely, 1.0);
    while n > 0 && weight > NEGLIGIBLE {
        n -= 1;
        weight /= ratio(n);
        below.push((n, weight));
    }
    below.reverse();
    let above = std::iter::successors(Some((likely, 1.0)), |&(n, weight)| {
        Some((n + 1, weight * ratio(n)))
    });
    below.extend(above.take_while(|(_, weight)| *weight > NEGLIGIBLE));
    below
}

/// The number of occupied urns after a random number of batches of one size.
///
/// The mixture of the laws of fixed numbers (OCC 2.2); a derivation of this project. It is what a filter holds that is filled for an
/// interval, not with a number of items.
///
/// ```
/// use bloomline_theory::occupancy::{Count, RandomBatches};
///
/// // items come as a Poisson process: the bits of a standard filter with one hash are then independent
/// let filled = RandomBatches::new(1000, 1, &Count::Poisson { mean: 500.0 })?;
/// let share = 1.0 - (-0.5f64).exp();
/// assert!((filled.mean().value - 1000.0 * share).abs() < 1e-6);
/// assert!((filled.variance().value - 1000.0 * share * (1.0 - share)).abs() < 1e-6);
/// # Ok::<(), bloomline_theory::TheoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RandomBatches {
    urns: u64,
    size: u64,
    numbers: Vec<(u64, f64)>,
}

impl RandomBatches {
    /// `urns` urns, batches of `size` distinct balls, and the law of their number.
    ///
    /// # Errors
    /// Those of [`Union::new`] for the greatest number that matters, and of [`Count::numbers`]; [`TheoryError::TooLarge`] where over
    /// 4,000,000 numbers matter.
    pub fn new(urns: u64, size: u64, count: &Count) -> Result<Self, TheoryError> {
        let numbers = count.numbers()?;
        if numbers.len() as u64 > MOST_NUMBERS {
            return Err(TheoryError::TooLarge {
                formula: NAME,
                quantity: "numbers of batches",
                got: numbers.len() as u64,
                limit: MOST_NUMBERS,
                next_step: "use Union with the mean number",
            });
        }
        let most = numbers.last().map_or(0, |(n, _)| *n);
        Batches::check(
            urns,
            &[Batches {
                count: most.min(MAX_BALLS),
                size,
            }],
        )?;
        Ok(Self {
            urns,
            size,
            numbers,
        })
    }

    /// Mean of what a number of batches has. The accuracy is that of the weights, 1e-9, and of what is averaged.
    pub fn mean_of(&self, value: impl Fn(u64) -> f64) -> f64 {
        let mut sum = Sum::default();
        for (n, probability) in &self.numbers {
            sum.add(probability * value(*n));
        }
        sum.value()
    }

    /// Mean and variance for a fixed number.
    fn moments(&self, count: u64) -> (f64, f64) {
        let given = Given::of(
            self.urns,
            &[Batches {
                count,
                size: self.size,
            }],
        );
        (
            given.mean(self.urns, "").value,
            given.variance(self.urns, "").value,
        )
    }

    /// Expected number of occupied urns. Exact to the weights.
    pub fn mean(&self) -> Figure {
        Figure::new(
            self.mean_of(|n| self.moments(n).0),
            "mean over the number of batches of OCC (19), r = 1",
            Accuracy::exact(ACCURACY),
        )
    }

    /// Variance of the number of occupied urns: the mean of the variances and the variance of the means. Exact to the weights.
    pub fn variance(&self) -> Figure {
        let mean = self.mean().value;
        Figure::new(
            self.mean_of(|n| {
                let (at, variance) = self.moments(n);
                variance + (at - mean) * (at - mean)
            }),
            "mean over the number of batches of OCC (19), r = 1, 2, and the variance of the means",
            Accuracy::exact(ACCURACY),
        )
    }

    /// The distribution: every number of batches of one run of the positive recursion OCC (12). Exact to the weights, but for
    /// some 1e-22 of numbers of batches that are left out, which count in probabilities below 1e-12.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] above 10^8 elementary steps.
    pub fn pmf(&self) -> Result<Pmf, TheoryError> {
        let most = self.numbers.last().map_or(0, |(n, _)| *n);
        let steps = most
            .saturating_mul(self.size.saturating_add(1))
            .saturating_mul(self.urns.min(most.saturating_mul(self.size)));
        if steps > MOST_STEPS || self.urns > MOST_STEPS {
            return Err(TheoryError::TooLarge {
                formula: "occupancy distribution of a random number of batches",
                quantity: "balls times urns",
                got: steps.max(self.urns),
                limit: MOST_STEPS,
                next_step: "use the mean and the variance",
            });
        }
        let batches = [Batches {
            count: most,
            size: self.size,
        }];
        let mut mixed = vec![Dd::ZERO; self.urns as usize + 1];
        let mut numbers = self.numbers.iter().peekable();
        Union::new(self.urns, &batches)?.follow(|batches_thrown, counts| {
            while let Some((_, probability)) = numbers.next_if(|(n, _)| *n == batches_thrown) {
                for (sum, count) in mixed.iter_mut().zip(counts) {
                    *sum = *sum + count.times(*probability);
                }
            }
        });
        Ok(Pmf {
            probabilities: mixed.iter().map(|p| p.value()).collect(),
            formula: "mean over the number of batches of OCC (18)",
            accuracy: Accuracy::exact(ACCURACY),
        })
    }
}
