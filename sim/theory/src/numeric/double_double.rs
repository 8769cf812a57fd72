//! Double-double arithmetic: a number as the unevaluated sum of two doubles, about 32 decimal digits.
//!
//! Sums and products of positive numbers keep a relative error below `2^-102` an operation (Dekker, Knuth), so a chain
//! of 10^9 of them still rounds correctly to a double in all but the last place.

use std::ops::{Add, Mul, Sub};

/// `hi + lo` with `|lo|` at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dd {
    hi: f64,
    lo: f64,
}

#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[inline]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The two halves of a double, 26 bits each; overflows above 2^996.
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0;
    let shifted = SPLITTER * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

impl Dd {
    pub(crate) const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    pub(crate) const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    pub(crate) const fn new(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }

    /// The quotient of two doubles.
    pub(crate) fn ratio(a: f64, b: f64) -> Self {
        let first = a / b;
        let (product, error) = two_product(first, b);
        let second = ((a - product) - error) / b;
        let (hi, lo) = quick_two_sum(first, second);
        Self { hi, lo }
    }

    /// The nearest double.
    #[inline]
    pub(crate) fn value(self) -> f64 {
        self.hi
    }

    /// Times a double.
    #[inline]
    pub(crate) fn times(self, by: f64) -> Self {
        let (product, error) = two_product(self.hi, by);
        let (hi, lo) = quick_two_sum(product, error + self.lo * by);
        Self { hi, lo }
    }

    /// Times a power of two, exactly (short of underflow).
    pub(crate) fn scaled(self, power: f64) -> Self {
        Self {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }

    pub(crate) fn div(self, by: Self) -> Self {
        let first = self.hi / by.hi;
        let rest = self - by.times(first);
        let second = rest.hi / by.hi;
        let rest = rest - by.times(second);
        let third = rest.hi / by.hi;
        let (hi, lo) = quick_two_sum(first, second);
        Self { hi, lo } + Self::new(third)
    }

    /// Integer power; a relative error of about `exponent 2^-102`.
    pub(crate) fn powu(self, mut exponent: u64) -> Self {
        let mut base = self;
        let mut result = Self::ONE;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base * base;
            }
        }
        result
    }
}

impl Add for Dd {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.hi, other.hi);
        let (low, low_error) = two_sum(self.lo, other.lo);
        let (sum, error) = quick_two_sum(sum, error + low);
        let (hi, lo) = quick_two_sum(sum, error + low_error);
        Self { hi, lo }
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Self {
            hi: -other.hi,
            lo: -other.lo,
        }
    }
}

impl Mul for Dd {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.hi, other.hi);
        let cross = self.hi * other.lo + self.lo * other.hi;
        let (hi, lo) = quick_two_sum(product, error + cross);
        Self { hi, lo }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_times_three_is_one_to_thirty_digits() {
        let third = Dd::ratio(1.0, 3.0);
        let left = third + third + third - Dd::ONE;
        assert!(left.value().abs() < 1e-31, "{left:?}");
        let left = Dd::ONE.div(third) - Dd::new(3.0);
        assert!(left.value().abs() < 1e-30, "{left:?}");
        let left = (third * Dd::new(3.0)).powu(1 << 40) - Dd::ONE;
        assert!(left.value().abs() < 1e-18, "{left:?}");
    }
}
