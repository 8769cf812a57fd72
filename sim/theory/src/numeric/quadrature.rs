//! Gauss and Legendre's quadrature, and sums of smooth functions by it.

use super::sum::Sum;
use std::sync::LazyLock;

/// Up to this many terms are added one by one.
const ADDED: f64 = 1024.0;
/// Nodes of the quadrature.
const NODES: usize = 16;

/// Nodes and weights on -1 to 1, found by Newton's method.
static GAUSS_LEGENDRE: LazyLock<[(f64, f64); NODES]> = LazyLock::new(|| {
    let order = NODES as f64;
    std::array::from_fn(|i| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (order + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut value, mut before) = (1.0, 0.0);
            for n in 0..NODES {
                let n = n as f64;
                let next = ((2.0 * n + 1.0) * x * value - n * before) / (n + 1.0);
                (value, before) = (next, value);
            }
            slope = order * (x * value - before) / (x * x - 1.0);
            let step = value / slope;
            x -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// The integral of `of` from `low` to `high`; exact for polynomials up to degree 31.
pub(crate) fn integral(low: f64, high: f64, of: &impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let nodes = GAUSS_LEGENDRE.iter();
    half * nodes
        .map(|(x, weight)| weight * of(middle + half * x))
        .sum::<f64>()
}

/// The sum of `terms` values of `of` at `first`, `first` + 1 and so on, for a function as smooth as the rates of filters.
///
/// Up to 1,024 terms are added (a fractional number takes that fraction of the next term). Above, it is the integral from half a
/// step before the first to half a step behind the last term, with the first correction of Euler and Maclaurin; the error is below
/// 1e-9 of the sum for powers up to 16 of a fill.
pub(crate) fn sum(first: f64, terms: f64, of: &impl Fn(f64) -> f64) -> f64 {
    if terms <= ADDED {
        let whole = terms.floor().max(0.0);
        let mut sum = Sum::default();
        for t in 0..whole as u64 {
            sum.add(of(first + t as f64));
        }
        if terms > whole {
            sum.add((terms - whole) * of(first + whole));
        }
        return sum.value();
    }
    let end = first + terms;
    let slopes = (of(end) - of(end - 1.0)) - (of(first) - of(first - 1.0));
    integral(first - 0.5, end - 0.5, of) - slopes / 24.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_equals_the_sum() {
        for (range, hashes, terms) in [(5000.0, 1, 3000), (5000.0, 16, 3000), (1500.0, 7, 1100)] {
            let rate = |t: f64| (-(t * (-1.0f64 / range).ln_1p()).exp_m1()).powi(hashes);
            let direct: f64 = (1..=terms).map(|t| rate(t as f64)).sum();
            let quick = sum(1.0, terms as f64, &rate);
            assert!((quick / direct - 1.0).abs() < 1e-9, "{quick} {direct}");
        }
    }

    #[test]
    fn a_fraction_of_a_term_counts_as_much() {
        assert_eq!(sum(1.0, 2.5, &|t| t), 1.0 + 2.0 + 1.5);
        assert_eq!(sum(1.0, 0.0, &|t| t), 0.0);
    }
}
