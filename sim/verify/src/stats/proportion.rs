//! Intervals for a probability from independent trials.

use super::beta::beta_quantile;
use super::error::open_unit;
use super::interval::normal_quantile;
use super::{Interval, StatsError};

/// Wilson's score interval (E. B. Wilson, 1927): approximate, its mean coverage is the stated one; good from a few events on.
///
/// # Errors
/// With no trials, more successes than trials, or a confidence outside (0, 1).
pub fn wilson(successes: u64, trials: u64, confidence: f64) -> Result<Interval, StatsError> {
    check(successes, trials, confidence)?;
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z = normal_quantile(confidence);
    let shrink = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / shrink;
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    // At the ends the exact bound is 0 or 1; rounding would put it slightly beside.
    let low = if successes == 0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if successes == trials {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    Ok(Interval {
        low,
        high,
        confidence,
    })
}

/// The interval of Clopper and Pearson (1934): covers with at least the stated probability, for every number of trials.
///
/// # Errors
/// With no trials, more successes than trials, or a confidence outside (0, 1).
pub fn clopper_pearson(
    successes: u64,
    trials: u64,
    confidence: f64,
) -> Result<Interval, StatsError> {
    check(successes, trials, confidence)?;
    let tail = (1.0 - confidence) / 2.0;
    let (k, n) = (successes as f64, trials as f64);
    let low = if successes == 0 {
        0.0
    } else {
        beta_quantile(k, n - k + 1.0, tail)
    };
    let high = if successes == trials {
        1.0
    } else {
        beta_quantile(k + 1.0, n - k, 1.0 - tail)
    };
    Ok(Interval {
        low,
        high,
        confidence,
    })
}

fn check(successes: u64, trials: u64, confidence: f64) -> Result<(), StatsError> {
    open_unit("the confidence", confidence)?;
    if trials == 0 {
        return Err(StatsError {
            what: "the number of trials",
            value: 0.0,
            rule: "at least 1",
        });
    }
    if successes > trials {
        let value = successes as f64;
        return Err(StatsError {
            what: "the number of successes",
            value,
            rule: "at most the number of trials",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(interval: Interval, low: f64, high: f64) -> bool {
        (interval.low - low).abs() < 5e-6 && (interval.high - high).abs() < 5e-6
    }

    /// Reference: the defining equations solved with 50 digits (mpmath).
    #[test]
    fn intervals_are_the_tabulated_ones() {
        assert!(close(
            wilson(5, 100, 0.95).expect("good"),
            0.021543,
            0.111750
        ));
        assert!(close(
            clopper_pearson(5, 100, 0.95).expect("good"),
            0.016432,
            0.112835
        ));
        // No event in n trials: 1 - (alpha/2)^(1/n).
        let none = clopper_pearson(0, 30, 0.99).expect("good");
        assert!(
            close(none, 0.0, 1.0 - 0.005_f64.powf(1.0 / 30.0)),
            "{none:?}"
        );
        let all = clopper_pearson(30, 30, 0.99).expect("good");
        assert!(close(all, 0.005_f64.powf(1.0 / 30.0), 1.0), "{all:?}");
    }

    /// The coverage is a finite sum over the possible counts, so it is computed, not simulated.
    #[test]
    fn coverage_is_the_stated_one() {
        for (trials, p) in [(50_u64, 0.1_f64), (500, 0.02), (2000, 0.3)] {
            for confidence in [0.95, 0.99] {
                let coverage =
                    |interval: fn(u64, u64, f64) -> Result<Interval, StatsError>| -> f64 {
                        let mut probability = (1.0 - p).powi(trials as i32);
                        let mut total = 0.0;
                        for k in 0..=trials {
                            if interval(k, trials, confidence).expect("good").contains(p) {
                                total += probability;
                            }
                            probability *= (trials - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
                        }
                        total
                    };
                let (exact, approximate) = (coverage(clopper_pearson), coverage(wilson));
                assert!(
                    exact >= confidence && exact < 1.0,
                    "{exact} at {trials}, {p}, {confidence}"
                );
                assert!(
                    (approximate - confidence).abs() < 0.025,
                    "{approximate} at {trials}, {p}, {confidence}"
                );
            }
        }
    }

    #[test]
    fn impossible_counts_are_refused() {
        assert!(
            wilson(1, 0, 0.9).is_err() && wilson(3, 2, 0.9).is_err() && wilson(1, 2, 1.0).is_err()
        );
        assert!(clopper_pearson(1, 2, f64::NAN).is_err());
    }
}
