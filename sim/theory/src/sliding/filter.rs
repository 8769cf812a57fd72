//! One sliding-window filter: its generations, its range, its rate.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

const NAME: &str = "sliding-window filter";
const MOST_ITEMS: u64 = 1 << 40;

/// How stale cells are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deletion {
    /// All cells are scanned whenever a generation begins (SBF 2.3).
    ScanAGeneration,
    /// Two cells are scanned at every step; cells of generations that are no longer live count as empty until they are
    /// reached (SBF 2.4).
    TwoCellsAStep,
}

/// A filter for the last n elements, with m of slack and false-positive probability eps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlidingFilter {
    pub(super) window: u64,
    pub(super) slack: u64,
    pub(super) rate: f64,
    /// c
    generations: u64,
}

impl SlidingFilter {
    /// `window` (n), `slack` (m; at least `window` says as much as infinity), `rate` (eps); chooses c.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= n <= 2^40`, `m >= 1` and `0 < eps <= 1/2`.
    pub fn new(window: u64, slack: u64, rate: f64) -> Result<Self, TheoryError> {
        let filter = Self::with_generations(window, slack, rate, window.max(1))?;
        let fewest = window.div_ceil(slack);
        let bits = filter.rate_bits();
        let cost = |c: u64| (1.0 + 1.0 / c as f64) * (bits + (c as f64).log2() + 1.0);
        // the cost falls until (c+1)/ln 2 passes log2(1/eps) + log2(c) + 1, and rises from there
        let mut generations = fewest;
        while generations < window && cost(generations + 1) < cost(generations) {
            generations += 1;
        }
        Ok(Self {
            generations,
            ..filter
        })
    }

    /// The same with a given number c of generations a window, instead of the cheapest.
    ///
    /// # Errors
    /// As [`Self::new`]; [`TheoryError::OutOfDomain`] unless `n/m <= c <= n`, with the nearest legal c.
    pub fn with_generations(
        window: u64,
        slack: u64,
        rate: f64,
        generations: u64,
    ) -> Result<Self, TheoryError> {
        if window == 0 || window > MOST_ITEMS {
            return Err(TheoryError::domain(
                NAME,
                "window",
                format!("1 to 2^40 (nearest: {})", window.clamp(1, MOST_ITEMS)),
                window,
            ));
        }
        if slack == 0 {
            return Err(TheoryError::domain(NAME, "slack", "at least 1", slack));
        }
        if !(rate > 0.0 && rate <= 0.5) {
            return Err(TheoryError::domain(
                NAME,
                "eps",
                "more than 0 and at most 0.5",
                rate,
            ));
        }
        let fewest = window.div_ceil(slack);
        if generations < fewest || generations > window {
            return Err(TheoryError::domain(
                NAME,
                "generations",
                format!(
                    "n/m to n, {fewest} to {window} (nearest: {})",
                    generations.clamp(fewest, window)
                ),
                generations,
            ));
        }
        Ok(Self {
            window,
            slack,
            rate,
            generations,
        })
    }

    /// `log2(1/eps)`.
    pub(super) fn rate_bits(&self) -> f64 {
        -self.rate.log2()
    }

    /// c: how many generations make up a window.
    pub fn generations_a_window(&self) -> u64 {
        self.generations
    }

    /// c + 1: generations that answer yes.
    pub fn live_generations(&self) -> u64 {
        self.generations + 1
    }

    /// Elements of a generation, `n/c` rounded up, so that c past ones always cover the window.
    pub fn generation_items(&self) -> u64 {
        self.window.div_ceil(self.generations)
    }

    /// `n' = n (1 + 1/c)`, the most hash values stored (SBF 2.3). Exact where c divides n; [`Self::capacity`] is the
    /// whole number to build for.
    pub fn stored(&self) -> Figure {
        let value = self.window as f64 + self.window as f64 / self.generations as f64;
        let accuracy = if self.window.is_multiple_of(self.generations) {
            Accuracy::exact(1e-15)
        } else {
            Accuracy::approximation((self.capacity() as f64 - value) / value)
        };
        Figure::new(value, "SBF 2.3: n' = n (1 + 1/c)", accuracy)
    }

    /// The most hash values stored: c + 1 generations of [`Self::generation_items`].
    pub fn capacity(&self) -> u64 {
        self.live_generations() * self.generation_items()
    }

    /// How long before the window an element may still answer yes. At most m where c divides n; up to c more where
    /// generations were rounded up, so choose n a multiple of c to keep m to the letter.
    pub fn slack_used(&self) -> u64 {
        self.capacity() - self.window
    }

    /// The range of the hash function: `n'/eps`, rounded up, from the capacity.
    pub fn range(&self) -> f64 {
        (self.capacity() as f64 / self.rate).ceil()
    }

    /// Upper bound of the probability that an element that is not stored answers yes: values stored over range, at
    /// most eps (SBF 2.3, union bound, any universal hash function).
    pub fn union_bound(&self) -> Figure {
        Figure::new(
            self.capacity() as f64 / self.range(),
            "SBF 2.3, union bound: n'/range",
            Accuracy::bound(),
        )
    }

    /// The same probability exactly, for an ideal hash function and `distinct` distinct elements stored:
    /// `1 - (1 - 1/range)^distinct`.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when more elements are stored than the capacity.
    pub fn rate_with(&self, distinct: u64) -> Result<Figure, TheoryError> {
        let capacity = self.capacity();
        if distinct > capacity {
            return Err(TheoryError::domain(
                NAME,
                "distinct",
                format!("at most the capacity (nearest: {capacity})"),
                distinct,
            ));
        }
        let value = -(distinct as f64 * (-1.0 / self.range()).ln_1p()).exp_m1();
        Ok(Figure::new(
            value,
            "1 - (1 - 1/range)^distinct (this project, ideal hash)",
            Accuracy::exact(1e-14),
        ))
    }

    /// Values of the generation counter: c + 1, or 2c + 3 where stale cells wait to be scanned (SBF 2.4).
    pub fn generation_values(&self, deletion: Deletion) -> u64 {
        match deletion {
            Deletion::ScanAGeneration => self.live_generations(),
            Deletion::TwoCellsAStep => 2 * self.generations + 3,
        }
    }

    /// Cells scanned a step: c + 1 on average, in bursts of n'; or 2 at every step (SBF 2.3, 2.4).
    pub fn cells_scanned_a_step(&self, deletion: Deletion) -> u64 {
        match deletion {
            Deletion::ScanAGeneration => self.live_generations(),
            Deletion::TwoCellsAStep => 2,
        }
    }

    /// The most cells that one step scans: all of them, or 2.
    pub fn worst_cells_scanned(&self, deletion: Deletion) -> u64 {
        match deletion {
            Deletion::ScanAGeneration => self.capacity(),
            Deletion::TwoCellsAStep => 2,
        }
    }
}
