//! Draws without replacement.

use crate::numeric::sum::Sum;
use std::collections::HashMap;

/// Terms that are summed one by one, and not by the integral over them.
const DIRECT: f64 = 32.0;
/// Marked keys up to which what was asked before is kept in a table.
const TABLE: f64 = (1u32 << 20) as f64;

/// So many draws from `all` keys without replacement, with what was asked before.
#[derive(Debug)]
pub(super) struct Draws {
    all: f64,
    draws: f64,
    /// By the number of marked keys; not a number where it was not asked for.
    few: Vec<f64>,
    many: HashMap<u64, f64>,
}

impl Draws {
    pub(super) fn new(all: f64, draws: f64) -> Self {
        Self {
            all,
            draws,
            few: Vec::new(),
            many: HashMap::new(),
        }
    }

    /// The probability that none of `marked` keys is drawn: `C(all - marked, draws) / C(all, draws)`, exact but for rounding.
    pub(super) fn none(&mut self, marked: f64) -> f64 {
        self.kept(marked, |all, draws| ln_none_of(all, marked, draws).exp())
    }

    /// The mean of [`Self::none`] over 0, 1, .. `draws` - 1 draws.
    ///
    /// `sum_n C(A-h, n)/C(A, n) = sum_n C(A-n, h)/C(A, h)`, which telescopes to `(A+1)/(h+1) (1 - C(A+1-L, h+1)/C(A+1, h+1))`.
    /// An object is asked for this or for [`Self::none`], never for both.
    pub(super) fn mean_none(&mut self, marked: f64) -> f64 {
        self.kept(marked, |all, draws| {
            let ln = ln_none_of(all + 1.0, marked + 1.0, draws);
            (all + 1.0) / (marked + 1.0) * -ln.exp_m1() / draws
        })
    }

    fn kept(&mut self, marked: f64, of: impl Fn(f64, f64) -> f64) -> f64 {
        if marked == 0.0 || self.draws == 0.0 {
            return 1.0;
        }
        let (all, draws) = (self.all, self.draws);
        if marked >= TABLE {
            let entry = self.many.entry(marked.to_bits());
            return *entry.or_insert_with(|| of(all, draws));
        }
        let place = marked as usize;
        if self.few.len() <= place {
            self.few.resize(place + 1, f64::NAN);
        }
        let value = &mut self.few[place];
        if value.is_nan() {
            *value = of(all, draws);
        }
        *value
    }
}

/// `sum_(j < many) ln(1 - few/(all - j))`, of the two numbers the smaller as `few`: the last terms, where the logarithm is steepest,
/// one by one, the rest by the integral and two terms of the Euler-Maclaurin formula. Relative error below 1e-12.
fn ln_none_of(all: f64, marked: f64, draws: f64) -> f64 {
    if marked + draws > all {
        return f64::NEG_INFINITY;
    }
    let (few, many) = (marked.min(draws), marked.max(draws));
    let mut sum = Sum::default();
    if few <= 2.0 * DIRECT {
        for place in 0..few as u64 {
            sum.add((-many / (all - place as f64)).ln_1p());
        }
        return sum.value();
    }
    let smoothed = many - DIRECT;
    for place in 0..DIRECT as u64 {
        sum.add((-few / (all - smoothed - place as f64)).ln_1p());
    }
    let (low, high) = (all - smoothed + 0.5, all + 0.5);
    // ln(1 - few/x) integrated, less what the two ends have in common
    let curved = |x: f64| x * ln_1p_beyond_first(-few / x);
    sum.add(curved(high) - curved(low));
    sum.add(-few * (smoothed / (low - few)).ln_1p());
    let slope = |x: f64| few / (x * (x - few));
    sum.add((slope(low) - slope(high)) / 24.0);
    let third = |x: f64| 2.0 * ((x - few).powi(-3) - x.powi(-3));
    sum.add((third(high) - third(low)) * 7.0 / 5760.0);
    sum.value()
}

/// `ln(1 + x) - x`.
fn ln_1p_beyond_first(x: f64) -> f64 {
    if x.abs() > 0.05 {
        return x.ln_1p() - x;
    }
    // -x^2/2 + x^3/3 - ..
    let terms = (2..=14).rev().map(f64::from);
    terms.fold(0.0, |sum, n| 1.0 / n - x * sum) * -x * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_integral_is_the_sum(few in 65_u32..4_000, more in 0_u32..4_000, left in prop_oneof![0_u32..40, 0_u32..1 << 30]) {
            let (few, many) = (f64::from(few), f64::from(few + more));
            let all = few + many + f64::from(left);
            let mut sum = Sum::default();
            for place in 0..few as u64 {
                sum.add((-many / (all - place as f64)).ln_1p());
            }
            let found = ln_none_of(all, few, many);
            prop_assert!((found / sum.value() - 1.0).abs() < 1e-12, "{found} {}", sum.value());
            prop_assert_eq!(ln_none_of(all, many, few), found);
        }
    }

    #[test]
    fn of_very_many_keys_each_is_drawn_as_if_alone() {
        let (all, marked, draws) = (2f64.powi(120), 2f64.powi(96), 2f64.powi(24));
        let found = ln_none_of(all, marked, draws);
        assert!((found + 1.0).abs() < 1e-7, "{found}");
        assert_eq!(ln_none_of(100.0, 60.0, 41.0), f64::NEG_INFINITY);
    }
}
