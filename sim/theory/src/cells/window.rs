//! A counting filter over a window: two panes of partitions, whose least counters are added.

use super::concentration::{by_items, check_chance, Item};
use super::counting::{sum_over_insertions, PartitionedCounting};
use super::partitions::Partitions;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::first_above;
use crate::numeric::tail;
use crate::sizing::Hashing;

const NAME: &str = "counting filter over a window";
const MOST_WINDOW: u64 = 1 << 32;
/// Greatest threshold whose laws are convolved: a rate costs time in proportion to its third power.
pub const MOST_WINDOW_THRESHOLD: u64 = 128;
/// What the tests against rational arithmetic allow.
const ACCURACY: f64 = 1e-11;
/// Loop turns that the mean over a window may take, by which its places are chosen.
const EFFORT: u64 = 1 << 19;

/// Two panes of k partitions of m' counters, the frozen one with N insertions of other keys, each once, asked for a count of theta.
///
/// An arrival's estimate is `min A + min B`: the least of its k counters in the active pane, which holds the j insertions since the
/// panes changed places, and of those in the frozen pane, which holds the N before. A key's own r insertions raise each sum by r. The
/// panes hold different keys, so the two minima are independent given the key's positions, and the law of their sum is the
/// convolution of two laws of [`PartitionedCounting`] (a derivation of this project):
/// `P(min A + min B >= s) = P(min A >= s) + sum_{a<s} P(min A = a) P(min B >= s - a)`, s = theta - r.
///
/// Keys that come in both panes tie them to each other, and keys that come again make counters uneven: [`super::WindowStream`] takes
/// their counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowedCounting {
    partitions: Partitions,
    window: u64,
    threshold: u64,
}

/// Logarithms of `P(min >= a)` for a from 0 to s, and their relative errors.
struct Reaches {
    ln: Vec<f64>,
    error: Vec<f64>,
}

