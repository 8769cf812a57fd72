//! Upper tails of the binomial and of the Poisson law, in positive terms and with an exponent of their own.

use crate::numeric::double_double::Dd;
use crate::numeric::wide::Wide;
use std::cell::RefCell;
use std::collections::HashMap;

/// Terms below this share of the sum no longer count.
const NEGLIGIBLE: f64 = 1e-34;

/// `P(Binomial(trials, 1/cells) >= threshold)`.
///
/// Above the mean the tail is summed from `threshold` upwards; below it, the few terms under `threshold` are taken from
/// 1, of which at least two fifths then remain. Rounding: about `(threshold + log trials) 2^-100`.
pub(crate) fn binomial(trials: u64, cells: u64, threshold: u64) -> Wide {
    if threshold == 0 {
        return Wide::ONE;
    }
    if threshold > trials {
        return Wide::new(Dd::ZERO, 0);
    }
    let miss = Dd::ratio(cells as f64 - 1.0, cells as f64);
    // odds of hit to miss
    let odds = Dd::ratio(1.0, cells as f64 - 1.0);
    if threshold as f64 > trials as f64 / cells as f64 {
        let first = exactly(trials, cells, miss, threshold);
        let sum = tail_sum(|step| {
            let l = threshold + step;
            (l < trials).then(|| Dd::ratio((trials - l) as f64, (l + 1) as f64) * odds)
        });
        first.times(Wide::new(sum, 0))
    } else {
        // Chernoff's bound of what lies below: so little leaves 1
        let (mean, last) = (trials as f64 / cells as f64, threshold as f64 - 1.0);
        let divergence = match last {
            0.0 => 0.0,
            last => last * (last / mean).ln(),
        };
        if mean - last + divergence > -NEGLIGIBLE.ln() {
            return Wide::ONE;
        }
        // downwards from the count below the threshold, where the terms fall
        let last = threshold - 1;
        let sum = tail_sum(|step| {
            (step < last).then(|| {
                let l = last - step;
                Dd::ratio(l as f64, (trials - l + 1) as f64).times((cells - 1) as f64)
            })
        });
        let below = exactly(trials, cells, miss, last).times(Wide::new(sum, 0));
        Wide::new(Dd::ONE - below.dd(), 0)
    }
}

/// [`binomial`] of every threshold from 0 to `most`: the greatest, and from it downwards one probability after the other.
pub(crate) fn binomials(trials: u64, cells: u64, most: u64) -> Vec<Wide> {
    let mut tails = vec![Wide::ONE];
    if most > 0 {
        tails.append(&mut binomials_between(trials, cells, (1, most)));
    }
    tails
}

/// [`binomial`] of every threshold from `least`, 1 or more, to `most`.
pub(crate) fn binomials_between(trials: u64, cells: u64, (least, most): (u64, u64)) -> Vec<Wide> {
    let mut tails = vec![Wide::new(Dd::ZERO, 0); (most - least) as usize + 1];
    let first = most.min(trials);
    if first < least {
        return tails;
    }
    tails[(first - least) as usize] = binomial(trials, cells, first);
    let miss = Dd::ratio(cells as f64 - 1.0, cells as f64);
    let mut exact = exactly(trials, cells, miss, first - 1);
    for count in (least..first).rev() {
        let place = (count - least) as usize;
        tails[place] = tails[place + 1].plus(exact);
        let below = Dd::ratio(count as f64, (trials - count + 1) as f64).times((cells - 1) as f64);
        exact = exact.times(Wide::new(below, 0));
    }
    tails
}

/// `P(Binomial(trials, 1/cells) = count)`, `miss` being `1 - 1/cells`.
fn exactly(trials: u64, cells: u64, miss: Dd, count: u64) -> Wide {
    let hits = Wide::new(Dd::ratio(1.0, cells as f64), 0).powu(count);
    choose(trials, count)
        .times(hits)
        .times(Wide::new(miss, 0).powu(trials - count))
}

/// Exact products that are multiplied before the whole gets an exponent of its own: each is below 2^53.
const TOGETHER: u64 = 8;
/// Products that grow side by side, since a processor works at several at a time.
const SIDE_BY_SIDE: u64 = 4;
/// Products that a thread keeps, as a search asks for the same ones.
const KEPT: usize = 64;

thread_local! {
    static FALLING: RefCell<HashMap<(u64, u64), Wide>> = RefCell::default();
}

/// `top (top - 1) ..` with `count` factors.
fn falling(top: u64, count: u64) -> Wide {
    let kept = FALLING.with_borrow(|kept| kept.get(&(top, count)).copied());
    if let Some(kept) = kept {
        return kept;
    }
    // so many factors in a row have a product that a double holds exactly
    let exact = match u64::from(u64::BITS - top.leading_zeros()) {
        bits if bits <= 8 => 6,
        bits => (53 / bits).max(1),
    };
    let together = exact * TOGETHER * SIDE_BY_SIDE;
    let mut product = Wide::ONE;
    for first in (0..count).step_by(together as usize) {
        let mut parts = [Dd::ONE; SIDE_BY_SIDE as usize];
        let end = count.min(first + together);
        for row in (first..end).step_by((exact * SIDE_BY_SIDE) as usize) {
            for (factors, part) in (row..end).step_by(exact as usize).zip(&mut parts) {
                let factors = factors..end.min(factors + exact);
                *part = part.times(factors.map(|l| (top - l) as f64).product());
            }
        }
        for part in parts {
            product = product.times(Wide::new(part, 0));
        }
    }
    FALLING.with_borrow_mut(|kept| {
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert((top, count), product);
    });
    product
}

