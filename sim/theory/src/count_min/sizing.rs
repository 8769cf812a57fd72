//! From the error and the failure probability wanted to the size of the sketch.

use serde::Serialize;

use super::sketch::{check_fraction, CountMin, MOST_WIDTH, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::primes::next_prime;

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

    /// One sketch that fails with a probability of at most delta, by Theorem 9.1 alone: w the smallest prime that is at
    /// least `2e/eps` and leaves half of delta to the second term, d the smallest that meets the bound. Fewer hash
    /// functions than copies, more counters when delta is far below eps.
    ///
    /// # Errors
    /// As [`Self::by_copies`].
    pub fn single(excess: f64, failure: f64) -> Result<Self, TheoryError> {
        check_fraction("eps", excess)?;
        check_fraction("delta", failure)?;
        let narrow = 2.0 * std::f64::consts::E / excess;
        let width = prime_at_least(narrow.max((4.0 / (excess * failure)).sqrt()))?;
        let w = width as f64;
        let row = 2.0 / (excess * w);
        let depth = ((failure - row / w).ln() / row.ln()).ceil().max(1.0) as u64;
        Self::of(CountMin::new(width, depth)?, 1, excess, failure)
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

fn prime_at_least(least: f64) -> Result<u64, TheoryError> {
    if least > (MOST_WIDTH / 2) as f64 {
        return Err(TheoryError::domain(
            NAME,
            "eps",
            "large enough for rows of fewer than 2^39 counters",
            format!("one that takes {least:e} counters a row"),
        ));
    }
    Ok(next_prime(least.ceil() as u64))
}