impl WindowedCounting {
    /// `window` (N, 1 to 2^32 insertions), `threshold` (theta, 1 to [`MOST_WINDOW_THRESHOLD`]).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] outside this domain.
    pub fn new(partitions: Partitions, window: u64, threshold: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "window", window, (1, MOST_WINDOW))?;
        TheoryError::check_range(NAME, "threshold", threshold, (1, MOST_WINDOW_THRESHOLD))?;
        Ok(Self {
            partitions,
            window,
            threshold,
        })
    }

    /// The law of one pane's least counter, up to `most`.
    fn reaches(&self, insertions: u64, most: u64) -> Result<Reaches, TheoryError> {
        let mut reaches = Reaches {
            ln: vec![0.0],
            error: vec![0.0],
        };
        let range = self.partitions.range();
        let tails = tail::binomials(insertions, range, most);
        let fewer = tail::binomials(insertions.saturating_sub(1), range, most);
        let tail = |filter: &PartitionedCounting, level: u64| match filter.insertions() {
            n if n == insertions => tails[level as usize],
            _ => fewer[level as usize],
        };
        for level in 1..=most {
            let filter = PartitionedCounting::new(self.partitions, insertions, level)?;
            let figure = filter.reported_by(0, &tail)?;
            reaches
                .ln
                .push(figure.ln.unwrap_or_else(|| figure.value.ln()));
            let exact = figure.accuracy.kind == crate::AccuracyKind::Exact;
            reaches.error.push(match exact {
                true => 0.0,
                false => figure.accuracy.relative_error,
            });
        }
        Ok(reaches)
    }

    fn need(&self, count: u64) -> Result<u64, TheoryError> {
        if count >= self.threshold {
            let least = format!(
                "less than the threshold {} (nearest: {})",
                self.threshold,
                self.threshold - 1
            );
            return Err(TheoryError::domain(NAME, "true count", least, count));
        }
        Ok(self.threshold - count)
    }

    /// The probability that a key of true count `count` < theta in both panes (this arrival included) is reported when the active
    /// pane holds `active` insertions of other keys, 0 to N.
    ///
    /// Exact for k functions. For two the laws of the panes are approximations, and so is their independence: a step of short order,
    /// which a share of about k/m' of the keys has, is the key's in both panes.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when the count is not below the threshold or `active` above N.
    pub fn reported(&self, count: u64, active: u64) -> Result<Figure, TheoryError> {
        TheoryError::check_range(NAME, "active insertions", active, (0, self.window))?;
        let need = self.need(count)?;
        let frozen = self.reaches(self.window, need)?;
        let (ln, error) = self.sum(&self.reaches(active, need)?, &frozen);
        Ok(self.figure(
            ln,
            error,
            "P(min A + min B >= theta - r): convolution of the least counters of two panes",
        ))
    }

    fn figure(&self, ln: f64, error: f64, formula: &str) -> Figure {
        let accuracy = match self.partitions.hashing() {
            Hashing::Independent => Accuracy::exact(ACCURACY),
            Hashing::Double => Accuracy::approximation(
                error + f64::from(self.partitions.hashes()) / self.partitions.range() as f64,
            ),
        };
        Figure::new(ln.exp(), formula, accuracy).with_ln(ln)
    }

    /// Logarithm of `P(min A + min B >= s)`, and its relative error.
    fn sum(&self, active: &Reaches, frozen: &Reaches) -> (f64, f64) {
        let need = active.ln.len() - 1;
        let mut terms = vec![active.ln[need]];
        let mut errors = 0.0;
        for a in 0..=need {
            let both = active.ln[a] + frozen.ln[need - a];
            errors += (active.error[a] + frozen.error[need - a]) * both.exp();
            if a < need && both > f64::NEG_INFINITY {
                // of P(min A = a) = P(min A >= a) (1 - P(min A >= a + 1) / P(min A >= a))
                let exactly = -(active.ln[a + 1] - active.ln[a]).exp_m1();
                if exactly > 0.0 {
                    terms.push(both + exactly.ln());
                }
            }
        }
        let greatest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY {
            return (greatest, 0.0);
        }
        let sum: f64 = terms.iter().map(|term| (term - greatest).exp()).sum();
        let ln = greatest + sum.ln();
        let error = errors / ln.exp();
        (ln, if error.is_finite() { error } else { 0.0 })
    }

    /// A probability of being reported just before the panes change places, for keys of true count `count` < theta, that one filter
    /// exceeds with a probability of at most `chance`, over the choice of the hash functions: a bound, for k functions and for two.
    ///
    /// As that of [`PartitionedCounting::reported_exceeded_by`] for two functions: leaving one of the 2 N - 1 insertions out changes the
    /// answers for at most k/m' of the keys, and of an answer that is just given the insertions in the least counters of both panes,
    /// at most k (theta - r), are critical.
    ///
    /// # Errors
    /// As [`Self::reported`], and unless the chance lies between 0 and 1.
    pub fn reported_exceeded_by(&self, count: u64, chance: f64) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        let need = self.need(count)?;
        let k = f64::from(self.partitions.hashes());
        let item = Item {
            change: k / self.partitions.range() as f64,
            critical: k * need as f64,
        };
        let mean = self.reported(count, self.window - 1)?;
        Ok(by_items(
            &mean,
            None,
            2.0 * self.window as f64 - 1.0,
            item,
            chance,
        ))
    }

    /// The mean of [`Self::reported`] over a window: an arrival meets 0 to N - 1 insertions in the active pane, each number equally
    /// often.
    ///
    /// Term by term up to as many insertions as time allows (at least 64, 1024 up to theta = 22), above by Simpson's rule with the
    /// end correction of Euler and Maclaurin on so many places. The difference that half of them make is then stated as error.
    ///
    /// # Errors
    /// As [`Self::reported`].
    pub fn reported_in_mean(&self, count: u64) -> Result<Figure, TheoryError> {
        const FORMULA: &str =
            "mean of P(min A + min B >= theta - r) over 0 to N - 1 insertions in the active pane";
        let need = self.need(count)?;
        let frozen = self.reaches(self.window, need)?;
        let (most, _) = self.sum(&self.reaches(self.window, need)?, &frozen);
        if most == f64::NEG_INFINITY {
            return Ok(self.figure(most, 0.0, FORMULA));
        }
        let mut worst = 0.0_f64;
        // in units of the greatest, so that nothing is below the range of doubles
        let mut at = |active: u64| -> Result<f64, TheoryError> {
            let (ln, error) = self.sum(&self.reaches(active, need)?, &frozen);
            worst = worst.max(error);
            Ok((ln - most).exp())
        };
        let places = (EFFORT / (need * need)).clamp(64, 1024) & !1;
        let sum = sum_over_insertions(self.window, places, &mut at)?;
        let halved = match self.window > places {
            true => sum_over_insertions(self.window, places / 2, &mut at)?,
            false => sum,
        };
        let ln = most + (sum / self.window as f64).ln();
        let mut figure = self.figure(ln, worst, FORMULA);
        if self.window > places {
            let stated = ((sum - halved) / sum).abs() + 1e-9;
            figure.accuracy = figure.accuracy.and(Accuracy::approximation(stated));
        }
        Ok(figure)
    }

    /// The probability that at least one of a key's 2 k counters stands at `max` or above because of others, just before the panes
    /// change places: `1 - (1 - P(Binomial(N, 1/m') >= max))^(2k)`. Exact for k functions; for two it is below, by less than the
    /// excess of double hashing.
    ///
    /// # Errors
    /// None but those of the law of one pane.
    pub fn saturated(&self, max: u64) -> Result<Figure, TheoryError> {
        let pane = PartitionedCounting::new(self.partitions, self.window, self.threshold)?;
        let one = pane.saturated(max);
        let ln = one.ln.map(|ln| ln + std::f64::consts::LN_2);
        Ok(Figure {
            value: one.value * (2.0 - one.value),
            formula: "1 - (1 - P(Binomial(N, 1/m') >= max))^(2k)".to_owned(),
            ln,
            ..one
        })
    }

    /// The greatest window after which a key of true count `count` is reported with a probability of at most `rate` just before the
    /// panes change places, when both hold N insertions of others.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1; as [`Self::reported`].
    pub fn most_window(
        partitions: Partitions,
        threshold: u64,
        count: u64,
        rate: f64,
    ) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "rate", rate)?;
        let guess = partitions
            .range()
            .saturating_mul(threshold.saturating_sub(count))
            / 4;
        let mut reported = |window| -> Result<f64, TheoryError> {
            let filter = Self::new(partitions, window, threshold)?;
            Ok(filter.reported(count, window)?.value)
        };
        let guess = guess.clamp(1, 1 << 31);
        let first = first_above((1, MOST_WINDOW), guess, rate, &mut reported)?;
        let most = first.map_or(MOST_WINDOW, |first| first - 1);
        let accuracy = match most {
            0 => Accuracy::exact(0.0),
            _ => {
                Self::new(partitions, most, threshold)?
                    .reported(count, most)?
                    .accuracy
            }
        };
        Ok(Figure::new(
            most as f64,
            "greatest N whose rate just before a turn is at most the target",
            accuracy,
        ))
    }
}
