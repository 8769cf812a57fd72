//! The few complex operations that the contour integrals need, written for small arguments where that matters.

use std::ops::{Add, Mul, Sub};

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    pub(crate) const ZERO: Self = Self { re: 0.0, im: 0.0 };
    pub(crate) const ONE: Self = Self { re: 1.0, im: 0.0 };

    pub(crate) const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// `e^(i angle)`.
    pub(crate) fn cis(angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(cos, sin)
    }

    /// `e^(i angle) - 1` without cancellation at small angles.
    pub(crate) fn cis_m1(angle: f64) -> Self {
        let half = (0.5 * angle).sin();
        Self::new(-2.0 * half * half, angle.sin())
    }

    pub(crate) fn exp(self) -> Self {
        Self::cis(self.im).scale(self.re.exp())
    }

    /// `e^self - 1` without cancellation near 0.
    pub(crate) fn exp_m1(self) -> Self {
        let turn = Self::cis_m1(self.im);
        let grow = self.re.exp_m1();
        // (1 + grow)(1 + turn) - 1
        Self::new(grow + turn.re * (1.0 + grow), turn.im * (1.0 + grow))
    }

    /// `ln(1 + self)`, principal branch, without cancellation near 0.
    pub(crate) fn ln_1p(self) -> Self {
        Self::new(self.ln_norm_1p(), self.arg_1p())
    }

    /// `ln |1 + self|`, without cancellation near 0.
    pub(crate) fn ln_norm_1p(self) -> f64 {
        0.5 * (2.0 * self.re + self.re * self.re + self.im * self.im).ln_1p()
    }

    /// The angle of `1 + self`.
    pub(crate) fn arg_1p(self) -> f64 {
        self.im.atan2(1.0 + self.re)
    }

    pub(crate) fn scale(self, by: f64) -> Self {
        Self::new(self.re * by, self.im * by)
    }

    pub(crate) fn recip(self) -> Self {
        let norm = self.re * self.re + self.im * self.im;
        Self::new(self.re / norm, -self.im / norm)
    }

    pub(crate) fn div(self, by: Self) -> Self {
        self * by.recip()
    }

    pub(crate) fn powu(self, mut exponent: u32) -> Self {
        let mut base = self;
        let mut result = Self::ONE;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            exponent >>= 1;
        }
        result
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

/// `e^(i angle) - 1 - i angle`, to full relative accuracy at small angles.
pub(crate) fn cis_minus_linear(angle: f64) -> Complex {
    let half = (0.5 * angle).sin();
    let im = if angle.abs() < 0.3 {
        let square = angle * angle;
        let mut term = -angle * square / 6.0;
        let mut total = term;
        let mut n = 3.0;
        while term.abs() > 1e-18 * total.abs() {
            term *= -square / ((n + 1.0) * (n + 2.0));
            total += term;
            n += 2.0;
        }
        total
    } else {
        angle.sin() - angle
    };
    Complex::new(-2.0 * half * half, im)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_arguments_keep_their_relative_accuracy() {
        let tiny = Complex::new(1e-9, -2e-9);
        let there = tiny.exp_m1();
        let back = there.ln_1p();
        assert!(
            (back.re - tiny.re).abs() < 1e-24 && (back.im - tiny.im).abs() < 1e-24,
            "{back:?}"
        );
        let value = cis_minus_linear(1e-4);
        assert!((value.im / (-1e-12 / 6.0) - 1.0).abs() < 1e-8);
        let large = cis_minus_linear(0.2999);
        assert!((large.im - (0.2999f64.sin() - 0.2999)).abs() < 1e-16);
    }
}
