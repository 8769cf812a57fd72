//! One counting filter and its false-positive rate.

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::tail;
use crate::numeric::wide::Wide;

pub(super) const NAME: &str = "counting filter";
/// What the tests against rational arithmetic allow.
const ACCURACY: f64 = 1e-12;
/// Spread of the share of counters above which the rate is but a bound.
const LARGEST_SPREAD: f64 = 0.5;
const MOST_COUNTERS: u64 = 1 << 46;
/// Largest threshold and number of hashes.
pub(super) const MOST_STEPS: u64 = 1_000_000;

/// A filter of m counters after n insertions of k hashes each, asked for a count of theta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountingFilter {
    counters: u64,
    insertions: u64,
    hashes: u64,
    threshold: u64,
}

impl CountingFilter {
    /// `counters` (m), `insertions` (n, of other keys), `hashes` (k), `threshold` (theta).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] outside the domain of the module.
    pub fn new(
        counters: u64,
        insertions: u64,
        hashes: u64,
        threshold: u64,
    ) -> Result<Self, TheoryError> {
        let within = |argument, value, low, high| {
            TheoryError::check_range(NAME, argument, value, (low, high))
        };
        within("counters", counters, 2, MOST_COUNTERS)?;
        within("hashes", hashes, 1, MOST_STEPS)?;
        within("threshold", threshold, 1, MOST_STEPS)?;
        within("insertions", insertions, 0, MOST_COUNTERS / hashes)?;
        Ok(Self {
            counters,
            insertions,
            hashes,
            threshold,
        })
    }

    /// The same filter asked about a key whose true count is `count`: theta - r remains to be made up (a derivation of
    /// this project: the key's own insertions raise each of its counters by r).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when the count reaches the threshold: the answer is then no false positive.
    pub fn for_true_count(self, count: u64) -> Result<Self, TheoryError> {
        if count >= self.threshold {
            return Err(TheoryError::domain(
                NAME,
                "true count",
                format!(
                    "less than the threshold {} (nearest: {})",
                    self.threshold,
                    self.threshold - 1
                ),
                count,
            ));
        }
        Ok(Self {
            threshold: self.threshold - count,
            ..self
        })
    }

    /// Mean of a counter, `kn/m`.
    pub fn load(&self) -> f64 {
        self.hashes as f64 * self.insertions as f64 / self.counters as f64
    }

    fn tail(&self) -> Wide {
        tail::binomial(self.insertions * self.hashes, self.counters, self.threshold)
    }

    /// `P(Binomial(kn, 1/m) >= theta)`: the share of counters that reach the threshold. Exact.
    pub fn share_reached(&self) -> Figure {
        Figure::new(
            self.tail().value(),
            "CBF (2) before the power: binomial tail",
            Accuracy::exact(ACCURACY),
        )
        .with_ln(self.tail().ln())
    }

    /// The false-positive rate `P(Binomial(kn,1/m) >= theta)^k` (CBF 2), evaluated to 1e-12 of itself; 0 below the
    /// range of doubles, where [`Self::log2_rate`] still tells.
    ///
    /// As a model an approximation, a lower bound by Jensen: the share of counters that reach theta varies. The
    /// stated relative error is the leading term of what that adds, `k(k-1)/2 Var/T^2`, with T the tail and
    /// `m Var = T(1-T) - load P(theta-1)^2` (a derivation of this project, tested against the exact law for small m). Once
    /// it passes a few tenths, as where fewer than k^2 counters are expected to reach theta, only the bound is left.
    pub fn rate(&self) -> Figure {
        let rate = self.tail().powu(self.hashes);
        self.of_the_model(rate, "CBF (2) p_fp, binomial")
    }

    /// A rate by CBF (2): an approximation, or where its leading correction passes one half the lower bound alone.
    fn of_the_model(&self, rate: Wide, formula: &str) -> Figure {
        let error = self.spread_error();
        let (formula, accuracy) = if error > LARGEST_SPREAD {
            (
                format!("{formula}, a lower bound by Jensen's inequality"),
                Accuracy::lower_bound(),
            )
        } else {
            (formula.to_owned(), Accuracy::approximation(error))
        };
        Figure::new(rate.value(), formula, accuracy).with_ln(rate.ln())
    }

    /// Whether the rate (CBF 2) is at most `rate`, for a search: no error is stated.
    pub fn meets(&self, rate: f64) -> bool {
        self.tail().log2() * self.hashes as f64 <= rate.log2()
    }

    /// Binary logarithm of (CBF 2), however small; minus infinity when no counter can reach the threshold. Its relative
    /// error is 1e-12 as a number; the model's is that of [`Self::rate`] over the logarithm.
    pub fn log2_rate(&self) -> Figure {
        let log2 = self.tail().log2() * self.hashes as f64;
        let spread = self.spread_error();
        if spread > LARGEST_SPREAD {
            let formula = "log2 of CBF (2) p_fp, binomial, a lower bound by Jensen's inequality";
            return Figure::new(log2, formula, Accuracy::lower_bound());
        }
        let error = if log2 == 0.0 {
            0.0
        } else {
            (spread / std::f64::consts::LN_2 / log2).abs()
        };
        Figure::new(
            log2,
            "log2 of CBF (2) p_fp, binomial",
            Accuracy::approximation(error),
        )
    }

    /// The Poisson form `(1 - Q(theta, kn/m))^k` (CBF 3). Its stated relative error is the distance to (CBF 2), plus
    /// that of [`Self::rate`].
    pub fn poisson_rate(&self) -> Figure {
        let rate = tail::poisson(self.load(), self.threshold).powu(self.hashes);
        let binomial = self.tail().powu(self.hashes);
        let distance = if rate.is_zero() {
            0.0
        } else {
            (binomial.over(rate).value() - 1.0).abs()
        };
        Figure::new(
            rate.value(),
            "CBF (3) p_fp, Poisson",
            Accuracy::approximation(distance + self.spread_error()),
        )
        .with_ln(rate.ln())
    }

    /// Relative variance of the share of counters that reach the threshold, times `k(k-1)/2`, and of the next order its square and a
    /// share of k/m.
    fn spread_error(&self) -> f64 {
        let tail = self.tail();
        if tail.is_zero() {
            return 0.0;
        }
        let load = self.load();
        let edge = tail::poisson_at(load, self.threshold - 1);
        // of the tail's square; the ratio of edge to tail is moderate even where both underflow
        let ratio = edge.over(tail).value();
        let variance = (1.0 / tail.value() - 1.0 - load * ratio * ratio) / self.counters as f64;
        let k = self.hashes as f64;
        if self.hashes == 1 {
            0.0
        } else {
            let leading = 0.5 * k * (k - 1.0) * variance.max(0.0);
            (leading * (1.0 + leading + k / self.counters as f64)).min(f64::MAX)
        }
    }
}
