//! Urns that hold a ball of any batch: the classic, the committee and the union problem (OCC 2.1, 2.2, 2.3.1).

use super::batches::Batches;
use super::covered::Covered;
use super::moments::{Given, ACCURACY};
use super::pmf::Pmf;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;

/// Most elementary steps of a distribution, about a second.
const MAX_STEPS: u64 = 100_000_000;

/// The number of occupied urns after all batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Union {
    urns: u64,
    batches: Vec<Batches>,
}

impl Union {
    /// `urns` urns and the batches thrown into them, in any order.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 1 to 2^46 urns, at most 2^46 balls, and every batch has 1 to
    /// `urns` balls.
    pub fn new(urns: u64, batches: &[Batches]) -> Result<Self, TheoryError> {
        Batches::check(urns, batches)?;
        Ok(Self {
            urns,
            batches: batches.to_vec(),
        })
    }

    /// Number of urns.
    pub fn urns(&self) -> u64 {
        self.urns
    }

    /// Expected number of occupied urns (OCC 16, 42, 44; 19 with r = 1). Exact.
    pub fn mean(&self) -> Figure {
        self.given()
            .mean(self.urns, "OCC (19), r = 1: m (1 - prod (1-k_d/m)^n_d)")
    }

    /// Variance of the number of occupied urns (OCC 43, 45, from the binomial moments 19). Exact; counts that can
    /// hardly vary are good to `10^-22` of the squared mean, and 0 below.
    pub fn variance(&self) -> Figure {
        self.given()
            .variance(self.urns, "OCC (19), r = 1, 2: E[X(X-1)] + E[X] - E[X]^2")
    }

    pub(super) fn given(&self) -> Given {
        Given::of(self.urns, &self.batches)
    }

    /// Probability that `targets` given urns are all occupied, `E[C(X,r)]/C(m,r)` (OCC 10, 15, 19), by a recursion in
    /// positive terms. Exact.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] above 800 given urns or the number of urns; [`TheoryError::TooLarge`] when it would
    /// take more than seconds.
    pub fn all_occupied(&self, targets: u64) -> Result<Figure, TheoryError> {
        let covered = Covered::new(self.urns, &self.batches, targets)?;
        Ok(Figure::new(
            covered.probability(targets).value(),
            "OCC (19) over C(m,r), by the positive recursion (12)",
            Accuracy::exact(ACCURACY),
        ))
    }

    /// The distribution (OCC 4, 14, 18) by the positive recursion (12), ball by ball. Exact. Costs balls times urns.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] above 10^8 elementary steps.
    pub fn pmf(&self) -> Result<Pmf, TheoryError> {
        Ok(Pmf {
            probabilities: self.counts()?.iter().map(|p| p.value()).collect(),
            formula: "OCC (18), by the positive recursion (12)",
            accuracy: Accuracy::exact(ACCURACY),
        })
    }

    fn balls(&self) -> u64 {
        self.batches.iter().map(|b| b.count * b.size).sum()
    }

    /// The most urns that can be occupied.
    pub(super) fn most_occupied(&self) -> u64 {
        self.urns.min(self.balls())
    }

    pub(super) fn counts(&self) -> Result<Vec<Dd>, TheoryError> {
        let steps = self.balls().saturating_mul(self.most_occupied());
        if steps > MAX_STEPS || self.urns > MAX_STEPS {
            return Err(TheoryError::TooLarge {
                formula: "occupancy distribution",
                quantity: "balls times urns",
                got: steps.max(self.urns),
                limit: MAX_STEPS,
                next_step: "use the mean and the variance",
            });
        }
        let mut last = Vec::new();
        let all: u64 = self.batches.iter().map(|batch| batch.count).sum();
        self.follow(|thrown, counts| {
            if thrown == all {
                last = counts.to_vec();
            }
        });
        Ok(last)
    }

    /// Calls `after` with the distribution after no batch, and after each.
    pub(super) fn follow(&self, mut after: impl FnMut(u64, &[Dd])) {
        let m = self.urns as f64;
        let mut counts = vec![Dd::ZERO; self.urns as usize + 1];
        counts[0] = Dd::ONE;
        let mut most = 0usize;
        let mut batches = 0;
        after(batches, &counts);
        for batch in &self.batches {
            for _ in 0..batch.count {
                for thrown in 0..batch.size {
                    // the batch's earlier balls lie in occupied urns and are no longer open to this one
                    let unit = Dd::ratio(1.0, m - thrown as f64);
                    most = (most + 1).min(self.urns as usize);
                    for i in (1..=most).rev() {
                        let again = (i as f64 - thrown as f64).max(0.0);
                        let fresh = m - (i as f64 - 1.0);
                        counts[i] = (counts[i].times(again) + counts[i - 1].times(fresh)) * unit;
                    }
                    counts[0] = Dd::ZERO;
                }
                batches += 1;
                after(batches, &counts);
            }
        }
    }
}
