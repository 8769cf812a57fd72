//! Cauchy integrals that take the coefficient of x^n out of a generating function near `e^x`.

use super::complex::{cis_minus_linear, Complex};

/// Points of the trapezoidal rule per standard deviation of the integrand: the rule's error is `e^(-2 pi^2 1.6^2)`.
const DENSITY: f64 = 1.6;
/// Half width of the rule in standard deviations.
const REACH: f64 = 10.0;
/// Widest partial arc; below n = 60 the whole circle is taken.
const WIDEST: f64 = 1.3;

/// The angles at which an integrand `e^(n (e^(i psi) - 1 - i psi)) g(n e^(i psi))` is summed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circle {
    n: f64,
    points: usize,
    step: f64,
    centre: f64,
}

impl Circle {
    /// The rule for the coefficient of `x^n` (n an integer below 60, real above), the peak shifted to `centre`.
    pub(crate) fn new(n: f64, centre: f64) -> Self {
        Self::with(n, centre, DENSITY, REACH)
    }

    /// A rule whose error is 1e-13, around 0, for sums that are stated to 1e-9.
    pub(crate) fn quick(n: f64) -> Self {
        Self::with(n, 0.0, 1.4, 8.5)
    }

    fn with(n: f64, centre: f64, density: f64, wide: f64) -> Self {
        let reach = wide / n.max(1.0).sqrt();
        if REACH / n.max(1.0).sqrt() > WIDEST {
            let points = n.ceil() as usize + 128;
            return Self {
                n,
                points,
                step: std::f64::consts::TAU / points as f64,
                centre: 0.0,
            };
        }
        let points = (2.0 * wide * density).ceil() as usize | 1;
        Self {
            n,
            points,
            step: 2.0 * reach / (points - 1) as f64,
            centre,
        }
    }

    pub(crate) fn step(&self) -> f64 {
        self.step
    }

    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// Whether the rule takes the whole circle.
    pub(crate) fn is_whole(&self) -> bool {
        REACH / self.n.max(1.0).sqrt() > WIDEST
    }

    pub(crate) fn angles(self) -> impl Iterator<Item = f64> {
        let middle = 0.5 * (self.points - 1) as f64;
        (0..self.points).map(move |j| self.centre + (j as f64 - middle) * self.step)
    }

    /// The integrals of the bare peak for n and n + 1, which normalise others.
    pub(crate) fn units(self) -> [f64; 2] {
        let mut units = [0.0; 2];
        for psi in self.angles() {
            let base = cis_minus_linear(psi).scale(self.n).exp();
            units[0] += base.re * self.step;
            units[1] += (base * Complex::cis(-psi)).re * self.step;
        }
        units
    }

    /// `n! [x^n] e^x g(x)` for a real-analytic g: the value at exactly n of what g gives for a Poisson number of mean x.
    pub(crate) fn depoissonise(n: f64, g: impl Fn(Complex) -> Complex) -> f64 {
        let circle = Self::new(n, 0.0);
        let (mut unit, mut total) = (0.0, 0.0);
        for psi in circle.angles().filter(|psi| *psi >= -0.25 * circle.step) {
            // conjugate angles count twice
            let share = if psi.abs() < 0.25 * circle.step {
                1.0
            } else {
                2.0
            };
            let base = cis_minus_linear(psi).scale(n).exp().scale(share);
            unit += base.re;
            total += (base * g(Complex::cis(psi).scale(n))).re;
        }
        total / unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_of_a_known_function_come_back() {
        // n! [x^n] e^x e^(-x/5) = (4/5)^n
        for n in [1.0, 2.0, 7.0, 59.0, 60.0, 61.0, 400.0] {
            let value = Circle::depoissonise(n, |x| x.scale(-0.2).exp());
            let expected = 0.8f64.powf(n);
            assert!((value - expected).abs() < 1e-13, "{n}: {value} {expected}");
        }
    }
}
