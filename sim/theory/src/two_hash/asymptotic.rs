//! Asymptotic results of the paper on two-hash schemes (KM): limit, first-order excess, bounds and concentration.
//!
//! `a = k n/m` is the load of a bit, `x = e^-a`, `F = 1 - x`; `lambda = k^2 n/m` is the expected number of hits between
//! a key and an item, times n.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

const NAME: &str = "two-hash schemes for many items";

/// Which scheme: all share the limit, the bounds of the excess differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Partition i holds `h1 + i h2` (KM 5.1).
    Partition,
    /// One array holds `h1 + i h2 + f(i)` for all i (KM 5.2), extended or not.
    DoubleHashing,
}

/// A two-hash filter of m bits, n items and k probes, for n large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManyItems {
    scheme: Scheme,
    bits: f64,
    items: f64,
    hashes: f64,
}

/// Bounds of the excess over the limit, for n large.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExcessBounds {
    /// Lower bound as printed; it fails for a small load, see [`ManyItems::excess_bounds`].
    pub printed_lower: Figure,
    /// Upper bound as printed.
    pub printed_upper: Figure,
    /// The printed lower bound plus the term that Theorem 6.1 loses.
    pub lower: Figure,
    /// The printed upper bound plus the same term.
    pub upper: Figure,
}

