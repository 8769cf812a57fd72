//! The stable Bloom filter.

use super::solve::last_within;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::recycling::half::MAX_HASHES;
use serde::Serialize;
use statrs::distribution::{Binomial, Discrete, DiscreteCDF};
use std::ops::RangeInclusive;

const NAME: &str = "stable Bloom filter";

/// k banks of `cells` cells of d bits. An item decrements P cells in a row of each bank, from a random one on, and then sets its
/// own cell of each bank to `2^d - 1`. A key is seen when none of its cells is 0.
///
/// Source: F. Deng, D. Rafiei, "Approximately Detecting Duplicates for Streaming Data Using Stable Bloom Filters", SIGMOD 2006,
/// with a bank for each hash function. With cells of one bit it is a retouched Bloom filter whose bits are cleared at random, so many
/// with every key: B. Donnet, B. Baynat, T. Friedman, "Retouched Bloom Filters: Allowing Networked Applications to Trade Off Selected
/// False Positives Against False Negatives", CoNEXT 2006, there for a set that does not change.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stable {
    pub(super) cells: u64,
    pub(super) hashes: u32,
    pub(super) cell_bits: u32,
    pub(super) decrements: u64,
}

impl Stable {
    /// `cells` of a bank, `hashes` (k) banks, `cell_bits` (d), `decrements` (P) of each bank an item.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 2 cells or more, `1 <= k <= 64`, `1 <= d <= 8` and P is 1 to `cells`.
    pub fn new(
        cells: u64,
        hashes: u32,
        cell_bits: u32,
        decrements: u64,
    ) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "cells", cells, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "cell_bits", cell_bits.into(), (1, 8))?;
        TheoryError::check_range(NAME, "decrements", decrements, (1, cells))?;
        Ok(Self {
            cells,
            hashes,
            cell_bits,
            decrements,
        })
    }

    /// The filter that forgets no more than a share of its keys for longest within a memory and a rate, with cells of so many bits.
    pub(super) fn best(
        memory_bits: u64,
        rate: f64,
        share: f64,
        cell_bits: RangeInclusive<u32>,
    ) -> Option<Self> {
        let all = cell_bits.flat_map(|d| (1..=24u32).map(move |k| (k, d)));
        let reach = |stable: &Self| last_within(|distance| stable.forgotten(distance), share);
        all.filter_map(|(k, d)| Self::within(memory_bits, rate, k, d))
            .map(|stable| (reach(&stable), stable))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, stable)| stable)
    }

    /// The fewest decrements that keep a rate.
    fn within(memory_bits: u64, rate: f64, hashes: u32, cell_bits: u32) -> Option<Self> {
        let cells = memory_bits / (u64::from(hashes) * u64::from(cell_bits));
        let stable = Self::new(cells, hashes, cell_bits, 1).ok()?;
        let zero = (1.0 - rate.powf(1.0 / f64::from(hashes))).powf(1.0 / stable.most() as f64);
        let set = 1.0 / cells as f64;
        // u = p (1-s) / (p + s - p s) >= zero
        let share = zero * set / ((1.0 - set) * (1.0 - zero));
        let decrements = (share * cells as f64).ceil();
        if decrements > cells as f64 {
            return None;
        }
        let with = |decrements: u64| Self::new(cells, hashes, cell_bits, decrements).ok();
        let stable = with(decrements as u64)?;
        if stable.rate().value <= rate {
            Some(stable)
        } else {
            with(decrements as u64 + 1)
        }
    }

    fn most(&self) -> u64 {
        (1 << self.cell_bits) - 1
    }

    /// `u = p (1-s) / (p + s - p s)`: a cell that is touched is decremented, and not set.
    fn decremented_first(&self) -> f64 {
        let set = 1.0 / self.cells as f64;
        let decrement = self.decrements as f64 / self.cells as f64;
        decrement * (1.0 - set) / (decrement + set - decrement * set)
    }

    /// The rate of a key that was never inserted, in the steady state. Exact: banks are independent, and a cell is 0 when `2^d - 1`
    /// decrements came since it was set last.
    pub fn rate(&self) -> Figure {
        let zero = self.decremented_first().powi(self.most() as i32);
        Figure::new(
            (1.0 - zero).powi(self.hashes as i32),
            "(1 - (1 + 1/(P (1/K - 1/m)))^-Max)^K of Deng and Rafiei, with a bank a hash: K = 1 in each",
            Accuracy::exact(1e-12),
        )
    }

    /// The law of the decrements of a cell in `distance` steps.
    fn decrements_after(&self, distance: f64) -> Option<Binomial> {
        let decrement = self.decrements as f64 / self.cells as f64;
        Binomial::new(decrement, distance.clamp(0.0, 9e15) as u64).ok()
    }

    /// The probability that one of k cells is 0, each with probability `zero`.
    fn any_is(&self, zero: f64) -> f64 {
        -(f64::from(self.hashes) * (-zero).ln_1p()).exp_m1()
    }

    /// The probability that a key is forgotten after `distance` other keys: one of its cells was decremented so often that only another
    /// key can have set it. Exact: a cell takes `2^d - 1` decrements or more.
    pub fn forgotten(&self, distance: f64) -> f64 {
        self.decrements_after(distance)
            .map_or(f64::NAN, |law| self.any_is(law.sf(self.most() - 1)))
    }

    /// The probability that a key is not seen after `distance` other keys, of which some may have set its cells. Exact: with B the
    /// decrements of its cell in d steps and u as above, a cell is not 0 with probability
    /// `1 - u^Max + (1-s)^d sum over j < Max of P(B = j) u^(Max-j)`.
    pub fn missed(&self, distance: f64) -> f64 {
        let most = self.most();
        let u = self.decremented_first();
        let set = 1.0 / self.cells as f64;
        let Some(law) = self.decrements_after(distance) else {
            return f64::NAN;
        };
        let kept: f64 = (0..most)
            .map(|j| law.pmf(j) * u.powi((most - j) as i32))
            .sum();
        let unset = (law.n() as f64 * (-set).ln_1p()).exp();
        self.any_is((u.powi(most as i32) - unset * kept).clamp(0.0, 1.0))
    }
}
