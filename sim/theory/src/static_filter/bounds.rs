//! Bounds of the rate in closed form (OCC 57, 58, 64, 65).

use super::filter::{Probes, StaticFilter, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::occupancy::covered::Covered;
use crate::occupancy::Batches;

impl StaticFilter {
    /// `ln(1 - (1-1/m)^(nk))` where m > 1.
    fn ln_standard_fill(&self) -> f64 {
        let balls = self.items as f64 * self.hashes as f64;
        ln_fill(balls * (-1.0 / self.bits as f64).ln_1p())
    }

    /// `ln(1 - (1-k/m)^n)`.
    fn ln_classic_fill(&self) -> f64 {
        ln_fill(self.items as f64 * (-(self.hashes as f64) / self.bits as f64).ln_1p())
    }

    /// M (OCC 57), `(1-(1-1/m)^(nk))^k`: a lower bound of f_S by Jensen. No bound of f_C, only close to it.
    pub fn lower_bound_m(&self) -> Figure {
        Figure::new(
            (self.hashes as f64 * self.ln_standard_fill()).exp(),
            "OCC (57) M, a lower bound of f_S",
            Accuracy::lower_bound(),
        )
    }

    /// E (OCC 58), `(1-e^(-nk/m))^k`: a lower bound of M, so of f_S; the textbook formula.
    pub fn lower_bound_e(&self) -> Figure {
        let load = self.items as f64 * self.hashes as f64 / self.bits as f64;
        Figure::new(
            (self.hashes as f64 * ln_fill(-load)).exp(),
            "OCC (58) E, a lower bound of M and f_S",
            Accuracy::lower_bound(),
        )
    }

    /// L (OCC 64), the probability that k distinct bits are set in the standard filter: a lower bound of f_S and,
    /// for k up to (m-1)/2, of f_C.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] when it would take more than seconds.
    pub fn lower_bound_l(&self) -> Result<Figure, TheoryError> {
        let balls = Batches {
            count: self.items.saturating_mul(self.hashes),
            size: 1,
        };
        let covered = Covered::new(self.bits, &[balls], self.hashes)?;
        Ok(Figure::new(
            covered.probability(self.hashes).value(),
            "OCC (64) L, a lower bound of f_S and f_C",
            Accuracy::lower_bound(),
        ))
    }

    /// U (OCC 65), `(1-(1-k/m)^n)^k`: an upper bound of f_C for k up to (m-1)/2; Bloom's own estimate.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] for k above (m-1)/2, where the bound is not proven.
    pub fn upper_bound_u(&self) -> Result<Figure, TheoryError> {
        if 2 * self.hashes + 1 > self.bits {
            let most = self.bits.saturating_sub(1) / 2;
            return Err(TheoryError::domain(
                NAME,
                "hashes",
                format!("at most (m-1)/2 = {most} for the upper bound U (nearest: {most})"),
                self.hashes,
            ));
        }
        Ok(Figure::new(
            (self.hashes as f64 * self.ln_classic_fill()).exp(),
            "OCC (65) U, an upper bound of f_C",
            Accuracy::bound(),
        ))
    }

    /// Natural logarithm of a lower bound of the exact rate over all hashes from `self.hashes` to `most`, for searches:
    /// M for the standard filter; for the classic one `C(mu,k)/C(m,k)` (OCC Theorem 15: Jensen on falling factorials,
    /// any k up to m), or `((mu-k+1)/(m-k+1))^k` below it where the hashes vary.
    pub(super) fn ln_floor(&self, most: u64) -> f64 {
        let most_f = most as f64;
        let m = self.bits as f64;
        let ln_clear = self.items as f64 * (-(self.hashes as f64) / m).ln_1p();
        match self.probes {
            Probes::Independent => most_f * self.ln_standard_fill(),
            Probes::Distinct if most == self.hashes => {
                let set = -m * ln_clear.exp_m1();
                (0..most)
                    .map(|l| ((set - l as f64).max(0.0) / (m - l as f64)).ln())
                    .sum()
            }
            Probes::Distinct => {
                // expected clear bits over m - k + 1, at most 1
                let share = (ln_clear - ((m - most_f + 1.0) / m).ln()).min(0.0);
                most_f * ln_fill(share)
            }
        }
    }
}

/// `ln(1 - e^x)` for x <= 0.
fn ln_fill(x: f64) -> f64 {
    if x > -std::f64::consts::LN_2 {
        (-x.exp_m1()).ln()
    } else {
        (-x.exp()).ln_1p()
    }
}
