//! The bits a sliding-window filter takes, and the least that any can.

use super::filter::{Deletion, SlidingFilter};
use crate::accuracy::{Accuracy, Figure};

impl SlidingFilter {
    /// `n (1 + 1/c) (log2(1/eps) + log2(c) + 1)` bits (SBF 2.3), the dictionary's overhead 1 + o(1) left out.
    ///
    /// An approximation. The paper's `log2 c + 1` stands for the generation number and for the entropy of a set of n'
    /// hash values, which is at most `n' (log2(1/eps) + log2 e)`; the stated error is the distance to
    /// [`Self::entropy_bits`] with c + 1 generation values.
    pub fn bits(&self) -> Figure {
        let c = self.generations_a_window() as f64;
        let value = self.window as f64 * (1.0 + 1.0 / c) * (self.rate_bits() + c.log2() + 1.0);
        let entropy = self.entropy_bits(Deletion::ScanAGeneration).value;
        Figure::new(
            value,
            "SBF 2.3: n (1 + 1/c) (log2(1/eps) + log2(c) + 1)",
            Accuracy::approximation((entropy - value).abs() / value),
        )
    }

    /// The entropy of the contents: `log2 C(range, n')` for the set of hash values and `log2` of the generation values
    /// for each. A lower bound for this dictionary, which a succinct one meets up to a factor 1 + o(1).
    pub fn entropy_bits(&self, deletion: Deletion) -> Figure {
        let (n, r) = (self.capacity() as f64, self.range());
        let rest = r - n;
        // ln C(r, n) by Stirling with its first correction; the error is below 1/(360 n^3)
        let ln = n * (r / n).ln() - rest * (-n / r).ln_1p()
            + 0.5 * (r / (std::f64::consts::TAU * n * rest)).ln()
            + (1.0 / r - 1.0 / n - 1.0 / rest) / 12.0;
        let set = (ln / std::f64::consts::LN_2).max(0.0);
        let values = self.generation_values(deletion) as f64;
        Figure::new(
            set + n * values.log2(),
            "log2 C(range, n') + n' log2(generation values)",
            Accuracy::lower_bound(),
        )
    }

    /// The bits of a plain table of n' cells, each a whole hash value and a whole generation number: what gateware
    /// without a succinct dictionary takes at a load of 1. Exact.
    pub fn table_bits(&self, deletion: Deletion) -> Figure {
        let hash = self.range().log2().ceil();
        let generation = (self.generation_values(deletion) as f64).log2().ceil();
        Figure::new(
            self.capacity() as f64 * (hash + generation),
            "n' (ceil(log2 range) + ceil(log2 generation values))",
            Accuracy::exact(1e-15),
        )
    }

    /// `n log2(1/eps) + n max(log2 log2(1/eps), log2(n/m))` (SBF Theorem 1.2): the leading terms of the least bits that any
    /// sliding-window filter takes. An approximation whose error is not known: the theorem leaves out a term of O(n), which is a constant an element,
    /// and holds for eps that tends to 0. So it is no bound of a filter of a given size.
    pub fn lower_bound_bits(&self) -> Figure {
        let n = self.window as f64;
        let age = (n / self.slack as f64).log2();
        let value = n * self.rate_bits() + n * self.rate_bits().log2().max(age);
        Figure::new(
            value,
            "SBF Theorem 1.2: leading terms of the least bits of any such filter, n log2(1/eps) + n max(log2 log2(1/eps), log2(n/m)); \
             a constant an element is not known",
            Accuracy::approximation(f64::MAX),
        )
    }

    /// The slack from which on a greater one gains nothing: `n / log2(1/eps)` elements (SBF 1, after Theorem 1.2). From there on
    /// [`Self::lower_bound_bits`] no longer falls. Exact for that bound, so up to O(n) bits for any filter; where a constructed filter
    /// has its fewest bits is another matter, see [`Self::new`].
    pub fn useful_slack(&self) -> Figure {
        Figure::new(
            self.window as f64 / self.rate_bits(),
            "SBF after Theorem 1.2: n / log2(1/eps), above which the lower bound of the bits stays the same",
            Accuracy::exact(1e-15),
        )
    }
}
