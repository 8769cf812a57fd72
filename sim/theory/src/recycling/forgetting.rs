//! False negatives: repeats whose key was recycled away, which RBF leaves open.
//!
//! The moments of a repeat are uniform over a cycle, cycles are taken to have their mean length L, and a key that was
//! forgotten may still match by chance in the fill of that moment.

use super::cycle::CycleLaw;
use super::partitioned_half::PartitionedHalf;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::{partitioned_rate, RateSums};

const NAME: &str = "false negatives";
const FORMULA: &str =
    "uniform phase in a cycle of mean length, less false matches at the fill then (this project)";

fn check(cycle_length: f64, phases: u32) -> Result<(), TheoryError> {
    if !(1..=2).contains(&phases) {
        return Err(TheoryError::domain(NAME, "phases", "1 or 2", phases));
    }
    if !(cycle_length >= 1.0 && cycle_length.is_finite()) {
        return Err(TheoryError::domain(
            NAME,
            "cycle_length",
            "a finite length of at least 1 arrival",
            cycle_length,
        ));
    }
    Ok(())
}

/// The probability that a key is forgotten when it returns, `distance` new messages after its last arrival.
///
/// Source: derivation of this project. With d' = d + 1 for the filter that forgets its tripping message and d' = d for
/// the retaining one, one phase has forgotten it with `min(1, d'/L)`; two phases with 1/L (0 retaining) for d <= L,
/// `(d'-L)/L` for L < d < 2L, 1 beyond. An approximation, and an upper bound of the false-negative rate in that it
/// leaves out false matches; [`Forgetting`] takes them in. `cycle_length` in new arrivals.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `phases` is 1 or 2 and the cycle is finite and at least 1.
pub fn false_negative(
    distance: u64,
    cycle_length: f64,
    phases: u32,
    retain: bool,
) -> Result<f64, TheoryError> {
    check(cycle_length, phases)?;
    let (passed, tripped) = counted(distance as f64, cycle_length, retain);
    let forgotten = if phases == 1 {
        passed / cycle_length
    } else {
        passed / cycle_length - 1.0
    };
    Ok(if phases == 1 {
        forgotten
    } else {
        forgotten.max(tripped)
    }
    .min(1.0))
}

/// d', and the probability that the key's last arrival tripped and was forgotten at once.
fn counted(distance: f64, cycle_length: f64, retain: bool) -> (f64, f64) {
    if retain {
        (distance, 0.0)
    } else {
        (distance + 1.0, 1.0 / cycle_length)
    }
}

/// The false-negative rates of one partitioned filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forgetting {
    half: PartitionedHalf,
    cycle_length: f64,
    frozen_rate: f64,
    phases: u32,
    retain: bool,
}

impl Forgetting {
    /// From the law of the filter as it is: the retaining law with `retain`, else the non-retaining one.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `phases` is 1 or 2.
    pub fn new(
        half: PartitionedHalf,
        law: &CycleLaw,
        phases: u32,
        retain: bool,
    ) -> Result<Self, TheoryError> {
        check(law.mean_arrivals, phases)?;
        Ok(Self {
            half,
            cycle_length: law.mean_arrivals,
            frozen_rate: law.frozen_rate,
            phases,
            retain,
        })
    }

    /// The probability that a repeat gets the verdict not-seen, `distance` new messages after its last arrival.
    ///
    /// Source: derivation of this project. As [`false_negative`], with the false matches of a forgotten key: in the active
    /// half at its fill t arrivals after the recycle, t uniform over the moments at which the key is gone, and in the
    /// frozen half. Approximation; for its error see
    /// [`Self::absolute_error`].
    pub fn false_negative(&self, distance: u64) -> f64 {
        self.false_negative_by(distance, &self.rate_sums())
    }

    /// Sums of the active half's rate.
    fn rate_sums(&self) -> RateSums {
        let range = self.half.range() as f64;
        RateSums::new(range, self.half.hashes(), self.cycle_length + 1.0)
    }

    fn false_negative_by(&self, distance: u64, sums: &RateSums) -> f64 {
        let (passed, tripped) = counted(distance as f64, self.cycle_length, self.retain);
        if self.phases == 1 {
            return self.unmatched(passed, sums);
        }
        // a tripping message had a clear bit in the half that it froze: no false match there
        let at_once = tripped * (1.0 - self.rate_after(distance as f64));
        let later = self.unmatched(passed - self.cycle_length, sums) * (1.0 - self.frozen_rate);
        later.max(if passed <= self.cycle_length + 1.0 {
            at_once
        } else {
            0.0
        })
    }

