//! Exact rational arithmetic: the published alternating sums, as numerator and denominator.
#![allow(dead_code)] // each test binary takes its part

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A fraction that is never reduced.
pub struct Fraction {
    pub numerator: BigInt,
    pub denominator: BigInt,
}

impl Fraction {
    pub fn new(numerator: BigInt, denominator: BigInt) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    /// `|value/self - 1|`; the value itself where the fraction is 0.
    pub fn relative_error(&self, value: f64) -> f64 {
        if self.numerator.is_zero() {
            return value.abs();
        }
        let (mantissa, exponent) = parts(value);
        let mut left = BigInt::from(mantissa) * &self.denominator;
        let mut right = self.numerator.clone();
        if exponent >= 0 {
            left <<= exponent as usize;
        } else {
            right <<= (-exponent) as usize;
        }
        quotient(&(left - &right), &right).abs()
    }

    pub fn value(&self) -> f64 {
        quotient(&self.numerator, &self.denominator)
    }

    pub fn minus(&self, other: &Self) -> Self {
        Self::new(
            &self.numerator * &other.denominator - &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }

    pub fn plus(&self, other: &Self) -> Self {
        let negative = Self::new(-&other.numerator, other.denominator.clone());
        self.minus(&negative)
    }

    pub fn times(&self, other: &Self) -> Self {
        Self::new(
            &self.numerator * &other.numerator,
            &self.denominator * &other.denominator,
        )
    }

    pub fn pow(&self, exponent: u32) -> Self {
        Self::new(self.numerator.pow(exponent), self.denominator.pow(exponent))
    }
}

/// `a/b` as a double, to about 70 bits before rounding.
fn quotient(a: &BigInt, b: &BigInt) -> f64 {
    if a.is_zero() {
        return 0.0;
    }
    let shift = 70 + b.bits() as i64 - a.bits() as i64;
    let whole = if shift >= 0 {
        (a << shift as usize) / b
    } else {
        a / (b << (-shift) as usize)
    };
    let value = whole.to_f64().expect("72 bits fit a double");
    let half = (-shift / 2) as i32;
    value * 2f64.powi(half) * 2f64.powi(-shift as i32 - half)
}

fn parts(value: f64) -> (i64, i32) {
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if exponent == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, exponent - 1075)
    };
    (if value < 0.0 { -mantissa } else { mantissa }, exponent)
}

pub fn binomial(n: u64, k: u64) -> BigInt {
    if k > n {
        return BigInt::zero();
    }
    let mut result = BigInt::one();
    for i in 0..k {
        result = result * (n - i) / (i + 1);
    }
    result
}

/// `nabla^i f` at m for i = 0 ..= order.
pub fn backward_differences(m: u64, order: u64, f: impl Fn(u64) -> BigInt) -> Vec<BigInt> {
    let mut row: Vec<BigInt> = (0..=order)
        .map(|j| if j > m { BigInt::zero() } else { f(m - j) })
        .collect();
    let mut result = vec![row[0].clone()];
    for _ in 0..order {
        row = row.windows(2).map(|pair| &pair[0] - &pair[1]).collect();
        result.push(row[0].clone());
    }
    result
}

/// OCC (56) as printed.
pub fn standard_rate(m: u64, n: u64, k: u64) -> Fraction {
    let balls = (n * k) as u32;
    let differences = backward_differences(m, k, |x| BigInt::from(x).pow(balls));
    let mut stirling = vec![BigInt::one()];
    for _ in 0..k {
        let mut next = vec![BigInt::zero(); stirling.len() + 1];
        for (i, value) in stirling.iter().enumerate() {
            next[i] += value * i;
            next[i + 1] += value;
        }
        stirling = next;
    }
    let mut falling = BigInt::one();
    let mut numerator = BigInt::zero();
    for i in 0..=k {
        numerator += &stirling[i as usize] * &falling * &differences[i as usize];
        falling *= m.saturating_sub(i);
    }
    Fraction::new(numerator, BigInt::from(m).pow(balls + k as u32))
}

/// OCC (60) as printed.
pub fn classic_rate(m: u64, n: u64, k: u64) -> Fraction {
    covered(m, &[(n, k)], k)
}

/// OCC (19) over `C(m,r)`: given urns all occupied.
pub fn covered(m: u64, batches: &[(u64, u64)], targets: u64) -> Fraction {
    let product = |x: u64| {
        batches.iter().fold(BigInt::one(), |all, (n, k)| {
            all * binomial(x, *k).pow(*n as u32)
        })
    };
    let differences = backward_differences(m, targets, product);
    Fraction::new(differences[targets as usize].clone(), product(m))
}

/// OCC (18) as printed.
pub fn union_pmf(m: u64, batches: &[(u64, u64)]) -> Vec<Fraction> {
    let product = |x: u64| {
        batches.iter().fold(BigInt::one(), |all, (n, k)| {
            all * binomial(x, *k).pow(*n as u32)
        })
    };
    (0..=m)
        .map(|i| {
            let difference = backward_differences(i, i, product)[i as usize].clone();
            Fraction::new(binomial(m, i) * difference, product(m))
        })
        .collect()
}

/// OCC (38) as printed.
pub fn intersection_pmf(m: u64, unions: &[Vec<(u64, u64)>]) -> Vec<Fraction> {
    let both = |r: u64| {
        unions
            .iter()
            .map(|batches| covered(m, batches, r))
            .reduce(|all, one| all.times(&one))
            .expect("at least one union")
    };
    (0..=m)
        .map(|i| {
            let mut sum = Fraction::new(BigInt::zero(), BigInt::one());
            for j in 0..=m - i {
                let term = both(i + j);
                let sign = if j % 2 == 0 { 1 } else { -1 };
                let weight = binomial(m - i, j) * binomial(m, i) * sign;
                sum = sum.plus(&term.times(&Fraction::new(weight, BigInt::one())));
            }
            sum
        })
        .collect()
}

/// Mean and variance of a distribution.
pub fn moments(pmf: &[Fraction]) -> (Fraction, Fraction) {
    let zero = || Fraction::new(BigInt::zero(), BigInt::one());
    let (mut mean, mut square) = (zero(), zero());
    for (i, probability) in pmf.iter().enumerate() {
        let scaled =
            |by: usize| Fraction::new(&probability.numerator * by, probability.denominator.clone());
        mean = mean.plus(&scaled(i));
        square = square.plus(&scaled(i * i));
    }
    let variance = square.minus(&mean.times(&mean));
    assert!(!variance.numerator.is_negative() || variance.denominator.is_negative());
    (mean, variance)
}

/// `P(Binomial(trials, 1/cells) >= threshold)`.
pub fn binomial_tail(trials: u64, cells: u64, threshold: u64) -> Fraction {
    let mut numerator = BigInt::zero();
    for l in threshold..=trials {
        numerator += binomial(trials, l) * BigInt::from(cells - 1).pow((trials - l) as u32);
    }
    Fraction::new(numerator, BigInt::from(cells).pow(trials as u32))
}
