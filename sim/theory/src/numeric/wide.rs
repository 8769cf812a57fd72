//! A positive number with an exponent of its own, for rates and their powers far below the range of a double.

use super::double_double::Dd;

/// `mantissa 2^exponent`, mantissa 0 or in [1, 2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wide {
    mantissa: Dd,
    exponent: i64,
}

/// The power of two of a double's leading bit.
fn exponent_of(value: f64) -> i64 {
    let bits = (value.to_bits() >> 52 & 0x7ff) as i64;
    if bits == 0 {
        return exponent_of(value * 2f64.powi(64)) - 64; // subnormal
    }
    bits - 1023
}

/// `2^exponent` within the range of normal doubles.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `2^exponent`, in two steps where one would leave the range.
fn times_power_of_two(value: f64, exponent: i64) -> f64 {
    let exponent = exponent.clamp(-2200, 2200) as i32;
    value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

impl Wide {
    pub(crate) const ONE: Self = Self {
        mantissa: Dd::ONE,
        exponent: 0,
    };

    /// `value 2^exponent`.
    pub(crate) fn new(value: Dd, exponent: i64) -> Self {
        if value.value() <= 0.0 {
            return Self {
                mantissa: Dd::ZERO,
                exponent: 0,
            };
        }
        let shift = exponent_of(value.value());
        let half = -shift / 2;
        let mantissa = value
            .scaled(power_of_two(half))
            .scaled(power_of_two(-shift - half));
        Self {
            mantissa,
            exponent: exponent + shift,
        }
    }

    pub(crate) fn times(self, by: Self) -> Self {
        Self::new(self.mantissa * by.mantissa, self.exponent + by.exponent)
    }

    pub(crate) fn over(self, by: Self) -> Self {
        Self::new(self.mantissa.div(by.mantissa), self.exponent - by.exponent)
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        /// Binary digits behind which a term no longer counts.
        const DIGITS: i64 = 300;
        let (high, low) = match (self.is_zero(), self.exponent >= other.exponent) {
            (true, _) => (other, self),
            (false, true) => (self, other),
            (false, false) if other.is_zero() => (self, other),
            (false, false) => (other, self),
        };
        let behind = high.exponent - low.exponent;
        if low.is_zero() || behind > DIGITS {
            return high;
        }
        let sum = high.mantissa + low.mantissa.scaled(power_of_two(-behind));
        Self::new(sum, high.exponent)
    }

    /// Integer power; a relative error of about `exponent 2^-102`.
    pub(crate) fn powu(self, mut exponent: u64) -> Self {
        let mut base = self;
        let mut result = Self::ONE;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(base);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.times(base);
            }
        }
        result
    }

    pub(crate) fn is_zero(self) -> bool {
        self.mantissa.value() == 0.0
    }

    /// The nearest double; 0 below the range.
    pub(crate) fn value(self) -> f64 {
        times_power_of_two(self.mantissa.value(), self.exponent)
    }

    /// Natural logarithm; minus infinity for 0.
    pub(crate) fn ln(self) -> f64 {
        self.log2() * std::f64::consts::LN_2
    }

    /// Binary logarithm; minus infinity for 0. Near 1 it is as accurate as the number's distance from 1.
    pub(crate) fn log2(self) -> f64 {
        if self.is_zero() {
            return f64::NEG_INFINITY;
        }
        let (mantissa, exponent) = if self.mantissa.value() > 1.5 {
            (self.mantissa.scaled(0.5), self.exponent + 1)
        } else {
            (self.mantissa, self.exponent)
        };
        let above = (mantissa - Dd::ONE).value();
        exponent as f64 + above.ln_1p() / std::f64::consts::LN_2
    }

    /// The double-double, where it fits in the range of doubles.
    pub(crate) fn dd(self) -> Dd {
        let half = self.exponent.clamp(-2200, 2200) as i32 / 2;
        let rest = self.exponent.clamp(-2200, 2200) as i32 - half;
        self.mantissa
            .scaled(2f64.powi(half))
            .scaled(2f64.powi(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_leave_and_re_enter_the_range_of_doubles() {
        let third = Wide::new(Dd::ratio(1.0, 3.0), 0);
        let tiny = third.powu(2000);
        assert_eq!(tiny.value(), 0.0);
        assert!((tiny.log2() + 2000.0 * 3f64.log2()).abs() < 1e-11);
        let back = tiny.over(third.powu(1999)).value();
        assert_eq!(back, 1.0 / 3.0);
        assert_eq!(Wide::new(Dd::new(5e-324), 3).value(), 4e-323);
    }
}