    /// Stated absolute error of [`Self::false_negative`], `0.6/sqrt(k m')`: some 0.4 relative standard deviations of a
    /// cycle on bits, which the formula takes to have its mean length. It is reached where d' is near L or 2L, and far
    /// smaller elsewhere; tested by simulation.
    pub fn absolute_error(&self) -> f64 {
        0.6 / (self.half.bits() as f64).sqrt()
    }

    /// The mean over the reuse distances of a trace or a popularity law, each with its weight (a count or a probability).
    /// A share of keys never seen before has no distance and does not belong in the list. Where the stated error is more than the
    /// rate, the formula gives its absolute size; of a rate of 0 the relative error is [`f64::MAX`].
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when a weight is negative or not finite, or the weights sum to nothing.
    pub fn mean_false_negative(
        &self,
        distances: impl IntoIterator<Item = (u64, f64)>,
    ) -> Result<Figure, TheoryError> {
        let (mut total, mut missed) = (0.0, 0.0);
        let sums = self.rate_sums();
        for (distance, weight) in distances {
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(TheoryError::domain(
                    NAME,
                    "weight",
                    "a finite weight of at least 0",
                    weight,
                ));
            }
            total += weight;
            missed += weight * self.false_negative_by(distance, &sums);
        }
        if total <= 0.0 {
            return Err(TheoryError::domain(
                NAME,
                "distances",
                "at least one distance of positive weight",
                "none",
            ));
        }
        let rate = missed / total;
        let absolute = self.absolute_error();
        let relative = if rate > 0.0 {
            (absolute / rate).min(f64::MAX)
        } else {
            f64::MAX
        };
        let formula = if relative > 1.0 {
            format!("{FORMULA}; absolute error up to {absolute:.1e}")
        } else {
            FORMULA.to_owned()
        };
        Ok(Figure::new(
            rate,
            formula,
            Accuracy::approximation(relative),
        ))
    }

    /// Share of a cycle's first `moments` arrivals in the whole cycle, those with a false match in the active half left
    /// out.
    fn unmatched(&self, moments: f64, sums: &RateSums) -> f64 {
        let moments = moments.clamp(0.0, self.cycle_length);
        let first = f64::from(u8::from(self.retain));
        let matched = sums.to(moments + first) - sums.to(first);
        (moments - matched) / self.cycle_length
    }

    /// The rate of the active half, `arrivals` after a recycle.
    fn rate_after(&self, arrivals: f64) -> f64 {
        let stored = arrivals.min(self.cycle_length) + f64::from(u8::from(self.retain));
        partitioned_rate(self.half.range() as f64, self.half.hashes(), stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recycling::{bits_set_law, Restart, SharedHalf};

    fn filter(phases: u32) -> Forgetting {
        let half = PartitionedHalf::new(250, 4).expect("legal half");
        // the check values are of a shared array, whose fills are those of the partitions
        let shared = SharedHalf::new(1000, 4, false).expect("legal half");
        let law = bits_set_law(shared, 500, Restart::Forget).expect("legal threshold");
        Forgetting::new(half, &law, phases, false).expect("legal filter")
    }

    #[test]
    fn false_negatives_match_the_simulated_check_values() {
        for (phases, distance, simulated) in [
            (1, 50, 0.2930),
            (1, 100, 0.5787),
            (2, 50, 0.0057),
            (2, 260, 0.4677),
            (2, 400, 0.9233),
        ] {
            let value = filter(phases).false_negative(distance);
            assert!(
                (value - simulated).abs() < 0.001,
                "{phases} phases, {distance}: {value} for {simulated}"
            );
        }
    }

    #[test]
    fn forgetting_follows_the_three_branches() {
        let length = 174.0;
        let value = |d, phases, retain| false_negative(d, length, phases, retain).expect("legal");
        assert_eq!(value(50, 1, false), 51.0 / length);
        assert_eq!(value(50, 1, true), 50.0 / length);
        assert_eq!(value(500, 1, true), 1.0);
        assert_eq!(value(50, 2, false), 1.0 / length);
        assert_eq!(value(174, 2, true), 0.0);
        assert!((value(260, 2, false) - 87.0 / length).abs() < 1e-15);
        assert_eq!(value(348, 2, true), 1.0);
        assert!(
            false_negative(1, length, 3, true).is_err() && false_negative(1, 0.5, 1, true).is_err()
        );
    }

    #[test]
    fn the_mean_weighs_its_distances() {
        let filter = filter(2);
        let mean = filter
            .mean_false_negative([(50, 3.0), (400, 1.0)])
            .expect("legal")
            .value;
        let expected = 0.75 * filter.false_negative(50) + 0.25 * filter.false_negative(400);
        assert!((mean - expected).abs() < 1e-15);
        assert!(
            filter.mean_false_negative([]).is_err()
                && filter.mean_false_negative([(1, -1.0)]).is_err()
        );
    }
}
