//! A static filter in partitions.

use super::concentration::{by_cells, by_items, by_queries, check_chance, Item};
use super::partitions::{check_two_hash_floor, pairs_variance, Partitions};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::{occupied_fraction, partitioned_rate};
use crate::numeric::search::first_above;
use crate::sizing::Hashing;
use crate::two_hash::PartitionedDoubleHashing;

const NAME: &str = "partitioned static filter";
const MOST_ITEMS: u64 = 1 << 46;
/// What the tests allow.
const ACCURACY: f64 = 1e-11;

/// k partitions of m' bits that hold n items.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionedStatic {
    partitions: Partitions,
    items: u64,
    double: Option<PartitionedDoubleHashing>,
}

impl PartitionedStatic {
    /// `items` (n) distinct keys, from 0 to 2^46.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] for more items.
    pub fn new(partitions: Partitions, items: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "items", items, (0, MOST_ITEMS))?;
        let double = match partitions.hashing() {
            Hashing::Independent => None,
            Hashing::Double => Some(PartitionedDoubleHashing::new(
                partitions.range(),
                partitions.hashes(),
            )?),
        };
        Ok(Self {
            partitions,
            items,
            double,
        })
    }

    /// The false-positive rate: the probability that a key which the filter does not hold is seen. Exact.
    ///
    /// Independent functions: `(1-(1-1/m')^n)^k`; the partitions hold independent occupancies of n balls in m' urns. Two
    /// functions: [`PartitionedDoubleHashing::rate`].
    pub fn rate(&self) -> Figure {
        match &self.double {
            None => Figure::new(
                self.independent(),
                "partitioned, k functions: (1-(1-1/m')^n)^k",
                Accuracy::exact(ACCURACY),
            )
            .with_ln(f64::from(self.partitions.hashes()) * self.fill().value.ln()),
            Some(double) => Figure::new(
                double.rate(self.items as f64),
                "partitioned double hashing, n items (derivation of this project)",
                double.accuracy(self.items as f64),
            ),
        }
    }

    fn independent(&self) -> f64 {
        partitioned_rate(
            self.partitions.range() as f64,
            self.partitions.hashes(),
            self.items as f64,
        )
    }

    /// What two hash functions add to the rate; 0 for k functions. Contained in [`Self::rate`].
    pub fn two_hash_excess(&self) -> Figure {
        match &self.double {
            None => Figure::new(0.0, "k independent functions", Accuracy::exact(0.0)),
            Some(double) => Figure::new(
                double.excess(self.items as f64),
                "partitioned double hashing less (1-(1-1/m')^n)^k",
                double.accuracy(self.items as f64),
            ),
        }
    }

    /// The excess as a share (0 to 1) of the rate.
    pub fn two_hash_share(&self) -> f64 {
        let rate = self.rate().value;
        if rate > 0.0 {
            self.two_hash_excess().value / rate
        } else {
            0.0
        }
    }

    /// Refuses a filter whose excess is over 10% of its rate.
    ///
    /// # Errors
    /// [`TheoryError::TwoHashFloor`] above 10%.
    pub fn check_two_hash_floor(&self) -> Result<(), TheoryError> {
        check_two_hash_floor(self.two_hash_excess().value, self.rate().value)
    }

    /// Share of the bits that are set, `1-(1-1/m')^n` on average. Exact.
    pub fn fill(&self) -> Figure {
        Figure::new(
            occupied_fraction(self.partitions.range() as f64, self.items as f64),
            "mean share of bits set: 1-(1-1/m')^n",
            Accuracy::exact(ACCURACY),
        )
    }

    /// Standard deviation, over the choice of the hash functions, of the rate that one filled filter has: what an
    /// observation of one filter may differ from the mean by, however many keys are asked for.
    ///
    /// With v the relative variance of a partition's share of set bits (an occupancy number: exact), the product of k
    /// independent ones has the relative variance `(1+v)^k - 1`. Exact for independent functions; for two functions the variance
    /// of the pairs of hash values is added, and what the stored items' correlation changes is left out: of the order of the excess and of
    /// k^2/m'.
    pub fn rate_deviation(&self) -> Figure {
        let range = self.partitions.range() as f64;
        let n = self.items as f64;
        let fill = occupied_fraction(range, n);
        let empty = 1.0 - fill;
        // (1-2/m')^n over (1-1/m')^2n is (1 - 1/(m'-1)^2)^n
        let pair = if range > 2.0 {
            (n * (-(range - 1.0).powi(-2)).ln_1p()).exp_m1()
        } else {
            -1.0
        };
        let both = empty * empty * (1.0 + pair);
        let variance = empty * empty * pair + (empty - both) / range;
        let relative = if fill > 0.0 {
            variance.max(0.0) / (fill * fill)
        } else {
            0.0
        };
        let spread = (f64::from(self.partitions.hashes()) * relative.ln_1p()).exp_m1();
        let pairs = pairs_variance(&self.partitions.meeting_excess(), fill);
        let left_out = match self.partitions.hashing() {
            Hashing::Independent => 0.0,
            Hashing::Double => 0.25 * f64::from(self.partitions.hashes()).powi(2) / range,
        };
        Figure::new(
            (self.rate().value.powi(2) * spread + pairs).sqrt(),
            "deviation of prod(b_i/m') between filters: occupancy variance, (1+v)^k - 1; with two hash functions that of their pairs, too",
            Accuracy::approximation(1e-6 + self.two_hash_share() + left_out),
        )
    }

    /// A rate that one filled filter exceeds with a probability of at most `chance`, over the choice of the hash functions: a
    /// bound.
    ///
    /// Independent functions: the Chernoff bound of the bits set (derivation of this project), within 15 % of the exact
    /// quantile at 1024 bits a partition, and nearer above. Two functions: by the deviation ([`Self::rate_deviation`]), KM Theorem 7.1, or
    /// what self-bounding functions keep, all further above it.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the chance lies between 0 and 1.
    pub fn rate_exceeded_by(&self, chance: f64) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        let (range, hashes) = (self.partitions.range() as f64, self.partitions.hashes());
        let k = f64::from(hashes);
        let item = Item {
            change: k / range,
            critical: k,
        };
        Ok(match self.partitions.hashing() {
            Hashing::Independent => by_cells(k * range, self.fill().value, hashes, chance),
            Hashing::Double => {
                let deviation = self.rate_deviation();
                let items = self.items as f64;
                by_items(&self.rate(), Some(&deviation), items, item, chance)
            }
        })
    }

    /// A share of false positives among `queries` keys that one filled filter exceeds with a probability of at most `chance`, over
    /// the choice of the hash functions and of the keys: a bound, from [`Self::rate_exceeded_by`] and Chernoff's bound, each with
    /// half of it (KM 7.2, part 3, in sharper form).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the chance lies between 0 and 1, and without queries.
    pub fn observed_exceeded_by(&self, queries: u64, chance: f64) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        TheoryError::check_range(NAME, "queries", queries, (1, u64::MAX))?;
        let rate = self.rate_exceeded_by(0.5 * chance)?;
        Ok(by_queries(&rate, queries, chance))
    }

    /// The most items at a rate of at most `rate`. Exact: the rate grows with every item.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1 and one item meets it.
    pub fn most_items(partitions: Partitions, rate: f64) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "rate", rate)?;
        let fill = rate.powf(1.0 / f64::from(partitions.hashes()));
        let guess = -(partitions.range() as f64) * (-fill).ln_1p();
        let mut rate_of = |items| Ok::<_, TheoryError>(Self::new(partitions, items)?.rate().value);
        match first_above((1, MOST_ITEMS), guess as u64, rate, &mut rate_of)? {
            Some(first) if first > 1 => Ok(Figure::new(
                (first - 1) as f64,
                "greatest n whose rate is at most the target",
                Accuracy::exact(0.0),
            )),
            _ => Err(TheoryError::domain(
                NAME,
                "rate",
                "one that a filter of one item meets and 2^46 items pass",
                rate,
            )),
        }
    }
}
