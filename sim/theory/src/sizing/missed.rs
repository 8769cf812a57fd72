//! Share of repeats that a recycling filter misses, from what is known of the reuse of keys.

use super::popularity::{Reuse, Zipf};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::recycling::{CycleLaw, Forgetting, PartitionedHalf};

const FORMULA: &str =
    "first requests of a cycle for keys that no half holds, less false matches (this project)";
/// Most relative standard deviation of the new keys of a cycle, times the square root of the bits of a half: `sqrt(e^a - 1 - a)/a` at
/// a load of a messages for each position of a partition, up to a fill of 97 %.
const SPREAD: f64 = 1.5;
/// Stated error of the false positives of two phases among first requests, relative to the average rate of new keys.
const RATE_OF_LATE_KEYS: f64 = 0.25;
/// Stated relative error of sums over ranks ([`Zipf`]).
const SUMS: f64 = 1e-3;

/// A filter whose keys come again.
pub(super) struct Repeated<'a> {
    pub(super) half: PartitionedHalf,
    /// The law of a half, with the mean cycle of the filter as it is.
    pub(super) law: &'a CycleLaw,
    /// Average false-positive rate of the filter.
    pub(super) rate: f64,
    pub(super) phases: u32,
    pub(super) retain: bool,
}

impl Repeated<'_> {
    /// The mean share of repeats that get the verdict not-seen, with the error of the model.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the phases are 1 or 2 and the cycle is finite and at least 1; and for a list of distances
    /// without weight.
    pub(super) fn missed(&self, reuse: &Reuse) -> Result<Figure, TheoryError> {
        let forgetting = Forgetting::new(self.half, self.law, self.phases, self.retain)?;
        match reuse {
            Reuse::Distances(distances) => {
                forgetting.mean_false_negative(distances.iter().copied())
            }
            Reuse::Zipf(zipf) => Ok(self.of_popularity(zipf, forgetting.absolute_error())),
        }
    }

    /// The share of requests by a law of popularity that are missed, in a stream that has gone on long enough for every key to have come.
    ///
    /// Source: derivation of this project. A cycle has R requests, as many as hold its L new keys on the mean, and misses every first
    /// request for a key that no half holds and that is no false positive. With one phase that are `L (1 - f)` of R. With two, whose other half
    /// holds the keys of R requests before, they are `(1 - f) (D(2R) - D(R))`, D(n) being the distinct keys among n requests, and the next request
    /// for a tripping message that was forgotten. An approximation: second order in the spread of R, and with two phases of first order in f, as
    /// the average rate f counts new keys evenly over a cycle; both are stated. Held by simulation.
    ///
    /// A filter whose cycle holds all keys misses none on the mean; `absolute_error` is stated of that.
    fn of_popularity(&self, zipf: &Zipf, absolute_error: f64) -> Figure {
        let arrivals = self.law.mean_arrivals;
        let kept = f64::from(u8::from(self.retain));
        let all = zipf.requests_with(arrivals + kept);
        if all.is_infinite() {
            return figure(0.0, absolute_error);
        }
        let requests = all - kept;
        let keys = SPREAD * arrivals / (self.half.bits() as f64).sqrt();
        let spread = zipf.spread_of_requests(all, keys) + SUMS + 1.0 / arrivals;
        let (new, of_new) = match self.phases {
            1 => (arrivals, spread),
            _ => {
                let (before, both) = (zipf.seen(all), zipf.seen(all + requests));
                let tripped = match self.retain {
                    true => 0.0,
                    // a key that trips is one of those that come first at the end of a cycle
                    false => 1.0 - both.slope / before.slope,
                };
                let new = both.keys - before.keys + tripped;
                let variance = (keys * keys + before.variance) / before.slope.powi(2);
                let bent = 0.5 * variance * (before.curve - 2.0 * both.curve).abs() / new;
                let of_rate = RATE_OF_LATE_KEYS * self.rate / (1.0 - self.rate);
                (new, spread + bent + of_rate)
            }
        };
        let missed = (new * (1.0 - self.rate) / requests).min(1.0);
        figure(missed, of_new * missed)
    }
}

/// A share of misses with its absolute error, which the formula gives where it is more than the share.
fn figure(missed: f64, absolute: f64) -> Figure {
    let relative = (absolute / missed).min(f64::MAX);
    let formula = match relative > 1.0 {
        true => format!("{FORMULA}; absolute error up to {absolute:.1e}"),
        false => FORMULA.to_owned(),
    };
    Figure::new(missed, formula, Accuracy::approximation(relative))
}
