//! A Count-Min sketch whose rows need not be of prime width.
//!
//! The error of an estimate is the least, over the d rows, of what other keys added to the key's counter. N is the sum of all
//! amounts, w the width of a row, x = eps w the error asked for over the mean error N/w of one row.
//!
//! **k = d functions.** A row's error has a mean of at most N/w and is not negative, so `P(row > eps N) <= 1/x` (Markov;
//! pairwise independent functions do), and the rows are independent: `x^-d`.
//!
//! **Two functions, any width.** KM Theorem 9.1 needs a prime w: only then do a stored item and a key that agree in neither
//! hash value meet in one row at most. In general they meet in all rows of a residue class mod r, for steps of order r. Let c be
//! the number of the w^2 differences that meet in two rows or more (1 for a prime; for powers of two
//! `sum over r = 1, 2, 4, .. < d of phi(r) min(r, d - r)`). Split every item's error in two:
//!
//! * items that meet the key in two rows or more have a mean total of at most `c N/w^2`, so they exceed `alpha eps N` with
//!   probability at most `c/(alpha eps w^2)` (Markov);
//! * of an item that meets it in one row only, the rows' indicators exclude each other, so they are negatively associated, and
//!   with items that are independent so are the rows' sums: all d exceed `(1-alpha) eps N` with probability at most
//!   `(1/((1-alpha) x))^d`.
//!
//! Their sum bounds the failure for every alpha; the least is taken. alpha = 1/2 and c = 1 is Theorem 9.1. The second step
//! supposes fully independent items, more than the pairwise independence that the theorem names. Rows 0 and 1 alone are two
//! independent functions, which gives `x^-2`, and one row gives `1/x`; the least of the three is the bound.
//!
//! **Copies** (KM 9.2). With C copies of d/C rows, each with two functions of its own, the estimate is the least of C independent
//! ones, so an excess has the probability of all copies having it: the bound of one copy's d/C rows to the power of C.

use super::partitions::Partitions;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::first_true;
use crate::sizing::Hashing;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, Poisson};

const NAME: &str = "rows of a Count-Min sketch";
const MOST_TOTAL: u64 = 1 << 62;
/// Places at which the law of an error is summed, at most about twice so many.
const PLACES: f64 = 100_000.0;
/// Mean of a row's error above which a binomial number is as good as normal.
const LARGE_MEAN: f64 = 1e6;

/// d rows of w counters that hold amounts of N in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    partitions: Partitions,
    copies: u32,
    total: u64,
}

