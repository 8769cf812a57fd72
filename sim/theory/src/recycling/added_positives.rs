//! Excess of two hash functions in the expected number of false positives among n arrivals.

use crate::two_hash::PartitionedDoubleHashing;

/// The false positives that two hashes add to E[X_n], around the recycle: the excess sum up to `from` arrivals, and from
/// there a parabola through the excess at three points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    from: f64,
    sum: f64,
    /// Coefficients of the excess after u more arrivals, `c[0] + c[1] u + c[2] u^2`.
    excess: [f64; 3],
}

impl Added {
    /// Around `from` arrivals; the parabola's points lie `apart` from each other.
    pub(crate) fn new(scheme: &PartitionedDoubleHashing, from: f64, apart: f64) -> Self {
        let at = |steps: f64| scheme.excess(from + steps * apart);
        let (first, middle, last) = (at(0.0), at(1.0), at(2.0));
        let curve = (last - 2.0 * middle + first) / 2.0;
        Self {
            from,
            sum: scheme.excess_sum(from),
            excess: [
                first,
                (middle - first - curve) / apart,
                curve / (apart * apart),
            ],
        }
    }

    /// The sum of the excess over 0..arrivals.
    pub(crate) fn sum_to(&self, arrivals: f64) -> f64 {
        let [a, b, c] = self.excess;
        let v = arrivals - self.from;
        let (ones, linear) = (v, v * (v - 1.0) / 2.0);
        self.sum + a * ones + b * linear + c * linear * (2.0 * v - 1.0) / 3.0
    }
}