impl ManyItems {
    /// `bits` (m) in all partitions together, `items` (n), `hashes` (k).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless all are at least 1, k at most 64 and at most m.
    pub fn new(scheme: Scheme, bits: u64, items: u64, hashes: u32) -> Result<Self, TheoryError> {
        let most = bits.clamp(1, u64::from(crate::recycling::half::MAX_HASHES));
        if bits == 0 {
            return Err(TheoryError::domain(NAME, "bits", "at least 1", bits));
        }
        if hashes == 0 || u64::from(hashes) > most {
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("1 to {most}"),
                hashes,
            ));
        }
        if items == 0 {
            return Err(TheoryError::domain(NAME, "items", "at least 1", items));
        }
        Ok(Self {
            scheme,
            bits: bits as f64,
            items: items as f64,
            hashes: f64::from(hashes),
        })
    }

    fn load(&self) -> f64 {
        self.hashes * self.items / self.bits
    }

    /// F and x.
    fn fill(&self) -> (f64, f64) {
        (-(-self.load()).exp_m1(), (-self.load()).exp())
    }

    /// The term that Theorem 6.1 loses where it replaces `(1-y/n)^n` by `e^-y`:
    /// `(a^2/2n) [k x F^(k-1) - k(k-1) x^2 F^(k-2)]`.
    fn lost_term(&self) -> f64 {
        let (fill, x) = self.fill();
        let (k, a) = (self.hashes, self.load());
        let single = k * x * fill.powf(k - 1.0);
        let double = if k > 1.0 {
            k * (k - 1.0) * x * x * fill.powf(k - 2.0)
        } else {
            0.0
        };
        0.5 * a * a / self.items * (single - double)
    }

    /// The limit `(1-e^(-k/c))^k`, c = m/n, of every scheme for n to infinity (KM Theorems 5.1, 5.2). An approximation;
    /// the stated error is the printed upper bound of the excess and the size of the lost term, over the limit.
    pub fn limit(&self) -> Figure {
        let value = self.limit_value();
        let error = (self.printed_upper() + self.lost_term().abs()) / value;
        let formula = match self.scheme {
            Scheme::Partition => "KM Theorem 5.1: (1-e^(-k/c))^k",
            Scheme::DoubleHashing => "KM Theorem 5.2: (1-e^(-k/c))^k",
        };
        Figure::new(value, formula, Accuracy::approximation(error))
    }

    fn limit_value(&self) -> f64 {
        self.fill().0.powf(self.hashes)
    }

    /// `k^5/(2 c^2 n)`.
    fn printed_upper(&self) -> f64 {
        let per_item = self.items / self.bits;
        0.5 * self.hashes.powi(5) * per_item * per_item / self.items
    }

    /// Bounds of the excess over [`Self::limit`] for n large (KM Theorems 6.2, 6.3).
    ///
    /// They are proven through Theorem 6.1, which loses a term of their own order; the printed lower bound so fails for
    /// a small load (k = 2, p = 10007, n = 1000: at least 2.75e-6 printed, 8.5e-7 true). `lower` and `upper` add the term back.
    /// Asymptotic: nothing is said of a given n; tested against the exact law of the partition scheme with prime ranges, and
    /// of double hashing in one array of up to 499 bits.
    pub fn excess_bounds(&self) -> ExcessBounds {
        let (fill, x) = self.fill();
        let k = self.hashes;
        let (unit, power, name) = match self.scheme {
            Scheme::Partition => (k * k, k.powi(3), "KM Theorem 6.2"),
            Scheme::DoubleHashing => (1.0, k.powi(5), "KM Theorem 6.3"),
        };
        let per_item = self.items / self.bits;
        let lower = unit * per_item * per_item / self.items
            * (1.0 - fill.powf(k - 1.0) * (1.0 + x) * 0.5 * power);
        let upper = self.printed_upper();
        let lost = self.lost_term();
        let figure = |value, side: &str, accuracy| {
            let formula = format!("{name}, {side} bound of the excess for n large");
            Figure::new(value, formula, accuracy)
        };
        ExcessBounds {
            printed_lower: figure(lower, "lower", Accuracy::lower_bound()),
            printed_upper: figure(upper, "upper", Accuracy::bound()),
            lower: figure(lower + lost, "corrected lower", Accuracy::lower_bound()),
            upper: figure(upper + lost, "corrected upper", Accuracy::bound()),
        }
    }

    /// Upper bound of the probability that the rate of one filled filter differs from the limit by more than `distance`
    /// (KM Theorem 7.1): `2 exp(-2n (eps - |Pr(F) - p|)^2/lambda^2)`, at most 1. `gap` is `|Pr(F) - p|`.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `0 <= gap < distance`.
    pub fn concentration(&self, distance: f64, gap: f64) -> Result<Figure, TheoryError> {
        let value = self.deviation(distance, gap)?;
        Ok(Figure::new(
            value.min(1.0),
            "KM Theorem 7.1",
            Accuracy::bound(),
        ))
    }

    /// Upper bound of the probability that the share of false positives among `queries` keys differs from the limit by
    /// more than `distance` (KM Theorem 7.2, part 3), at most 1. `gap` as in [`Self::concentration`].
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `0 <= gap < distance/2`.
    pub fn query_concentration(
        &self,
        queries: u64,
        distance: f64,
        gap: f64,
    ) -> Result<Figure, TheoryError> {
        let filter = self.deviation(0.5 * distance, gap)?;
        let sample = 2.0 * (-0.5 * queries as f64 * distance * distance).exp();
        Ok(Figure::new(
            (sample + filter).min(1.0),
            "KM Theorem 7.2, part 3",
            Accuracy::bound(),
        ))
    }

    /// The share of false positives among `queries` keys that is exceeded with a probability of at most `chance` by KM Theorem 7.2,
    /// part 3: the limit and the least distance that it gives, at most 1. `gap` as in [`Self::concentration`].
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the chance lies between 0 and 1 and the gap is at least 0.
    pub fn queries_exceed(
        &self,
        queries: u64,
        gap: f64,
        chance: f64,
    ) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "chance", chance)?;
        // it falls with the distance
        let (mut low, mut high) = (2.0 * gap, 2.0 * gap + 2.0);
        self.query_concentration(queries, high, gap)?;
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            match self.query_concentration(queries, middle, gap) {
                Ok(bound) if bound.value <= chance => high = middle,
                _ => low = middle,
            }
        }
        let distance = high;
        Ok(Figure::new(
            (self.limit_value() + distance).min(1.0),
            format!(
                "KM Theorem 7.2, part 3: exceeded with a probability of at most {chance} among {queries} queries"
            ),
            Accuracy::bound(),
        ))
    }

    fn deviation(&self, distance: f64, gap: f64) -> Result<f64, TheoryError> {
        if !(gap >= 0.0 && gap < distance) {
            return Err(TheoryError::domain(
                NAME,
                "gap",
                format!("at least 0 and less than {distance}"),
                gap,
            ));
        }
        let lambda = self.hashes * self.load();
        let reach = (distance - gap) / lambda;
        Ok(2.0 * (-2.0 * self.items * reach * reach).exp())
    }

    /// The excess to first order for partitions of prime range (KM Theorem 6.1), as printed and with the lost term.
    pub(super) fn first_order_prime(&self) -> (f64, f64) {
        let (fill, _) = self.fill();
        let (k, p) = (self.hashes, self.bits / self.hashes);
        let square = p * p;
        let none = (k - 1.0) / square * fill.powf(k);
        let one = -k / square * fill.powf(k - 1.0);
        let printed = self.items * (none + one + 1.0 / square);
        (printed, printed + self.lost_term())
    }
}
