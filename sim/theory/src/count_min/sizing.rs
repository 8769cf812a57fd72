//! Sizing of a Count-Min sketch from its error and failure probability.

use serde::Serialize;

use super::sketch::{check_fraction, CountMin, MOST_WIDTH, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::primes::next_prime;

/// Rows after which the narrowest that could do are tried no further when none did: `(1/2)^d` is below every double.
const MOST_ROWS: u64 = 1100;
/// Copies after which more are not tried, for the same reason.
const MOST_COPIES: u32 = 1100;

/// A size that keeps the failure probability.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizing {
    /// One sketch.
    pub sketch: CountMin,
    /// How many independent copies, each with two hash functions of its own; the estimate is the smallest of theirs.
    pub copies: u32,
    /// Upper bound of the failure probability of them all.
    pub failure: Figure,
}

impl Sizing {
    /// The paper's way, corrected: copies that fail with a probability of at most eps each.
    ///
    /// w is the smallest prime of at least `2e/eps`, d the smallest number of at least
    /// `ln(1/(eps (1 - 1/(2e^2))))` (printed as a condition on delta), and `ceil(ln(1/delta)/ln(1/eps))` copies (printed
    /// with a factor 2 that counts hash functions).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless eps and delta lie between 0 and 1 and w below 2^40.
    pub fn by_copies(excess: f64, failure: f64) -> Result<Self, TheoryError> {
        check_fraction("eps", excess)?;
        check_fraction("delta", failure)?;
        let e = std::f64::consts::E;
        let width = prime_at_least(2.0 * e / excess)?;
        let depth = (1.0 / (excess * (1.0 - 0.5 / (e * e))))
            .ln()
            .ceil()
            .max(1.0) as u64;
        let copies = (failure.ln() / excess.ln()).ceil().max(1.0) as u32;
        Self::of(CountMin::new(width, depth)?, copies, excess, failure)
    }

    /// One sketch that fails with a probability of at most delta, by Theorem 9.1 alone: [`Self::in_copies`] with one copy.
    ///
    /// # Errors
    /// As [`Self::by_copies`].
    pub fn single(excess: f64, failure: f64) -> Result<Self, TheoryError> {
        Self::in_copies(excess, failure, 1)
    }

    /// The number of copies with the fewest counters in all (of equals the fewest copies): each number sized as by
    /// [`Self::in_copies`]. The search is exact: a copy of two rows needs more than `4/eps` counters, so more copies than
    /// that leaves room for are not tried.
    ///
    /// # Errors
    /// As [`Self::by_copies`].
    pub fn smallest(excess: f64, failure: f64) -> Result<Self, TheoryError> {
        let mut best = Self::single(excess, failure);
        for copies in 2..=MOST_COPIES {
            let fewest = best
                .as_ref()
                .map_or(f64::INFINITY, |it| it.counters() as f64);
            if 4.0 / excess * f64::from(copies) >= fewest {
                break;
            }
            match Self::in_copies(excess, failure, copies) {
                Ok(sizing) if (sizing.counters() as f64) < fewest => best = Ok(sizing),
                _ => (),
            }
        }
        best
    }

    /// Counters of all copies.
    pub fn counters(&self) -> u64 {
        u64::from(self.copies) * self.sketch.counters()
    }

    /// So many copies that all fail with a probability of at most delta: of all depths d, each with the smallest prime w
    /// that meets the bound, the one with the fewest counters (of equals the fewest rows). Several copies have two rows or
    /// more each, since with one they would use one function each.
    ///
    /// The search is exact: for each d the bound falls with w, and a depth is left out only where its rows, which need more
    /// than `2/eps` and at least `sqrt(2/(eps delta^(1/copies)))` counters, are more than the best found.
    ///
    /// # Errors
    /// As [`Self::by_copies`]; [`TheoryError::OutOfDomain`] unless copies is 1 to 1100.
    pub fn in_copies(excess: f64, all_fail: f64, copies: u32) -> Result<Self, TheoryError> {
        check_fraction("eps", excess)?;
        check_fraction("delta", all_fail)?;
        TheoryError::check_range(NAME, "copies", copies.into(), (1, MOST_COPIES.into()))?;
        // less than the root by more than the rounding of root and power amounts to
        let failure = match copies {
            1 => all_fail,
            _ => all_fail.powf(1.0 / f64::from(copies)) * (1.0 - 1e-12),
        };
        let narrowest = (2.0 / excess).max((2.0 / (excess * failure)).sqrt());
        let mut best: Option<CountMin> = None;
        for depth in u64::from(copies.min(2)).. {
            let least = narrowest.max(depth as f64) * depth as f64;
            if best.is_some_and(|best| least >= best.counters() as f64) {
                break;
            }
            let Ok(width) = narrowest_row(excess, failure, depth) else {
                // a single row, or two, may need to be wider than more of them
                if depth > MOST_ROWS {
                    return Err(too_wide(narrowest));
                }
                continue;
            };
            let sketch = CountMin::new(width, depth)?;
            if best.is_none_or(|best| sketch.counters() < best.counters()) {
                best = Some(sketch);
            }
        }
        let sketch = best.ok_or_else(|| too_wide(narrowest))?;
        Self::of(sketch, copies, excess, all_fail)
    }

    fn of(sketch: CountMin, copies: u32, excess: f64, failure: f64) -> Result<Self, TheoryError> {
        let bound = sketch.bound(excess).powi(copies as i32);
        // the depth was rounded up from a logarithm: a unit in its last place may be missing
        if bound > failure {
            let deeper = CountMin::new(sketch.width(), sketch.depth() + 1)?;
            return Self::of(deeper, copies, excess, failure);
        }
        Ok(Self {
            sketch,
            copies,
            failure: Figure::new(
                bound,
                "KM Theorem 9.1, to the power of the copies",
                Accuracy::bound(),
            ),
        })
    }
}

/// The smallest prime w at which d rows meet the bound: it falls with w.
fn narrowest_row(excess: f64, failure: f64, depth: u64) -> Result<u64, TheoryError> {
    let bound = |w: f64| {
        let row = 2.0 / (excess * w);
        row / w + row.powf(depth as f64)
    };
    let (mut low, mut high) = (depth as f64, (MOST_WIDTH / 2) as f64);
    if bound(high) > failure {
        return Err(too_wide(high));
    }
    // the least whole number by the bound's own rounding, from which primes are tried
    while high - low > 1.0 {
        let middle = (0.5 * (low + high)).floor();
        *(if bound(middle) <= failure {
            &mut high
        } else {
            &mut low
        }) = middle;
    }
    let least = if bound(low) <= failure { low } else { high };
    prime_at_least(least)
}

fn too_wide(width: f64) -> TheoryError {
    TheoryError::domain(
        NAME,
        "eps",
        "large enough for rows of fewer than 2^39 counters",
        format!("one that takes {width:e} counters a row"),
    )
}

fn prime_at_least(least: f64) -> Result<u64, TheoryError> {
    if least > (MOST_WIDTH / 2) as f64 {
        return Err(too_wide(least));
    }
    Ok(next_prime(least.ceil() as u64))
}
