//! Quantiles of the beta distribution and of Student's, for parameters of any size.

use statrs::function::gamma::ln_gamma;

/// The `x` with `I_x(a, b) = probability`, the regularised incomplete beta function, for positive `a` and `b`. Bisection, so it
/// ends for every input; the relative error is about `1e-15 (a + b)` and at least 1e-14.
pub(super) fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // From 1 down to the least double takes some 1,100 halvings.
    while high - low > 1e-15 * high && high > f64::MIN_POSITIVE {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if beta_distribution(a, b, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The quantile of Student's distribution with `freedom` degrees of freedom, for a probability above one half.
pub(super) fn student_quantile(freedom: f64, probability: f64) -> f64 {
    let x = beta_quantile(0.5 * freedom, 0.5, 2.0 * (1.0 - probability));
    (freedom * (1.0 - x) / x).sqrt()
}

/// `I_x(a, b)` by its continued fraction (DLMF 8.17.22), on the side of the mean where it converges quickly: some
/// `sqrt(max(a, b))` terms.
fn beta_distribution(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * continued_fraction(a, b, x) / a
    } else {
        1.0 - front.exp() * continued_fraction(b, a, 1.0 - x) / b
    }
}

/// Lentz's algorithm.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    let terms = 1000 + 10 * a.max(b).sqrt() as u64;
    for m in 1..=terms {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for coefficient in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + coefficient * d);
            c = away_from_zero(1.0 + coefficient / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-6 * expected
    }

    /// Reference: SciPy 1.16, `scipy.stats.beta.ppf` and `isf`: the bounds of Clopper and Pearson for (successes, trials, confidence).
    #[test]
    fn beta_quantiles_are_the_tabulated_ones() {
        let table: [(f64, f64, f64, f64, f64); 9] = [
            (5.0, 100.0, 0.95, 0.016431879182052158, 0.11283491110546275),
            (
                23760.0,
                1e6,
                0.99,
                0.023369466106301823,
                0.024155072486134598,
            ),
            (
                238000.0,
                1e7,
                0.99,
                0.023676018471809706,
                0.02392443480077326,
            ),
            (
                100100.0,
                1e7,
                0.99,
                0.009929096415188273,
                0.010091370122311379,
            ),
            (5e6, 1e7, 0.99, 0.4995926757046103, 0.5004073242953897),
            (1.0, 1e7, 0.99, 5.012541822288007e-10, 7.430127111552372e-07),
            (9999999.0, 1e7, 0.99, 0.9999992569872889, 0.9999999994987459),
            (
                515384.0,
                560901.0,
                0.99,
                0.9179065974518862,
                0.9197867034050256,
            ),
            (
                12.0,
                1e9,
                0.999,
                3.72634696391914e-09,
                2.8203444795605964e-08,
            ),
        ];
        for (k, n, confidence, low, high) in table {
            let tail = (1.0 - confidence) / 2.0;
            let found = (
                beta_quantile(k, n - k + 1.0, tail),
                beta_quantile(k + 1.0, n - k, 1.0 - tail),
            );
            assert!(
                near(found.0, low) && near(found.1, high),
                "{k} of {n}: {found:?}"
            );
        }
    }

    /// Reference: SciPy 1.16, `scipy.stats.t.ppf`.
    #[test]
    fn student_quantiles_are_the_tabulated_ones() {
        for (freedom, probability, expected) in [
            (1.0, 0.995, 63.656741162871526),
            (3.0, 0.995, 5.840909309733355),
            (340.0, 0.995, 2.5903664728275833),
            (1e5, 0.995, 2.575878469908375),
            (1e7, 0.9999, 3.7190178643822778),
        ] {
            let found = student_quantile(freedom, probability);
            assert!(near(found, expected), "{freedom}: {found}");
        }
    }
}