/// `count!`.
fn factorial(count: u64) -> Wide {
    falling(count, count)
}

/// The number of ways to choose `count` of `trials`.
fn choose(trials: u64, count: u64) -> Wide {
    falling(trials, count).over(factorial(count))
}

/// `P(Poisson(mean) >= threshold)`; the relative error is that of `e^-mean`, about `(1 + mean/512) 10^-16`.
pub(crate) fn poisson(mean: f64, threshold: u64) -> Wide {
    if threshold == 0 {
        return Wide::ONE;
    }
    if mean <= 0.0 {
        return Wide::new(Dd::ZERO, 0);
    }
    if threshold as f64 > mean {
        let factor = |l: u64| Dd::new(mean) * Dd::ratio(1.0, (l + 1) as f64);
        let sum = tail_sum(|step| Some(factor(threshold + step)));
        poisson_at(mean, threshold).times(Wide::new(sum, 0))
    } else {
        let last = threshold - 1;
        let sum = tail_sum(|step| (step < last).then(|| Dd::ratio((last - step) as f64, mean)));
        let below = poisson_at(mean, last).times(Wide::new(sum, 0));
        Wide::new(Dd::ONE - below.dd(), 0)
    }
}

/// `P(Poisson(mean) = count)`.
pub(crate) fn poisson_at(mean: f64, count: u64) -> Wide {
    none(mean)
        .times(Wide::new(Dd::new(mean), 0).powu(count))
        .over(factorial(count))
}

/// `e^-mean`, by halves that stay within the range of doubles.
fn none(mean: f64) -> Wide {
    let halvings = (mean / 512.0).log2().ceil().max(0.0) as u64;
    let part = mean / 2f64.powi(halvings as i32);
    Wide::new(Dd::new((-part).exp()), 0).powu(1 << halvings)
}

/// `1 + r_0 + r_0 r_1 + ...` until the ratios end or the terms no longer count.
fn tail_sum(ratio: impl Fn(u64) -> Option<Dd>) -> Dd {
    let mut sum = Dd::ONE;
    let mut term = Dd::ONE;
    let mut step = 0;
    while let Some(next) = ratio(step) {
        term = term * next;
        sum = sum + term;
        if term.value() < NEGLIGIBLE * sum.value() && next.value() < 0.9 {
            break;
        }
        if term.value() < 1e-3 * NEGLIGIBLE * (1.0 - next.value()) * sum.value() {
            break;
        }
        step += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::function::gamma::{gamma_lr, ln_gamma};

    #[test]
    fn tails_of_all_thresholds_are_those_of_each() {
        for (trials, cells, most) in [
            (0, 16, 5),
            (3, 16, 9),
            (40, 16, 20),
            (30_000, 64, 600),
            (5, 1 << 30, 5),
        ] {
            let all = binomials(trials, cells, most);
            assert_eq!(all.len() as u64, most + 1);
            for (threshold, tail) in all.into_iter().enumerate() {
                let one = binomial(trials, cells, threshold as u64);
                let case = format!("{trials} {cells} {threshold}");
                assert_eq!(tail.is_zero(), one.is_zero(), "{case}");
                let off = if one.is_zero() {
                    0.0
                } else {
                    tail.over(one).log2()
                };
                assert!(off.abs() < 1e-26, "{case}: {off:e}");
            }
        }
    }

    #[test]
    fn poisson_tails_equal_the_incomplete_gamma_function() {
        for (mean, threshold) in [
            (0.01, 1),
            (0.5, 3),
            (1.6117, 5),
            (6.9, 30),
            (40.0, 30),
            (900.0, 950),
            (3000.0, 2900),
        ] {
            let value = poisson(mean, threshold).value();
            let expected = gamma_lr(threshold as f64, mean);
            let error = value / expected - 1.0;
            assert!(error.abs() < 1e-10, "{mean} {threshold}: {error:e}");
            let at = poisson_at(mean, threshold).ln();
            let expected = threshold as f64 * mean.ln() - mean - ln_gamma(threshold as f64 + 1.0);
            assert!((at - expected).abs() < 1e-10, "{mean} {threshold}: {at}");
        }
    }

    #[test]
    fn tails_far_below_the_range_of_doubles_keep_their_logarithm() {
        // the first term alone, to a relative 1e-4
        let log2 = poisson(1e-3, 200).log2();
        let first = poisson_at(1e-3, 200).log2();
        assert!(
            log2 < -3000.0 && log2 > first && log2 - first < 1e-4,
            "{log2} {first}"
        );
    }
}
