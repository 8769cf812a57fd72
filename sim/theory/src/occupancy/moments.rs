//! Mean and variance from the probabilities that one and that two given urns are occupied.

use super::batches::Batches;
use crate::accuracy::{Accuracy, Figure};
use crate::numeric::double_double::Dd;

/// What the tests allow; the variance of nearly deterministic counts is good to `10^-22` of the squared mean instead.
pub(super) const ACCURACY: f64 = 1e-13;

/// Probability that one, and that two given urns are occupied, each in double-doubles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    pub(super) one: Dd,
    pub(super) two: Dd,
}

impl Given {
    pub(super) const CERTAIN: Self = Self {
        one: Dd::ONE,
        two: Dd::ONE,
    };

    /// Of the union of batches: `1 - e1` and `1 - 2 e1 + e2`, with e the probability that given urns stay empty.
    pub(super) fn of(urns: u64, batches: &[Batches]) -> Self {
        let m = urns as f64;
        let (mut empty_one, mut empty_two) = (Dd::ONE, Dd::ONE);
        for batch in batches {
            let free = m - batch.size as f64;
            let missed = Dd::ratio(free, m);
            empty_one = empty_one * missed.powu(batch.count);
            let both = if urns > 1 {
                missed * Dd::ratio((free - 1.0).max(0.0), m - 1.0)
            } else {
                Dd::ZERO
            };
            empty_two = empty_two * both.powu(batch.count);
        }
        Self {
            one: Dd::ONE - empty_one,
            two: Dd::ONE - empty_one - empty_one + empty_two,
        }
    }

    /// Of independent counts that must all be occupied.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            one: self.one * other.one,
            two: self.two * other.two,
        }
    }

    pub(super) fn mean(self, urns: u64, formula: &'static str) -> Figure {
        let value = self.one.times(urns as f64).value();
        Figure::new(value, formula, Accuracy::exact(ACCURACY))
    }

    /// `E[X(X-1)] + E[X] - E[X]^2`.
    pub(super) fn variance(self, urns: u64, formula: &'static str) -> Figure {
        let m = urns as f64;
        let mean = self.one.times(m);
        let pairs = self.two.times(m).times(m - 1.0);
        let value = (pairs + mean - mean * mean).value();
        let noise = 1e-26 * (1.0 + mean.value() * mean.value());
        let value = if value < noise { 0.0 } else { value };
        Figure::new(value, formula, Accuracy::exact(ACCURACY))
    }
}