impl Rows {
    /// `total` (N): the sum of all amounts, 1 to 2^62.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] outside this domain.
    pub fn new(partitions: Partitions, total: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "total", total, (1, MOST_TOTAL))?;
        Ok(Self {
            partitions,
            copies: 1,
            total,
        })
    }

    /// The same rows as so many copies, each with two functions of its own; under independent functions nothing changes.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless copies divide the rows.
    pub fn in_copies(self, copies: u32) -> Result<Self, TheoryError> {
        let rows = self.partitions.hashes();
        if copies == 0 || !rows.is_multiple_of(copies) {
            return Err(TheoryError::domain(
                NAME,
                "copies",
                format!("a divisor of the {rows} rows"),
                copies,
            ));
        }
        Ok(match self.partitions.hashing() {
            Hashing::Independent => self,
            Hashing::Double => Self { copies, ..self },
        })
    }

    /// The rows of one copy.
    fn one_copy(&self) -> Partitions {
        let parts = self.partitions;
        let rows = parts.hashes() / self.copies;
        Partitions::new(parts.range(), rows, parts.hashing()).expect("fewer rows are legal, too")
    }

    fn width(&self) -> f64 {
        self.partitions.range() as f64
    }

    /// Mean error of one row, `N/w`: exact for a key that is not in the sketch, an upper bound for one that is.
    pub fn row_error(&self) -> Figure {
        Figure::new(
            self.total as f64 / self.width(),
            "mean of what others add to a counter: N/w",
            Accuracy::exact(1e-15),
        )
    }

    /// Upper bound of the probability that an estimate exceeds the true count by `excess` N or more.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless excess is above 0.
    pub fn failure_bound(&self, excess: f64) -> Result<Figure, TheoryError> {
        if excess.is_nan() || excess <= 0.0 {
            return Err(TheoryError::domain(NAME, "excess", "more than 0", excess));
        }
        Ok(Figure::new(
            self.bound(excess * self.width()),
            self.formula(),
            Accuracy::bound(),
        ))
    }

    fn formula(&self) -> &'static str {
        match self.partitions.hashing() {
            Hashing::Independent => "independent rows: (1/(eps w))^d",
            Hashing::Double if self.copies > 1 => {
                "KM 9.2 for any width: to the power of the copies C the least over alpha of c/(alpha eps w^2) + (1/((1-alpha) eps w))^(d/C), \
                 and (eps w)^-2 (derivation of this project)"
            }
            Hashing::Double => {
                "KM Theorem 9.1 for any width: least over alpha of c/(alpha eps w^2) + (1/((1-alpha) eps w))^d, and (eps w)^-2 \
                 (derivation of this project)"
            }
        }
    }

    /// The bound at `x = eps w`.
    fn bound(&self, x: f64) -> f64 {
        let copy = self.one_copy();
        let d = copy.hashes();
        let bound = match copy.hashing() {
            Hashing::Independent => x.powi(-(d as i32)),
            Hashing::Double => {
                let few = x.powi(-(d.min(2) as i32));
                if d > 2 {
                    few.min(split_bound(&copy, x))
                } else {
                    few
                }
            }
        };
        bound.min(1.0 / x).min(1.0).powi(self.copies as i32)
    }

    /// The error, as a share of N, that is reached with a probability of at most `failure`: the least by the bound.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless failure lies between 0 and 1.
    pub fn error_bound(&self, failure: f64) -> Result<Figure, TheoryError> {
        Ok(Figure::new(
            self.solve(failure)? / self.width(),
            format!("least eps at which {} meets it", self.formula()),
            Accuracy::bound(),
        ))
    }

    /// The least x at which the bound is at most `failure`.
    fn solve(&self, failure: f64) -> Result<f64, TheoryError> {
        TheoryError::check_fraction(NAME, "failure", failure)?;
        let (mut low, mut high) = (1.0, 1.0 / failure);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            let before = (low, high);
            if self.bound(middle) <= failure {
                high = middle;
            } else {
                low = middle;
            }
            if (low, high) == before {
                break; // neighbouring doubles
            }
        }
        Ok(high)
    }

    /// Upper bound of the probability that a key which never came is estimated at `threshold` or more.
    pub fn false_report_bound(&self, threshold: u64) -> Figure {
        Figure::new(
            self.bound(threshold as f64 * self.width() / self.total as f64),
            format!("{}, eps = theta/N", self.formula()),
            Accuracy::bound(),
        )
    }

    /// The total N up to which a key that never came is estimated at `threshold` or more with a probability of at most
    /// `failure`, whatever the total of these rows: a lower bound of the capacity.
    ///
    /// # Errors
    /// As [`Self::error_bound`].
    pub fn most_total(&self, threshold: u64, failure: f64) -> Result<Figure, TheoryError> {
        let x = self.solve(failure)?;
        Ok(Figure::new(
            (threshold as f64 * self.width() / x).floor(),
            "theta over the least eps that meets it",
            Accuracy::bound(),
        ))
    }

    /// Upper bound of the probability that a counter reaches `max`: N/w over max, and 0 when N is below max.
    pub fn saturated_bound(&self, max: u64) -> Figure {
        let bound = if self.total < max {
            0.0
        } else {
            (self.row_error().value / max as f64).min(1.0)
        };
        Figure::new(
            bound,
            "Markov: N/(w max), 0 while N < max",
            Accuracy::bound(),
        )
    }

    /// `P(row's error > error)` when every item adds 1 and comes from a key of its own: a binomial tail, above a mean of 10^6
    /// the normal one (off by about one error, 10^-6 of the mean).
    fn unit_row_exceeds(&self, error: u64) -> f64 {
        let mean = self.row_error().value;
        if mean > LARGE_MEAN {
            let deviation = (mean * (1.0 - 1.0 / self.width())).sqrt();
            return Normal::standard().sf((error as f64 + 0.5 - mean) / deviation);
        }
        let law = Binomial::new(1.0 / self.width(), self.total).expect("a width of at least 2");
        law.sf(error)
    }

    /// Mean error of an estimate when every item adds 1 and comes from a key of its own:
    /// `sum_{e>=1} P(Binomial(N, 1/w) >= e)^d`. Exact for d functions (1e-6); with two, an approximation whose stated error is
    /// the expected number of items that meet the key in several rows (of a copy), each of which adds at most 1.
    pub fn unit_error(&self) -> Figure {
        let d = self.partitions.hashes() as i32;
        let mean = self.row_error().value;
        let spread = 12.0 * (mean + 1.0).sqrt() + 40.0;
        let first = (mean - spread).floor().max(0.0);
        // every error has its term; beyond PLACES of them, the middle of each step stands for it
        let step = (((mean + spread - first) / PLACES).floor()).max(1.0);
        let mut sum = 0.0;
        let mut error = first;
        while error <= mean + spread {
            sum += step
                * self
                    .unit_row_exceeds((error + 0.5 * (step - 1.0)) as u64)
                    .powi(d);
            error += step;
        }
        Figure::new(
            first + sum,
            "sum over e of P(Binomial(N, 1/w) >= e)^d, unit amounts, every key once",
            self.unit_accuracy(first + sum),
        )
    }

    /// The least error e that an estimate exceeds with a probability of at most `failure`, for unit amounts and keys that
    /// come once: `P(Binomial(N, 1/w) > e)^d <= failure`. Exact for d functions; with two, within the number of items that meet the key in
    /// several rows but for a probability of `failure`, stated as a share of the error, or of 1 where that is 0.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless failure lies between 0 and 1.
    pub fn unit_error_quantile(&self, failure: f64) -> Result<Figure, TheoryError> {
        self.solve(failure)?;
        let d = self.partitions.hashes() as i32;
        let within = |failure: f64| -> Result<u64, TheoryError> {
            let mut small =
                |error| Ok::<_, TheoryError>(self.unit_row_exceeds(error).powi(d) <= failure);
            let guess = self.row_error().value as u64;
            Ok(first_true((0, self.total), guess, &mut small)?.unwrap_or(self.total))
        };
        let error = within(failure)?;
        let formula = "P(Binomial(N, 1/w) > e)^d, unit amounts, every key once";
        let several = self.meets_several_rows();
        let accuracy = match Poisson::new(several) {
            // none meets several rows
            Err(_) => Accuracy::exact(1e-6),
            // each of those that do adds one error: half of the probability is for more than so many of them, half for the others
            Ok(law) => {
                let few = |number: &u64| law.sf(*number) <= 0.5 * failure;
                let several = (0..self.total).find(few).unwrap_or(self.total);
                let more = within(0.5 * failure)? + several - error;
                Accuracy::approximation(more as f64 / (error as f64).max(1.0))
            }
        };
        Ok(Figure::new(error as f64, formula, accuracy))
    }

    /// Expected number of items that meet a key in several rows of a copy.
    fn meets_several_rows(&self) -> f64 {
        match self.partitions.hashing() {
            Hashing::Independent => 0.0,
            Hashing::Double => {
                let of_one: u64 = self.one_copy().multiple_meetings().iter().sum();
                let meetings = f64::from(self.copies) * of_one as f64;
                self.total as f64 * meetings / self.width().powi(2)
            }
        }
    }

    fn unit_accuracy(&self, error: f64) -> Accuracy {
        match self.meets_several_rows() {
            0.0 => Accuracy::exact(1e-6),
            several => Accuracy::approximation((1e-6 + several / error).min(f64::MAX)),
        }
    }
}

/// The bound of the split, at its best alpha: a convex function, by ternary search.
fn split_bound(rows: &Partitions, x: f64) -> f64 {
    let meetings: u64 = rows.multiple_meetings().iter().sum();
    let several = meetings as f64 / (rows.range() as f64 * x);
    let d = rows.hashes() as i32;
    let at = |alpha: f64| several / alpha + ((1.0 - alpha) * x).powi(-d);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let before = (low, high);
        if at(left) < at(right) {
            high = right;
        } else {
            low = left;
        }
        if (low, high) == before {
            break; // neighbouring doubles
        }
    }
    at(0.5 * (low + high))
}
