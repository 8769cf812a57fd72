//! Draws without replacement.

use crate::numeric::sum::Sum;
use std::collections::HashMap;

/// Draws from `all` keys without replacement, with what was asked before.
#[derive(Debug)]
pub(super) struct Draws {
    all: f64,
    asked: HashMap<(u64, u64), f64>,
}

impl Draws {
    pub(super) fn from(all: f64) -> Self {
        Self {
            all,
            asked: HashMap::new(),
        }
    }

    /// The probability that `draws` keys have none of `marked` among them: `C(all - marked, draws) / C(all, draws)`, exact
    /// but for rounding.
    pub(super) fn none(&mut self, marked: f64, draws: f64) -> f64 {
        if marked == 0.0 || draws == 0.0 {
            return 1.0;
        }
        let all = self.all;
        let asked = (marked.to_bits(), draws.to_bits());
        *self
            .asked
            .entry(asked)
            .or_insert_with(|| none_of(all, marked, draws))
    }

    /// The mean of [`Self::none`] over 0, 1, .. `draws` - 1 draws.
    ///
    /// `sum_n C(A-h, n)/C(A, n) = sum_n C(A-n, h)/C(A, h)`, which telescopes to `(A+1)/(h+1) (1 - C(A+1-L, h+1)/C(A+1, h+1))`.
    pub(super) fn mean_none(&mut self, marked: f64, draws: f64) -> f64 {
        if marked == 0.0 || draws == 0.0 {
            return 1.0;
        }
        let ln = ln_none_of(self.all + 1.0, marked + 1.0, draws);
        (self.all + 1.0) / (marked + 1.0) * -ln.exp_m1() / draws
    }
}

fn none_of(all: f64, marked: f64, draws: f64) -> f64 {
    ln_none_of(all, marked, draws).exp()
}

fn ln_none_of(all: f64, marked: f64, draws: f64) -> f64 {
    if marked + draws > all {
        return f64::NEG_INFINITY;
    }
    let (few, many) = if marked < draws {
        (marked, draws)
    } else {
        (draws, marked)
    };
    let mut sum = Sum::default();
    for place in 0..few as u64 {
        sum.add((-many / (all - place as f64)).ln_1p());
    }
    sum.value()
}
