//! One filter and its exact false-positive rate.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::wide::Wide;
use crate::occupancy::batches::{MAX_BALLS, MAX_URNS};
use crate::occupancy::covered::{Covered, MAX_TARGETS};
use crate::occupancy::{Batches, Union};

pub(super) const NAME: &str = "static filter";
/// What the tests against rational arithmetic allow.
pub(super) const ACCURACY: f64 = 1e-13;

/// How an item's positions are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Probes {
    /// k independent draws that may coincide: the standard filter.
    Independent,
    /// k distinct positions: the classic filter.
    Distinct,
}

/// A filter of m bits that holds n items of k probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticFilter {
    pub(super) bits: u64,
    pub(super) items: u64,
    pub(super) hashes: u64,
    pub(super) probes: Probes,
}

impl StaticFilter {
    /// `bits` (m), `items` (n, may be 0), `hashes` (k).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless m is 1 to 2^46, k is 1 to the smaller of m and 800, and nk at most 2^46.
    pub fn new(bits: u64, items: u64, hashes: u64, probes: Probes) -> Result<Self, TheoryError> {
        let within = |argument, value, low, high| {
            TheoryError::check_range(NAME, argument, value, (low, high))
        };
        within("bits", bits, 1, MAX_URNS)?;
        within("hashes", hashes, 1, bits.min(MAX_TARGETS))?;
        within("items", items, 0, MAX_BALLS / hashes)?;
        Ok(Self {
            bits,
            items,
            hashes,
            probes,
        })
    }

    /// The balls its items throw.
    pub(super) fn batches(&self) -> Batches {
        match self.probes {
            Probes::Independent => Batches {
                count: self.items.saturating_mul(self.hashes),
                size: 1,
            },
            Probes::Distinct => Batches {
                count: self.items,
                size: self.hashes,
            },
        }
    }

    /// The number of set bits, an occupancy number.
    pub fn set_bits(&self) -> Union {
        Union::new(self.bits, &[self.batches()]).expect("the filter keeps the occupancy's domain")
    }

    /// Elementary steps of [`Self::wide_rate`].
    pub(super) fn steps(&self) -> u64 {
        let probes = self.hashes * self.hashes / 2;
        Covered::steps(&[self.batches()], self.hashes).saturating_add(probes)
    }

    /// The rate as a number with an exponent of its own.
    pub(super) fn wide_rate(&self) -> Result<Wide, TheoryError> {
        let covered = Covered::new(self.bits, &[self.batches()], self.hashes)?;
        Ok(match self.probes {
            Probes::Independent => covered.all_probes_met(self.bits, self.hashes),
            Probes::Distinct => covered.probability(self.hashes),
        })
    }

    /// The exact false-positive rate f_S (OCC 56) or f_C (OCC 60), without their cancelling sums.
    ///
    /// Relative error below 1e-13: the probability that k given bits are all set follows item by item from a recursion
    /// in positive terms (OCC 12 seen from the clear bits), whose rounding in double-doubles is below `4 n k 2^-102`.
    /// Grandi's recursion (OCC 55, whose exponent is to read kn + h - 1) cancels like the sums and serves the tests only.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when the rate lies below 1e-300 (use [`Self::log2_rate`]);
    /// [`TheoryError::TooLarge`] when it would take more than seconds.
    pub fn rate(&self) -> Result<Figure, TheoryError> {
        let rate = self.wide_rate()?;
        if !rate.is_zero() && rate.value() < 1e-300 {
            return Err(TheoryError::domain(
                NAME,
                "rate",
                "at least 1e-300; ask for its logarithm instead",
                format!("2^{:.1}", rate.log2()),
            ));
        }
        let formula = match self.probes {
            Probes::Independent => "OCC (56) f_S, by the positive recursion (12)",
            Probes::Distinct => "OCC (60) f_C, by the positive recursion (12)",
        };
        Ok(Figure::new(
            rate.value(),
            formula,
            Accuracy::exact(ACCURACY),
        ))
    }

    /// The binary logarithm of the exact rate, however small; minus infinity for a filter without items. The relative
    /// error of the logarithm is below 1e-13 for rates up to 1 - 1e-15; closer to 1 its absolute error is below 1e-25.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] when it would take more than seconds.
    pub fn log2_rate(&self) -> Result<Figure, TheoryError> {
        let formula = match self.probes {
            Probes::Independent => "log2 of OCC (56) f_S",
            Probes::Distinct => "log2 of OCC (60) f_C",
        };
        Ok(Figure::new(
            self.wide_rate()?.log2().min(0.0),
            formula,
            Accuracy::exact(ACCURACY),
        ))
    }
}
