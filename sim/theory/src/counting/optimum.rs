//! The best load of a counter, and the best number of hashes (CBF 3.2, 3.3).

use super::filter::{CountingFilter, MOST_STEPS, NAME};

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::tail;

/// Largest threshold for which the optimum is sought.
const MOST_THRESHOLD: u64 = 100_000;

/// `kappa*(theta)` (CBF Theorem 1, Table 1): the load kn/m that minimises the Poisson rate, the root of
/// `ln T + kappa P(theta-1)/T` with T the Poisson tail (g of the paper, divided by T). Exact, by bisection on
/// (0, theta + 1), where the paper proves that it is the only one. Costs about 10 us times theta.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless theta is 1 to 100,000.
pub fn optimal_load(threshold: u64) -> Result<Figure, TheoryError> {
    if threshold == 0 || threshold > MOST_THRESHOLD {
        return Err(TheoryError::domain(
            NAME,
            "threshold",
            format!(
                "1 to {MOST_THRESHOLD} (nearest: {})",
                threshold.clamp(1, MOST_THRESHOLD)
            ),
            threshold,
        ));
    }
    let slope = |load: f64| {
        let reached = tail::poisson(load, threshold);
        let edge = tail::poisson_at(load, threshold - 1);
        reached.ln() + load * edge.over(reached).value()
    };
    // around the straight line (CBF 11), by secants, and by halves where they are slow
    let (mut lo, mut hi) = (0.0, threshold as f64 + 1.0);
    let (mut below, mut above) = (f64::NAN, f64::NAN);
    let mut next = (0.2037 * threshold as f64 + 0.9176).min(0.5 * (lo + hi));
    for round in 0..80 {
        let at = slope(next);
        let from = next;
        if at < 0.0 {
            (lo, below) = (next, at);
        } else {
            (hi, above) = (next, at);
        }
        let secant = lo - below * (hi - lo) / (above - below);
        next = match (below.is_nan(), above.is_nan()) {
            (true, _) => lo.max(0.97 * hi),
            (_, true) => hi.min(1.03 * lo),
            _ if round % 4 == 3 => 0.5 * (lo + hi),
            _ => secant,
        };
        // both ends close in: a secant stays just inside
        let inside = 1e-13 * hi;
        next = next.clamp(lo + inside, (hi - inside).max(lo + inside));
        if hi - lo <= 4.0 * inside || (next - from).abs() <= 2.0 * inside {
            break;
        }
    }
    Ok(Figure::new(
        next,
        "CBF Theorem 1, root of g",
        Accuracy::exact(1e-12),
    ))
}

/// The curves by which the paper shows that the best load is the only one, at one load (CBF Figures 3 and 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// `y_1 = ln(1 - Gamma(theta, kappa)/Gamma(theta, 0))`, the logarithm of the probability that a counter reaches the threshold.
    pub y1: f64,
    /// `y_2 = kappa - theta - 1`; g grows with the load where it lies below `y_1`.
    pub y2: f64,
    /// `g(theta, kappa)`, of the sign of the rate's slope in k.
    pub g: f64,
}

/// The curves at a load `kappa` = kn/m. Exact for the Poisson form, to 1e-12 of the terms of g.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless theta is 1 to 100,000 and the load is positive and finite.
pub fn slope_at(threshold: u64, load: f64) -> Result<Slope, TheoryError> {
    TheoryError::check_range(NAME, "threshold", threshold, (1, MOST_THRESHOLD))?;
    if !(load > 0.0 && load.is_finite()) {
        return Err(TheoryError::domain(
            NAME,
            "load",
            "above 0 and finite",
            load,
        ));
    }
    let reached = tail::poisson(load, threshold);
    let y1 = reached.ln();
    Ok(Slope {
        y1,
        y2: load - threshold as f64 - 1.0,
        g: reached.value() * y1 + load * tail::poisson_at(load, threshold - 1).value(),
    })
}

/// `kappa_1` and `kappa_2` (CBF Lemma 2): the loads at which `y_1 = y_2`, so that g is least and greatest there. Exact, by bisection.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless theta is 1 to 100,000.
pub fn turning_loads(threshold: u64) -> Result<[f64; 2], TheoryError> {
    // y_1 - y_2 is concave, and positive at the best load, where g rises
    let best = optimal_load(threshold)?.value;
    let root = |mut outside: f64| -> Result<f64, TheoryError> {
        let mut inside = best;
        for _ in 0..200 {
            let middle = 0.5 * (inside + outside);
            let at = slope_at(threshold, middle)?;
            *(if at.y1 > at.y2 {
                &mut inside
            } else {
                &mut outside
            }) = middle;
        }
        Ok(inside)
    };
    Ok([root(f64::MIN_POSITIVE)?, root(threshold as f64 + 1.0)?])
}

/// `0.2037 theta + 0.9176` (CBF 11), a straight line through [`optimal_load`] for large theta. The stated relative error
/// is the distance to it.
///
/// # Errors
/// Those of [`optimal_load`].
pub fn linear_load(threshold: u64) -> Result<Figure, TheoryError> {
    let value = 0.2037 * threshold as f64 + 0.9176;
    let exact = optimal_load(threshold)?.value;
    Ok(Figure::new(
        value,
        "CBF (11)",
        Accuracy::approximation((value - exact).abs() / value),
    ))
}

/// `k_opt(theta)` (CBF Theorem 1): the floor or the ceiling of `(m/n) kappa*(theta)`, whichever has the smaller Poisson
/// rate, at least 1. Exact for the Poisson form.
///
/// # Errors
/// Those of [`optimal_load`] and [`CountingFilter::new`]; [`TheoryError::OutOfDomain`] without insertions, and when the
/// optimum passes 10^6 hashes.
pub fn optimal_hashes(counters: u64, insertions: u64, threshold: u64) -> Result<u64, TheoryError> {
    optimal_hashes_at(
        optimal_load(threshold)?.value,
        counters,
        insertions,
        threshold,
    )
}

/// The same from [`optimal_load`] of the threshold, for a search that asks many times.
///
/// # Errors
/// As [`optimal_hashes`].
pub fn optimal_hashes_at(
    optimal_load: f64,
    counters: u64,
    insertions: u64,
    threshold: u64,
) -> Result<u64, TheoryError> {
    if insertions == 0 {
        return Err(TheoryError::domain(NAME, "insertions", "at least 1", 0));
    }
    let best = optimal_load * counters as f64 / insertions as f64;
    if best > MOST_STEPS as f64 - 1.0 {
        return Err(TheoryError::domain(
            NAME,
            "counters",
            format!("few enough for an optimum of at most {MOST_STEPS} hashes"),
            counters,
        ));
    }
    let floor = (best.floor() as u64).max(1);
    let log2 = |hashes: u64| -> Result<f64, TheoryError> {
        let load = CountingFilter::new(counters, insertions, hashes, threshold)?.load();
        Ok(tail::poisson(load, threshold).log2() * hashes as f64)
    };
    Ok(if log2(floor)? <= log2(floor + 1)? {
        floor
    } else {
        floor + 1
    })
}
