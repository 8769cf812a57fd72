//! Confidence intervals.

use super::error::open_unit;
use super::StatsError;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// A two-sided confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Probability that such an interval covers the true value, for example 0.99.
    pub confidence: f64,
}

impl Interval {
    /// Whether `value` lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The same with both ends further out by `error`, and by the rounding of a value at that end.
    pub fn widened(&self, error: f64) -> Interval {
        const ROUNDING: f64 = 8.0 * f64::EPSILON;
        Interval {
            low: self.low - error - ROUNDING * self.low.abs(),
            high: self.high + error + ROUNDING * self.high.abs(),
            ..*self
        }
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// The confidence of each of `members` intervals that are all right together with probability `1 - alpha` at least
/// (Bonferroni): `1 - alpha / members`. `alpha` is 0.01 for a suite of this project.
///
/// # Errors
/// When `alpha` is not strictly between 0 and 1 or `members` is 0.
pub fn family_confidence(alpha: f64, members: usize) -> Result<f64, StatsError> {
    open_unit("the family's error probability", alpha)?;
    if members == 0 {
        return Err(StatsError {
            what: "the number of members of the family",
            value: 0.0,
            rule: "at least 1",
        });
    }
    Ok(1.0 - alpha / members as f64)
}

/// The z with which `[-z, z]` holds a standard normal value with probability `confidence`.
pub(crate) fn normal_quantile(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + confidence / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_shares_its_error_probability() {
        assert_eq!(family_confidence(0.01, 1), Ok(0.99));
        assert_eq!(family_confidence(0.01, 16), Ok(1.0 - 0.01 / 16.0));
        assert!(family_confidence(0.01, 0).is_err() && family_confidence(0.0, 3).is_err());
    }

    #[test]
    fn normal_quantiles_are_the_tabulated_ones() {
        for (confidence, z) in [
            (0.90, 1.644_853_627),
            (0.95, 1.959_963_985),
            (0.99, 2.575_829_304),
        ] {
            assert!(
                (normal_quantile(confidence) - z).abs() < 1e-8,
                "{confidence}"
            );
        }
    }
}
