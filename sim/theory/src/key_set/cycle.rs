use super::draws::Draws;
use super::set::{sum_of, KeySet, Mean, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

/// Least relative error that is stated of a cycle: simulation has held it no closer.
const SMALLEST_ERROR: f64 = 0.01;

/// When a recycling filter recycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recycles {
    /// When more than so many bits of a half are set.
    AboveBits(u64),
    /// After so many messages that set a bit.
    AfterMessages(u64),
}

/// A recycling filter on a set of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycle {
    /// New keys a cycle; all of them where the filter never recycles.
    pub arrivals: Figure,
    /// Average rate over the first arrivals of a cycle (count-instance of RBF).
    pub fpr_average: Figure,
    /// Rate just before a recycle.
    pub fpr_worst_case: Figure,
    /// Whether the keys are enough to trip a recycle.
    pub recycles: bool,
}

impl KeySet {
    /// A recycling filter that is given the keys in random order, each once, with no other key.
    ///
    /// Source: derivation of this project. With n of the keys in a half the rate is that of [`Self::static_rate`], exactly. The
    /// cycle is taken to have the length at which the mean number of set bits (or of bit-setting messages) reaches the
    /// threshold, and the halves to be independent: an approximation, whose error is estimated from the spread of that length.
    /// Tested within it against simulation.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless phases are 1 or 2.
    pub fn recycling(
        &self,
        recycles: Recycles,
        phases: u32,
        retain: bool,
    ) -> Result<Cycle, TheoryError> {
        TheoryError::check_range(NAME, "phases", phases.into(), (1, 2))?;
        let limit = self.keys - 1.0;
        let reaches = |n: f64| match recycles {
            Recycles::AboveBits(threshold) => self.mean_bits(n) > threshold as f64,
            Recycles::AfterMessages(threshold) => {
                n * (1.0 - self.mean_rate(n, false, false).value) >= threshold as f64
            }
        };
        let tripped = reaches(limit);
        let length = if tripped {
            let (mut below, mut reached) = (0.0, limit);
            while reached - below > 1.0_f64.max(1e-15 * below) {
                let middle = (0.5_f64 * (below + reached)).floor();
                match reaches(middle) {
                    true => reached = middle,
                    false => below = middle,
                }
            }
            reached
        } else {
            limit
        };
        let two = phases == 2 && tripped;
        let kept = retain && tripped && length > 1.0;
        let average = self.mean_rate(length, two, kept);
        let worst = self.worst_rate(length, two);
        let share = match recycles {
            Recycles::AboveBits(_) => self.spread(length),
            Recycles::AfterMessages(_) => 1.0 / length.sqrt(),
        };
        let error = (4.0 * share * share + 3.0 / length).max(SMALLEST_ERROR);
        let formula =
            "mean over a cycle of the rate with n keys, cycle at the mean fill (this project)";
        Ok(Cycle {
            arrivals: Figure::new(
                length - f64::from(u8::from(kept)),
                "number of keys at which the mean fill reaches the threshold (this project)",
                Accuracy::approximation(error),
            ),
            fpr_average: self.figure(average, formula, error),
            fpr_worst_case: self.figure(
                worst,
                "rate with all keys of the cycle but one (this project)",
                error,
            ),
            recycles: tripped,
        })
    }

    /// Mean bits set by `n` of the keys.
    fn mean_bits(&self, n: f64) -> f64 {
        let mut draws = Draws::new(self.keys, n);
        let mut bits = Sum::default();
        for (cells, keys) in &self.cells {
            bits.add(cells * (1.0 - draws.none(*keys)));
        }
        bits.value()
    }

    /// The rate averaged over 0 to `length` - 1 keys in the active half (from 1 with `kept`: a cycle begins with the message
    /// that tripped); with `two` a half of `length` keys beside it.
    fn mean_rate(&self, length: f64, two: bool, kept: bool) -> Mean {
        // an empty half has no false positives, so it weighs on the mean alone
        let counted = if kept { length / (length - 1.0) } else { 1.0 };
        let others = self.keys - 1.0;
        let (mut frozen, mut active) = (Draws::new(others, length), Draws::new(others, length));
        self.mean(&mut |terms| {
            let frozen = if two {
                sum_of(terms, |h| frozen.none(h))
            } else {
                0.0
            };
            frozen + (1.0 - frozen) * counted * sum_of(terms, |h| active.mean_none(h))
        })
    }

    /// The rate with `length` - 1 keys, with `two` beside a half of `length` keys.
    fn worst_rate(&self, length: f64, two: bool) -> Mean {
        let others = self.keys - 1.0;
        let (mut frozen, mut active) =
            (Draws::new(others, length), Draws::new(others, length - 1.0));
        self.mean(&mut |terms| {
            let frozen = if two {
                sum_of(terms, |h| frozen.none(h))
            } else {
                0.0
            };
            frozen + (1.0 - frozen) * sum_of(terms, |h| active.none(h))
        })
    }

    /// Standard deviation of the cycle length as a share of it: that of the bits by the binomial law, over their slope.
    fn spread(&self, length: f64) -> f64 {
        let (mut now, mut before) = (
            Draws::new(self.keys, length),
            Draws::new(self.keys, length - 1.0),
        );
        let (mut variance, mut slope) = (Sum::default(), Sum::default());
        for (cells, keys) in &self.cells {
            let clear = now.none(*keys);
            variance.add(cells * clear * (1.0 - clear));
            slope.add(cells * (before.none(*keys) - clear));
        }
        variance.value().sqrt() / slope.value().max(1e-300) / length
    }
}
