//! A distribution over 0 .. m occupied urns.

use serde::Serialize;

use crate::accuracy::Accuracy;
use crate::numeric::sum::Sum;

/// Probabilities of 0 .. m occupied urns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pmf {
    /// `probabilities[i]` for i occupied urns.
    pub probabilities: Vec<f64>,
    /// Where it comes from.
    pub formula: &'static str,
    /// Of each probability above 1e-280; smaller ones lose digits to underflow.
    pub accuracy: Accuracy,
}

impl Pmf {
    /// Expected number of occupied urns.
    pub fn mean(&self) -> f64 {
        self.expectation(|i| i as f64)
    }

    /// Variance of the number of occupied urns.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|i| (i as f64 - mean) * (i as f64 - mean))
    }

    /// Expectation of a function of the number of occupied urns.
    pub fn expectation(&self, value: impl Fn(usize) -> f64) -> f64 {
        let mut sum = Sum::default();
        for (i, probability) in self.probabilities.iter().enumerate() {
            sum.add(probability * value(i));
        }
        sum.value()
    }
}
