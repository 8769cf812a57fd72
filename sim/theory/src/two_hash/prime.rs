//! The partition scheme with a prime range, exactly (KM 3).

use super::asymptotic::{ManyItems, Scheme};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;
use crate::numeric::primes::is_prime;
use crate::occupancy::covered::Covered;
use crate::occupancy::Batches;

const NAME: &str = "partition scheme of prime range";

/// k partitions of p bits each, p prime, probed by `h1 + i h2 mod p`, after n items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrimePartition {
    range: u64,
    hashes: u32,
    items: u64,
}

impl PrimePartition {
    /// `range` (p), `hashes` (k), `items` (n).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless p is a prime below 2^40, `1 <= k <= 64` and k at most p, and n at least 1.
    pub fn new(range: u64, hashes: u32, items: u64) -> Result<Self, TheoryError> {
        if range >= 1 << 40 || !is_prime(range) {
            return Err(TheoryError::domain(
                NAME,
                "range",
                "a prime below 2^40",
                range,
            ));
        }
        let most = range.min(u64::from(crate::recycling::half::MAX_HASHES));
        if hashes == 0 || u64::from(hashes) > most {
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("1 to {most}"),
                hashes,
            ));
        }
        if items == 0 || items > 1 << 40 {
            return Err(TheoryError::domain(NAME, "items", "1 to 2^40", items));
        }
        Ok(Self {
            range,
            hashes,
            items,
        })
    }

    /// The rate, exactly: `PE + (1-PE) sum_t (-1)^t C(k,t) (1-t/(p+1))^n` with `PE = 1-(1-1/p^2)^n` (KM 3).
    ///
    /// The sum is the probability that n balls in p + 1 urns occupy k given ones, so it is taken by that recursion in
    /// positive terms; relative error below 1e-13.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] when it would take more than seconds.
    pub fn rate(&self) -> Result<Figure, TheoryError> {
        let p = self.range as f64;
        let inverse = Dd::ratio(1.0, p);
        let no_twin = (Dd::ONE - inverse * inverse).powu(self.items);
        let balls = Batches {
            count: self.items,
            size: 1,
        };
        let targets = u64::from(self.hashes);
        let covered = Covered::new(self.range + 1, &[balls], targets)?;
        let rate = (Dd::ONE - no_twin) + no_twin * covered.probability(targets).dd();
        Ok(Figure::new(
            rate.value(),
            "KM 3, partition scheme, exact for a prime range",
            Accuracy::exact(1e-13),
        ))
    }

    /// The scheme as the theorems for many items see it.
    pub fn many_items(&self) -> ManyItems {
        let bits = self.range * u64::from(self.hashes);
        ManyItems::new(Scheme::Partition, bits, self.items, self.hashes)
            .expect("the partition scheme keeps the theorems' domain")
    }

    /// The excess over the limit to first order, `n eps(n)` of KM Theorem 6.1 with the `O(1/n)` term that the theorem
    /// loses put back (erratum). An approximation; the stated relative error is the distance to the exact excess.
    ///
    /// # Errors
    /// Those of [`Self::rate`].
    pub fn first_order_excess(&self) -> Result<Figure, TheoryError> {
        let corrected = self.many_items().first_order_prime().1;
        self.against_exact(corrected, "KM Theorem 6.1, corrected (erratum)")
    }

    /// The excess as printed, without the lost term, with its distance to the exact excess.
    ///
    /// # Errors
    /// Those of [`Self::rate`].
    pub fn printed_first_order_excess(&self) -> Result<Figure, TheoryError> {
        let printed = self.many_items().first_order_prime().0;
        self.against_exact(printed, "KM Theorem 6.1, as printed")
    }

    fn against_exact(&self, value: f64, formula: &str) -> Result<Figure, TheoryError> {
        let exact = self.rate()?.value - self.many_items().limit().value;
        let error = ((value - exact) / value).abs();
        Ok(Figure::new(value, formula, Accuracy::approximation(error)))
    }
}
